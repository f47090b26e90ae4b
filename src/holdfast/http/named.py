"""/api/agent: the dialect of named events.

Every body is `{"success": true, "data": …}` or `{"success": false, "error": …}`; names are written in camel case.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from holdfast.dialects.named import Named
from holdfast.dialects.telling import Place, place
from holdfast.errors import HoldfastError, NotFound
from holdfast.events import Todo
from holdfast.http.context import context_of, row_of, session_of, user_of
from holdfast.http.dialect import ToldResponse, has_all
from holdfast.http.problems import detail_of, headers_of
from holdfast.http.requests import NoBody, ProjectId, TaskText, once_of, only, read_body
from holdfast.log.reader import SessionRow
from holdfast.sessions.ids import deterministic_session_id
from holdfast.sessions.next_order import Work
from holdfast.sessions.orders import RunConfig
from holdfast.sessions.record import Record, record_of
from holdfast.sessions.session import Session
from holdfast.state import Status


class _Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    max_turns: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
    max_budget_usd: Annotated[float, msgspec.Meta(gt=0, le=1_000_000)] | None = None
    model: str | None = None
    profile: str | None = None

    @property
    def config(self) -> RunConfig:
        return RunConfig(
            max_turns=self.max_turns, max_budget_usd=self.max_budget_usd, model=self.model, profile=self.profile
        )


class NamedStartBody(_Body, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    prompt: TaskText
    project_id: ProjectId
    cwd: str | None = None
    agent: Annotated[str, msgspec.Meta(min_length=1)] | None = None


class NamedResumeBody(_Body, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    prompt: TaskText | None = None
    """None: go on from where it stood."""


class NamedStarted(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    session_id: str
    status: str


class NamedSession(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is known of a session; null where nothing is."""

    session_id: str
    project_id: str | None
    status: Status
    agent: str
    cwd: str
    prompt: str
    runs: int
    created_at: str
    updated_at: str
    agent_session_id: str | None
    model: str | None
    cost: float | None
    duration: int | None
    turns: int | None
    stop_reason: str | None
    resumable: bool | None
    todos: list[Todo] | None


class _Started(msgspec.Struct):
    session_id: str
    status: str


class _At(msgspec.Struct):
    sequence: int


def problem(error: HoldfastError) -> Response:
    """`error` is a sentence, as it is here; `code` is what programs branch on."""
    body = {"success": False, "error": detail_of(error), "code": error.code}
    return Response(
        msgspec.json.encode(body),
        status_code=error.status,
        headers=headers_of(error),
        media_type="application/json",
    )


def _data(value: object) -> Response:
    return Response(msgspec.json.encode({"success": True, "data": value}), media_type="application/json")


async def start(request: Request) -> Response:
    body, raw = await read_body(request, NamedStartBody)
    answer = await context_of(request).host.run(
        user_of(request),
        Work(task=body.prompt, config=body.config),
        agent=body.agent,
        project_id=body.project_id,
        workspace=body.cwd,
        once=once_of(request, raw),
    )
    return _started(answer)


async def resume(request: Request) -> Response:
    """Goes on with a project's session, or gives it its next task."""
    body, raw = await read_body(request, NamedResumeBody)
    row = await _row_of_project(request)
    if row is None:
        raise NotFound(f"There is no session of the project {request.path_params['project_id']!r}")
    host = context_of(request).host
    session = await host.find(row.id)
    assert session is not None
    once = once_of(request, raw)
    if body.prompt is None:
        return _started(await host.resume(session, "continue", body.config, once=once))
    return _started(await host.task(session, Work(task=body.prompt, config=body.config), once=once))


def _started(answer: bytes) -> Response:
    started = msgspec.json.decode(answer, type=_Started)
    return _data(NamedStarted(session_id=started.session_id, status=started.status))


async def stop(request: Request) -> Response:
    """Ends the run; of a session that is paused or interrupted, gives up what it could go on with."""
    host = context_of(request).host

    async def end(session: Session) -> None:
        await (host.cancel(session) if session.is_active else host.discard(session))

    return await _commanded(request, end)


async def pause(request: Request) -> Response:
    return await _commanded(request, context_of(request).host.pause)


async def _commanded(request: Request, command: Callable[[Session], Awaitable[None]]) -> Response:
    session = await session_of(request)
    await read_body(request, NoBody)
    await command(session)
    return _data(_session(record_of(await row_of(request))))


async def status(request: Request) -> Response:
    only(request)
    return _data(_session(record_of(await row_of(request))))


async def paused(request: Request) -> Response:
    """The project's session if it is paused, else null."""
    only(request)
    row = await _row_of_project(request)
    record = None if row is None else record_of(row)
    return _data(_session(record) if record is not None and record.status == "paused" else None)


async def recoverable(request: Request) -> Response:
    only(request)
    rows = await context_of(request).log.read.sessions(user_of(request), statuses=("interrupted", "paused"))
    return _data([_session(record) for record in map(record_of, rows) if record.resumable])


async def stream(request: Request) -> Response:
    """Without a position it begins with the last run: a page of this dialect stops at the first result that it sees."""
    only(request, "after")
    row = await row_of(request)
    given = request.headers.get("last-event-id") or request.query_params.get("after")
    received = place(given)
    # A place behind the head is one of another log.
    if (not received.sequence and given != "0") or received.sequence > row.head:
        received = await _before_last_run(request, row)
    if await has_all(request, row, received):
        return Response(status_code=204)
    return ToldResponse(request, row, Named(received), received)


async def _before_last_run(request: Request, row: SessionRow) -> Place:
    first = await context_of(request).log.read.first_event(row.key, record_of(row).runs)
    return Place() if first is None else Place(msgspec.json.decode(first, type=_At).sequence - 1)


async def _row_of_project(request: Request) -> SessionRow | None:
    """The project's session, if it is the caller's."""
    project_id: str = request.path_params["project_id"]
    row = await context_of(request).log.read.session(deterministic_session_id(project_id))
    return row if row is not None and row.user_id == user_of(request) else None


def _session(record: Record) -> NamedSession:
    return NamedSession(
        session_id=record.session_id,
        project_id=record.project_id,
        status=record.status,
        agent=record.agent,
        cwd=record.workspace,
        prompt=record.task,
        runs=record.runs,
        created_at=record.created_at,
        updated_at=record.updated_at,
        agent_session_id=record.agent_session_id,
        model=record.model,
        cost=record.total_cost_usd,
        duration=record.duration_ms,
        turns=record.num_turns,
        stop_reason=record.stop_reason,
        resumable=record.resumable,
        todos=record.todos,
    )


PREFIXES = ("/api/agent",)
ROUTES: list[BaseRoute] = [
    Route("/api/agent/start", start, methods=["POST"]),
    Route("/api/agent/recoverable", recoverable),
    Route("/api/agent/stream/{session_id}", stream),
    Route("/api/agent/status/{session_id}", status),
    Route("/api/agent/pause/{session_id}", pause, methods=["POST"]),
    Route("/api/agent/resume/{project_id:path}", resume, methods=["POST"]),
    Route("/api/agent/paused/{project_id:path}", paused),
    Route("/api/agent/{session_id}", stop, methods=["DELETE"]),
]
