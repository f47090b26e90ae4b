"""The live sessions of this server: starts runs, stops them, and takes up those of the server before.

Every run has one watch here, from its start (or from ours) until nothing of it is left.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable

import msgspec
import structlog

from holdfast.config import AgentSettings, Settings
from holdfast.errors import (
    NotResumable,
    ProjectBusy,
    SessionBusy,
    ShuttingDown,
)
from holdfast.events import End, SessionConnect
from holdfast.keeper.ending import Stopped, stopped
from holdfast.keeper.messages import Hello, Stop
from holdfast.log.log import Log
from holdfast.log.writer import NewRun, NewSession, Request
from holdfast.sessions.ids import deterministic_session_id, random_session_id
from holdfast.sessions.keepers import Keepers
from holdfast.sessions.once import Once, known_answer
from holdfast.sessions.orders import Order, agent_named, checked_workspace, known_agents, session_folder
from holdfast.sessions.permissions import Permissions
from holdfast.sessions.record import state_of
from holdfast.sessions.resume_context import with_resume_context
from holdfast.sessions.session import Session, now_ms
from holdfast.sessions.watch import Watch
from holdfast.state import ACTIVE, State

# A keeper ends a cancelled run within 2 s; after this long it is not asked any more.
_CANCEL_S = 2.8
_SHUTDOWN_S = 5.0
_CLEAR_UP_S = 3.0
_BUSY = "Agent session already running for this project"


class Host:
    def __init__(self, settings: Settings, log: Log) -> None:
        self._settings = settings
        self._log = log
        self._sessions: dict[str, Session] = {}
        self._watches: dict[str, tuple[Watch, asyncio.Task[None]]] = {}
        # Starts are few and short; one at a time, two that are the same see each other.
        self._starting = asyncio.Lock()
        self._loading = asyncio.Lock()
        self._stopping = False
        self._logger = structlog.get_logger("holdfast.host")
        self.agents: dict[str, AgentSettings] = known_agents(settings)
        self.keepers = Keepers(settings.data, self._adopt)
        self.permissions = Permissions(log, self.keepers)

    # Commands

    async def run(
        self,
        user_id: str,
        task: str,
        *,
        agent: str | None,
        project_id: str | None,
        workspace: str | None,
        timeout_s: float | None,
        once: Once | None,
    ) -> bytes:
        """A project's session with its next task, or a new session; answers what the client gets to hear."""
        name = agent or self._settings.default_agent
        session_id = deterministic_session_id(project_id) if project_id is not None else random_session_id()

        async def begin() -> Session:
            # Not before: a request that is repeated gets its answer even if its folder is gone by now.
            chosen = agent_named(name, self.agents)
            given = checked_workspace(workspace) if workspace is not None else None
            existing = await self.find(session_id) if project_id is not None else None
            if existing is not None:
                if existing.user_id != user_id:
                    # Its id and state are not this user's to know.
                    raise ProjectBusy(_BUSY if existing.is_active else "The project's session is another user's")
                await self._next(existing, task, name, given, timeout_s, once, _refuse_project(existing))
                return existing
            folder = session_folder(self._settings, session_id)
            place = given or chosen.cwd or str(folder / "workspace")
            new = NewSession(id=session_id, user_id=user_id, project_id=project_id, agent=name, workspace=place)
            order = Order(agent=name, workspace=place, text=task, shown=task, timeout_s=timeout_s)
            run = _new_run(1, order)
            session = await Session.create(self._log, new, task, run, _kept(session_id, once))
            self._sessions[session_id] = session
            return session

        return await self._start(once, begin)

    async def task(self, session: Session, task: str, *, timeout_s: float | None, once: Once | None) -> bytes:
        """The next task of a session."""

        async def begin() -> Session:
            await self._next(session, task, None, None, timeout_s, once, _refuse_session(session))
            return session

        return await self._start(once, begin)

    async def _start(self, once: Once | None, begin: Callable[[], Awaitable[Session]]) -> bytes:
        async with self._starting:
            if self._stopping:
                raise ShuttingDown("The server is stopping; start the task again when it is back")
            known = await known_answer(self._log, once)
            if known is not None:
                return known
            session = await begin()
            launch = asyncio.ensure_future(self._launch(session, session.run))
        await asyncio.shield(launch)
        return _started(session.id)

    async def _next(
        self,
        session: Session,
        task: str,
        agent: str | None,
        workspace: str | None,
        timeout_s: float | None,
        once: Once | None,
        refuse: Callable[[], None],
    ) -> None:
        row = await self._log.read.session(session.id)
        assert row is not None
        refuse()
        name = agent or row.agent
        agent_named(name, self.agents)
        place = workspace or row.workspace
        state = session.state
        text = with_resume_context(task, state.todos) if state.status == "cancelled" else task
        order = Order(
            agent=name,
            workspace=place,
            text=text,
            shown=task,
            timeout_s=timeout_s,
            # Another agent knows nothing of this one's sessions.
            agent_session_id=state.agent_session_id if name == row.agent else None,
        )
        run = _new_run(state.runs + 1, order)
        await session.begin(task, run, _kept(session.id, once), refuse=refuse)

    async def cancel(self, session: Session) -> None:
        """Ends the session's run, if one is under way."""
        await self._halt(session, "cancelled", _CANCEL_S)

    async def _halt(self, session: Session, why: Stopped, patience_s: float) -> None:
        await session.written()
        run = session.run
        if not session.is_active:
            return
        watch = self._watches.get(session.id)
        if watch is not None and watch[0].run == run:
            self.keepers.stop((session.id, run), Stop(why if why != "timeout" else "cancelled"))
            try:
                async with asyncio.timeout(patience_s):
                    await session.until_over()
            except TimeoutError:
                self._logger.warning("the keeper does not obey; ending it", session_id=session.id)
                watch[0].kill()
        await session.end(run, lambda state: _stopped(state, why))

    # The runs

    async def find(self, session_id: str) -> Session | None:
        """The session, taken over for writing if it is not yet ours; None if there is none of that id."""
        session = self._sessions.get(session_id)
        if session is not None and not session.is_fenced:
            return session
        async with self._loading:
            session = self._sessions.get(session_id)
            if session is not None and not session.is_fenced:
                return session
            row = await self._log.read.session(session_id)
            if row is None:
                return None
            session = self._sessions[session_id] = await Session.load(self._log, row)
            return session

    async def _launch(self, session: Session, number: int) -> None:
        """Starts the keeper of a run, which may have been cancelled by now, and the next one begun."""
        before = self._watches.get(session.id)
        if before is not None:
            # One writer per agent session, always: the last run's agent must be gone before the next one starts.
            await asyncio.wait((before[1],))
        key = self._log.head(session.id)
        assert key is not None
        run = await self._log.read.run(key.key, number)
        assert run is not None
        order = msgspec.json.decode(run.spec, type=Order)
        watch = Watch(self._settings, self.keepers, session, number)
        guard_pid = await watch.launch(order, run.secret)
        if guard_pid is not None:
            self._watch(session, watch, guard_pid)

    def _watch(self, session: Session, watch: Watch, guard_pid: int | None) -> None:
        task = asyncio.ensure_future(watch.see_through(guard_pid))
        self._watches[session.id] = (watch, task)

        def done(finished: "asyncio.Task[None]") -> None:
            known = self._watches.get(session.id)
            if known is not None and known[1] is finished:
                del self._watches[session.id]
            if not finished.cancelled() and finished.exception() is not None:
                self._logger.error("a run could not be settled", session_id=session.id, exc_info=finished.exception())

        task.add_done_callback(done)

    async def _adopt(self, hello: Hello) -> Session | None:
        session = await self.find(hello.session_id)
        if session is None or session.run != hello.run or not session.is_active:
            return None
        head = self._log.head(session.id)
        run = await self._log.read.run(head.key, hello.run) if head is not None else None
        if run is None or not secrets.compare_digest(run.secret, hello.secret):
            return None
        if session.state.status == "pending":
            # Its server was killed between the keeper's start and the word of it.
            await session.emit(hello.run, SessionConnect(session_id=session.id))
        return session

    # Start and stop

    async def open(self) -> None:
        """Listens for keepers and takes up the runs of the server before."""
        await self.keepers.open()
        active = await self._log.read.sessions(None, statuses=sorted(ACTIVE))
        # All at once: a keeper that was started just before the kill may still have to introduce itself.
        await asyncio.gather(*(self._take_up(row.id) for row in active))
        resumable = [
            row
            for row in await self._log.read.sessions(None, statuses=("interrupted", "paused"))
            if state_of(row).resumable
        ]
        if resumable:
            self._logger.info(f"Recovered {len(resumable)} resumable session(s)")

    async def _take_up(self, session_id: str) -> None:
        session = await self.find(session_id)
        assert session is not None
        watch = Watch(self._settings, self.keepers, session, session.run)
        if not watch.was_launched and session.state.status == "pending":
            # Its task was committed and its agent never started: start it now, as was promised.
            await self._launch(session, session.run)
        elif (guard_pid := await watch.find()) is not None:
            self._watch(session, watch, guard_pid)
        elif session.state.status == "pending" and not watch.was_claimed:
            # The server before was killed in the very moment of starting the keeper: none came to life.
            await self._launch(session, session.run)
        else:
            await watch.settle()

    async def close(self, *, keep_agents: bool) -> None:
        """Ends all runs, unless the agents shall stay for the next server."""
        self._stopping = True
        async with self._starting:
            pass  # a start that is under way gets to its end, and is then known
        if not keep_agents:
            running = [session for session in self._sessions.values() if session.is_active]
            await asyncio.gather(
                *(self._halt(session, "interrupted", _SHUTDOWN_S) for session in running), return_exceptions=True
            )
            tasks = [task for _, task in self._watches.values()]
            if tasks:
                await asyncio.wait(tasks, timeout=_CLEAR_UP_S)
        await self.keepers.close()
        for _, task in list(self._watches.values()):
            task.cancel()
        await asyncio.gather(*(task for _, task in list(self._watches.values())), return_exceptions=True)


