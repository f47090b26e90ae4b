"""Claude Code sessions that are connected ahead of their tasks, so that a start need not wait for the CLI's own.

A session that waits is a keeper like any other, of a session that does not exist yet: its id and its secret are chosen
ahead. It ends with the server, with its link, or by becoming the first run of the session that it was meant for.
Rule: what a CLI is started with (folder, model, limits …) cannot be changed later; a start that wants something else
than the settings say gets a CLI of its own.
"""

import asyncio
import contextlib
import secrets
import shutil
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator

import msgspec
import structlog

from holdfast.agents.interface import Task
from holdfast.config import Settings
from holdfast.errors import HoldfastError
from holdfast.keeper.messages import Begin, Gone, Hello
from holdfast.keeper.spec import RUNS_FOLDER, run_folder
from holdfast.sessions.agents import Agents
from holdfast.sessions.ids import random_session_id
from holdfast.sessions.keepers import KeeperLink, Keepers, until_exit
from holdfast.sessions.orders import Order, RunConfig, make_folders, session_folder, spec_for, task_for
from holdfast.sessions.policies import policy_of

# One that could not be started is not tried again at once: it would fail for the same reason.
_RETRY_S = 60.0
_STARTED_WITH = ("max_turns", "max_budget_usd", "model", "mode", "options", "setting_sources", "sandbox")

Place = tuple[str, str | None]  # agent, workspace (None: one of its own)


class Warm(msgspec.Struct):
    session_id: str
    secret: str
    agent: str
    workspace: str
    guard_pid: int
    link: KeeperLink | None = None
    begun: "asyncio.Future[None] | None" = None


