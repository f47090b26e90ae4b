"""Sees one run through: starts its keeper or finds it again, and when the keeper is gone, settles what it left.

However a run's keeper ends, afterwards the run has its terminal event, and nothing of it is alive or lies about.
"""

import asyncio
import contextlib
import shutil
import signal
from collections.abc import Awaitable, Callable
from functools import partial

import structlog

from holdfast import events
from holdfast.agents import tree
from holdfast.config import Settings
from holdfast.ends import TerminationInfo
from holdfast.errors import EventRefused, Fenced, HoldfastError, NotFound, StoreError
from holdfast.events import End, Recorded
from holdfast.keeper.census import living
from holdfast.keeper.ending import interrupted
from holdfast.keeper.spec import CLAIM_FILE, LOG_FILE, NOTE_FILE, SPEC_FILE, UNSENT_FILE, Spec, run_folder
from holdfast.keeper.spool import read_unsent
from holdfast.policy import tools_of
from holdfast.sessions.keepers import Keepers, kill, until_exit
from holdfast.sessions.orders import Order, make_folders, markers
from holdfast.sessions.policies import policy_of
from holdfast.sessions.session import Session, sum_of
from holdfast.state import State

# A keeper writes its note within milliseconds of its start; one that was started just before a crash gets this long.
_NOTE_S = 5.0
_POLL_S = 0.05
# A living keeper looks for us twice a second; one that does not link for this long is broken.
_LINK_S = 30.0
_UNSENT_BATCH = 1_000
_RETRY_S = 0.5


