"""Events are values with one wire form: what goes in comes out, and what is not set is not there."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast import events
from holdfast.events import TYPES, Event, Recorded, envelope, record
from holdfast.times import timestamp
from tests.event_values import AT_MS, moments, partial, recorded, values

PROTOCOL = Path(__file__).parent.parent / "PROTOCOL.md"

any_event = st.sampled_from(sorted(TYPES)).flatmap(lambda name: values(TYPES[name]))


@pytest.mark.parametrize("name", TYPES)
def test_every_type_of_event_comes_back_from_the_wire_as_it_was(name: str) -> None:
    @settings(max_examples=30)
    @given(values(TYPES[name]), moments)
    def law(event: Event, at_ms: int) -> None:
        entry = record(event, at_ms)
        assert entry.type == name
        assert entry.decode() == event

    law()


@pytest.mark.requirement("R115")
@given(any_event)
def test_what_is_not_set_is_absent_and_never_null(event: Event) -> None:
    _no_null(json.loads(record(event, 0).data), event)


def _no_null(shown: dict[str, Any], value: msgspec.Struct) -> None:
    fields = {field.name: getattr(value, field.name) for field in msgspec.structs.fields(type(value))}
    for field in msgspec.structs.fields(type(value)):
        if not field.required and fields[field.name] is None:
            assert field.name not in shown
        if field.required:
            assert field.name in shown
    assert shown.keys() <= fields.keys()
    for name, inner in fields.items():
        if isinstance(inner, msgspec.Struct):
            _no_null(shown[name], inner)
        for number, item in enumerate(inner if isinstance(inner, list) else ()):
            if isinstance(item, msgspec.Struct):
                _no_null(shown[name][number], item)


@pytest.mark.requirement("R021", "R022", "R028")
@given(any_event, moments, st.integers(1, 2**62))
def test_an_envelope_has_just_type_data_timestamp_and_sequence_on_one_line(
    event: Event, at_ms: int, sequence: int
) -> None:
    entry = record(event, at_ms)
    body = envelope(entry, sequence)
    shown = json.loads(body)
    assert list(shown) == ["type", "data", "timestamp", "sequence"]
    assert shown["type"] == entry.type
    assert shown["data"] == json.loads(entry.data)
    assert shown["timestamp"] == timestamp(at_ms)
    assert shown["sequence"] == sequence
    assert b"\n" not in body
    assert b"\r" not in body


@pytest.mark.requirement("R022")
def test_the_protocols_own_example_is_what_is_sent() -> None:
    example = re.search(r'^\{"type":"message",.*\}$', PROTOCOL.read_text(), re.MULTILINE)
    assert example
    assert envelope(partial("Hello"), 42).decode() == example[0]


@pytest.mark.requirement("R022")
@given(moments)
def test_a_timestamp_is_utc_with_milliseconds_and_z_and_loses_nothing(at_ms: int) -> None:
    text = timestamp(at_ms)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text)
    back = datetime.fromisoformat(text)
    assert back.utcoffset() == UTC.utcoffset(None)
    assert round(back.timestamp() * 1000) == at_ms


@pytest.mark.requirement("R022")
def test_timestamps_sort_as_their_moments_do() -> None:
    around = [AT_MS + step for step in (-86_400_000, -61_000, -789, -1, 0, 1, 210, 211, 61_000, 86_400_000)]
    assert [timestamp(at_ms) for at_ms in around] == sorted(timestamp(at_ms) for at_ms in around)


@given(any_event)
def test_only_texts_that_say_so_are_partial(event: Event) -> None:
    is_text = isinstance(event, (events.Message, events.Thinking))
    assert record(event, 0).partial == (is_text and event.is_partial)


def test_an_event_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        partial("Hello").decode().text = "Goodbye"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (Recorded("telepathy", b"{}", 0), KeyError),
        (Recorded("message", b'{"text":"Hello"', 0), msgspec.DecodeError),
        (Recorded("message", b'{"text":"Hello"}', 0), msgspec.ValidationError),
        (Recorded("message", b'{"text":1,"is_partial":true}', 0), msgspec.ValidationError),
        (Recorded("message", b'{"text":"\xff","is_partial":true}', 0), UnicodeDecodeError),
        (Recorded("usage", b'{"detail":%b}' % (b"[" * 9_999 + b"]" * 9_999), 0), RecursionError),
        (
            Recorded("error", recorded("error").data.replace(b'"stop_reason":"process_exit"', b'"stop_reason":"?"'), 0),
            msgspec.ValidationError,
        ),
    ],
    ids=["unknown type", "half a value", "field missing", "wrong type", "bad UTF-8", "too deep", "unknown stop reason"],
)
def test_what_no_type_allows_is_not_decoded(entry: Recorded, error: type[Exception]) -> None:
    with pytest.raises(error):
        entry.decode()


def _protocol_table() -> dict[str, set[str]]:
    """The event types of the protocol's page, each with the fields that it names; what these may say is in brackets."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (?:R\d+)? ?\|$", PROTOCOL.read_text().partition("## 4. Events")[2], re.M)
    return {name: set(re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", cell))) for name, cell in rows}


def _fields(kind: Any) -> set[str]:
    """The names of a struct's fields, and of those of what its lists hold."""
    found = set[str]()
    for field in msgspec.structs.fields(kind):
        found.add(field.name)
        if get_origin(field.type) is list and issubclass(get_args(field.type)[0], msgspec.Struct):
            found |= _fields(get_args(field.type)[0])
    return found


@pytest.mark.requirement(
    *("R030", "R031", "R032", "R033", "R034", "R035", "R037", "R038", "R039", "R040"),
    *("R041", "R042", "R043", "R044", "R049"),
)
def test_the_types_and_their_fields_are_those_of_the_protocols_page() -> None:
    documented = _protocol_table()
    assert documented.keys() == TYPES.keys()
    for name, fields in documented.items():
        known = _fields(TYPES[name])
        assert fields <= known, name
        # What all ends have, what usage may have and what subagents add stands elsewhere on the page.
        if name not in {"usage", *events.TERMINAL}:
            assert {field.name for field in msgspec.structs.fields(TYPES[name])} - fields <= {"parent_id"}, name


@pytest.mark.requirement("R083", "R103", "R104", "R105", "R106", "R114", "R118")
def test_every_end_carries_its_reasons_and_its_costs_and_nothing_else_is_an_end() -> None:
    ends = {name for name, kind in TYPES.items() if issubclass(kind, events.End)}
    assert ends == events.TERMINAL == {"agent_complete", "error", "cancelled"}
    for name in ends:
        fields = {field.name: field for field in msgspec.structs.fields(TYPES[name])}
        assert fields["stop_reason"].required
        assert fields["termination_info"].required
        assert {"agent_stop_reason", "agent_session_id", "synthetic"} <= fields.keys()
        assert {"num_turns", "duration_ms", "total_cost_usd", "usage"} <= fields.keys()
