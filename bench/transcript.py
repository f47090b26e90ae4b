"""Says whether every reader of a stream received the same, whole body; pure, no I/O.

Rule 1: the readers of one stream share one transcript, the longest body seen so far. Whoever is ahead makes it
longer, everybody else is compared with it (a memcmp, some twenty times cheaper than a checksum).
Rule 2: only the transcript is parsed, once, at the end. A reader that deviates keeps its own body from then on and is
parsed too.
Rule 3: a read that is byte for byte the last one of another reader at the same place has the same effect, so it is
not taken apart again. This halves the client's cost.
Rule 4: HTTP chunk borders, the preamble before the first `id:` and comments may differ between readers; all else not.
"""

import re
from array import array
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

FRAME = re.compile(rb"id: (\d+)\n(.*?)\n\n", re.DOTALL)
STAMP = re.compile(rb"@(\d{6,})@")
# The final of a text repeats its partials, the summary of a turn its first words.
REPEATS = re.compile(rb'"is_partial":false|"type":"conversation_turn"')
# A fault that hits all of a thousand readers must not fill the memory: the first ones tell enough.
EXAMINED = 20
# Beyond this size taking a read apart is cheap for each of its events, and keeping a copy is not.
ECHO = 2048


@dataclass
class Transcript:
    """The body that all readers of one stream must have received."""

    body: bytearray = field(default_factory=bytearray)
    deviating: int = 0
    # The last read that began and ended between two chunks: where it began, its bytes, where it ended.
    echo_from: int = -1
    echo: bytes = b""
    echo_to: int = 0


class Reader:
    """One client's view: takes what the socket gave, in any pieces, and follows the transcript."""

    __slots__ = (
        "calm", "chunked", "ended", "held", "left", "marks", "opened", "own", "pos", "preface", "status",
        "times", "transcript",
    )  # fmt: skip

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.status = 0  # of the HTTP answer; 0 until its head is complete
        self.calm = False  # opened, not deviating, between two chunks
        self.chunked = False
        self.ended = False  # the last chunk came: the server closed on purpose
        self.opened = False  # the first `id:` was seen
        self.left = 0  # bytes of the current chunk still to come, its closing CRLF included
        self.held = b""  # an incomplete head or chunk size
        self.preface = b""  # what came before the first `id:`
        self.pos = 0
        self.own: bytearray | None = None
        self.times = array("q")
        self.marks = array("q")

    def feed(self, buffer: bytearray, view: memoryview, end: int, now: int) -> None:
        """Takes buffer[:end], which is also view[:end], received at the time now."""
        common, before = self.transcript, self.pos
        if self.calm and before == common.echo_from and end == len(common.echo) and buffer.startswith(common.echo):
            self.pos = common.echo_to
            self.times.append(now)
            self.marks.append(common.echo_to)
            return
        calm = self.calm
        raw = view[:end]
        if self.held:
            buffer = bytearray(self.held) + view[:end]
            self.held, view, end = b"", memoryview(buffer), len(buffer)
        at = 0
        if not self.status:
            at = self._head(buffer, end)
        if at < end:
            if self.chunked:
                self._chunks(buffer, view, at, end)
            else:
                self._take(view[at:end])
        self.calm = self.opened and self.own is None and not (self.left or self.held or self.ended)
        if self.pos != before:
            if calm and self.calm and end <= ECHO:
                common.echo_from, common.echo, common.echo_to = before, bytes(raw), self.pos
            self.times.append(now)
            self.marks.append(self.pos)

    def _head(self, buffer: bytearray, end: int) -> int:
        stop = buffer.find(b"\r\n\r\n", 0, end)
        if stop < 0:
            self.held = bytes(buffer[:end])
            return end
        head = bytes(buffer[:stop]).lower()
        self.status = int(head[9:12])
        self.chunked = b"\r\ntransfer-encoding: chunked" in head
        return stop + 4

    def _chunks(self, buffer: bytearray, view: memoryview, at: int, end: int) -> None:
        while at < end:
            left = self.left
            if not left:
                stop = buffer.find(b"\r\n", at, end)
                if stop < 0:
                    self.held = bytes(buffer[at:end])
                    return
                size = int(buffer[at:stop], 16)
                self.ended = self.ended or not size
                left = size + 2
                at = stop + 2
            have = end - at
            if have >= left:
                if left > 2:
                    self._take(view[at : at + left - 2])
                at += left
                self.left = 0
            else:
                text = min(have, left - 2)
                if text > 0:
                    self._take(view[at : at + text])
                self.left = left - have
                return

    def _take(self, piece: memoryview) -> None:
        if self.opened and self.own is None and self.transcript.body.startswith(piece, self.pos):
            self.pos += len(piece)
        else:
            self._take_slowly(bytes(piece))

    def _take_slowly(self, piece: bytes) -> None:
        """The preamble, comments, the front of the transcript, and the readers that deviate."""
        if not self.opened:
            piece = self._after_preamble(piece)
        before = bytes((self.transcript.body if self.own is None else self.own)[max(0, self.pos - 2) : self.pos])
        comment = (before + piece).find(b"\n\n:")
        if comment >= 0:
            start = comment + 2 - len(before)
            self._follow(piece[:start])
            # From here it is as at the beginning: nothing counts before the next `id:`.
            self.opened = False
            self._take_slowly(piece[start:])
        elif piece:
            self._follow(piece)

    def _follow(self, piece: bytes) -> None:
        body = self.transcript.body
        if self.own is None:
            known = len(body) - self.pos
            if body.startswith(piece[:known], self.pos):
                body += piece[max(0, known) :]
                self.pos += len(piece)
                return
            self.transcript.deviating += 1
            self.own = bytearray(body[: self.pos] if self.transcript.deviating <= EXAMINED else b"")
        if self.own or self.pos == 0:
            self.own += piece
        self.pos += len(piece)

    def _after_preamble(self, piece: bytes) -> bytes:
        """What follows the preamble; nothing as long as the first `id:` has not come."""
        text = self.preface + piece
        if not text.startswith(b"id: "):
            found = text.find(b"\nid: ")
            if found < 0:
                self.preface = text
                return b""
            text = text[found + 1 :]
        self.opened, self.preface = True, b""
        return text


