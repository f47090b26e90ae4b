"""What an ACP client is told, as server-sent events. Each has an id that stands for all that came before it."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from holdfast.http.acp_feed import Feed, Part
from holdfast.http.acp_lines import name_of
from holdfast.http.context import context_of
from holdfast.http.events import STREAM_HEADERS
from holdfast.http.wire import WIRE, Wire
from holdfast.log.acp import ConnectionRow
from holdfast.stream import sse


class FeedResponse(Response):
    def __init__(
        self,
        request: Request,
        connection: ConnectionRow | None,
        *,
        awaited: tuple[str, str] | None = None,
        part: Part | None = None,
    ) -> None:
        """`awaited`: the user and name of a connection that is about to be opened, if there is none yet."""
        super().__init__()
        self._context = context_of(request)
        self._connection = connection
        self._awaited = awaited
        self._part = part
        self._last_id = request.headers.get("last-event-id")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        wire: Wire = scope["extensions"][WIRE]
        if scope["method"] != "HEAD" and not wire.is_lost:
            try:
                connection = self._connection or await self._opened(wire)
                if connection is not None:
                    await self._tell(wire, connection)
            finally:
                wire.when_stopped(None)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _opened(self, wire: Wire) -> ConnectionRow | None:
        """Clients open their stream beside their first request; the stream may be the quicker one."""
        assert self._awaited is not None
        moved = asyncio.Event()
        wire.when_stopped(moved.set)
        wire.write(sse.chunk(sse.RETRY))
        unwatch = self._context.acp.watch(name_of(*self._awaited), moved.set)
        streams = self._context.streams
        with streams.present(moved.set):
            try:
                while not wire.is_lost and not streams.is_closing:
                    moved.clear()
                    found = await self._context.log.acp.named(*self._awaited)
                    if found is not None:
                        return found
                    try:
                        async with asyncio.timeout(streams.heartbeat_s):
                            await moved.wait()
                    except TimeoutError:
                        wire.write(sse.chunk(sse.HEARTBEAT))
            finally:
                unwatch()
        return None

    async def _tell(self, wire: Wire, connection: ConnectionRow) -> None:
        feed = Feed(self._context, connection, self._last_id, self._part)
        wire.when_stopped(lambda: feed.leave() if wire.is_lost else None)
        if wire.is_lost:
            return
        wire.write(sse.chunk(sse.RETRY))
        async for batch in feed.batches():
            payload = b"".join(sse.named(out.id, None, out.data) for out in batch) or sse.HEARTBEAT
            wire.write(sse.chunk(payload))
            await wire.drained()
