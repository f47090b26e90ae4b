"""The events of a run that the server has not acknowledged yet: in order, coalesced, bounded in memory.

Rule 1: nothing is forgotten before it is acknowledged.
Rule 2: text deltas that wait join the one before them, so a flood costs few events; the first of a lull goes at once.
Rule 3: with a link, a full outbox holds up the agent; without one it goes to disk, and the agent works on.
"""

import asyncio
import itertools
import time
from collections import deque
from collections.abc import Callable, Iterator

from holdfast import events
from holdfast.events import Event, Recorded, record
from holdfast.keeper.spool import Spool

_BATCH_EVENTS = 1_000
_BATCH_BYTES = 512 * 1024
_REFILL_EVENTS = 16
# At least this much time's text goes into one event while text flows.
_COALESCE_S = 0.015
_PARTIAL_CHARACTERS = 16 * 1024
_MEMORY_BYTES = 4 * 1024 * 1024
_OVERHEAD = 200


class Outbox:
    def __init__(self, spool: Spool, now_ms: Callable[[], int], *, memory_bytes: int = _MEMORY_BYTES) -> None:
        self._spool = spool
        self._now_ms = now_ms
        self._limit = memory_bytes
        self._memory: deque[Recorded] = deque()
        self._size = 0
        self._text: type[events.Message] | type[events.Thinking] | None = None
        self._text_parent: str | None = None
        self._text_at_ms = 0
        self._text_length = 0
        self._pieces: list[str] = []
        self._text_sent_at = 0.0
        self._changed = asyncio.Event()
        self._linked = False
        self._closed = False
        self.acknowledged = 0
        self.hold: Callable[[], None] = _nothing
        self.release: Callable[[], None] = _nothing

    def emit(self, event: Event) -> None:
        if isinstance(event, (events.Message, events.Thinking)) and event.is_partial:
            self._add_text(event)
        else:
            self._seal()
            self._push(record(event, self._now_ms()))
        self._changed.set()

    def push(self, recorded: Recorded) -> None:
        """Something that is no event, but is to be kept as surely."""
        if not self._closed:
            self._push(recorded)
            self._changed.set()

    def _add_text(self, event: events.Message | events.Thinking) -> None:
        if (
            self._text is not type(event)
            or self._text_parent != event.parent_id
            or self._text_length > _PARTIAL_CHARACTERS
        ):
            self._seal()
            self._text, self._text_parent, self._text_at_ms = type(event), event.parent_id, self._now_ms()
        self._pieces.append(event.text)
        self._text_length += len(event.text)

    def _seal(self) -> None:
        """What has gathered of a text becomes an event."""
        if self._text is not None:
            partial = self._text(text="".join(self._pieces), is_partial=True, parent_id=self._text_parent)
            self._push(record(partial, self._text_at_ms))
            self._text = None
            self._pieces.clear()
            self._text_length = 0

    def _push(self, recorded: Recorded) -> None:
        if len(self._spool) or (self._size > self._limit and not self._linked):
            self._spool.append(recorded)
        else:
            self._memory.append(recorded)
            self._size += len(recorded.data) + _OVERHEAD
        if self._linked and (self._size > self._limit or len(self._spool)):
            self.hold()

    def link(self, acknowledged: int) -> None:
        """A server has taken us up, and has this much already."""
        self._linked = True
        self.acknowledge(acknowledged)

    def unlink(self) -> None:
        self._linked = False
        self.release()

    def acknowledge(self, index: int) -> None:
        while self.acknowledged < index and self._memory:
            self._size -= len(self._memory.popleft().data) + _OVERHEAD
            self.acknowledged += 1
            if not self._memory:
                self._refill()
        self._refill()
        if self._size < self._limit // 2:
            self.release()

    def _refill(self) -> None:
        while len(self._spool) and self._size < self._limit // 2:
            for recorded in self._spool.take(_REFILL_EVENTS):
                self._memory.append(recorded)
                self._size += len(recorded.data) + _OVERHEAD

    def close(self) -> None:
        """No more events will come."""
        self._closed = True
        self._changed.set()

    @property
    def is_done(self) -> bool:
        return self._closed and self._is_empty

    @property
    def _is_empty(self) -> bool:
        return not self._memory and self._text is None and not len(self._spool)

    async def batch(self) -> tuple[int, list[Recorded]]:
        """The next events to send and the first one's index; waits until there are some. None only at the end."""
        while self._is_empty:
            if self._closed:
                return 0, []
            self._changed.clear()
            await self._changed.wait()
        if not self._memory:
            # Only text: give it a moment to gather, counted from the last that was sent.
            wait = self._text_sent_at + _COALESCE_S - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
        if self._text is not None and not len(self._spool):
            self._seal()
            self._text_sent_at = time.monotonic()
        return self.acknowledged + 1, self._first_few()

    def _first_few(self) -> list[Recorded]:
        size = 0
        taken: list[Recorded] = []
        for recorded in itertools.islice(self._memory, _BATCH_EVENTS):
            size += len(recorded.data)
            if taken and size > _BATCH_BYTES:
                break
            taken.append(recorded)
        return taken

    def rest(self) -> tuple[int, Iterator[Recorded]]:
        """Everything that was never acknowledged, for the disk."""
        self._seal()
        return self.acknowledged + 1, self._drain()

    def _drain(self) -> Iterator[Recorded]:
        while self._memory:
            recorded = self._memory.popleft()
            self._size -= len(recorded.data) + _OVERHEAD
            yield recorded
            self._refill()


def _nothing() -> None:
    """Before the adapter is there, nobody can be held up."""
