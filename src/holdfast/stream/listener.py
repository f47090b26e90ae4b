"""A reader that gets events as values instead of bytes, for whoever has to translate them.

It is the same loop as every reader's: read what comes after my position; nothing there → wait until the head has moved.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator

from holdfast.entry import Entry, read
from holdfast.log.tail import Block
from holdfast.stream.follow import Streams
from holdfast.stream.source import Source


class Listener:
    """One reader of one source. `leave` may be called at any time, from anywhere on the loop."""

    def __init__(self, streams: Streams, source: Source, after: int, *, stays: bool = False) -> None:
        """`stays`: the end of a session is not the end; it may get its next task."""
        self._streams = streams
        self._source = source
        self._stays = stays
        self._moved = asyncio.Event()
        self.position = after
        self.is_gone = False

    def leave(self) -> None:
        self.is_gone = True
        self._moved.set()

    async def batches(self) -> AsyncGenerator[list[Entry]]:
        """The entries, those that are there together; an empty list each time that nothing came for a heartbeat.

        Ends when the source is over, when the server closes its streams and all is read, and once this one has left.
        """
        loop = asyncio.get_running_loop()
        spoke_at = loop.time()
        unwatch = self._source.watch(self._moved.set)
        with self._streams.present(self._moved.set):
            try:
                while not self.is_gone and not self._streams.is_late:
                    self._moved.clear()
                    blocks, reached = await self._source.after(self.position)
                    if reached > self.position:
                        self.position = reached
                        found = [entry for block in blocks for entry in entries(block)]
                        if found:
                            yield found
                            spoke_at = loop.time()
                        await asyncio.sleep(0)  # one that catches up from memory must not keep the loop to itself
                    elif self._streams.is_closing or (self._source.is_over and not self._stays):
                        return
                    else:
                        try:
                            async with asyncio.timeout_at(spoke_at + self._streams.heartbeat_s):
                                await self._moved.wait()
                        except TimeoutError:
                            yield []
                            spoke_at = loop.time()
            finally:
                unwatch()


def entries(block: Block) -> Iterator[Entry]:
    """The events in a block, which holds them framed: an id line, a data line, an empty one."""
    for frame in block.payload.split(b"\n\n"):
        if frame:
            head, _, data = frame.partition(b"\ndata: ")
            yield read(data, int(head.removeprefix(b"id: ")))
