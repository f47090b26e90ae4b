"""The client's reader of Server-Sent Events: whatever the text and however the bytes are cut."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from holdfast.client.sse import Frame, Parser

LINE_ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
# A field's value may hold anything but a line end; an id no NUL either.
values = st.text().map(lambda text: text.replace("\r", "").replace("\n", "").encode("utf-8", "replace"))
words = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"))
frames = st.builds(
    Frame,
    event=words.filter(bool),
    id=st.none() | words,
    data=st.lists(values, min_size=1).map(b"\n".join),
)


def framed(frame, end, comment):
    lines = [b": " + comment] if comment is not None else []
    lines += [b"event: " + frame.event.encode()]
    lines += [b"id: " + frame.id.encode()] if frame.id is not None else []
    lines += [b"data: " + line for line in frame.data.split(b"\n")]
    return end.join([*lines, b"", b""])


def fed(wire, cuts):
    parser = Parser()
    edges = [0, *sorted(cut % (len(wire) + 1) for cut in cuts), len(wire)]
    return [frame for a, b in pairwise(edges) for frame in parser.feed(wire[a:b])]


@given(st.lists(frames), LINE_ENDS, st.none() | values, st.lists(st.integers(min_value=0)))
def test_framing_and_parsing_are_inverse_for_any_text_and_any_chunking(sent, end, comment, cuts):
    wire = b"".join(framed(frame, end, comment) for frame in sent)
    assert fed(wire, cuts) == sent


@given(st.binary(), st.lists(st.integers(min_value=0)))
def test_how_the_bytes_are_cut_never_changes_what_is_read(wire, cuts):
    assert fed(wire, cuts) == Parser().feed(wire)


def test_a_stream_as_the_server_sends_it_is_read():
    wire = (
        b'retry: 3000\n\nevent: stream\ndata: {"resume":"ok","after":0,"head":1}\n\n'
        b': heartbeat\n\nid: 1\ndata: {"sequence":1}\n\n'
    )
    parser = Parser()
    assert parser.feed(wire) == [
        Frame(event="stream", data=b'{"resume":"ok","after":0,"head":1}'),
        Frame(id="1", data=b'{"sequence":1}'),
    ]
    assert parser.retry_ms == 3000


def test_a_frame_that_its_end_has_not_reached_is_held_back():
    parser = Parser()
    assert parser.feed(b"data: half") == []
    assert parser.feed(b" and half\n") == []
    assert parser.feed(b"\n") == [Frame(data=b"half and half")]


def test_a_frame_is_there_with_its_carriage_return_without_waiting_for_what_follows():
    assert Parser().feed(b"data: x\r\r") == [Frame(data=b"x")]


def test_a_line_end_cut_in_two_is_one_line_end():
    parser = Parser()
    assert parser.feed(b"data: a\r") == []
    assert parser.feed(b"\ndata: b\r\n\r") == [Frame(data=b"a\nb")]
    assert parser.feed(b"\n") == []


def test_only_one_space_after_the_colon_belongs_to_the_framing():
    assert Parser().feed(b"data:  x \n\n") == [Frame(data=b" x ")]


def test_an_id_with_a_nul_and_a_retry_that_is_no_number_are_ignored():
    parser = Parser()
    assert parser.feed(b"id: 1\0\nretry: soon\ndata\n\n") == [Frame(data=b"")]
    assert parser.retry_ms is None


def test_an_id_without_data_is_no_event_and_does_not_stick_to_the_next():
    assert Parser().feed(b"id: 1\n\ndata: x\n\n") == [Frame(data=b"x")]


def test_a_byte_order_mark_is_taken_for_what_it_is():
    assert fed(b"\xef\xbb\xbfdata: x\n\n", [1, 2]) == [Frame(data=b"x")]
