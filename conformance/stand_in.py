"""A stand-in for a server that answers by a script, request by request: what no real server can be made to do."""

import asyncio
import contextlib
import json
from typing import Any

from conformance.case import Answer, Piece

SESSION = "00000000-0000-4000-8000-000000000000"
NOW = "2026-01-05T12:34:56.789Z"
END = {"reason": "completed", "terminated_by": "agent"}


class StandIn:
    def __init__(self, script: list[Answer]) -> None:
        self._script = list(script)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.asked: list[str] = []
        """The position that each request named; empty if it named none."""
        self.unasked: list[str] = []
        """Requests for which the script has no answer."""

    async def start(self) -> str:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def left(self) -> int:
        return len(self._script)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                lines = head.split("\r\n")
                headers = {
                    name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])
                }
                await reader.readexactly(int(headers.get("content-length", 0)))
                await self._answer(lines[0], headers, writer)
        except asyncio.CancelledError:
            pass  # the round is over
        finally:
            writer.transport.abort()
            self._tasks.discard(task)

    async def _answer(self, line: str, headers: dict[str, str], writer: asyncio.StreamWriter) -> None:
        if not self._script:
            self.unasked.append(line)
            answer = Answer(status=500, code="internal")
        else:
            self.asked.append(headers.get("last-event-id", ""))
            answer = self._script.pop(0)
        kind, body = _content(answer)
        is_stream = kind == "text/event-stream; charset=utf-8"
        length = "transfer-encoding: chunked" if is_stream else f"content-length: {len(body)}"
        top = f"HTTP/1.1 {answer.status} Scripted\r\ncontent-type: {kind}\r\n{length}\r\nconnection: close\r\n\r\n"
        writer.write(top.encode())
        size = answer.bytes_at_once or max(1, len(body))
        for begin in range(0, len(body), size):
            piece = body[begin : begin + size]
            writer.write(b"%x\r\n%b\r\n" % (len(piece), piece) if is_stream else piece)
            await writer.drain()
            await asyncio.sleep(0)
        if answer.then == "hold":
            await asyncio.Event().wait()
        if is_stream and answer.then == "finish":
            writer.write(b"0\r\n\r\n")
        writer.close()
        await writer.wait_closed()


def _content(answer: Answer) -> tuple[str, bytes]:
    if answer.code is not None:
        problem = {"type": "about:blank", "title": "Scripted", "status": answer.status, "detail": "As the script says."}
        return "application/problem+json", json.dumps({**problem, "code": answer.code}).encode()
    if answer.body is not None:
        return "text/html", answer.body.encode()
    if answer.status == 204:
        return "text/plain", b""
    return "text/event-stream; charset=utf-8", "".join(_text(piece) for piece in answer.send).encode()


def _text(piece: Piece) -> str:
    if piece.text is not None:
        return piece.text
    if piece.closing is not None:
        return _frame("event: stream", {"closing": piece.closing})
    if piece.place is not None:
        place = {"resume": piece.place.resume, "after": piece.place.after, "head": piece.place.head}
        return "retry: 3000\n\n" + _frame("event: stream", place)
    if piece.event is not None:
        return _event(piece.event)
    if piece.ends is not None:
        data = {"status": "COMPLETE", "stop_reason": "success", "termination_info": END}
        return _event({"type": "agent_complete", "data": data, "timestamp": NOW, "sequence": piece.ends})
    if piece.events is None:
        return ""
    first, last = piece.events
    return "".join(
        _event(
            {
                "type": "message",
                "data": {"text": f"Nº {number}", "is_partial": True},
                "timestamp": NOW,
                "sequence": number,
            }
        )
        for number in range(first, last + 1)
    )


def _event(envelope: dict[str, Any]) -> str:
    return _frame(f"id: {envelope['sequence']}", envelope)


def _frame(first: str, data: dict[str, Any]) -> str:
    return f"{first}\ndata: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n"
