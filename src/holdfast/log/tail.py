"""The newest part of each log, kept in memory as it goes on the wire, so that all readers share the same bytes.

It is a cache of committed entries and nothing else: what is not here is read from the store.
"""

from bisect import bisect_right
from collections import deque
from typing import NamedTuple

# Blocks end at about this size: one write to a socket, and an even share of the loop's time.
BLOCK_BYTES = 64 * 1024
# What a block costs beside its payload, so that many small ones count for what they take.
_OVERHEAD = 250


class Block(NamedTuple):
    """Some consecutive frames, joined: all events after `after` up to `last` that a reader shall get."""

    after: int
    last: int
    payload: bytes


class Tail:
    """The newest blocks of one session, without a hole between them."""

    def __init__(self) -> None:
        self.blocks: deque[Block] = deque()

    def after(self, position: int) -> list[Block] | None:
        """Blocks that follow `position`, about BLOCK_BYTES of them; None if they are not (all) here."""
        if not self.blocks or position < self.blocks[0].after:
            return None
        found: list[Block] = []
        size = 0
        for index in range(bisect_right(self.blocks, position, key=_last), len(self.blocks)):
            block = _cut(self.blocks[index], position)
            size += len(block.payload)
            if found and size > BLOCK_BYTES:
                break
            found.append(block)
        return found


def _last(block: Block) -> int:
    return block.last


def _cut(block: Block, position: int) -> Block:
    if position <= block.after:
        return block
    # A payload has no raw line break inside a frame, so this finds the frame's own id line.
    start = block.payload.index(b"\n\nid: %d\n" % (position + 1)) + 2
    return Block(position, block.last, block.payload[start:])


class Tails:
    """The tails of all sessions under one bound in bytes; the oldest block of all goes first."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._tails: dict[str, Tail] = {}
        self._order: deque[tuple[str, Tail]] = deque()
        self._forgotten = 0  # entries of the order whose block is gone

    def add(self, session_id: str, blocks: list[Block]) -> None:
        tail = self._tails.get(session_id)
        if tail is None:
            tail = self._tails[session_id] = Tail()
        for block in blocks:
            tail.blocks.append(block)
            self._order.append((session_id, tail))
            self._size += len(block.payload) + _OVERHEAD
        while self._size > self._limit:
            self._drop_oldest()

    def after(self, session_id: str, position: int) -> list[Block] | None:
        tail = self._tails.get(session_id)
        return None if tail is None else tail.after(position)

    def forget(self, session_id: str) -> None:
        """Does nothing if there is no tail of the session."""
        tail = self._tails.pop(session_id, None)
        if tail is not None:
            self._size -= sum(len(block.payload) + _OVERHEAD for block in tail.blocks)
            self._forgotten += len(tail.blocks)
            tail.blocks.clear()
            # Not each time, as that would walk over all blocks; but not never, as the bound may never be reached.
            if self._forgotten > len(self._order) // 2:
                self._order = deque(entry for entry in self._order if entry[1].blocks)
                self._forgotten = 0

    def _drop_oldest(self) -> None:
        session_id, tail = self._order.popleft()
        if not tail.blocks:
            self._forgotten -= 1
            return
        self._size -= len(tail.blocks.popleft().payload) + _OVERHEAD
        if not tail.blocks and self._tails.get(session_id) is tail:
            del self._tails[session_id]
