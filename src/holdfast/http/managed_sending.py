"""What clients of Anthropic's sessions API send into a session, done in the order in which it stands."""

import secrets
from collections.abc import AsyncGenerator, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from holdfast.agents.interface import Reply
from holdfast.asking import Question
from holdfast.dialects.managed import (
    ASK_USER,
    DIALECT,
    Piece,
    Translation,
    confirmation_id,
    interrupt_id,
    message_id,
)
from holdfast.dialects.managed_config import PROJECT, WORKSPACE, config_of
from holdfast.dialects.managed_said import (
    Confirmation,
    CustomToolResult,
    Effective,
    Interrupt,
    UserMessage,
    answers_of,
    decision_of,
    task_of,
)
from holdfast.dialects.managed_shapes import metadata_of
from holdfast.entry import Entry, read
from holdfast.errors import BadRequest, NotFound
from holdfast.events import Origin
from holdfast.http.context import Context
from holdfast.log.log import Log
from holdfast.log.managed import Listed
from holdfast.log.reader import SessionRow
from holdfast.sessions.next_order import Work
from holdfast.sessions.once import Once, known_answer
from holdfast.sessions.session import Session
from holdfast.times import now_ms, timestamp
from holdfast.waiting import OpenRequest

_PAGE = 1000


async def told(log: Log, row: SessionRow, translation: Translation) -> AsyncGenerator[tuple[Entry, list[Piece]]]:
    """What the translation makes of the log as it stands, without partials, which change nothing but previews."""
    after = 0
    while page := await log.read.history(row.key, after, _PAGE):
        for _, body in page:
            entry = read(body)
            yield entry, translation.pieces(entry)
        after = page[-1][0]


class Sending:
    """One request's events for one session."""

    def __init__(self, context: Context, user: str, listed: Listed, once: Once | None) -> None:
        self._host = context.host
        self._log = context.log
        self._user = user
        self._listed = listed
        self._once = once
        self._id = listed.id

    async def deliver(self, said: Sequence[Effective]) -> list[dict[str, Any]]:
        """Does what was said and answers the events as they are told. Raises what the first that cannot be done
        raises; those before it have taken effect."""
        done = await self._done(said)
        return [await self._deliver(event, number, is_done=number < done) for number, event in enumerate(said)]

    async def _done(self, said: Sequence[Effective]) -> int:
        """How many of the events an earlier, equal request has brought to their end, as far as messages tell: an
        interrupt before one of those must not hit the run that it has begun."""
        for number in reversed(range(len(said))):
            if isinstance(said[number], UserMessage) and await known_answer(self._log, self._once_for(number)):
                return number + 1
        return 0

    def _once_for(self, number: int) -> Once | None:
        once = self._once
        if once is None:
            return None
        key = sha256(f"{DIALECT}\n{once.key}\n{number}".encode()).hexdigest()
        return Once(user_id=once.user_id, key=key, fingerprint=once.fingerprint)

    async def _deliver(self, event: Effective, number: int, *, is_done: bool) -> dict[str, Any]:
        match event:
            case UserMessage():
                id_ = await self._message(event, number)
            case Interrupt():
                id_ = await self._interrupt(is_done=is_done)
            case Confirmation():
                id_ = await self._confirm(event, is_done=is_done)
            case CustomToolResult():
                id_ = await self._answer(event, is_done=is_done)
        return {**msgspec.to_builtins(event), "id": id_, "processed_at": timestamp(now_ms())}

    async def _message(self, message: UserMessage, number: int) -> str:
        once = self._once_for(number)
        token = secrets.token_hex(16) if once is None else once.key[:32]
        text, files = task_of(message)
        metadata = metadata_of(self._listed.managed)
        config = config_of(metadata)
        managed = self._listed.managed
        if managed is not None and managed.model is not None and config.model is None:
            config = msgspec.structs.replace(config, model=managed.model)
        work = Work(task=text, config=config, attachments=files, origin=Origin(dialect=DIALECT, request=token))
        session = await self._host.find(self._id)
        if session is not None:
            await self._host.task(session, work, once=once)
        else:
            assert managed is not None
            project = metadata.get(PROJECT)
            await self._host.run(
                self._user,
                work,
                agent=managed.agent,
                project_id=project,
                workspace=metadata.get(WORKSPACE),
                once=once,
                as_id=None if project is not None else self._id,
            )
        return message_id(self._id, token)

    async def _interrupt(self, *, is_done: bool) -> str:
        """Does nothing if no run is under way. One whose agent has not started yet is paused, not cancelled: such a
        session could not go on, and an interrupt is there to go on otherwise."""
        session = await self._host.find(self._id)
        run = session.run if session is not None else 0
        if session is not None and session.is_active and not is_done:
            if session.state.agent_started:
                await self._host.cancel(session)
            else:
                await self._host.pause(session)
        return interrupt_id(self._id, run)

    async def _confirm(self, confirmation: Confirmation, *, is_done: bool) -> str:
        session, request_id = await self._asked(confirmation.tool_use_id, "confirmed")
        request = session.state.open_requests.get(request_id)
        if request is not None and request.type == "question":
            raise BadRequest(f"{confirmation.tool_use_id!r} is a question: answer it by a user.custom_tool_result")
        if not is_done:
            await self._host.permissions.answer(session, request_id, decision_of(confirmation, self._user))
        return confirmation_id(self._id, request_id)

    async def _answer(self, result: CustomToolResult, *, is_done: bool) -> str:
        try:
            session, request_id = await self._asked(result.custom_tool_use_id, "answered")
        except NotFound as error:
            raise BadRequest(f"{error}: only {ASK_USER} is, agents run all other tools themselves") from error
        if not is_done:
            reply = self._reply(result, session.state.open_requests.get(request_id))
            await self._host.permissions.answer(session, request_id, reply)
        return confirmation_id(self._id, request_id)

    def _reply(self, result: CustomToolResult, request: OpenRequest | None) -> Reply:
        if request is None:  # it has its answer: whatever is said now will be refused
            return Reply(decision="deny", by=self._user)
        if request.type != "question":
            raise BadRequest(f"{result.custom_tool_use_id!r} is no question: answer it by a user.tool_confirmation")
        return answers_of(result, msgspec.json.decode(request.data, type=Question), self._user)

    async def _asked(self, event_id: str, how: str) -> tuple[Session, str]:
        """The request that an event stands for."""
        row = await self._log.read.session(self._id)
        session = await self._host.find(self._id)
        translation = Translation(self._id)
        if row is not None and session is not None:
            async for _ in told(self._log, row, translation):
                if event_id in translation.requests:
                    return session, translation.requests[event_id]
        raise NotFound(f"There is no event {event_id!r} in the session {self._id} that is to be {how}")
