"""How a conversation with an ACP agent begins: who it is, what it can do, and which session it works in.

An earlier session is taken up by `session/resume` where the agent has that, else by `session/load`. Where neither works
the agent begins a new one, and the log says so.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from holdfast import __version__, events
from holdfast.agents import acp_wire as wire
from holdfast.agents.acp_calls import Calls, CannotStart, NotAcp, Refused
from holdfast.agents.acp_choices import Choices
from holdfast.agents.acp_events import Translation
from holdfast.agents.acp_outcomes import login_of
from holdfast.agents.acp_usage import Cost
from holdfast.agents.interface import Task
from holdfast.agents.values import as_object, as_objects
from holdfast.events import Event

PROTOCOL_VERSION = 1
# What we say of ourselves. No file system and no terminal: no editor stands behind us, and agents that are offered them
# use them.
INTRODUCTION: dict[str, Any] = {
    "protocolVersion": PROTOCOL_VERSION,
    "clientCapabilities": {
        "fs": {"readTextFile": False, "writeTextFile": False},
        "terminal": False,
        "elicitation": {"form": {}, "url": {}},
        "session": {"configOptions": {"boolean": {}}},
    },
    "clientInfo": {"name": "holdfast", "title": "Holdfast", "version": __version__},
}
# Some agents (gemini) answer session/load before they have told the whole history: it is over when they are quiet.
_REPLAY_QUIET_S = 0.25
_REPLAY_PAUSES = 20


class Opening:
    """First `open`, then `choose`. Afterwards, or where they broke off, the rest says what is known of the agent."""

    def __init__(self, task: Task, calls: Calls, translation: Translation, emit: Callable[[Event], None]) -> None:
        self._task = task
        self._calls = calls
        self._translation = translation
        self._emit = emit
        self._opened = ""
        self.is_fresh = False
        self.choices = Choices(calls)
        self.can: list[str] = []
        self.login: str | None = None
        # What a fork is made from is another's session, never ours.
        self.session_id: str | None = None if task.fork else task.agent_session_id

    async def open(self) -> None:
        """Raises CannotStart, and what `Calls.call` raises."""
        await self._initialize()
        self._opened, session = await self._session()
        self._translation.session_id = self._opened
        self.choices.learn(session)

    async def choose(self, task: Task) -> None:
        """Sets what the user has chosen. Raises as `open` does; a new session in which nothing has happened is not
        worth remembering then."""
        await self.choices.choose(self._opened, task)
        self.session_id = self._opened

    def told(self, task: Task) -> Event:
        """What the log says of it, once all is ready for the prompt."""
        return events.AgentStart(
            session_id=task.session_id,
            agent=task.agent,
            task=task.shown,
            model=self.choices.model,
            tools=[],
            skills=[],
            agent_session_id=self.session_id,
            mode=self.choices.mode,
            modes=self.choices.modes or None,
            models=self.choices.models or None,
            options=self.choices.options,
            capabilities=self.can,
        )

    async def _initialize(self) -> None:
        answer = await self._calls.call("initialize", INTRODUCTION)
        foreign = foreign_version(answer)
        if foreign is not None:
            raise CannotStart(f"the agent {foreign}")
        self.can = capabilities_of(answer)
        self.login = login_of(answer.get("authMethods"))
        if self._task.auth is not None:
            await self._authenticate(self._task.auth, answer.get("authMethods"))

    async def _authenticate(self, method: str, offered: Any) -> None:
        known = [str(way.get("id")) for way in as_objects(offered)]
        if method not in known:
            ways = f"it has {', '.join(known)}" if known else "it has none"
            raise CannotStart(f"the agent has no way to log in called {method!r}; {ways}")
        await self._calls.call("authenticate", {"methodId": method})

    async def _session(self) -> tuple[str, dict[str, Any]]:
        earlier = self._task.agent_session_id
        if earlier is None:
            return await self._new()
        if self._task.fork:
            return await self._fork(earlier)
        session = await self._take_up(earlier)
        if session is not None:
            return earlier, session
        session_id, session = await self._new()
        self.is_fresh = True
        self._emit(
            events.Recovered(
                message="The agent could not take up its earlier session; it starts without memory of it.",
                agent_session_id=session_id,
            )
        )
        return session_id, session

    async def _new(self) -> tuple[str, dict[str, Any]]:
        self._translation.session_id, self._translation.cost = None, Cost()
        session = await self._calls.call("session/new", {"cwd": self._task.cwd, "mcpServers": []})
        return _id_of(session, "session/new"), session

    async def _fork(self, earlier: str) -> tuple[str, dict[str, Any]]:
        if "fork" not in self.can:
            raise CannotStart("this agent cannot fork a session")
        if self._task.resume_at is not None:
            raise CannotStart("this agent can fork a session at its end only")
        self._translation.cost.is_taken_up = self._translation.is_replay = True
        try:
            session = await self._calls.call("session/fork", self._of(earlier))
        finally:
            self._translation.is_replay = False
        # Told at once: should the rest of the start fail, the next run need not fork again.
        self.session_id = _id_of(session, "session/fork")
        return self.session_id, session

    async def _take_up(self, session_id: str) -> dict[str, Any] | None:
        """The agent's earlier session; None if it cannot be had."""
        for way in ("resume", "load"):
            if way not in self.can:
                continue
            # load tells the whole history again, which our log has already
            self._translation.session_id = session_id
            self._translation.is_replay = self._translation.cost.is_taken_up = True
            try:
                session = await self._calls.call(f"session/{way}", self._of(session_id))
                if way == "load":
                    await self._replay_over()
            except Refused as refusal:
                # Some agents announce what they then refuse: the next way may work.
                if refusal.error.code == wire.AUTH_REQUIRED:
                    raise
            else:
                return session
            finally:
                self._translation.is_replay = False
        return None

    async def _replay_over(self) -> None:
        for _ in range(_REPLAY_PAUSES):
            before = self._translation.replayed
            await asyncio.sleep(_REPLAY_QUIET_S)
            if self._translation.replayed == before:
                return

    def _of(self, session_id: str) -> dict[str, Any]:
        return {"sessionId": session_id, "cwd": self._task.cwd, "mcpServers": []}


def _id_of(session: dict[str, Any], method: str) -> str:
    session_id = session.get("sessionId")
    if not isinstance(session_id, str):
        raise NotAcp(f"the agent's answer to {method} has no sessionId")
    return session_id


def foreign_version(answer: dict[str, Any]) -> str | None:
    """What an agent speaks, by its answer to `initialize`, if it is not our version; None if it is, or is not told."""
    version = answer.get("protocolVersion", PROTOCOL_VERSION)
    if version == PROTOCOL_VERSION:
        return None
    return f"speaks version {version} of the Agent Client Protocol, and Holdfast version {PROTOCOL_VERSION}"


def capabilities_of(answer: dict[str, Any]) -> list[str]:
    """In our words, what an agent says that it can do in its answer to `initialize`: an object stands for yes, null and
    false for no."""
    told = as_object(answer.get("agentCapabilities"))
    session, prompt = as_object(told.get("sessionCapabilities")), as_object(told.get("promptCapabilities"))
    found = {
        "load": told.get("loadSession"),
        **{name: session.get(name) for name in ("resume", "fork", "list", "close")},
        "images": prompt.get("image"),
        "audio": prompt.get("audio"),
        "embedded_context": prompt.get("embeddedContext"),
    }
    return [name for name, value in found.items() if value is not None and value is not False]
