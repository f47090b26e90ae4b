"""What the routes of every dialect have in common: how the application finds them, and streams of translated events."""

from collections.abc import Callable, Sequence
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from holdfast.dialects.telling import Place, Translate, rest
from holdfast.entry import Entry
from holdfast.errors import HoldfastError
from holdfast.http.context import context_of
from holdfast.http.events import STREAM_HEADERS
from holdfast.http.wire import WIRE, Wire
from holdfast.log.reader import SessionRow
from holdfast.sessions.record import state_of
from holdfast.stream import sse
from holdfast.stream.listener import Listener
from holdfast.stream.source import SessionSource


class Dialect(Protocol):
    """A module of routes that speak another wire language."""

    @property
    def PREFIXES(self) -> Sequence[str]: ...  # noqa: N802 - a module's constant

    @property
    def ROUTES(self) -> Sequence[BaseRoute]: ...  # noqa: N802

    @property
    def problem(self) -> Callable[[HoldfastError], Response]: ...


async def has_all(request: Request, row: SessionRow, received: Place) -> bool:
    """Whether nothing of a run lies behind the place, and none is under way: an EventSource is told so by 204."""
    state = state_of(row)
    if state.is_active:
        return False
    last = await context_of(request).log.read.run(row.key, state.runs)
    end = row.head if last is None or last.last_sequence is None else last.last_sequence
    # A place behind the head is one of another log.
    return received.sequence <= row.head and (end, 0) <= (received.sequence, -received.left)


class ToldResponse(Response):
    """A session's events as a dialect tells them, as server-sent events, from a place on.

    The translation begins with the log, whatever the place, since it is a fold; what the client has is left out.
    """

    def __init__(
        self,
        request: Request,
        row: SessionRow | None,
        translate: Translate,
        received: Place,
        *,
        source: SessionSource | None = None,
        stays: bool = False,
        until: Callable[[Entry], bool] | None = None,
        opening: bytes = sse.RETRY,
        closing: bytes = b"",
    ) -> None:
        """`stays`: goes on behind the session's end. `until`: nothing follows this entry. A session that has not begun
        has no row; then `source` says where its log will be.

        `closing` is said to those who are here when the server stops.
        """
        super().__init__()
        context = context_of(request)
        head = 0
        if row is not None:
            state = state_of(row)
            head = context.log.learn(row, over=not state.is_active, settled=state.settled).sequence
            source = source or SessionSource(context.log, row.id)
        assert source is not None
        self._streams = context.streams
        self._listener = Listener(context.streams, source, 0, stays=stays)
        self._translate = translate
        # A place behind the head is one of another log: everything comes.
        self._received = received if received.sequence <= head else Place()
        self._until = until
        self._opening = opening
        self._closing = closing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        if scope["method"] != "HEAD":
            wire: Wire = scope["extensions"][WIRE]
            wire.when_stopped(lambda: self._listener.leave() if wire.is_lost else None)
            try:
                if not wire.is_lost:
                    await self._tell(wire)
            finally:
                wire.when_stopped(None)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(self, wire: Wire) -> None:
        if self._opening:
            wire.write(sse.chunk(self._opening))
        async for batch in self._listener.batches():
            frames = [] if batch else [sse.HEARTBEAT]
            for entry in batch:
                frames += (
                    sse.named(id_, told.name, told.data)
                    for id_, told in rest(entry, self._translate(entry), self._received)
                )
                if self._until is not None and self._until(entry):
                    self._listener.leave()
                    break
            if frames:
                wire.write(sse.chunk(b"".join(frames)))
                await wire.drained()
        if self._streams.is_closing and self._closing and not wire.is_lost:
            wire.write(sse.chunk(self._closing))
