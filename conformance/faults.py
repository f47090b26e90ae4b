"""A TCP proxy on the loopback that cuts, resets, truncates, silences, delays and splits what a server answers.

It looks at the first line of each request to tell streams, orders and other reads apart, and draws anew for each answer
what happens to it. What it draws depends on its seed and on the order of the requests alone.
"""

import asyncio
import contextlib
import socket
import struct
from random import Random
from typing import Protocol

from conformance.chunks import Rechunked
from conformance.damage import Damage, Fault, Faults

METHODS = (b"GET ", b"POST ", b"DELETE ", b"PUT ", b"HEAD ", b"PATCH ", b"OPTIONS ")
BAD_GATEWAY = (
    b"HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 24\r\nconnection: close\r\n\r\n"
    b"<h1>502 Bad Gateway</h1>"
)
READ = 65536
# Little is under way between the two, so that a client that does not read is felt by the server soon.
BUFFER = 32768


class Upstream(Protocol):
    """Where the server is."""

    host: str
    port: int
    tls: bool


def reserve(port: int = 0) -> socket.socket:
    """Keeps a port for us while nobody listens on it: connecting to it is refused, and no other program gets it."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", port))
    return holder


class Proxy:
    """`happened` is told what was done to whom."""

    def __init__(self, server: Upstream, random: Random, faults: Faults, happened: list[str]) -> None:
        self._upstream = server
        self._random = random
        self._holder = reserve()
        self.url = f"http://127.0.0.1:{self._holder.getsockname()[1]}"
        self._listening: asyncio.Server | None = None
        self._links: set[_Link] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.happened = happened
        self.set(faults)

    def set(self, faults: Faults) -> None:
        self._faults = faults
        self._left = {kind: getattr(faults, kind).times for kind in ("streams", "orders", "reads")}
        self._gateways = {kind: getattr(faults, kind).bad_gateway for kind in ("streams", "orders", "reads")}

    async def up(self) -> None:
        if self._listening is None:
            port = self._holder.getsockname()[1]
            self._listening = await asyncio.start_server(self._take, "127.0.0.1", port, reuse_address=True)

    async def down(self) -> None:
        """From now on connections are refused, and those that are open break."""
        if self._listening is not None:
            self._listening.close()
            self._listening = None
        self.cut("rst")

    def cut(self, how: str) -> None:
        for link in list(self._links):
            link.end(how)

    async def close(self) -> None:
        await self.down()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._holder.close()

    def draw(self, request: bytes) -> tuple[Damage | None, str]:
        """What happens to the answer to this request (None: 502, and the server does not hear of it)."""
        line = request.partition(b"\r\n")[0].decode("latin-1")
        method, _, target = line.partition(" ")
        path = target.partition(" ")[0].partition("?")[0]
        kind = "streams" if path.endswith("/events") else "orders" if method == "POST" else "reads"
        fault: Fault = getattr(self._faults, kind)
        if self._gateways[kind] > 0:
            self._gateways[kind] -= 1
            self.happened.append(f"{line}: 502")
            return None, line
        cuts = fault.cut is not None and self._left[kind] > 0
        self._left[kind] -= cuts
        return Damage(fault, self._random, cuts=cuts), line

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            upstream = self._upstream
            with contextlib.suppress(OSError):
                ahead = await asyncio.open_connection(upstream.host, upstream.port, ssl=upstream.tls or None)
                _narrow(writer, ahead[1])
                link = _Link(self, (reader, writer), ahead)
                self._links.add(link)
                try:
                    await link.serve()
                finally:
                    self._links.discard(link)
        except asyncio.CancelledError:
            # The round is over; asyncio would tell of a connection's task that was cancelled as of a fault.
            pass
        finally:
            writer.transport.abort()
            self._tasks.discard(task)


def _narrow(to_client: asyncio.StreamWriter, to_server: asyncio.StreamWriter) -> None:
    to_client.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
    to_server.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)


class _Link:
    """One connection of a client, and ours to the server for it."""

    def __init__(
        self,
        proxy: Proxy,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self._proxy = proxy
        self._from_client, self._to_client = client
        self._from_server, self._to_server = server
        self._damage: Damage | None = None
        self._chunks: Rechunked | None = None
        self._line = ""
        self._sent = 0

    async def serve(self) -> None:
        ways = {asyncio.ensure_future(self._requests()), asyncio.ensure_future(self._answers())}
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self._to_server.transport.abort()

    def end(self, how: str) -> None:
        if how == "rst":
            # Not lingering makes of the close a reset.
            sock = self._to_client.get_extra_info("socket")
            with contextlib.suppress(OSError):
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._to_client.transport.abort()
        else:
            self._to_client.close()
        self._to_server.transport.abort()

    async def _requests(self) -> None:
        while data := await self._from_client.read(READ):
            # A client sends its next request when it has the answer to the last one, so a request begins a read.
            if data.startswith(METHODS):
                self._damage, self._line = self._proxy.draw(data)
                self._sent = 0
                self._chunks = Rechunked() if self._damage and self._damage.how == "finished" else None
                if self._damage is None:
                    self._to_client.write(BAD_GATEWAY)
                    await self._to_client.drain()
                    self._to_client.close()
                    return
            self._to_server.write(data)
            await self._to_server.drain()

    async def _answers(self) -> None:
        while data := await self._from_server.read(READ):
            if self._damage is None:
                continue
            if self._chunks is not None:
                head, data = self._chunks.feed(data)
                self._to_client.write(head)
            cut = self._damage.cut_at(data)
            await self._pass(data if cut is None else data[:cut])
            if cut is not None:
                await self._break_off()
                return
            if self._chunks is not None and self._chunks.is_complete:
                self._to_client.write(self._chunks.last())
        # What the server ends is ended for the client too, once it has all.
        self._to_client.close()
        with contextlib.suppress(OSError):
            await self._to_client.wait_closed()

    async def _pass(self, data: bytes) -> None:
        assert self._damage is not None
        for piece in self._damage.pieces(data):
            if delay := self._damage.delay_s():
                await asyncio.sleep(delay)
            self._to_client.write(piece if self._chunks is None else self._chunks.encode(piece))
            self._sent += len(piece)
            await self._to_client.drain()

    async def _break_off(self) -> None:
        assert self._damage is not None
        how = self._damage.how
        assert how is not None
        self._proxy.happened.append(f"{self._line}: {how} after {self._sent} bytes")
        if how == "stall":
            # Until the client has had enough and leaves.
            await asyncio.Event().wait()
        if how == "finished" and self._chunks is not None:
            self._to_client.write(self._chunks.last())
        self.end("rst" if how == "rst" else "fin")
