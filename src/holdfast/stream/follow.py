"""The loop of every reader: read what comes after my position; nothing there → wait until the head has moved.

Readers that stand at the head wait together: one pump per channel reads for all of them and hands each the same
bytes. A reader that cannot take more leaves the pump and goes on by itself, at its own pace, from its own position:
it costs one socket buffer, whatever it misses meanwhile.

Rule 1: a reader gets a block only if it stands exactly before it. So nothing is lost and nothing comes twice.
"""

import asyncio
import contextlib
from collections.abc import Callable, Generator
from typing import Protocol

from holdfast.errors import HoldfastError
from holdfast.log.tail import Block
from holdfast.stream import sse
from holdfast.stream.source import Source

# After so many writes the loop gets its turn, so that a burst to a thousand readers delays no API call.
_WRITES_PER_TURN = 100
_BEAT = sse.chunk(sse.HEARTBEAT)
# How long a stop waits for readers that have not read everything: the ends of the runs that it ended come last.
_REST_S = 0.5


class Wire(Protocol):
    """A client's connection: takes ready-made bytes, and says when it can take no more."""

    @property
    def write(self) -> Callable[[bytes], None]: ...

    @property
    def is_full(self) -> bool: ...

    @property
    def is_lost(self) -> bool: ...

    async def drained(self) -> None: ...

    def when_stopped(self, call: Callable[[], None] | None) -> None:
        """Has `call` called at once when the wire becomes full or is lost; None takes that back."""
        ...


class Reader:
    """One client's place in the log. While it waits in a channel, its position is the channel's business."""

    __slots__ = ("heard_at", "joined", "position", "released", "wire", "write")

    def __init__(self, wire: Wire, position: int) -> None:
        self.wire = wire
        self.write = wire.write
        self.position = position
        self.released = asyncio.Event()
        self.joined = False
        self.heard_at = _now()


class Channel:
    """All readers of one source that stand at its head, and the pump that serves them."""

    def __init__(self, source: Source, heartbeat_s: float) -> None:
        self._source = source
        self._heartbeat_s = heartbeat_s
        self._position = 0
        # Readers that stand at the pump's position, and those that read further before they joined.
        self._in_step: dict[Reader, None] = {}
        self._ahead: dict[Reader, None] = {}
        # The last hand-out: to whom (their write methods beside them), how many of them were served, and where those
        # who were not still stand. It serves the next one too as long as nobody comes or goes.
        self._round: dict[Reader, int] = {}
        self._writes: list[Callable[[bytes], None]] = []
        self._round_is_old = False
        self._served = 0
        self._before = 0
        self._spoke_at = 0.0
        self._moved = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None
        self.is_closing = False

    async def wait(self, reader: Reader) -> None:
        """Leaves the reader to the pump; returns when it has fallen behind, is lost, or the stream is over."""
        if reader.wire.is_lost or reader.wire.is_full or self.is_closing:
            return
        reader.released.clear()
        reader.joined = True
        if self._pump is None:
            self._position = reader.position
            self._spoke_at = reader.heard_at
            self._pump = asyncio.ensure_future(self._serve())
        (self._in_step if reader.position == self._position else self._ahead)[reader] = None
        self._round_is_old = True
        reader.wire.when_stopped(lambda: self._release(reader))
        try:
            await reader.released.wait()
        finally:
            self._release(reader)
            reader.heard_at = max(reader.heard_at, self._spoke_at)
            reader.wire.when_stopped(None)

    def _release(self, reader: Reader) -> None:
        """Lets a reader go on by itself, from exactly where it stands. Does nothing if it has gone."""
        if not reader.joined:
            return
        reader.joined = False
        reader.released.set()
        if reader in self._ahead:
            del self._ahead[reader]
        else:
            del self._in_step[reader]
            self._round_is_old = True
            reader.position = self._position
            index = self._round.get(reader)
            if index is not None:
                self._writes[index] = _nothing
                if index >= self._served:
                    reader.position = self._before
        if not self._in_step and not self._ahead:
            self._moved.set()  # the pump sees that nobody is left

    async def _serve(self) -> None:
        unwatch = self._source.watch(self._moved.set)
        try:
            while self._in_step or self._ahead:
                self._moved.clear()
                blocks, reached = await self._source.after(self._position)
                if reached > self._position:
                    await self._hand_out(blocks, reached)
                elif self._source.is_over:
                    self._release_all()
                else:
                    await self._wait()
                self._beat_if_due()
        except HoldfastError:
            pass  # the store cannot be read: each reader meets that by itself, and its client hears of it
        finally:
            unwatch()
            self._pump = None
            self._release_all()

    async def _hand_out(self, blocks: list[Block], reached: int) -> None:
        self._before, self._position = self._position, reached
        if blocks:
            self._spoke_at = _now()
            data = sse.chunk(b"".join([block.payload for block in blocks]))
            if self._round_is_old:
                self._round_is_old = False
                self._round = {reader: index for index, reader in enumerate(self._in_step)}
                self._writes = [reader.write for reader in self._round]
            self._served = 0
            while self._served < len(self._writes):
                turn = self._writes[self._served : self._served + _WRITES_PER_TURN]
                # Counted before the writes: a wire that becomes full by one has taken it all the same.
                self._served += len(turn)
                for write in turn:
                    write(data)
                await asyncio.sleep(0)
        for reader in list(self._ahead):
            if reader.position == reached:
                del self._ahead[reader]
                self._in_step[reader] = None
                self._round_is_old = True
            elif reader.position < reached:
                self._release(reader)

    async def _wait(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self._spoke_at + self._heartbeat_s):
                await self._moved.wait()

    def _beat_if_due(self) -> None:
        """Counted from the last write: other users' events move a position too, and these readers hear nothing."""
        now = _now()
        if now >= self._spoke_at + self._heartbeat_s:
            self._spoke_at = now
            for reader in [*self._in_step, *self._ahead]:
                reader.write(_BEAT)

    def _release_all(self) -> None:
        for reader in [*self._in_step, *self._ahead]:
            self._release(reader)

    def close(self) -> None:
        self.is_closing = True
        self._release_all()


