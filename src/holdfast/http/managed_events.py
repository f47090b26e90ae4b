"""/v1/sessions/{id}/events: list, send, stream."""

from collections import deque
from typing import get_args

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.dialects.managed import Piece, Preview, Translation, prefix_of
from holdfast.dialects.managed_said import SaidList, effective
from holdfast.dialects.telling import Place, place
from holdfast.errors import BadRequest
from holdfast.http.context import context_of, json_response, user_of
from holdfast.http.dialect import ToldResponse
from holdfast.http.managed_requests import (
    CREATED,
    created,
    cursor,
    in_time,
    listed_of,
    one_of,
    parts_of_cursor,
    several,
)
from holdfast.http.managed_sending import Sending, told
from holdfast.http.requests import once_of, only, read_body, whole_number
from holdfast.log.log import Log
from holdfast.log.managed import Listed
from holdfast.log.tail import Block
from holdfast.sessions.once import keep_answer, known_answer
from holdfast.stream.source import SessionSource

_PREVIEWS: tuple[Preview, ...] = get_args(Preview)
_STOPPING = b"event: error\ndata: %b\n\n" % msgspec.json.encode(
    {
        "type": "error",
        "error": {
            "type": "api_error",
            "message": "The server is stopping; open the stream again with the last event's id as Last-Event-ID",
            "details": {"error_code": "shutting_down"},
        },
    }
)


class SendBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    events: SaidList


async def send(request: Request) -> Response:
    only(request, "beta")
    listed = await listed_of(request)
    body, raw = await read_body(request, SendBody)
    said = effective(body.events)
    context = context_of(request)
    once = once_of(request, raw)
    known = await known_answer(context.log, once)
    if known is None:
        if listed.managed is not None and listed.managed.archived_ms is not None:
            raise BadRequest(f"The session {listed.id} is archived: it takes no more events")
        data = await Sending(context, user_of(request), listed, once).deliver(said)
        known = msgspec.json.encode({"data": data})
        await keep_answer(context.log, once, known)
    return Response(known, media_type="application/json")


async def list_(request: Request) -> Response:
    only(request, "beta", "limit", "order", "page", "types", "types[]", *CREATED)
    listed = await listed_of(request)
    limit = whole_number(request, "limit", 100, least=1, most=1000)
    ascending = one_of(request, "order", "asc", "desc") == "asc"
    types = several(request, "types")
    times = created(request)
    behind = _position(request)
    # One more than is shown: whether there is a next page.
    kept: deque[tuple[tuple[int, int], Piece]] = deque(maxlen=None if ascending else limit + 1)
    if listed.session is not None:
        async for entry, pieces in told(context_of(request).log, listed.session, Translation(listed.id)):
            is_wanted = in_time(entry.timestamp, times)
            for part, piece in enumerate(pieces, start=1):
                position = entry.sequence, part
                if piece.again:
                    _replace(kept, piece)
                elif (
                    is_wanted
                    and (not types or piece.type in types)
                    and _is_behind(position, behind, ascending)
                    and not (ascending and len(kept) > limit)
                ):
                    kept.append((position, piece))
    found = list(kept) if ascending else list(reversed(kept))
    shown = found[:limit]
    next_page = cursor(*shown[-1][0]) if len(found) > limit else None
    return json_response({"data": [piece.data for _, piece in shown], "next_page": next_page})


def _replace(kept: deque[tuple[tuple[int, int], Piece]], piece: Piece) -> None:
    for number, (position, earlier) in enumerate(kept):
        if earlier.id == piece.id:
            kept[number] = position, piece


def _position(request: Request) -> tuple[int, int] | None:
    parts = parts_of_cursor(request)
    if parts is None:
        return None
    sequence, part = parts
    if not (part.isascii() and part.isdigit() and len(part) < 10):
        raise BadRequest(f"page={request.query_params['page']!r} is not a value of `next_page`")
    return sequence, int(part)


def _is_behind(position: tuple[int, int], behind: tuple[int, int] | None, ascending: bool) -> bool:
    return behind is None or (position > behind if ascending else position < behind)


async def stream(request: Request) -> Response:
    only(request, "beta", "after", "event_deltas", "event_deltas[]")
    listed = await listed_of(request)
    asked = several(request, "event_deltas")
    for kind in asked:
        if kind not in _PREVIEWS:
            raise BadRequest(f"event_deltas cannot be {kind!r}; there are: {', '.join(_PREVIEWS)}")
    previews: frozenset[Preview] = frozenset(kind for kind in _PREVIEWS if kind in asked)
    return ToldResponse(
        request,
        listed.session,
        Translation(listed.id, previews),
        await _received(request, listed),
        source=_ComingSource(context_of(request).log, listed.id),
        stays=True,
        closing=_STOPPING,
    )


async def _received(request: Request, listed: Listed) -> Place:
    """Where the client stands: by the id of a frame or of an event; without one, at what happens now."""
    last = request.headers.get("last-event-id", request.query_params.get("after"))
    if listed.session is None:
        return Place()
    if last is None:
        return Place(listed.session.head)
    if not last.startswith(prefix_of(listed.id)):
        return place(last)
    async for entry, pieces in told(context_of(request).log, listed.session, Translation(listed.id)):
        for part, piece in enumerate(pieces, start=1):
            if piece.id == last:
                return Place(entry.sequence, len(pieces) - part)
    return Place()


class _ComingSource(SessionSource):
    """The log of a session that may not have begun yet."""

    def __init__(self, log: Log, session_id: str) -> None:
        super().__init__(log, session_id)
        self._has_begun = lambda: log.head(session_id) is not None

    async def after(self, position: int) -> tuple[list[Block], int]:
        return await super().after(position) if self._has_begun() else ([], position)
