"""/ag-ui: the protocol of agents and their user interfaces.

A thread of AG-UI is a session: the one whose id it is, if that is the caller's, else one that user and thread name.
"""

import contextlib
import hashlib
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from holdfast.asking import PermissionRequest, Question
from holdfast.dialects.ag_ui import DIALECT, AgUi, Wanted
from holdfast.dialects.ag_ui_input import Props, RunInput, fingerprint, props_of, work_of
from holdfast.dialects.ag_ui_interrupts import ResumeEntry, reply_of
from holdfast.dialects.telling import place
from holdfast.entry import read
from holdfast.errors import AlreadyAnswered, BadRequest, IdempotencyMismatch, NotFound
from holdfast.events import Origin, UserMessage
from holdfast.http.context import context_of, json_response, user_of
from holdfast.http.dialect import ToldResponse, has_all
from holdfast.http.problems import problem as problem
from holdfast.http.requests import NoBody, only, read_body
from holdfast.log.reader import SessionRow
from holdfast.sessions.ids import deterministic_session_id, session_id_for
from holdfast.sessions.once import Once
from holdfast.sessions.record import record_of
from holdfast.sessions.session import Session

_PAGE = 1000


class ThreadState(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    thread_id: str
    session_id: str
    status: str


async def run(request: Request) -> Response:
    """Starts a run, or goes on with one that was interrupted, and tells it; asked again, it is told again."""
    given, _ = await read_body(request, RunInput)
    props = props_of(given)
    row = await _find(request, given.thread_id, props)
    answered = await _answer(request, given.thread_id, row, given.resume or [])
    if not answered:
        row = await _start(request, given, props, row)
    assert row is not None
    received = place(request.headers.get("last-event-id"))
    told = AgUi(given.thread_id, row.id, received, Wanted(given.run_id, answered))
    return ToldResponse(request, row, told, received, until=lambda _: told.is_done)


async def _start(request: Request, given: RunInput, props: Props, row: SessionRow | None) -> SessionRow:
    context, user, agent = context_of(request), user_of(request), request.path_params["agent"]
    context.agents.get(agent)
    work = work_of(given, props)
    before = None if row is None else await _run_of(request, row, given.run_id)
    if row is not None and before is not None:
        if before.text != work.task:
            raise IdempotencyMismatch(f"The run {given.run_id!r} of the thread {given.thread_id!r} has another task")
        return row
    name = hashlib.sha256(msgspec.json.encode([given.thread_id, given.run_id])).hexdigest()
    once = Once(user_id=user, key=f"{DIALECT}:{name}", fingerprint=fingerprint(work, agent))
    session = None if row is None else await context.host.find(row.id)
    if session is not None and props.project_id is None:
        await context.host.task(session, work, once=once)
    else:
        await context.host.run(
            user,
            work,
            agent=agent,
            project_id=props.project_id,
            workspace=props.workspace,
            once=once,
            as_id=None if props.project_id else session_id_for(DIALECT, user, given.thread_id),
        )
    found = await _find(request, given.thread_id, props)
    assert found is not None
    return found


async def _run_of(request: Request, row: SessionRow, run_id: str) -> UserMessage | None:
    """The task of a run that there is already, also long after the answer to its request is forgotten: none is done
    twice."""
    for envelope in await context_of(request).log.read.first_events(row.key):
        task = read(envelope).data
        if isinstance(task, UserMessage) and task.origin == Origin(dialect=DIALECT, request=run_id):
            return task
    return None


async def _answer(
    request: Request, thread_id: str, row: SessionRow | None, entries: list[ResumeEntry]
) -> frozenset[str]:
    """Gives the agent the answers, and says to what. Raises BadRequest if one of them answers nothing that was asked:
    to begin a run instead would do the last task again.

    What has its answer already, by whomever, keeps it: the client learns what came of it.
    """
    if not entries:
        return frozenset()
    asked = {} if row is None else await _asked(request, row)
    for entry in entries:
        if entry.interrupt_id not in asked:
            raise BadRequest(f"There is no interrupt {entry.interrupt_id!r} in the thread {thread_id!r}")
    assert row is not None
    session = await context_of(request).host.find(row.id)
    assert session is not None
    replies = [(entry, reply_of(entry, asked[entry.interrupt_id], user_of(request))) for entry in entries]
    for entry, reply in replies:
        if entry.interrupt_id in session.state.open_requests:
            # Somebody else may be quicker.
            with contextlib.suppress(AlreadyAnswered):
                await context_of(request).host.permissions.answer(session, entry.interrupt_id, reply)
    return frozenset(entry.interrupt_id for entry in entries)


async def _asked(request: Request, row: SessionRow) -> dict[str, PermissionRequest | Question]:
    """All that was asked in the session."""
    log = context_of(request).log
    found: dict[str, PermissionRequest | Question] = {}
    after = 0
    while page := await log.read.history(row.key, after, _PAGE):
        for sequence, body in page:
            after = sequence
            if body.startswith((b'{"type":"permission_request",', b'{"type":"question",')):
                event = read(body).data
                assert isinstance(event, (PermissionRequest, Question))
                found[event.request_id] = event
    return found


async def events(request: Request) -> Response:
    """All runs of a thread, from a place on."""
    only(request, "project_id")
    row = await _thread(request)
    received = place(request.headers.get("last-event-id"))
    if await has_all(request, row, received):
        return Response(status_code=204)
    thread_id: str = request.path_params["thread_id"]
    return ToldResponse(request, row, AgUi(thread_id, row.id, received), received)


async def cancel(request: Request) -> Response:
    only(request, "project_id")
    row = await _thread(request)
    await read_body(request, NoBody)
    session: Session | None = await context_of(request).host.find(row.id)
    assert session is not None
    await context_of(request).host.cancel(session)
    return json_response(
        ThreadState(
            thread_id=request.path_params["thread_id"],
            session_id=row.id,
            status=record_of(await _thread(request)).status,
        )
    )


async def _thread(request: Request) -> SessionRow:
    """A thread of a project is found by the project, here as in the request that began it."""
    thread_id: str = request.path_params["thread_id"]
    row = await _find(request, thread_id, Props(project_id=request.query_params.get("project_id")))
    if row is None:
        raise NotFound(f"There is no thread {thread_id!r}")
    return row


async def _find(request: Request, thread_id: str, props: Props) -> SessionRow | None:
    """The thread's session; None if there is none yet. Raises BadRequest if it is with another agent or elsewhere."""
    user, agent = user_of(request), request.path_params["agent"]
    ids = [thread_id, session_id_for(DIALECT, user, thread_id)]
    if props.project_id is not None:
        ids = [deterministic_session_id(props.project_id)]
    for session_id in ids:
        row = None if "\0" in session_id else await context_of(request).log.read.session(session_id)
        if row is not None and row.user_id == user:
            if row.agent != agent:
                raise BadRequest(f"The thread {thread_id!r} is with the agent {row.agent!r}, not with {agent!r}")
            if props.workspace is not None and str(Path(props.workspace)) != row.workspace:
                raise BadRequest(f"The thread {thread_id!r} works in {row.workspace!r}, not in {props.workspace!r}")
            return row
    return None


PREFIXES = ("/ag-ui",)
ROUTES: list[BaseRoute] = [
    Route("/ag-ui/{agent}", run, methods=["POST"]),
    Route("/ag-ui/{agent}/threads/{thread_id:path}/events", events),
    Route("/ag-ui/{agent}/threads/{thread_id:path}/cancel", cancel, methods=["POST"]),
]
