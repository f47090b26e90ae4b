"""Reading what an agent prints: any bytes in any chunks, every message in order, nothing raised."""

import json
from itertools import pairwise

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdfast.agents import acp_wire as wire
from holdfast.agents.acp_wire import LINE_BYTES, LineReader

cuts = st.lists(st.integers(min_value=0), max_size=10)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
messages = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0")},
    optional={
        "id": st.integers() | st.text(),
        "method": st.text(),
        "params": json_values,
        "result": json_values,
        "error": st.none() | st.fixed_dictionaries({"code": st.integers(), "message": st.text()}),
        "extra": json_values,
    },
)
# Lines that are no message, and not empty.
garbage = st.sampled_from(
    [
        b"Starting up...",
        b"\xff\xfe",
        b"[1, 2]",
        b"42",
        b'{"jsonrpc":',
        b"null",
        b'"text"',
        b"{}}",
        b'{"id":1.5}',
        b"[" * 50,
    ]
)


class Heard:
    """A reader with a note of all that came out of it, in order."""

    def __init__(self, **options):
        self.all = []
        self.spoilt = []
        self.reader = LineReader(
            lambda message: self.all.append(("message", message)),
            lambda text: self.all.append(("unparsed", text)),
            lambda id_, _text: self.spoilt.append(id_),
            **options,
        )

    @property
    def unparsed(self):
        return [value for kind, value in self.all if kind == "unparsed"]


def heard(data, cut_at=(), **options):
    found = Heard(**options)
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cut_at), len(data)]
    for a, b in pairwise(edges):
        found.reader.feed(data[a:b])
    found.reader.end()
    return found


@settings(deadline=None)
@given(st.binary(max_size=300), cuts, st.integers(1, 300))
@example(b'{"id":1,"result":{}}\n\n \n[\n', [5, 22], 8)
def test_any_bytes_in_any_chunks_never_raise_and_the_cuts_do_not_matter(data, cut_at, limit):
    assert heard(data, cut_at, limit=limit).all == heard(data, limit=limit).all


@pytest.mark.requirement("R049")
@settings(deadline=None)
@given(st.lists(messages | garbage, max_size=8), st.sampled_from([b"\n", b"\r\n", b"\n\n"]), st.booleans(), cuts)
def test_messages_come_out_whole_and_in_order_and_the_rest_is_kept_as_it_was(lines, end, is_ended, cut_at):
    written = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    found = heard(end.join(written) + (end if is_ended else b""), cut_at)
    assert len(found.all) == len(lines)
    for (kind, value), line, raw in zip(found.all, lines, written, strict=True):
        if isinstance(line, bytes):
            assert (kind, value.rstrip("\r")) == ("unparsed", raw.decode("utf-8", "replace"))
        else:
            assert kind == "message"
            assert (value.id, value.method) == (line.get("id"), line.get("method"))
            for field in ("params", "result"):
                if field in line:
                    assert msgspec.json.decode(getattr(value, field)) == line[field]


def test_a_number_zero_and_a_string_are_ids_and_none_is_none():
    lines = [
        b'{"id":0,"method":"a"}',
        b'{"id":"6ba7b810","method":"a"}',
        b'{"method":"a"}',
        b'{"id":null,"method":"a"}',
    ]
    assert [message.id for _, message in heard(b"\n".join(lines)).all] == [0, "6ba7b810", None, None]


@pytest.mark.requirement("R049")
@pytest.mark.parametrize("deep", [b'{"method":"_x","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}", b"[" * 500_000])
def test_nesting_without_end_is_unparsed(deep):
    found = heard(deep + b'\n{"method":"next"}\n', [len(deep) // 2])
    assert [kind for kind, _ in found.all] == ["unparsed", "message"]


@pytest.mark.requirement("R049")
def test_a_message_whose_taker_cannot_read_its_parts_is_unparsed():
    texts = []

    def take(message):
        msgspec.json.decode(message.params)

    reader = LineReader(take, texts.append, lambda *_: None)
    reader.feed(b'{"method":"a","params":{"text":"caf\xe9"}}\n{"method":"b","params":{"n":1e999}}\n')
    assert texts == ['{"method":"a","params":{"text":"caf�"}}', '{"method":"b","params":{"n":1e999}}']


def test_an_answer_that_cannot_be_read_is_told_to_whoever_waits_for_it():
    found = heard(b'{"jsonrpc":"2.0","id":7,"result":{"stopReason":\n{"id": 8 , "error" : "none of your business"}\n')
    assert found.spoilt == [7, 8]
    assert len(found.unparsed) == 2
    assert heard(b'{"jsonrpc":"2.0","id":7,"method":\n[7]\n').spoilt == []


@pytest.mark.requirement("R049")
@settings(deadline=None)
@given(st.integers(0, 60), st.integers(10, 30), cuts)
def test_a_line_over_the_limit_is_unparsed_and_the_next_one_is_read(length, limit, cut_at):
    line = b'{"method":"' + b"x" * length + b'"}'
    found = heard(line + b'\n{"id":5}\n', cut_at, limit=limit)
    kind, value = found.all[0]
    if len(line) <= limit:
        assert (kind, value.method) == ("message", "x" * length)
    else:
        assert kind == "unparsed"
        assert value.startswith(line[:limit].decode())
        assert f"a line of {len(line)} bytes, over the limit of {limit}" in value
    assert found.all[1:] == [("message", wire.Rpc(id=5))]


def test_the_limit_is_eight_megabytes_and_a_longer_line_costs_no_more():
    found = Heard()
    chunk = b"x" * 1024 * 1024
    found.reader.feed(b'{"id":3,"result":"')
    for _ in range(20):
        found.reader.feed(chunk)
    found.reader.feed(b'"}\n{"id":4,"result":1}\n')
    assert [kind for kind, _ in found.all] == ["unparsed", "message"]
    assert f"over the limit of {LINE_BYTES}" in found.unparsed[0]
    assert len(found.unparsed[0]) < 3_000
    assert found.spoilt == [3]


def test_a_long_line_below_the_limit_is_a_message_however_it_comes():
    found = Heard()
    line = b'{"id":3,"result":"' + b"x" * (LINE_BYTES - 20) + b'"}'
    assert len(line) == LINE_BYTES
    for start in range(0, len(line), 64 * 1024):
        found.reader.feed(line[start : start + 64 * 1024])
    found.reader.feed(b"\n")
    assert [kind for kind, _ in found.all] == ["message"]


def test_what_we_write_is_one_line_of_json_whatever_is_in_it():
    text = 'line\nline\r\n\u2028"\x00\\'
    written = [
        wire.request(1, "m", {"text": text}),
        wire.notification("m", {"text": text}),
        wire.result("id", {"text": text}),
        wire.error(0, -32601, text),
    ]
    for line in written:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert json.loads(line)["jsonrpc"] == "2.0"
    assert json.loads(written[3]) == {"jsonrpc": "2.0", "id": 0, "error": {"code": -32601, "message": text}}
