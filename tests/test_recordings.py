"""The recorded logs are what this server writes: the web UI's tests read the same files, so both hold by one truth."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast import events
from holdfast.events import Recorded
from holdfast.state import State
from holdfast.times import timestamp

FOLDER = Path(__file__).parent / "recordings"
INDEX: list[dict[str, str]] = json.loads((FOLDER / "index.json").read_text())


def recording(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def recorded(envelope: dict[str, Any]) -> Recorded:
    """The entry of the log that the envelope was made from."""
    at_ms = round(datetime.fromisoformat(envelope["timestamp"]).timestamp() * 1000)
    data = json.dumps(envelope["data"]).encode()
    return Recorded(envelope["type"], data, at_ms, envelope["data"].get("is_partial") is True)


@pytest.fixture(params=[entry["name"] for entry in INDEX])
def log(request) -> list[dict[str, Any]]:
    return recording(request.param)


def test_every_recording_is_in_the_index_and_every_entry_of_it_is_there():
    assert sorted(entry["name"] for entry in INDEX) == sorted(path.stem for path in FOLDER.glob("*.jsonl"))


def test_together_they_have_an_event_of_nearly_every_type():
    found = {envelope["type"] for entry in INDEX for envelope in recording(entry["name"])}
    # The one is made only by an agent that has lost its session, the other by nobody who runs one: tests of their own.
    assert events.TYPES.keys() - found == {"recovered", "imported"}


@pytest.mark.requirement("R021", "R022", "R023")
def test_a_recording_is_numbered_from_one_without_a_gap(log):
    assert [envelope["sequence"] for envelope in log] == list(range(1, len(log) + 1))
    assert {frozenset(envelope) for envelope in log} == {frozenset({"type", "data", "timestamp", "sequence"})}
    assert [envelope["timestamp"] for envelope in log] == [timestamp(recorded(one).at_ms) for one in log]


def test_what_is_read_from_a_recording_is_written_as_it_was(log):
    for envelope in log:
        event = recorded(envelope).decode()
        again = events.envelope(events.record(event, recorded(envelope).at_ms), envelope["sequence"])
        assert json.loads(again) == envelope


@pytest.mark.requirement("R085")
@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: entry["name"])
def test_a_recording_is_the_life_of_a_session_and_ends_in_the_status_that_the_index_says(entry):
    state = State()
    for envelope in recording(entry["name"]):
        state.advance(recorded(envelope))
    assert state.status == entry["status"]


def test_a_recording_holds_nothing_of_the_machine_it_was_made_on(log):
    text = json.dumps(log)
    for trace in ("holdfast-recording", "/root", str(FOLDER.parents[1]), "[[do:"):
        assert trace not in text