def _now() -> float:
    return asyncio.get_running_loop().time()


def _nothing(_data: bytes) -> None:
    """Stands for the write of a reader that has left."""


class Streams:
    """The channels of this server, made when somebody follows and dropped when nobody does."""

    def __init__(self, *, heartbeat_s: float) -> None:
        self.heartbeat_s = heartbeat_s
        self._channels: dict[tuple[str, str], tuple[Channel, int]] = {}
        # Those who listen by themselves (listener.py), as what wakes them.
        self._present: dict[object, Callable[[], None]] = {}
        self._late_at: float | None = None

    @contextlib.contextmanager
    def present(self, wake: Callable[[], None]) -> Generator[None]:
        """Counts one who listens; `wake` is called when the server closes its streams."""
        key = object()
        self._present[key] = wake
        try:
            yield
        finally:
            del self._present[key]

    async def follow(self, name: tuple[str, str], source: Source, wire: Wire, position: int) -> None:
        """Writes everything after `position` to the wire until the source is over or the client is gone."""
        channel = self._enter(name, source)
        reader = Reader(wire, position)
        try:
            while not wire.is_lost and not self.is_late:
                blocks, reached = await source.after(reader.position)
                if reached > reader.position:
                    if blocks:
                        wire.write(sse.chunk(b"".join([block.payload for block in blocks])))
                        reader.heard_at = _now()
                    elif _now() >= reader.heard_at + self.heartbeat_s:
                        wire.write(_BEAT)
                        reader.heard_at = _now()
                    reader.position = reached
                    await wire.drained()
                    await asyncio.sleep(0)  # a reader that catches up from memory must not keep the loop to itself
                elif source.is_over:
                    return
                elif channel.is_closing:
                    break
                else:
                    await channel.wait(reader)
                    await wire.drained()
            if not wire.is_lost:
                wire.write(sse.chunk(sse.notice({"closing": "shutdown"})))
        finally:
            self._leave(name)

    def _enter(self, name: tuple[str, str], source: Source) -> Channel:
        channel, count = self._channels.get(name) or (Channel(source, self.heartbeat_s), 0)
        channel.is_closing = self.is_closing
        self._channels[name] = (channel, count + 1)
        return channel

    def _leave(self, name: tuple[str, str]) -> None:
        channel, count = self._channels.pop(name)
        if count > 1:
            self._channels[name] = (channel, count - 1)

    @property
    def count(self) -> int:
        return sum(count for _, count in self._channels.values()) + len(self._present)

    @property
    def is_closing(self) -> bool:
        """Whether readers go when they have read what is there."""
        return self._late_at is not None

    @property
    def is_late(self) -> bool:
        """Whether they go as they are."""
        return self._late_at is not None and _now() >= self._late_at

    def close(self) -> None:
        """Tells all readers that the server is stopping, and lets them go: at the head, or soon in any case."""
        self._late_at = _now() + _REST_S
        for wake in list(self._present.values()):
            wake()
        for channel, _ in list(self._channels.values()):
            channel.close()
