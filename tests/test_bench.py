"""The load client's verdicts can be trusted: faults are planted in a tiny server, and it must see each of them."""

import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bench.crowd import Crowd
from bench.transcript import Reader, Transcript, judge, latencies

COUNT = 300


def frame(number: int, text: str = "hello") -> bytes:
    return b'id: %d\ndata: {"type":"message","data":{"text":"%b"},"sequence":%d}\n\n' % (number, text.encode(), number)


WHOLE = [frame(number) for number in range(1, COUNT + 1)]
MISSING = WHOLE[:100] + WHOLE[101:]
TWICE = [*WHOLE[:100], *WHOLE[99:]]
SWAPPED = [*WHOLE[:100], WHOLE[101], WHOLE[100], *WHOLE[102:]]
ALTERED = [*WHOLE[:100], frame(101, "HELLO"), *WHOLE[101:]]
SHORT = WHOLE[:250]
PREAMBLE = b'retry: 3000\n\nevent: stream\ndata: {"resume":"ok","after":0,"head":%d}\n\n'


class Wire:
    """What one reader is sent: its frames, in chunks of its own, and whether the last chunk comes."""

    def __init__(self, frames: list[bytes], *, chunked: bool = True, ends: bool = True, cut: int = 0) -> None:
        self.frames, self.chunked, self.ends, self.cut = frames, chunked, ends, cut

    def bytes(self, seed: int) -> Iterator[bytes]:
        chance = random.Random(seed)
        kind = b"Transfer-Encoding: chunked" if self.chunked else b"Connection: close"
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n%b\r\n\r\n" % kind
        # Comments come between frames, in each reader at other places, alone in a chunk or not.
        body = b"".join(chance.choice((b"", b"", b": heartbeat\n\n")) + one for one in self.frames)
        body = body[: len(body) - self.cut]
        pieces = [PREAMBLE % chance.randrange(COUNT)]
        while body:
            size = chance.choice((1, 7, 60, 500, 5000))
            pieces.append(body[:size])
            body = body[size:]
        for piece in pieces:
            yield b"%x\r\n%b\r\n" % (len(piece), piece) if self.chunked else piece
        if self.chunked and self.ends:
            yield b"0\r\n\r\n"


@contextmanager
def server(wires: list[Wire]) -> Iterator[int]:
    """Answers the n-th connection with the n-th wire, all at the same time, once all are there."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=50)
    listener.settimeout(60)
    go = threading.Barrier(len(wires))

    def answer(sock: socket.socket, wire: Wire, seed: int) -> None:
        with sock:
            sock.recv(10_000)
            pieces = wire.bytes(seed)
            sock.sendall(next(pieces))
            go.wait(60)
            for piece in pieces:
                sock.sendall(piece)

    def accept() -> None:
        for seed, wire in enumerate(wires):
            sock, _ = listener.accept()
            threads.append(threading.Thread(target=answer, args=(sock, wire, seed)))
            threads[-1].start()

    threads = [threading.Thread(target=accept)]
    threads[0].start()
    try:
        yield listener.getsockname()[1]
    finally:
        for thread in threads:
            thread.join(60)
        listener.close()


def verdict(wires: list[Wire]) -> dict:
    with server(wires) as port:
        streams = [{"path": "/events", "readers": len(wires)}]
        with Crowd(port, streams, seconds=60) as crowd:
            return crowd.report()["streams"][0]


FAULTS = ("missing", "duplicates", "disordered", "altered", "truncated", "broken")


@pytest.mark.parametrize(
    ("planted", "seen"),
    [
        (Wire(WHOLE), {}),
        (Wire(WHOLE, chunked=False), {}),
        (Wire(MISSING), {"missing": 1}),
        (Wire(TWICE), {"duplicates": 1}),
        (Wire(SWAPPED), {"disordered": 1}),
        (Wire(ALTERED), {"altered": 1}),
        (Wire(SHORT), {"missing": 50, "truncated": 1}),
        (Wire(WHOLE, cut=5), {"missing": 1, "truncated": 1}),
        (Wire(WHOLE, ends=False), {"broken": 1}),
        (Wire(SHORT, chunked=False), {"missing": 50, "truncated": 1}),
    ],
)
def test_the_load_client_sees_what_is_wrong_with_one_of_its_readers(planted: Wire, seen: dict[str, int]) -> None:
    # Whole readers on both sides, so that the planted one is at times the first to arrive and at times not.
    found = verdict([Wire(WHOLE), planted, Wire(WHOLE), Wire(WHOLE, chunked=False)])
    assert {name: found[name] for name in FAULTS if found[name]} == seen
    assert found["faults"] == sum(seen.values())
    assert found["events"] == COUNT


def test_a_fault_that_all_readers_share_is_seen() -> None:
    found = verdict([Wire(MISSING), Wire(MISSING)])
    assert (found["missing"], found["duplicates"]) == (2, 0)


def test_a_reader_in_front_that_is_wrong_makes_no_other_one_wrong() -> None:
    transcript = Transcript()
    first, second = Reader(transcript), Reader(transcript)
    for reader, frames in ((first, MISSING), (second, WHOLE)):
        give(reader, b"".join(Wire(frames).bytes(1)), step=100)
    result = judge(transcript, [first, second])
    assert (result.missing, result.duplicates, result.delivered) == (1, 0, 2 * COUNT - 1)


@pytest.mark.parametrize("chunked", [True, False])
@pytest.mark.parametrize("step", [1, 2, 13, 1000, 100_000])
def test_no_cut_between_two_reads_confuses_it(step: int, chunked: bool) -> None:
    transcript = Transcript()
    readers = [Reader(transcript) for _ in range(4)]
    for seed, reader in enumerate(readers):
        give(reader, b"".join(Wire(WHOLE, chunked=chunked).bytes(seed)), step=step)
    result = judge(transcript, readers)
    assert (result.faults, result.delivered, transcript.deviating) == (0, 4 * COUNT, 0)


def test_latency_is_the_time_from_the_stamp_in_the_event_to_its_reading() -> None:
    transcript = Transcript()
    readers = [Reader(transcript), Reader(transcript)]
    sent = time.monotonic_ns()
    wire = b"HTTP/1.1 200 OK\r\n\r\n" + b"".join(frame(number, f"@{sent + number}@") for number in range(1, 11))
    for turn, reader in enumerate(readers):
        buffer = bytearray(wire)
        reader.feed(buffer, memoryview(buffer), len(buffer), sent + 1000 * (turn + 1))
    expected = [1000 * (turn + 1) - number for turn in range(2) for number in range(1, 11)]
    assert latencies(transcript, readers) == sorted(expected)


def give(reader: Reader, wire: bytes, *, step: int) -> None:
    """The bytes as a socket may give them, through one buffer that is used again and again."""
    buffer = bytearray(step)
    view = memoryview(buffer)
    for start in range(0, len(wire), step):
        piece = wire[start : start + step]
        buffer[: len(piece)] = piece
        reader.feed(buffer, view, len(piece), start)