class WarmPool:
    def __init__(self, settings: Settings, agents: Agents, keepers: Keepers) -> None:
        self._settings = settings
        self._agents = agents
        self._keepers = keepers
        # The place that was wanted last stands last.
        self._waiting: OrderedDict[Place, Warm] = OrderedDict()
        self._not_before: dict[Place, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._logger = structlog.get_logger("holdfast.warm")

    @property
    def ready(self) -> int:
        return sum(warm.link is not None for warm in self._waiting.values())

    def open(self) -> None:
        """Prepares one for whoever comes first, if the default agent can wait; others wait when they were used once."""
        self.prepare(self._settings.default_agent, None)

    def _may_wait(self, agent: str) -> bool:
        try:
            return self._settings.warm_sessions > 0 and self._agents.get(agent).kind == "claude"
        except HoldfastError:
            return False

    def prepare(self, agent: str, workspace: str | None) -> None:
        """Makes sure that one waits at this place. Does nothing for agents that cannot wait."""
        place = (agent, workspace)
        now = asyncio.get_running_loop().time()
        if self._closed or place in self._waiting or self._not_before.get(place, 0.0) > now:
            return
        if self._may_wait(agent):
            task = asyncio.ensure_future(self._prepare(place))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _prepare(self, place: Place) -> None:
        agent, workspace = place
        session_id = random_session_id()
        folder = workspace or str(session_folder(self._settings, session_id) / "workspace")
        order = Order(agent=agent, workspace=folder, text="", shown="")
        self._not_before[place] = asyncio.get_running_loop().time() + _RETRY_S
        try:
            await asyncio.to_thread(make_folders, order, self._settings, session_id)
            settings = self._agents.get(agent)
            policy = policy_of(RunConfig(), self._settings, ())
            task = task_for(order, settings, self._settings, session_id=session_id, run=1, policy=policy)
            secret = secrets.token_urlsafe(32)
            spec = spec_for(task, self._settings, run=1, secret=secret, socket=self._keepers.socket, warm=True)
            if self._closed or place in self._waiting:
                self._clear_up(session_id)
                return
            guard_pid = self._keepers.launch(spec)
        except (OSError, HoldfastError) as error:
            self._logger.warning("a session could not be prepared", agent=agent, reason=str(error))
            self._clear_up(session_id)
            return
        warm = self._waiting[place] = Warm(session_id, secret, agent, folder, guard_pid)
        # Also one that dies before it has come in, and so has no link to lose.
        gone = asyncio.ensure_future(until_exit(guard_pid))
        self._tasks.add(gone)
        gone.add_done_callback(lambda _: (self._tasks.discard(gone), self._lost(place, warm)))
        while len(self._waiting) > self._settings.warm_sessions:
            _, oldest = self._waiting.popitem(last=False)
            self.dismiss(oldest)

    def park(self, hello: Hello, link: KeeperLink) -> "asyncio.Future[None] | None":
        """A keeper that waits has come in: done when it gets its task; None if nobody waits for it (any more)."""
        for place, warm in self._waiting.items():
            if warm.session_id == hello.session_id and secrets.compare_digest(warm.secret, hello.secret):
                return self._park(place, warm, link)
        return None

    def _park(self, place: Place, warm: Warm, link: KeeperLink) -> "asyncio.Future[None]":
        warm.link = link
        warm.begun = asyncio.get_running_loop().create_future()
        warm.begun.add_done_callback(lambda begun: self._lost(place, warm) if begun.cancelled() else None)
        self._not_before.pop(place, None)
        return warm.begun

    def _lost(self, place: Place, warm: Warm) -> None:
        if self._waiting.get(place) is warm:
            del self._waiting[place]
            self._clear_up(warm.session_id)
            self._not_before[place] = asyncio.get_running_loop().time() + _RETRY_S

    @contextlib.contextmanager
    def taken(self, agent: str, workspace: str | None, config: RunConfig | None) -> Generator[Warm | None]:
        """One that waits there, if it is connected and the start (by its config; None: none will do) wants nothing that
        it was not started with. It waits on if the start fails."""
        place = (agent, workspace)
        warm = self._waiting.get(place)
        if warm is None or warm.link is None or config is None or _wants_its_own(config):
            yield None
            return
        del self._waiting[place]
        try:
            yield warm
        except BaseException:
            self._waiting[place] = warm
            raise

    def begin(self, warm: Warm, task: Task) -> bool:
        """Gives it its task; false if it is gone."""
        if warm.link is None or warm.begun is None or warm.begun.done():
            return False
        warm.link.send(Begin(task))
        warm.begun.set_result(None)
        return True

    def close(self) -> "list[asyncio.Task[None]]":
        """Sends all away; answers what is done when they are gone."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        leaving = [asyncio.ensure_future(until_exit(warm.guard_pid)) for warm in self._waiting.values()]
        for warm in self._waiting.values():
            self.dismiss(warm)
        self._waiting.clear()
        return leaving

    def dismiss(self, warm: Warm) -> None:
        """One that has not come in yet is turned away when it does."""
        if warm.link is not None:
            warm.link.send(Gone("it is not needed"))
        self._clear_up(warm.session_id)

    def _clear_up(self, session_id: str) -> None:
        """What was made for a session that never was; a folder in which there is something stays."""
        shutil.rmtree(run_folder(self._settings.data, session_id, 1), ignore_errors=True)
        own = session_folder(self._settings, session_id)
        with contextlib.suppress(OSError):
            (own / "workspace").rmdir()
            own.rmdir()

    async def sweep(self, is_known: Callable[[str], Awaitable[bool]]) -> None:
        """Clears up after those that waited for a server that was killed."""
        for spec in (self._settings.data / RUNS_FOLDER).glob("*/spec.json"):
            session_id = spec.parent.name.rpartition("-")[0]
            if b'"warm":true' in spec.read_bytes() and not await is_known(session_id):
                self._clear_up(session_id)


def _wants_its_own(config: RunConfig) -> bool:
    # Also what takes something away: no setting sources where the agent's settings have some.
    is_set = (getattr(config, name) is not None for name in _STARTED_WITH)
    return bool(config.output_display or config.output_schema or any(is_set))
