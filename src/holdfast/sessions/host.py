"""What users can do with sessions: start, continue, resume, fork, cancel, pause, discard. Commands go in here."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from typing import Literal

import msgspec

from holdfast.agents.interface import GivenFile
from holdfast.config import Settings
from holdfast.errors import (
    EventRefused,
    NotResumable,
    ProjectBusy,
    SessionBusy,
    ShuttingDown,
    Unsupported,
)
from holdfast.events import Discarded, UserMessage
from holdfast.log.appends import NewRun, NewSession, Request
from holdfast.log.log import Log
from holdfast.log.reader import SessionRow
from holdfast.sessions import attachments, policies
from holdfast.sessions.agents import Agents
from holdfast.sessions.forks import position_of
from holdfast.sessions.ids import deterministic_session_id, random_session_id
from holdfast.sessions.next_order import ONLY_CLAUDE, Work, next_order
from holdfast.sessions.once import Once, known_answer
from holdfast.sessions.orders import Order, RunConfig, checked_workspace, session_folder
from holdfast.sessions.permissions import Permissions
from holdfast.sessions.refusals import BUSY, busy, refuse_fork, refuse_project, refuse_resume, refuse_session
from holdfast.sessions.runs import Runs
from holdfast.sessions.session import Session
from holdfast.sessions.warm import Warm

# A keeper ends a cancelled run within 2 s; after this long it is not asked any more.
_CANCEL_S = 2.8
# A start that takes longer (the store is away, the last run's agent does not go) is answered before it is done.
_LAUNCH_S = 10.0
_CONTINUE = "Continue from where you left off."


class Host:
    def __init__(self, settings: Settings, log: Log, agents: Agents) -> None:
        self._settings = settings
        self._log = log
        # Starts are few and short; one at a time, two that are the same see each other.
        self._starting = asyncio.Lock()
        self._stopping = False
        self.agents = agents
        self.runs = Runs(settings, log, agents)
        self.permissions = Permissions(log, self.runs.keepers)

    async def open(self) -> None:
        await self.runs.open()

    async def close(self, *, keep_agents: bool) -> None:
        self._stopping = True
        async with self._starting:
            pass  # a start that is under way gets to its end, and is then known
        await self.runs.close(keep_agents=keep_agents)

    async def find(self, session_id: str) -> Session | None:
        return await self.runs.find(session_id)

    # Starting

    async def run(
        self,
        user_id: str,
        work: Work,
        *,
        agent: str | None,
        project_id: str | None,
        workspace: str | None,
        once: Once | None,
        as_id: str | None = None,
    ) -> bytes:
        """A project's session with its next task, or a new session (in some dialects it has its id, `as_id`, before
        it has a task); answers what the client gets to hear."""
        name = agent or self._settings.default_agent

        async def begin() -> tuple[Session, Warm | None]:
            # Not before: a request that is repeated gets its answer even if its folder is gone by now.
            chosen = self.agents.get(name)
            self._check(work.config, name)
            given = checked_workspace(workspace) if workspace is not None else None
            if as_id is not None and await self.find(as_id) is not None:
                raise SessionBusy(f"There is a session {as_id} already")
            session_id = deterministic_session_id(project_id) if project_id else as_id or random_session_id()
            existing = await self.find(session_id) if project_id is not None else None
            if existing is not None:
                if existing.user_id != user_id:
                    # Its id and state are not this user's to know.
                    raise ProjectBusy(BUSY if existing.is_active else "The project's session is another user's")
                await self._next(existing, work, name, given, once, refuse_project(existing))
                return existing, None
            wanted = given or chosen.cwd
            # A CLI that waits has an id and folders of its own already.
            fits = project_id is None and as_id is None and not work.attachments
            with self.runs.warm.taken(name, wanted, work.config if fits else None) as warm:
                session_id = warm.session_id if warm is not None else session_id
                place = wanted or str(session_folder(self._settings, session_id) / "workspace")
                order = Order(agent=name, workspace=place, text=work.task, shown=work.task, config=work.config)
                new = NewSession(id=session_id, user_id=user_id, project_id=project_id, agent=name, workspace=place)
                session = await self._create(new, order, work, once, warm.secret if warm is not None else None)
            if project_id is None:
                self.runs.prepare_next(session, name, wanted)
            return session, warm

        return await self._start(once, begin)

    async def _create(
        self, new: NewSession, order: Order, work: Work, once: Once | None, secret: str | None = None
    ) -> Session:
        order, message = await self._with_files(new.id, 1, order, work)
        run = _new_run(1, order, secret)
        session = await Session.create(self._log, new, message, run, _kept(new.id, once))
        self.runs.add(session)
        return session

    async def task(self, session: Session, work: Work, *, once: Once | None, stays_open: bool = False) -> bytes:
        """The next task of a session; `stays_open` as in `refuse_session`."""

        async def begin() -> tuple[Session, Warm | None]:
            await self._next(session, work, None, None, once, refuse_session(session, stays_open=stays_open))
            return session, None

        return await self._start(once, begin)

    async def resume(
        self, session: Session, mode: Literal["continue", "rerun"], config: RunConfig, *, once: Once | None
    ) -> bytes:
        """Goes on with what was cancelled, paused, interrupted or ended by a limit; or does its task again."""

        async def begin() -> tuple[Session, Warm | None]:
            text = session.state.task if mode == "rerun" else _CONTINUE
            work = Work(task=text, config=config, resume=mode)
            await self._next(session, work, None, None, once, refuse_resume(session, mode))
            return session, None

        return await self._start(once, begin)

    async def fork(
        self, row: SessionRow, work: Work, *, run: int | None, once: Once | None, as_id: str | None = None
    ) -> bytes:
        """A new session that begins where another one stands, or stood after an earlier run."""

        async def begin() -> tuple[Session, Warm | None]:
            parent = await self.find(row.id)
            assert parent is not None
            state = parent.state
            through = state.runs if run is None else run
            refuse_fork(parent, row.agent, through)
            before = await self._last_order(row, through)
            config = work.config.over(before.config)
            self._check(config, row.agent)
            session_id = as_id or random_session_id()
            order = Order(
                agent=row.agent,
                workspace=before.workspace,
                text=work.task,
                shown=work.task,
                config=config,
                agent_session_id=state.agent_session_id,
                forked_from=(row.id, through),
                resume_at=await position_of(self._log, row.key, through) if through < state.runs else None,
            )
            new = NewSession(
                id=session_id, user_id=row.user_id, project_id=None, agent=row.agent, workspace=order.workspace
            )
            return await self._create(new, order, work, once), None

        return await self._start(once, begin)

    async def _start(self, once: Once | None, begin: Callable[[], Awaitable[tuple[Session, Warm | None]]]) -> bytes:
        async with self._starting:
            if self._stopping:
                raise ShuttingDown("The server is stopping; start the task again when it is back")
            known = await known_answer(self._log, once)
            if known is not None:
                return known
            session, warm = await begin()
            has_room = self.runs.places.has_room
            launch = self.runs.start(session, warm)
        if has_room:
            # Its task is committed: what becomes of the start is told in the log, not to this request.
            await asyncio.wait((launch,), timeout=_LAUNCH_S)
        return _started(session.id)

    async def _next(
        self,
        session: Session,
        work: Work,
        agent: str | None,
        workspace: str | None,
        once: Once | None,
        refuse: Callable[[], None],
    ) -> None:
        row = await self._log.read.session(session.id)
        assert row is not None
        refuse()
        name = agent or row.agent
        before = await self._last_order(row, session.run)
        state = session.state
        order = next_order(work, state, before, agent=name, workspace=workspace or row.workspace)
        self._check(order.config, name)
        if work.resume == "rerun" or (work.resume and order.agent_session_id is None):
            order = msgspec.structs.replace(order, files=await self._files(row, session.run, before))
        number = state.runs + 1
        order, message = await self._with_files(session.id, number, order, work)
        await session.begin(message, _new_run(number, order, None), _kept(session.id, once), refuse=refuse)

    def _check(self, config: RunConfig, agent: str) -> None:
        """Raises UnknownAgent, UnknownProfile, BadRequest for a rule that is none, or Unsupported."""
        policies.check(config, self._settings)
        if self.agents.get(agent).kind != "claude":
            for name in ONLY_CLAUDE:
                # It would be taken and do nothing, which is worse than a refusal: a sandbox least of all.
                if getattr(config, name):
                    raise Unsupported(f"The agent {agent!r} has no {name}; only Claude Code has")

    async def _files(self, row: SessionRow, number: int, order: Order) -> list[GivenFile]:
        """Those of the last task, which may have been gone on with since; `order` is that of the run `number`."""
        while order.resume == "continue" and not order.files and number > 1:
            number -= 1
            order = await self._last_order(row, number)
        return order.files

    async def _last_order(self, row: SessionRow, number: int) -> Order:
        run = await self._log.read.run(row.key, number)
        assert run is not None
        return msgspec.json.decode(run.spec, type=Order)

    async def _with_files(self, session_id: str, number: int, order: Order, work: Work) -> tuple[Order, UserMessage]:
        files = attachments.decode(work.attachments)
        folder = session_folder(self._settings, session_id) / "attachments" / str(number)
        given = attachments.given_files(files, folder)
        if files:
            await asyncio.to_thread(attachments.write, files, given)
        shown = [file.shown for file in files] or None
        message = UserMessage(text=work.task, resume=work.resume, attachments=shown, origin=work.origin)
        return msgspec.structs.replace(order, files=given or order.files), message

    # Stopping

    async def cancel(self, session: Session) -> None:
        """Ends the session's run, if one is under way."""
        await self.runs.halt(session, "cancelled", _CANCEL_S)

    async def pause(self, session: Session) -> None:
        """Ends the session's run so that it can go on later; does nothing to one that is paused."""
        if session.state.status == "paused":
            return
        if not session.is_active:
            raise NotResumable(f"The session {session.id} is {session.state.status}: there is nothing to pause")
        await self.runs.halt(session, "paused", _CANCEL_S)

    async def discard(self, session: Session) -> None:
        """Gives up what a paused or interrupted session could still go on with; does nothing to one that is over."""
        if session.is_active:
            raise SessionBusy(busy(session, "The session's run has not ended yet"))
        if session.state.status in ("paused", "interrupted"):
            try:
                await session.emit(session.run, Discarded(message="What was left of the task was discarded"))
            except EventRefused:  # somebody was faster: with a discard too, or with a task
                if session.is_active:
                    raise SessionBusy(busy(session, "The session's run has not ended yet")) from None

    async def switch(self, session: Session, profile: str) -> None:
        policies.profile_named(profile, self._settings)
        if not session.is_active:
            raise NotResumable(
                f"The session {session.id} is {session.state.status}: name the profile with its next task"
            )
        await self.runs.switch(session, profile)


def _new_run(number: int, order: Order, secret: str | None) -> NewRun:
    return NewRun(
        number=number,
        secret=secret or secrets.token_urlsafe(32),
        spec=msgspec.json.encode(order),
        agent=order.agent,
        workspace=order.workspace,
    )


def _started(session_id: str) -> bytes:
    return msgspec.json.encode({"session_id": session_id, "status": "running"})


def _kept(session_id: str, once: Once | None) -> Request | None:
    return None if once is None else once.answered(_started(session_id))
