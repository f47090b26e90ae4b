"""Answers to what agents ask: the first one wins, and it counts once the agent has taken it."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import msgspec

from holdfast.agents.interface import Reply
from holdfast.asking import Misfit, fitted
from holdfast.errors import AgentUnreachable, AlreadyAnswered, BadRequest, NotFound, Unsupported
from holdfast.events import PermissionRequest, PermissionResolved, Question
from holdfast.keeper.messages import Answer
from holdfast.log.log import Head, Log
from holdfast.log.reader import SessionRow
from holdfast.sessions.keepers import Keepers
from holdfast.sessions.record import state_of
from holdfast.sessions.session import Session
from holdfast.times import timestamp
from holdfast.waiting import OpenRequest

_TAKEN_S = 5.0
_POLL_S = 0.02
_PAGE = 1000
_RESOLVED = b'{"type":"permission_resolved",'


class _Resolved(msgspec.Struct):
    """The envelope of a `permission_resolved`."""

    data: PermissionResolved


class Waiting(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request that waits for a person, with where it comes from."""

    session_id: str
    type: str
    asked_at: str
    request: Any
    agent: str
    workspace: str
    task: str
    project_id: str | None = None


def waiting_in(row: SessionRow) -> list[Waiting]:
    state = state_of(row)
    return [
        Waiting(
            session_id=row.id,
            type=request.type,
            asked_at=timestamp(request.at_ms),
            request=request.data,
            agent=row.agent,
            workspace=row.workspace,
            task=state.task,
            project_id=row.project_id,
        )
        for request in state.open_requests.values()
    ]


class Permissions:
    def __init__(self, log: Log, keepers: Keepers) -> None:
        self._log = log
        self._keepers = keepers
        self._answering: set[str] = set()

    async def waiting(self, user_id: str) -> list[Waiting]:
        """What waits for the user over all sessions, the oldest first."""
        rows = await self._log.read.sessions(user_id, statuses=("waiting",))
        return sorted((found for row in rows for found in waiting_in(row)), key=lambda waiting: waiting.asked_at)

    async def answer(self, session: Session, request_id: str, reply: Reply) -> None:
        """Raises NotFound, AlreadyAnswered, BadRequest or Unsupported if it is no answer to this request, and
        AgentUnreachable if the agent does not take it in time. AlreadyAnswered too if something else decided while it
        was under way: the expiry, the agent, or the run's end."""
        try:
            msgspec.msgpack.encode(reply)
        except OverflowError as error:
            # The keeper would never hear of it: its language has no such numbers.
            raise BadRequest("A whole number in the answer has more than 64 bits") from error
        if request_id in self._answering:
            raise AlreadyAnswered(f"The permission request {request_id} is being answered")
        request = session.state.open_requests.get(request_id)
        if request is None:
            if await self._was_asked(session, request_id):
                raise AlreadyAnswered(f"The permission request {request_id} has its answer")
            raise NotFound(f"There is no permission request {request_id!r} in the session {session.id}")
        _check(request, reply)
        head = self._log.head(session.id)
        assert head is not None
        self._answering.add(request_id)
        try:
            async with asyncio.timeout(_TAKEN_S):
                await self._give(session, Answer(request_id, reply))
        except TimeoutError:
            raise AgentUnreachable(f"The agent of session {session.id} did not take the answer; try again") from None
        finally:
            self._answering.discard(request_id)
        await self._check_won(head, request_id, reply)

    async def _give(self, session: Session, answer: Answer) -> None:
        """Returns when the log says that the request is resolved; a keeper that is not linked is waited for."""
        sent = False
        while True:
            await session.written()  # the state runs ahead of the log
            if answer.request_id not in session.state.open_requests:
                return
            sent = sent or self._keepers.send((session.id, session.run), answer)
            await asyncio.sleep(_POLL_S)

    async def _check_won(self, before: Head, request_id: str, reply: Reply) -> None:
        """Raises AlreadyAnswered if the request is resolved, but not by this reply."""
        async for body in self._told_of(before.key, before.sequence, request_id):
            if body.startswith(_RESOLVED):
                resolved = msgspec.json.decode(body, type=_Resolved).data
                if (resolved.decision, resolved.by) != (reply.decision, reply.by):
                    raise AlreadyAnswered(
                        f"The permission request {request_id} has its answer: {resolved.decision} by {resolved.by}"
                    )

    async def _was_asked(self, session: Session, request_id: str) -> bool:
        head = self._log.head(session.id)
        assert head is not None
        async for _ in self._told_of(head.key, 0, request_id):
            return True
        return False

    async def _told_of(self, key: int, after: int, request_id: str) -> AsyncGenerator[bytes]:
        """The envelopes after a position that name a request."""
        wanted = f'"request_id":"{request_id}"'.encode()
        while page := await self._log.read.history(key, after, _PAGE):
            for _, body in page:
                if wanted in body:
                    yield body
            after = page[-1][0]


def _check(request: OpenRequest, reply: Reply) -> None:
    if request.type == "question":
        question = msgspec.json.decode(request.data, type=Question)
        if reply.tool_input is not None:
            raise BadRequest("A question has no input to be edited; give answers")
        if reply.decision == "deny":
            if reply.answers:
                raise BadRequest(f"A question that is declined has no answer to {', '.join(map(repr, reply.answers))}")
            return
        try:
            fitted(question.questions, reply.answers or {})
        except Misfit as misfit:
            raise BadRequest(str(misfit)) from misfit
        return
    if reply.answers is not None:
        raise BadRequest("A permission request is answered by a decision, not by answers")
    if reply.tool_input is not None:
        if reply.decision == "deny":
            raise BadRequest("An input that is denied need not be edited")
        if not msgspec.json.decode(request.data, type=PermissionRequest).editable:
            raise Unsupported("This agent does not let the input of a tool call be edited")