@dataclass
class Verdict:
    """What all readers of one transcript received, event by event."""

    readers: int = 0
    events: int = 0  # in the log, as far as any reader shows
    delivered: int = 0
    missing: int = 0
    duplicates: int = 0
    disordered: int = 0
    altered: int = 0
    truncated: int = 0  # readers whose stream stopped before the end of the transcript, or inside a frame
    broken: int = 0  # readers that got no 200, or whose chunked body has no end
    last: bytes = b""

    @property
    def faults(self) -> int:
        return self.missing + self.duplicates + self.disordered + self.altered + self.truncated + self.broken


def judge(transcript: Transcript, readers: list[Reader], *, closed: bool = True) -> Verdict:
    """Compares all readers with the transcript; closed tells that the server should have ended every stream."""
    ids, ends, frames = parse(transcript.body)
    owns = {id(reader): parse(reader.own) for reader in readers if reader.own}
    top = max([*ids, *(number for own in owns.values() for number in own[0])], default=0)
    result = Verdict(readers=len(readers), events=top, last=frames[-1] if frames else b"")
    shared = _count(ids, top)
    alike = sum(reader.own is None for reader in readers)
    result.altered = _altered(dict(zip(ids, frames, strict=True)), alike, list(owns.values()))
    for reader in readers:
        if reader.status != 200 or (closed and reader.chunked and not reader.ended):
            result.broken += 1
        if reader.own is None:
            have = bisect_right(ends, reader.pos)
            missing, duplicates, disordered = shared if have == len(ids) else _count(ids[:have], top)
            cut = reader.pos < len(transcript.body) or (bool(ids) and reader.pos > ends[-1])
            result.delivered += have
        elif id(reader) not in owns:
            # One of too many that deviate: not examined, but never taken for whole.
            missing, duplicates, disordered, cut = 1, 0, 0, False
        else:
            own_ids, own_ends, _ = owns[id(reader)]
            missing, duplicates, disordered = _count(own_ids, top)
            cut = not own_ends or own_ends[-1] != len(reader.own) or own_ids[-1] != top
            result.delivered += len(own_ids)
        result.missing += missing
        result.duplicates += duplicates
        result.disordered += disordered
        result.truncated += cut
    return result


def _altered(known: dict[int, bytes], alike: int, owns: list[tuple[list[int], list[int], list[bytes]]]) -> int:
    """How many events came to a reader otherwise than to most; `alike` readers have the transcript itself. Whoever is
    first writes the transcript, so it is no better a witness than the others."""
    versions: dict[int, Counter[bytes]] = {}
    for ids, _, frames in owns:
        for number, frame in zip(ids, frames, strict=True):
            versions.setdefault(number, Counter())[frame] += 1
    altered = 0
    for number, counts in versions.items():
        if number in known:
            counts[known[number]] += alike
        altered += sum(counts.values()) - max(counts.values())
    return altered


def parse(body: bytearray) -> tuple[list[int], list[int], list[bytes]]:
    """The ids of the whole frames, where each ends, and their contents."""
    ids, ends, frames = [], [], []
    for match in FRAME.finditer(body):
        ids.append(int(match[1]))
        ends.append(match.end())
        frames.append(match[2])
    return ids, ends, frames


def _count(ids: list[int], top: int) -> tuple[int, int, int]:
    unique = len(set(ids))
    backwards = sum(b < a for a, b in pairwise(ids))
    return top - unique, len(ids) - unique, backwards


def stamp(frame: bytes) -> int:
    """When the oldest text in the event was made; 0 if it does not say, or only repeats what came before."""
    found = None if REPEATS.search(frame) else STAMP.search(frame)
    return int(found[1]) if found else 0


def latencies(transcript: Transcript, readers: list[Reader], most: int = 400_000) -> list[int]:
    """Sorted times in ns from an event's stamp to its reading, for at most so many deliveries, evenly chosen."""
    _, ends, frames = parse(transcript.body)
    stamps = [stamp(frame) for frame in frames]
    step = max(1, len(frames) * len(readers) // most)
    result = []
    turn = 0  # each reader begins elsewhere, so that no event is left out for all of them
    for reader in readers:
        if reader.own is not None:
            continue
        done = 0
        for now, mark in zip(reader.times, reader.marks, strict=True):
            upto = bisect_right(ends, mark, lo=done)
            first = done + (turn - done) % step
            result += [now - stamps[i] for i in range(first, upto, step) if stamps[i]]
            done = upto
        turn += 1
    result.sort()
    return result
