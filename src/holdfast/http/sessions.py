"""/api/v1/sessions: start, continue, cancel, answer, list and show."""

import base64
import binascii

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.errors import BadRequest
from holdfast.http.context import context_of, json_response, row_of, session_of, user_of
from holdfast.http.requests import AnswerBody, NoBody, RunBody, TaskBody, once_of, only, read_body, whole_number
from holdfast.sessions.once import keep_answer, known_answer
from holdfast.sessions.record import Record, record_of, state_of
from holdfast.state import STATUSES


class Started(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    status: str


class SessionList(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    sessions: list[Record]
    position: int
    next: str | None = None


class RecoverableList(msgspec.Struct, frozen=True, kw_only=True):
    sessions: list[Record]


async def run(request: Request) -> Response:
    body, raw = await read_body(request, RunBody)
    answer = await context_of(request).host.run(
        user_of(request),
        body.task,
        agent=body.config.agent,
        project_id=body.config.project_id,
        workspace=body.config.workspace,
        timeout_s=body.config.timeout_s,
        once=once_of(request, raw),
    )
    return Response(answer, media_type="application/json")


async def task(request: Request) -> Response:
    session = await session_of(request)
    body, raw = await read_body(request, TaskBody)
    once = once_of(request, raw)
    answer = await context_of(request).host.task(session, body.task, timeout_s=body.timeout_s, once=once)
    return Response(answer, media_type="application/json")


async def cancel(request: Request) -> Response:
    session = await session_of(request)
    _, raw = await read_body(request, NoBody)
    once = once_of(request, raw)
    log = context_of(request).log
    known = await known_answer(log, once)
    if known is None:
        await context_of(request).host.cancel(session)
        known = msgspec.json.encode(record_of(await row_of(request)))
        await keep_answer(log, once, known)
    return Response(known, media_type="application/json")


async def answer(request: Request) -> Response:
    session = await session_of(request)
    body, raw = await read_body(request, AnswerBody)
    once = once_of(request, raw)
    log = context_of(request).log
    known = await known_answer(log, once)
    if known is None:
        await context_of(request).host.permissions.answer(session, request.path_params["request_id"], body.decision)
        known = msgspec.json.encode(record_of(await row_of(request)))
        await keep_answer(log, once, known)
    return Response(known, media_type="application/json")


async def show(request: Request) -> Response:
    only(request)
    return json_response(record_of(await row_of(request)))


async def list_(request: Request) -> Response:
    only(request, "status", "agent", "project_id", "limit", "before")
    query = request.query_params
    statuses = query.getlist("status")
    for status in statuses:
        if status not in STATUSES:
            raise BadRequest(f"{status!r} is no status; there are: {', '.join(STATUSES)}")
    limit = whole_number(request, "limit", 50, least=1, most=200)
    log = context_of(request).log
    # Read first: what is committed after this is in the stream, what before is in the list.
    position = log.position
    rows = await log.read.sessions(
        user_of(request),
        statuses=statuses,
        agents=query.getlist("agent"),
        projects=query.getlist("project_id"),
        before=_parse_cursor(query.get("before")),
        limit=limit + 1,
    )
    more = len(rows) > limit
    rows = rows[:limit]
    cursor = _cursor(rows[-1].created_ms, rows[-1].key) if more else None
    return json_response(SessionList(sessions=[record_of(row) for row in rows], position=position, next=cursor))


async def recoverable(request: Request) -> Response:
    only(request)
    rows = await context_of(request).log.read.sessions(user_of(request), statuses=("interrupted", "paused"))
    return json_response(RecoverableList(sessions=[record_of(row) for row in rows if state_of(row).resumable]))


def _cursor(created_ms: int, key: int) -> str:
    return base64.urlsafe_b64encode(f"{created_ms}.{key}".encode()).decode().rstrip("=")


def _parse_cursor(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    try:
        created_ms, _, key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii").partition(".")
        cursor = int(created_ms), int(key)
        if not all(0 <= number < 2**63 for number in cursor):  # no column holds more
            raise ValueError(text)
        return cursor
    except (ValueError, binascii.Error) as reason:
        raise BadRequest(f"before={text!r} is not a value of `next`") from reason
