"""What the proxy may do to an answer, as cases say it, and drawn for one answer."""

import re
from random import Random
from typing import Annotated, Literal

from msgspec import Meta, Struct

Where = Literal["anywhere", "character", "id", "frame"]
How = Literal["fin", "rst", "finished", "stall"]
Range = Annotated[tuple[int, int], Meta(description="the least and the most, drawn anew for each answer")]

# Behind which bytes an answer is cut: in a character of several bytes, between an id and its data, and in a frame that
# is complete but for its last newline.
PLACES = {"character": re.compile(rb"[\xc3-\xf4]"), "id": re.compile(rb"\nid: \d+\n"), "frame": re.compile(rb"\}\n")}
# No pattern is longer, so it need not be looked for further back.
LONGEST = 32


class Fault(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happens to the answers to one kind of request."""

    cut: Range | None = None
    """Breaks off after so many bytes …"""
    where: tuple[Where, ...] = ("anywhere",)
    """… at the next such place …"""
    how: tuple[How, ...] = ("fin", "rst", "finished")
    """… by closing the connection, by resetting it, by ending the answer as if it were complete, or by silence."""
    times: Annotated[int, Meta(ge=1)] = 8
    """So many answers in a round are cut; the others pass."""
    bad_gateway: Annotated[int, Meta(ge=0)] = 0
    """Before all else, so many requests do not reach the server and are answered with 502."""
    pieces: Range | None = None
    """Arrives in pieces of so many bytes."""
    delay_ms: Range | None = None
    """Each piece, or what was read at once, comes so much later."""


class Faults(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    streams: Fault = Fault()
    orders: Fault = Fault()
    """POST requests."""
    reads: Fault = Fault()
    """All other requests."""


class Damage:
    """What is done to one answer."""

    def __init__(self, fault: Fault, random: Random, *, cuts: bool) -> None:
        self.how: How | None = random.choice(fault.how) if cuts and fault.cut else None
        self._where = random.choice(fault.where)
        self._least = random.randint(*fault.cut) if fault.cut else 0
        self._fault = fault
        self._random = random
        self._passed = 0
        self._tail = b""

    def cut_at(self, data: bytes) -> int | None:
        """How much of the next bytes still passes; None: all of it, and the answer goes on."""
        if self.how is None:
            return None
        if self._where == "anywhere":
            found = self._least - self._passed
            self._passed += len(data)
            return found if found < len(data) else None
        seen = self._tail + data
        begin = max(0, self._least - (self._passed - len(self._tail)))
        ends = (match.end() - len(self._tail) for match in PLACES[self._where].finditer(seen, begin))
        found = next((end for end in ends if end > 0), None)
        self._passed += len(data)
        self._tail = seen[-LONGEST:]
        return found

    def pieces(self, data: bytes) -> list[bytes]:
        if self._fault.pieces is None:
            return [data]
        found, begin = [], 0
        while begin < len(data):
            end = begin + max(1, self._random.randint(*self._fault.pieces))
            found.append(data[begin:end])
            begin = end
        return found

    def delay_s(self) -> float:
        return self._random.randint(*self._fault.delay_ms) / 1000 if self._fault.delay_ms else 0.0
