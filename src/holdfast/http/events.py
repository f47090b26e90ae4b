"""The event streams, and history. A stream's answer begins through ASGI and goes on through the wire itself."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from holdfast.errors import BadRequest
from holdfast.http.context import context_of, row_of, user_of
from holdfast.http.requests import only, position, whole_number
from holdfast.http.wire import WIRE
from holdfast.sessions.record import state_of
from holdfast.stream import sse
from holdfast.stream.follow import Wire
from holdfast.stream.source import CombinedSource, SessionSource, Source

STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"connection", b"keep-alive"),
    (b"x-accel-buffering", b"no"),
]


class StreamResponse(Response):
    """An answer that goes on for as long as there is something to say."""

    def __init__(self, request: Request, name: tuple[str, str], source: Source, after: int, opening: bytes) -> None:
        super().__init__()
        self._streams = context_of(request).streams
        self._name = name
        self._source = source
        self._after = after
        self._opening = opening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        if scope["method"] != "HEAD":
            wire: Wire = scope["extensions"][WIRE]
            wire.write(sse.chunk(self._opening))
            await self._streams.follow(self._name, self._source, wire, self._after)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def events(request: Request) -> Response:
    only(request, "after", "partials")
    row = await row_of(request)
    log = context_of(request).log
    state = state_of(row)
    head = log.learn(row, over=not state.is_active, settled=state.settled)
    after = _after(request) or 0
    resume = "ok"
    if after > head.sequence:
        resume, after = "reset", 0
    elif after < head.dropped_through:
        resume = "gap"
    if head.over and after >= head.sequence:
        return Response(status_code=204)
    opening = sse.RETRY + sse.notice({"resume": resume, "after": after, "head": head.sequence})
    source = SessionSource(log, row.id, settled=0 if _partials(request) else head.settled)
    return StreamResponse(request, ("session", row.id), source, after, opening)


async def combined(request: Request) -> Response:
    only(request, "after")
    log = context_of(request).log
    user = user_of(request)
    given = _after(request)
    after = log.position if given is None else given
    resume = "ok"
    if after > log.position:
        resume, after = "reset", 0
    elif after < log.position and await log.read.has_gap(user, after):
        resume = "gap"
    opening = sse.RETRY + sse.notice({"resume": resume, "after": after, "head": log.position})
    return StreamResponse(request, ("user", user), CombinedSource(log, user), after, opening)


async def history(request: Request) -> Response:
    only(request, "after", "limit")
    row = await row_of(request)
    after = whole_number(request, "after", 0, least=0, most=10**18)
    limit = whole_number(request, "limit", 500, least=1, most=1000)
    found = await context_of(request).log.read.history(row.key, after, limit + 1)
    # What was committed since the head was read comes with the stream: a client goes on from `head`.
    page = [entry for entry in found if entry[0] <= row.head]
    shown = page[:limit]
    # Envelopes are stored as they go on the wire: joined, never decoded.
    body = b'{"events":[' + b",".join(envelope for _, envelope in shown) + b'],"head":%d' % row.head
    if len(page) > limit:
        body += b',"next_after":%d' % shown[-1][0]
    return Response(body + b"}", media_type="application/json")


def _after(request: Request) -> int | None:
    """`Last-Event-ID` wins: a browser sends it on a reconnect, while `?after=` still stands in its URL."""
    header = request.headers.get("last-event-id")
    if header is not None:
        return position(header)
    return position(request.query_params.get("after"))


def _partials(request: Request) -> bool:
    text = request.query_params.get("partials", "true")
    if text not in ("true", "false"):
        raise BadRequest(f"partials must be true or false, not {text!r}")
    return text == "true"
