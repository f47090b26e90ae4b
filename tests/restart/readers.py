"""Readers that come back: raw sockets, because what counts here is every byte that was sent."""

import asyncio
import contextlib

from tests.client import TERMINAL
from tests.conftest import TOKEN, Server

_ENDS = tuple(b'data: {"type":"%b"' % name.encode() for name in TERMINAL)


class Reader:
    """Follows one session to its end, however often it is cut off, by nothing but the last id that it has seen."""

    def __init__(self, server: Server, session_id: str) -> None:
        self._port = server.port
        self._path = f"/api/v1/sessions/{session_id}/events"
        self._writer: asyncio.StreamWriter | None = None
        self.session_id = session_id
        self.frames: list[bytes] = []
        self.connections = 0

    @property
    def position(self) -> int:
        return number(self.frames[-1]) if self.frames else 0

    @property
    def is_reading(self) -> bool:
        return self._writer is not None

    def cut(self) -> None:
        """The connection is lost, wherever it was."""
        assert self._writer is not None
        self._writer.transport.abort()
        self._writer = None

    async def follow(self) -> None:
        """Returns when the session is over."""
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                if await self._read():
                    return
            self._writer = None
            await asyncio.sleep(0.02)

    async def _read(self) -> bool:
        """Whether the server said that nothing more will come."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**24)
        try:
            writer.write(
                f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
                f"Last-Event-ID: {self.position}\r\n\r\n".encode()
            )
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"HTTP/1.1 204 "):
                return True
            assert head.startswith(b"HTTP/1.1 200 "), head
            self._writer = writer
            self.connections += 1
            return await self._frames(reader)
        finally:
            writer.transport.abort()

    async def _frames(self, reader: asyncio.StreamReader) -> bool:
        """Whether the stream came to a proper end behind a terminal event."""
        rest = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            rest += (await reader.readexactly(size + 2))[:-2]
            *frames, rest = rest.split(b"\n\n")
            self.frames += [frame + b"\n\n" for frame in frames if frame.startswith(b"id: ")]
        return bool(self.frames) and self.frames[-1].partition(b"\n")[2].startswith(_ENDS)


def number(frame: bytes) -> int:
    return int(frame[4 : frame.index(b"\n")])
