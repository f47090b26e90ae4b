"""The loop of every reader: read what comes after my position; nothing there → wait until the head has moved.

Readers that stand at the head wait together: one pump per channel reads for all of them and hands each the same
bytes. A reader that cannot take more leaves the pump and goes on by itself, at its own pace, from its own position:
it costs one socket buffer, whatever it misses meanwhile.

Rule 1: a reader gets a block only if it stands exactly before it. So nothing is lost and nothing comes twice.
"""

import asyncio
from typing import Protocol

from holdfast.log.tail import Block
from holdfast.stream import sse
from holdfast.stream.source import Source

# After so many writes the loop gets its turn, so that a burst to a thousand readers delays no API call.
_WRITES_PER_TURN = 100


class Wire(Protocol):
    """A client's connection: takes ready-made bytes, says when it is full, and wakes its reader when it is lost."""

    def write(self, data: bytes) -> None: ...

    @property
    def is_full(self) -> bool: ...

    @property
    def is_lost(self) -> bool: ...

    async def drained(self) -> None: ...

    def when_lost(self, wake: "asyncio.Event") -> None: ...


class Reader:
    def __init__(self, wire: Wire, position: int) -> None:
        self.wire = wire
        self.position = position
        self.released = asyncio.Event()
        self.joined = False
        wire.when_lost(self.released)


class Channel:
    """All readers of one source that stand at its head, and the pump that serves them."""

    def __init__(self, source: Source, heartbeat_s: float) -> None:
        self._source = source
        self._heartbeat_s = heartbeat_s
        self._readers: set[Reader] = set()
        self._position = 0
        self._moved = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None
        self.is_closing = False

    async def wait(self, reader: Reader) -> None:
        """Leaves the reader to the pump; returns when it has fallen behind, is lost, or the stream is over."""
        reader.released.clear()
        if reader.wire.is_lost or self.is_closing:
            return
        reader.joined = True
        self._readers.add(reader)
        if self._pump is None:
            self._position = reader.position
            self._pump = asyncio.ensure_future(self._serve())
        try:
            await reader.released.wait()
        finally:
            self._release(reader)
            if not self._readers:
                self._moved.set()  # the pump sees that nobody is left

    def _release(self, reader: Reader) -> None:
        reader.joined = False
        self._readers.discard(reader)
        reader.released.set()

    async def _serve(self) -> None:
        unwatch = self._source.watch(self._moved.set)
        try:
            while self._readers:
                self._moved.clear()
                blocks, reached = await self._source.after(self._position)
                if reached > self._position:
                    await self._hand_out(blocks, reached)
                elif self._source.is_over:
                    self._release_all()
                else:
                    await self._wait_or_beat()
        finally:
            unwatch()
            self._pump = None
            # Who joined while we were leaving reads on by itself, and comes again.
            self._release_all()

    async def _hand_out(self, blocks: list[Block], reached: int) -> None:
        after, self._position = self._position, reached
        data = sse.chunk(b"".join([block.payload for block in blocks])) if blocks else b""
        writes = 0
        for reader in tuple(self._readers):
            if not reader.joined or reader.position >= reached:
                continue
            if reader.position != after:
                self._release(reader)
                continue
            reader.position = reached
            if data:
                reader.wire.write(data)
                if reader.wire.is_full:
                    self._release(reader)
                writes += 1
                if writes % _WRITES_PER_TURN == 0:
                    await asyncio.sleep(0)

    async def _wait_or_beat(self) -> None:
        try:
            async with asyncio.timeout(self._heartbeat_s):
                await self._moved.wait()
        except TimeoutError:
            beat = sse.chunk(sse.HEARTBEAT)
            for reader in tuple(self._readers):
                reader.wire.write(beat)

    def _release_all(self) -> None:
        for reader in tuple(self._readers):
            self._release(reader)

    def close(self) -> None:
        self.is_closing = True
        self._release_all()


class Streams:
    """The channels of this server, made when somebody follows and dropped when nobody does."""

    def __init__(self, *, heartbeat_s: float) -> None:
        self._heartbeat_s = heartbeat_s
        self._channels: dict[tuple[str, str], tuple[Channel, int]] = {}
        self._closing = False

    async def follow(self, name: tuple[str, str], source: Source, wire: Wire, position: int) -> None:
        """Writes everything after `position` to the wire until the source is over or the client is gone."""
        channel = self._enter(name, source)
        reader = Reader(wire, position)
        try:
            while not wire.is_lost and not channel.is_closing:
                blocks, reached = await source.after(reader.position)
                if reached > reader.position:
                    if blocks:
                        wire.write(sse.chunk(b"".join([block.payload for block in blocks])))
                    reader.position = reached
                    await wire.drained()
                    await asyncio.sleep(0)  # a reader that catches up from memory must not keep the loop to itself
                elif source.is_over:
                    return
                else:
                    await channel.wait(reader)
                    await wire.drained()
            if not wire.is_lost:
                wire.write(sse.chunk(sse.notice({"closing": "shutdown"})))
        finally:
            self._leave(name)

    def _enter(self, name: tuple[str, str], source: Source) -> Channel:
        channel, count = self._channels.get(name) or (Channel(source, self._heartbeat_s), 0)
        channel.is_closing = self._closing
        self._channels[name] = (channel, count + 1)
        return channel

    def _leave(self, name: tuple[str, str]) -> None:
        channel, count = self._channels.pop(name)
        if count > 1:
            self._channels[name] = (channel, count - 1)

    @property
    def count(self) -> int:
        return sum(count for _, count in self._channels.values())

    def close(self) -> None:
        """Tells all readers that the server is stopping, and lets them go."""
        self._closing = True
        for channel, _ in list(self._channels.values()):
            channel.close()
