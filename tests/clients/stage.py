"""What the Python client's tests talk to when the server must misbehave: a scripted one, and a proxy that cuts."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

SESSION = "00000001-0000-4000-8000-000000000000"
SECONDS = 30.0
"""More than anything here takes, however busy the machine is."""


def envelope(sequence: int, kind: str = "message", session_id: str | None = None, **data: Any) -> bytes:
    data = data or {"text": f"text {sequence}", "is_partial": True}
    body = {"type": kind, "data": data, "timestamp": "2026-01-05T12:00:01.000Z", "sequence": sequence}
    return json.dumps(body | ({"session_id": session_id} if session_id else {})).encode()


def end(sequence: int) -> bytes:
    info = {"reason": "completed", "terminated_by": "agent"}
    return envelope(sequence, "agent_complete", status="COMPLETE", stop_reason="success", termination_info=info)


def frame(number: int, body: bytes) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (number, body)


def frames(*numbers: int) -> bytes:
    return b"".join(frame(number, envelope(number)) for number in numbers)


def notice(**says: Any) -> bytes:
    return b"event: stream\ndata: %b\n\n" % json.dumps(says).encode()


def place(after: int, head: int, resume: str = "ok") -> bytes:
    # Tried again soon: the tests wait for it.
    return b"retry: 100\n\n" + notice(resume=resume, after=after, head=head)


class Exchange:
    """One request, and what is answered to it."""

    def __init__(self, line: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter) -> None:
        self.method, self.path, _ = line.split(" ")
        self.headers = headers
        self.body = body
        self.writer = writer

    @property
    def after(self) -> int | None:
        given = self.headers.get("last-event-id")
        return None if given is None else int(given)

    async def answer(self, status: int, document: Any, kind: str = "application/json") -> None:
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.writer.write(
            b"HTTP/1.1 %d Said\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n%b"
            % (status, kind.encode(), len(body), body)
        )
        await self.writer.drain()

    async def problem(self, status: int, code: str) -> None:
        detail = {"type": "about:blank", "title": code, "status": status, "code": code, "detail": f"It is {code}"}
        await self.answer(status, detail, "application/problem+json")

    async def nothing_more(self) -> None:
        self.writer.write(b"HTTP/1.1 204 Said\r\n\r\n")
        await self.writer.drain()

    def open(self, *, is_chunked: bool = True) -> None:
        coding = b"Transfer-Encoding: chunked" if is_chunked else b"Connection: close"
        self.writer.write(b"HTTP/1.1 200 Said\r\nContent-Type: text/event-stream\r\n%b\r\n\r\n" % coding)

    async def send(self, *parts: bytes) -> None:
        """A chunk of the open stream."""
        data = b"".join(parts)
        self.writer.write(b"%x\r\n%b\r\n" % (len(data), data))
        await self.writer.drain()

    async def finish(self) -> None:
        """The proper end of the open stream."""
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    def cut(self) -> None:
        self.writer.close()


Script = Callable[[Exchange], Awaitable[None]]


class Stage:
    """A server whose answers a test plays, one after the other; the last one is played again and again."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = list(scripts)
        self.exchanges: list[Exchange] = []
        self.url = ""
        self.connections = 0
        self._changed = asyncio.Condition()

    @property
    def positions(self) -> list[int | None]:
        """After what each request has asked."""
        return [exchange.after for exchange in self.exchanges]

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(SECONDS), self._changed:
            await self._changed.wait_for(condition)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._count(1)
        begun = b""
        try:
            while line := (begun + await reader.readline()).decode().strip():
                headers: dict[str, str] = {}
                while field := (await reader.readline()).decode().strip():
                    name, _, value = field.partition(": ")
                    headers[name.lower()] = value
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                exchange = Exchange(line, headers, body, writer)
                script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
                self.exchanges.append(exchange)
                await self._count(0)
                begun = await self._play(script, exchange, reader)
                if writer.is_closing():
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            await self._count(-1)

    async def _play(self, script: Script, exchange: Exchange, reader: asyncio.StreamReader) -> bytes:
        """Until its end, or until the client leaves; answers what has been read of the next request."""
        playing = asyncio.ensure_future(script(exchange))
        heard = asyncio.ensure_future(reader.read(1))
        await asyncio.wait({playing, heard}, timeout=SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if heard.done() and heard.result() == b"":
            playing.cancel()
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            await playing
        if not heard.done():
            heard.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await heard
            return b""
        return heard.result()

    async def _count(self, change: int) -> None:
        async with self._changed:
            self.connections += change
            self._changed.notify_all()


@contextlib.asynccontextmanager
async def on_stage(*scripts: Script) -> AsyncIterator[Stage]:
    stage = Stage(*scripts)
    server = await asyncio.start_server(stage.serve, "127.0.0.1", 0, limit=2**20)
    stage.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield stage


class CuttingProxy:
    """Passes a server's answers on; each connection is cut after so many bytes of them (None: never)."""

    def __init__(self, port: int, budget: Callable[[], int | None]) -> None:
        self._port = port
        self._budget = budget
        self.url = ""
        self.cuts = 0
        self.serving: set[asyncio.Task[None]] = set()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self.serving.add(task)
        task.add_done_callback(self.serving.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        left = self._budget()
        try:
            upstream, onward = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.close()
            return
        except asyncio.CancelledError:
            # Nobody else would close it, and a later test would be told of that.
            writer.close()
            raise
        passing = asyncio.ensure_future(self._pass(reader, onward))
        try:
            while data := await upstream.read(65536):
                if left is not None and len(data) >= left:
                    self.cuts += 1
                    writer.write(data[:left])
                    await writer.drain()
                    return
                if left is not None:
                    left -= len(data)
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            passing.cancel()
            for one in (writer, onward):
                one.close()
                with contextlib.suppress(ConnectionError):
                    await one.wait_closed()

    async def _pass(self, reader: asyncio.StreamReader, onward: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                onward.write(data)
                await onward.drain()
        onward.close()


@contextlib.asynccontextmanager
async def cutting(port: int, budget: Callable[[], int | None]) -> AsyncIterator[CuttingProxy]:
    proxy = CuttingProxy(port, budget)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield proxy
    for task in tuple(proxy.serving):
        task.cancel()
    await asyncio.gather(*proxy.serving, return_exceptions=True)
