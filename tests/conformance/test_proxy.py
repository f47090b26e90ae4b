"""The proxy does what it says: an answer is cut exactly where it should be, and passes whole where nothing is cut."""

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from conformance.chunks import Rechunked
from conformance.damage import Damage, Fault, Where

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
FRAME = 'id: 7\ndata: {"text":"Grüße 🧵"}\n\n'.encode()
STREAM = FRAME * 20


def split(data: bytes, at: list[int]) -> list[bytes]:
    places = [0, *sorted({place % (len(data) + 1) for place in at}), len(data)]
    return [data[begin:end] for begin, end in pairwise(places)]


@given(pieces=st.lists(st.binary(min_size=1, max_size=40), max_size=6), at=st.lists(st.integers(0, 2000), max_size=8))
def test_a_chunked_answer_is_taken_apart_however_it_arrives(pieces: list[bytes], at: list[int]) -> None:
    wire = HEAD + b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    answer = Rechunked()
    taken = [answer.feed(part) for part in split(wire, at)]
    assert b"".join(head for head, _ in taken) == HEAD
    assert b"".join(body for _, body in taken) == b"".join(pieces)
    assert answer.is_complete


@given(
    seed=st.integers(0, 1000),
    least=st.integers(0, len(STREAM) - 2 * len(FRAME)),
    where=st.sampled_from(["anywhere", "character", "id", "frame"]),
    at=st.lists(st.integers(0, len(STREAM)), max_size=8),
)
def test_an_answer_is_cut_at_its_place_however_it_arrives(seed: int, least: int, where: Where, at: list[int]) -> None:
    damage = Damage(Fault(cut=(least, least), where=(where,)), Random(seed), cuts=True)
    passed = b""
    for part in split(STREAM, at):
        cut = damage.cut_at(part)
        passed += part if cut is None else part[:cut]
        if cut is not None:
            break
    assert STREAM.startswith(passed)
    if where == "anywhere":
        assert len(passed) == least
        return
    # The next such place, and the first frame's id has no line before it.
    assert least < len(passed) <= least + 2 * len(FRAME)
    ends = {"character": (b"\xc3", b"\xf0"), "id": (b"\nid: 7\n",), "frame": (b"}\n",)}
    assert passed.endswith(ends[where])


def test_what_is_not_to_be_cut_passes_in_pieces_that_make_it_whole() -> None:
    damage = Damage(Fault(cut=(0, 9), pieces=(1, 9)), Random(1), cuts=False)
    assert damage.cut_at(STREAM) is None
    pieces = damage.pieces(STREAM)
    assert b"".join(pieces) == STREAM
    assert max(map(len, pieces)) <= 9
