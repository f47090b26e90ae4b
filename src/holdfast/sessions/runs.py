"""The runs of this server: starts their agents, stops them, and takes up those of the server before.

Every run has one watch here, from its start (or from ours) until nothing of it is left.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Coroutine
from functools import partial
from typing import Any

import msgspec
import structlog

from holdfast.agents.interface import Task
from holdfast.config import Settings
from holdfast.errors import AgentUnreachable, Fenced, StoreError
from holdfast.keeper.ending import Stopped, stopped
from holdfast.keeper.messages import Hello, Stop, Switch
from holdfast.keeper.spec import Spec
from holdfast.log.log import Log
from holdfast.policy import Policy
from holdfast.sessions.agents import Agents
from holdfast.sessions.keepers import Keepers
from holdfast.sessions.orders import Order, spec_for, task_for
from holdfast.sessions.places import Places
from holdfast.sessions.policies import policy_of_order
from holdfast.sessions.record import state_of
from holdfast.sessions.session import Session, sum_of
from holdfast.sessions.transcripts import write_transcript
from holdfast.sessions.warm import Warm, WarmPool
from holdfast.sessions.watch import Watch, start_failed
from holdfast.state import ACTIVE

_SHUTDOWN_S = 5.0
_CLEAR_UP_S = 3.0
# An agent that takes longer to start than this no longer keeps others from starting.
_SLOT_S = 15.0
_RETRY_S = 0.5


class Runs:
    def __init__(self, settings: Settings, log: Log, agents: Agents) -> None:
        self._settings = settings
        self._log = log
        self._agents = agents
        self._sessions: dict[str, Session] = {}
        self._watches: dict[str, tuple[Watch, asyncio.Task[bool]]] = {}
        self._loading = asyncio.Lock()
        self.places = Places(max(1, settings.concurrent_starts))
        self._background: set[asyncio.Task[None]] = set()
        self._logger = structlog.get_logger("holdfast.runs")
        self.keepers = Keepers(settings.data, self._adopt)
        self.warm = WarmPool(settings, agents, self.keepers)

    def add(self, session: Session) -> None:
        self._sessions[session.id] = session

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

    # Starting

    def start(self, session: Session, warm: Warm | None) -> "asyncio.Task[None]":
        """Launches the session's run; it is launched whether or not anybody waits for that."""
        launch = self._spawn(self.launch(session, session.run, warm))
        self.places.expect(launch)
        return launch

    async def launch(self, session: Session, number: int, warm: Warm | None = None) -> None:
        """Starts the keeper of a run, which may have been cancelled by now, and the next one begun. Its task is
        committed: while the store does not work, it is tried again."""
        while session.is_active and session.run == number:
            try:
                await self._launch(session, number, warm)
                return
            except StoreError as error:
                if isinstance(error, Fenced):
                    raise
                self._logger.error("a run cannot be started; trying again", session_id=session.id, reason=str(error))
                await asyncio.sleep(_RETRY_S)
            except Exception as error:  # nobody waits for this any more: a defect ends the run, and is told
                self._logger.exception("a run could not be started", session_id=session.id)
                await session.end(number, partial(start_failed, f"a defect of the server: {error!r}"))
                break
        if warm is not None:
            self.warm.dismiss(warm)

    async def _launch(self, session: Session, number: int, warm: Warm | None) -> None:
        before = self._watches.get(session.id)
        if before is not None:
            # One writer per agent session, always: the last run's agent must be gone before the next one starts.
            await asyncio.wait((before[1],))
        order, secret = await self._order(session, number)
        watch = Watch(self._settings, self.keepers, session, number)
        if warm is not None:
            task = await self._task(session, number, order)
            # First, since nothing of a run may come before it.
            await watch.connected(order)
            if not (session.is_active and session.run == number):
                self.warm.dismiss(warm)
                return
            if self.warm.begin(warm, task):
                self._watch(session, watch, warm.guard_pid, is_warm=True)
                return
        await self.places.take()
        try:
            guard_pid = await watch.launch(order, lambda: self._spec(session, number, order, secret))
        except BaseException:
            self.places.leave()  # it may be tried again, which takes a place of its own
            raise
        self._spawn(self._release(session, number))
        if guard_pid is not None:
            self._watch(session, watch, guard_pid)

    def prepare_next(self, session: Session, agent: str, workspace: str | None) -> None:
        """Has a session connected for the next start like this one, but only once this one's agent is at work: their
        starts would slow each other down."""

        async def prepare() -> None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_SLOT_S):
                    await session.until_at_work(session.run)
            self.warm.prepare(agent, workspace)

        self._spawn(prepare())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.ensure_future(work)
        self._background.add(task)

        def done(finished: "asyncio.Task[None]") -> None:
            self._background.discard(finished)
            if not finished.cancelled() and finished.exception() is not None:
                self._logger.error("work in the background failed", exc_info=finished.exception())

        task.add_done_callback(done)
        return task

    async def _release(self, session: Session, number: int) -> None:
        """Gives the place to the next one as soon as this agent works, or has failed, or takes too long."""
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_SLOT_S):
                    await session.until_at_work(number)
        finally:
            self.places.leave()

    async def _order(self, session: Session, number: int) -> tuple[Order, str]:
        head = self._log.head(session.id)
        assert head is not None
        run = await self._log.read.run(head.key, number)
        assert run is not None
        return msgspec.json.decode(run.spec, type=Order), run.secret

    async def _spec(self, session: Session, number: int, order: Order, secret: str) -> Spec:
        transcript = await write_transcript(self._log, self._settings, session, number, order)
        task = await self._task(session, number, order, transcript)
        return spec_for(task, self._settings, run=number, secret=secret, socket=self.keepers.socket)

    async def _task(self, session: Session, number: int, order: Order, transcript: str | None = None) -> Task:
        """Raises UnknownAgent if the agent has been taken out of the settings meanwhile."""
        agent = self._agents.get(order.agent)
        policy = await self._policy(session, order)
        return task_for(
            order, agent, self._settings, session_id=session.id, run=number, policy=policy, transcript=transcript
        )

    async def _policy(self, session: Session, order: Order) -> Policy:
        granted = await self._log.read.granted(session.user_id, session.project)
        return policy_of_order(order, self._settings, [*session.state.granted, *granted])

    def _watch(self, session: Session, watch: Watch, guard_pid: int, *, is_warm: bool = False) -> None:
        task = asyncio.ensure_future(watch.see_through(guard_pid, is_warm=is_warm))
        self._watches[session.id] = (watch, task)

        def done(finished: "asyncio.Task[bool]") -> None:
            known = self._watches.get(session.id)
            if known is not None and known[1] is finished:
                del self._watches[session.id]
            if finished.cancelled():
                return
            if finished.exception() is not None:
                self._logger.error("a run could not be settled", session_id=session.id, exc_info=finished.exception())
            elif not finished.result():
                self._spawn(self.launch(session, watch.run))

        task.add_done_callback(done)

    # Stopping, steering

    async def halt(self, session: Session, why: Stopped, patience_s: float) -> None:
        await session.written()
        run = session.run
        if not session.is_active:
            return
        watch = self._watches.get(session.id)
        if watch is not None and watch[0].run == run:
            self.keepers.stop((session.id, run), Stop(why))
            try:
                async with asyncio.timeout(patience_s):
                    await session.until_over()
            except TimeoutError:
                self._logger.warning("the keeper does not obey; ending it", session_id=session.id)
                watch[0].kill()
        await session.end(run, lambda state: stopped(why, sum_of(state)))

    async def switch(self, session: Session, profile: str) -> None:
        """Lets the run that is under way go on under another permission profile."""
        order, _ = await self._order(session, session.run)
        config = msgspec.structs.replace(order.config, profile=profile)
        policy = await self._policy(session, msgspec.structs.replace(order, config=config))
        if not self.keepers.send((session.id, session.run), Switch(profile, policy)):
            raise AgentUnreachable(f"The agent of session {session.id} cannot be reached at the moment; try again")

    # Taking up

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
            watch = Watch(self._settings, self.keepers, session, hello.run)
            await session.emit(hello.run, *watch.beginnings(msgspec.json.decode(run.spec, type=Order)))
        return session

    async def open(self) -> None:
        """Listens for keepers and takes up the runs of the server before."""
        await self.keepers.open(self.warm.park)
        active = await self._log.read.sessions(None, statuses=sorted(ACTIVE))
        # All at once: a keeper that was started just before the kill may still have to introduce itself.
        taken = await asyncio.gather(*(self._take_up(row.id) for row in active), return_exceptions=True)
        for row, outcome in zip(active, taken, strict=True):
            if isinstance(outcome, BaseException):  # one session that is broken must not keep the others from working
                self._logger.error("a session could not be taken up", session_id=row.id, exc_info=outcome)
        resumable = [
            row
            for row in await self._log.read.sessions(None, statuses=("interrupted", "paused"))
            if state_of(row).resumable
        ]
        if resumable:
            self._logger.info(f"Recovered {len(resumable)} resumable session(s)")
        await self.warm.sweep(self._is_known)
        self.warm.open()

    async def _is_known(self, session_id: str) -> bool:
        return await self._log.read.session(session_id) is not None

    async def _take_up(self, session_id: str) -> None:
        session = await self.find(session_id)
        assert session is not None
        watch = Watch(self._settings, self.keepers, session, session.run)
        if not watch.was_launched and session.state.status == "pending":
            # Its task was committed and its agent never started: start it now, as was promised.
            self._spawn(self.launch(session, session.run))
        elif (guard_pid := await watch.find()) is not None:
            self._watch(session, watch, guard_pid)
        elif watch.was_launched and not watch.was_claimed:
            # The server before was killed in the very moment of starting the keeper: none came to life; or before it
            # could give its task to one that waited for it.
            self._spawn(self.launch(session, session.run))
        else:
            await watch.settle()

    async def close(self, *, keep_agents: bool) -> None:
        """Ends all runs, unless the agents shall stay for the next server."""
        leaving: list[asyncio.Task[Any]] = [*self.warm.close()]
        if not keep_agents:
            running = [session for session in self._sessions.values() if session.is_active]
            await asyncio.gather(
                *(self.halt(session, "interrupted", _SHUTDOWN_S) for session in running), return_exceptions=True
            )
            leaving += [task for _, task in self._watches.values()]
        if leaving:
            await asyncio.wait(leaving, timeout=_CLEAR_UP_S)
        await self.keepers.close()
        left: list[asyncio.Task[Any]] = [*(task for _, task in self._watches.values()), *self._background]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
