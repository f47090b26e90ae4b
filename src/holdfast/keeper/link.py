"""The keeper's side of the link: connects to the server, and connects again, for as long as it must."""

import asyncio
import contextlib
import time
from collections.abc import Callable

import msgspec

from holdfast.keeper import messages
from holdfast.keeper.address import reachable
from holdfast.keeper.messages import Acknowledge, Answer, Batch, Begin, Gone, Hello, Stop, Switch, Unpacker, Welcome
from holdfast.keeper.outbox import Outbox

_BACKOFF_FIRST_S = 0.02
# Short, because a restarted server waits for its keepers, and a connect to a missing socket costs nothing.
_BACKOFF_MOST_S = 0.5
_READ_BYTES = 256 * 1024


Command = Stop | Answer | Switch | Begin | Gone


class Link:
    """`command` gets what the server wants of the run."""

    def __init__(self, socket: str, hello: Hello, outbox: Outbox, command: Callable[[Command], None]) -> None:
        self._socket = socket
        self._hello = hello
        self._outbox = outbox
        self._command = command
        self._welcomed = asyncio.Event()
        self._acknowledged = asyncio.Event()
        # Since when no server has been there; None while one is.
        self.alone_since: float | None = time.monotonic()
        self.lost = asyncio.Event()

    def begun(self, hello: Hello) -> None:
        """From now on this is said to a server that does not know us."""
        self._hello = hello

    async def serve(self) -> None:
        """Returns when the outbox is closed and everything in it is acknowledged. Never gives up by itself."""
        backoff = _BACKOFF_FIRST_S
        while not self._outbox.is_done:
            # What goes wrong means that the server has died, or is none of ours: the next connection tells.
            with contextlib.suppress(OSError, ValueError, msgspec.DecodeError, EOFError):
                await self._connect()
            backoff = _BACKOFF_FIRST_S if self._welcomed.is_set() else min(2 * backoff, _BACKOFF_MOST_S)
            self._welcomed.clear()
            self.lost.set()
            if self.alone_since is None:
                self.alone_since = time.monotonic()
            if not self._outbox.is_done:
                await asyncio.sleep(backoff)

    async def _connect(self) -> None:
        with reachable(self._socket) as address:
            reader, writer = await asyncio.open_unix_connection(address)
        tasks = [asyncio.ensure_future(self._receive(reader)), asyncio.ensure_future(self._send(writer))]
        try:
            writer.write(messages.pack(self._hello))
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self._outbox.unlink()
            writer.close()  # before the wait, which may be cut short
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _receive(self, reader: asyncio.StreamReader) -> None:
        unpacker = Unpacker()
        while chunk := await reader.read(_READ_BYTES):
            for body in unpacker.feed(chunk):
                message = messages.unpack_down(body)
                if isinstance(message, Welcome):
                    self.alone_since = None
                    self._outbox.link(message.acknowledged)
                    self._welcomed.set()
                elif isinstance(message, Acknowledge):
                    self._outbox.acknowledge(message.index)
                    self._acknowledged.set()
                else:
                    self._command(message)
        raise EOFError

    async def _send(self, writer: asyncio.StreamWriter) -> None:
        """Returns when there is nothing left to send, ever. One batch is under way at a time: what comes meanwhile
        gathers in the outbox, and texts join there."""
        await self._welcomed.wait()
        while True:
            first, events = await self._outbox.batch()
            if not events:
                return
            writer.write(messages.pack(Batch(first, events)))
            await writer.drain()
            while self._outbox.acknowledged < first + len(events) - 1:
                self._acknowledged.clear()
                await self._acknowledged.wait()
