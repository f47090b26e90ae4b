"""/api/v1/sessions: start, continue, resume, fork, cancel, pause, answer, list and show."""

import base64
import binascii
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from holdfast.agents.interface import Reply
from holdfast.errors import BadRequest
from holdfast.http.context import context_of, json_response, row_of, session_of, user_of
from holdfast.http.requests import (
    AnswerBody,
    ForkBody,
    NoBody,
    ProfileBody,
    ResumeBody,
    RunBody,
    TaskBody,
    once_of,
    only,
    read_body,
    whole_number,
)
from holdfast.log.search import words
from holdfast.sessions.next_order import Work
from holdfast.sessions.once import keep_answer, known_answer
from holdfast.sessions.permissions import Waiting
from holdfast.sessions.record import Record, record_of
from holdfast.sessions.session import Session
from holdfast.state import STATUSES

T = TypeVar("T")

# Each word costs a comparison with each session.
_SOUGHT_CHARACTERS = 200


class Started(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    status: str


class SessionList(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    sessions: list[Record]
    position: int
    next: str | None = None


class RecoverableList(msgspec.Struct, frozen=True, kw_only=True):
    sessions: list[Record]


class WaitingList(msgspec.Struct, frozen=True, kw_only=True):
    permissions: list[Waiting]


async def run(request: Request) -> Response:
    body, raw = await read_body(request, RunBody)
    answer = await context_of(request).host.run(
        user_of(request),
        Work(task=body.task, config=body.config.alone, attachments=body.attachments or ()),
        agent=body.config.agent,
        project_id=body.config.project_id,
        workspace=body.config.workspace,
        once=once_of(request, raw),
    )
    return Response(answer, media_type="application/json")


async def task(request: Request) -> Response:
    session = await session_of(request)
    body, raw = await read_body(request, TaskBody)
    work = Work(task=body.task, config=body.alone, attachments=body.attachments or ())
    answer = await context_of(request).host.task(session, work, once=once_of(request, raw))
    return Response(answer, media_type="application/json")


async def resume(request: Request) -> Response:
    session = await session_of(request)
    body, raw = await read_body(request, ResumeBody)
    once = once_of(request, raw)
    answer = await context_of(request).host.resume(session, body.how, body.alone, once=once)
    return Response(answer, media_type="application/json")


async def fork(request: Request) -> Response:
    row = await row_of(request)
    body, raw = await read_body(request, ForkBody)
    work = Work(task=body.task, config=body.alone, attachments=body.attachments or ())
    answer = await context_of(request).host.fork(row, work, run=body.run, once=once_of(request, raw))
    return Response(answer, media_type="application/json")


async def cancel(request: Request) -> Response:
    return await _commanded(request, NoBody, lambda session, _: context_of(request).host.cancel(session))


async def pause(request: Request) -> Response:
    return await _commanded(request, NoBody, lambda session, _: context_of(request).host.pause(session))


async def discard(request: Request) -> Response:
    return await _commanded(request, NoBody, lambda session, _: context_of(request).host.discard(session))


async def profile(request: Request) -> Response:
    host = context_of(request).host
    return await _commanded(request, ProfileBody, lambda session, body: host.switch(session, body.profile))


async def answer(request: Request) -> Response:
    permissions = context_of(request).host.permissions
    user = user_of(request)

    def give(session: Session, body: AnswerBody) -> Awaitable[None]:
        if body.decision is None and body.answers is None:
            raise BadRequest("The body does not fit: it lacks the decision")  # silence is no consent
        reply = Reply(
            decision=body.decision or "allow_once",
            by=user,
            message=body.message,
            tool_input=body.input,
            answers=body.answers,
        )
        return permissions.answer(session, request.path_params["request_id"], reply)

    return await _commanded(request, AnswerBody, give)


async def _commanded(request: Request, kind: type[T], command: Callable[[Session, T], Awaitable[None]]) -> Response:
    """Does what the request commands, once, and answers the session's record as it is then."""
    session = await session_of(request)
    body, raw = await read_body(request, kind)
    once = once_of(request, raw)
    log = context_of(request).log
    known = await known_answer(log, once)
    if known is None:
        await command(session, body)
        known = msgspec.json.encode(record_of(await row_of(request)))
        await keep_answer(log, once, known)
    return Response(known, media_type="application/json")


async def permissions(request: Request) -> Response:
    only(request)
    waiting = await context_of(request).host.permissions.waiting(user_of(request))
    return json_response(WaitingList(permissions=waiting))


async def show(request: Request) -> Response:
    if request.path_params["session_id"] in ("run", "import"):
        raise HTTPException(405, headers={"Allow": "POST"})  # a path of its own, though it looks like a session's
    only(request)
    return json_response(record_of(await row_of(request)))


async def list_(request: Request) -> Response:
    only(request, "status", "agent", "project_id", "q", "limit", "before")
    query = request.query_params
    statuses = query.getlist("status")
    for status in statuses:
        if status not in STATUSES:
            raise BadRequest(f"{status!r} is no status; there are: {', '.join(STATUSES)}")
    sought = query.get("q", "")
    if len(sought) > _SOUGHT_CHARACTERS:
        raise BadRequest(f"q has at most {_SOUGHT_CHARACTERS} characters, not {len(sought)}")
    limit = whole_number(request, "limit", 50, least=1, most=200)
    log = context_of(request).log
    # Read first: what is committed after this is in the stream, what before is in the list.
    position = log.position
    rows = await log.read.sessions(
        user_of(request),
        statuses=statuses,
        agents=query.getlist("agent"),
        projects=query.getlist("project_id"),
        words=words(sought),
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
    records = map(record_of, rows)
    return json_response(RecoverableList(sessions=[record for record in records if record.resumable]))


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