class Watch:
    def __init__(self, settings: Settings, keepers: Keepers, session: Session, run: int) -> None:
        self._settings = settings
        self._keepers = keepers
        self._session = session
        self.run = run
        self._key = (session.id, run)
        self._folder = run_folder(settings.data, session.id, run)
        self._logger = structlog.get_logger("holdfast.run").bind(session_id=session.id, run=run)

    @property
    def was_launched(self) -> bool:
        """Whether a keeper was started for this run, by us or by a server before us."""
        return (self._folder / SPEC_FILE).exists()

    @property
    def was_claimed(self) -> bool:
        """Whether a keeper has come to life for this run; before that no agent can have been started."""
        return (self._folder / CLAIM_FILE).exists()

    async def launch(self, order: Order, make_spec: Callable[[], Awaitable[Spec]]) -> int | None:
        """Starts the keeper; answers its guard's pid, or None if the run is over or could not be started."""
        try:
            await asyncio.to_thread(make_folders, order, self._settings, self._session.id)
            if not self._is_due:
                return None
            spec = await make_spec()
            if not self._is_due:
                return None
            guard_pid = self._keepers.launch(spec)
        except StoreError:
            raise  # it is tried again
        except (OSError, HoldfastError) as error:
            await self._session.end(self.run, partial(start_failed, str(error)))
            return None
        await self.connected(order)
        return guard_pid

    @property
    def _is_due(self) -> bool:
        return self._session.is_active and self._session.run == self.run

    def beginnings(self, order: Order) -> list[events.Event]:
        """What is told of a run that has its keeper: that it has, and how it came to be."""
        told: list[events.Event] = [events.SessionConnect(session_id=self._session.id)]
        if order.forked_from is not None and self.run == 1:
            told.append(events.Forked(from_session_id=order.forked_from[0], from_run=order.forked_from[1]))
        if order.switched:
            policy = policy_of(order.config, self._settings, ())
            told.append(
                events.ProfileSwitch(profile_type="permission", profile_name=policy.profile, tools=tools_of(policy))
            )
        return told

    async def connected(self, order: Order) -> None:
        # Cancelled at this very moment; or the store failed, and then it is written when the keeper links.
        with contextlib.suppress(EventRefused, StoreError):
            await self._session.emit(self.run, *self.beginnings(order))

    async def find(self) -> int | None:
        """The guard of a keeper that an earlier server has started; None if it is gone."""
        if not self.was_launched:
            return None
        deadline = asyncio.get_running_loop().time() + _NOTE_S
        while not (self._folder / NOTE_FILE).exists() and self._keepers.link(self._key) is None:
            if asyncio.get_running_loop().time() > deadline:
                return None
            await asyncio.sleep(_POLL_S)
        note = living(self._folder)
        return None if note is None else note.guard_pid

    async def see_through(self, guard_pid: int, *, is_warm: bool = False) -> bool:
        """Returns when nothing of the run is left. False if it was given to a keeper that had waited for it, and that
        died before it could take it: then it has not begun yet."""
        watched: int | None = guard_pid
        while watched is not None:
            await self._until_gone(watched)
            watched = await self._other_than(watched)
        if is_warm and not self.was_claimed and self._is_due:
            return False
        await self.settle()
        return True

    async def _other_than(self, gone: int) -> int | None:
        """The guard of another keeper that has the run, if there is one: a server before us started it, and it was so
        slow to leave its note that we started a second, which found the run taken."""
        found = await self.find() if self.was_claimed else None
        return found if found != gone else None

    async def _until_gone(self, guard_pid: int) -> None:
        gone = asyncio.ensure_future(until_exit(guard_pid))
        try:
            while not gone.done():
                await asyncio.wait((gone,), timeout=_LINK_S)
                if not gone.done() and self._keepers.link(self._key) is None:
                    await self._end_if_silent(guard_pid, gone)
        finally:
            gone.cancel()
        await self._keepers.until_unlinked(self._key)

    async def _end_if_silent(self, guard_pid: int, gone: "asyncio.Future[None]") -> None:
        await asyncio.wait((gone,), timeout=_LINK_S)
        if not gone.done() and self._keepers.link(self._key) is None:
            self._logger.error("the keeper does not link; ending it", guard_pid=guard_pid)
            note = living(self._folder)
            kill(note.pid if note else guard_pid)

    def kill(self) -> None:
        """Ends the keeper without asking; its guard ends what it kept."""
        link = self._keepers.link(self._key)
        note = living(self._folder)
        if link is not None or note is not None:
            kill(link.pid if link else note.pid)  # pyright: ignore[reportOptionalMemberAccess]

    async def settle(self) -> None:
        """Takes in what the keeper left, states the end if it did not, and clears up."""
        while True:
            try:
                with contextlib.suppress(NotFound):  # the session is at its next run by now
                    await self._take_unsent()
                await self._session.end(self.run, _lost)
                break
            except StoreError as error:
                if isinstance(error, Fenced):
                    raise
                self._logger.error("the run's end cannot be written; trying again", reason=str(error))
                await asyncio.sleep(_RETRY_S)
        strays = await asyncio.to_thread(tree.marked, markers(self._settings.data, self._session.id, self.run))
        if strays:
            self._logger.warning("ending what the run left behind", pids=strays)
            tree.signal_all(strays, signal.SIGKILL)
        self._keepers.forget(self._key)
        self._clear_up()

    async def _take_unsent(self) -> None:
        try:
            first, left = read_unsent(str(self._folder / UNSENT_FILE))
        except FileNotFoundError:
            return
        batch: list[Recorded] = []
        for recorded in left:
            batch.append(recorded)
            if len(batch) == _UNSENT_BATCH:
                await self._session.ingest(self.run, first, batch)
                first += len(batch)
                batch = []
        if batch:
            await self._session.ingest(self.run, first, batch)

    def _clear_up(self) -> None:
        log = self._folder / LOG_FILE
        with contextlib.suppress(OSError):
            if log.stat().st_size:
                self._logger.warning("the keeper complained", log=log.read_text("utf-8", "replace")[-4000:])
        # Without the rest of the folder the spec must not be there either: it says that a keeper was started.
        shutil.rmtree(self._folder, ignore_errors=True)


def _lost(state: State) -> End:
    return interrupted("The run's keeper is gone, and the agent with it.", sum_of(state))


def start_failed(reason: str, _state: State) -> End:
    message = f"the keeper could not be started: {reason}"
    return events.Error(
        message=message,
        error_type="start_failed",
        stop_reason="start_failed",
        synthetic=True,
        termination_info=TerminationInfo(reason="error", terminated_by="daemon", message=message),
    )