def _new_run(number: int, order: Order) -> NewRun:
    return NewRun(
        number=number,
        secret=secrets.token_urlsafe(32),
        spec=msgspec.json.encode(order),
        agent=order.agent,
        workspace=order.workspace,
    )


def _started(session_id: str) -> bytes:
    return msgspec.json.encode({"session_id": session_id, "status": "running"})


def _kept(session_id: str, once: Once | None) -> Request | None:
    return None if once is None else once.answered(_started(session_id))


def _refuse_project(session: Session) -> Callable[[], None]:
    def refuse() -> None:
        if session.is_active:
            raise ProjectBusy(_busy(session, _BUSY))

    return refuse


def _refuse_session(session: Session) -> Callable[[], None]:
    def refuse() -> None:
        if session.is_active:
            raise SessionBusy(_busy(session, "The session's run has not ended yet"))
        if session.state.status == "cancelled" and not session.state.resumable:
            raise NotResumable(f"The session {session.id} was cancelled before its agent had started; start a new one")

    return refuse


def _busy(session: Session, what: str) -> str:
    return f"{what} (session {session.id}, {session.state.status})"


def _stopped(state: State, why: Stopped) -> End:
    return stopped(
        why,
        started=state.agent_started,
        timeout_s=None,
        stderr=None,
        agent_session_id=state.agent_session_id,
        duration_ms=max(0, now_ms() - state.run_began_ms),
    )
