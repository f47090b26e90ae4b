"""Baseline (b), the limit of Python: a bare uvloop protocol that writes ready-made frames to all transports.

`GET /events` opens a stream, `GET /emit?rate=40&seconds=10&size=60` or `?burst=20000` lets it write, `GET /health`
answers. No log, no cursor, no framing of its own, nothing decoded.
"""

import asyncio
import sys
from urllib.parse import parse_qs, urlsplit

import uvloop

from bench.event import envelope, frame

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
TOGETHER = 100  # events of a burst that one write carries
HIGH = 1 << 20  # a burst waits while a transport has more than this unsent


class Client(asyncio.Protocol):
    """One connection."""

    def __init__(self, server: "Server") -> None:
        self.server = server

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        target = urlsplit(data.split(b" ", 2)[1].decode())
        if target.path == "/events":
            self.transport.write(HEAD)
            self.server.transports.append(self.transport)
            return
        if target.path == "/emit":
            self.server.emit({key: float(value[0]) for key, value in parse_qs(target.query).items()})
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

    def connection_lost(self, exc: Exception | None) -> None:
        if self.transport in self.server.transports:
            self.server.transports.remove(self.transport)


class Server:
    """All open streams, and the task that writes to them."""

    def __init__(self) -> None:
        self.transports: list[asyncio.Transport] = []
        self.task: asyncio.Task | None = None

    def emit(self, order: dict[str, float]) -> None:
        size = int(order.get("size", 60))
        burst = int(order.get("burst", 0))
        self.task = asyncio.ensure_future(self.burst(burst, size) if burst else self.steady(order, size))

    async def steady(self, order: dict[str, float], size: int) -> None:
        clock = asyncio.get_running_loop().time
        count = int(order["rate"] * order["seconds"])
        start = clock()
        for number in range(1, count + 1):
            await asyncio.sleep(start + number / order["rate"] - clock())
            ready = frame(number, envelope(number, size, last=number == count))
            for transport in self.transports:
                transport.write(ready)
        self.close()

    async def burst(self, count: int, size: int) -> None:
        for first in range(1, count + 1, TOGETHER):
            numbers = range(first, min(first + TOGETHER, count + 1))
            ready = b"".join(frame(number, envelope(number, size, last=number == count)) for number in numbers)
            for transport in self.transports:
                transport.write(ready)
            await asyncio.sleep(0)
            while any(transport.get_write_buffer_size() > HIGH for transport in self.transports):  # noqa: ASYNC110
                await asyncio.sleep(0.002)
        self.close()

    def close(self) -> None:
        for transport in list(self.transports):
            transport.close()


async def main(port: int) -> None:
    server = Server()
    listener = await asyncio.get_running_loop().create_server(lambda: Client(server), "127.0.0.1", port, backlog=4096)
    await listener.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
