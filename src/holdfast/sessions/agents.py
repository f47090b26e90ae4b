"""What agents this server has: the built-in one, those of the settings, and the known ones that are installed.

A known agent needs no settings; where there are some, each overrides what the catalogue says of that one thing.
"""

import asyncio
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from holdfast.agent_settings import AgentSettings, Kind
from holdfast.agents.catalogue import CATALOGUE, Known, known
from holdfast.agents.environment import agent_environment
from holdfast.agents.inquiry import AgentAccount, AgentCapabilities, AgentModel, AuthMethod, Found, Inquiry
from holdfast.agents.installed import Versions, bundled_claude, find, has_claude_package, typed
from holdfast.agents.stderr import StderrCollector, secrets_of
from holdfast.config import Settings
from holdfast.errors import UnknownAgent
from holdfast.sessions.probing import probe
from holdfast.times import now_ms, timestamp

DEMO = "demo"
# A list does not wait longer than this for versions; those that come later are in the next one.
_VERSIONS_S = 3.0
# Agents are heavy to start, and sessions want the processors too.
_PROBES_AT_ONCE = 2


class AgentInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    title: str
    kind: Kind
    installed: bool
    configured: bool
    """Whether the settings have a table for it."""
    default: bool
    """Whether a session gets it that names none."""
    command: list[str]
    version: str | None = None
    login: str | None = None
    install: str | None = None
    # What it said when it was last checked:
    checked_at: str | None = None
    error: str | None = None
    capabilities: AgentCapabilities | None = None
    auth_methods: list[AuthMethod] = []
    models: list[AgentModel] = []
    account: AgentAccount | None = None


class _Agent(msgspec.Struct, frozen=True, kw_only=True):
    """One agent, put together from the settings and the catalogue. `path` is None if its program is not there."""

    name: str
    settings: AgentSettings
    known: Known | None
    path: str | None
    is_usable: bool
    title: str


class Agents:
    def __init__(self, settings: Settings, environ: Mapping[str, str] = os.environ) -> None:
        self._settings = settings
        self._environ = environ
        self._versions = Versions()
        self._probes: dict[str, asyncio.Task[Found]] = {}
        self._found: dict[str, tuple[str, Found]] = {}
        self._room = asyncio.Semaphore(_PROBES_AT_ONCE)

    def names(self) -> list[str]:
        """Those that a session may ask for. One of the settings counts as there even if its program is not: the run
        then tells what is wrong with it."""
        return sorted(agent.name for agent in self._all() if agent.is_usable)

    def get(self, name: str) -> AgentSettings:
        """With the whole command, environment and list of variables that it gets from ours. Raises UnknownAgent."""
        agent = self._named(name)
        if not agent.is_usable:
            assert agent.known is not None
            given = self._settings.agents.get(name)
            if given is not None and given.command:
                raise UnknownAgent(f"The program {given.command[0]!r} of the agent {name!r} was not found")
            raise UnknownAgent(
                f"The agent {name!r} ({agent.title}) is not installed; to install it: {agent.known.install}"
            )
        return agent.settings

    def path(self, name: str) -> str | None:
        """Where its program is; None if it is not there. Raises UnknownAgent."""
        return self._named(name).path

    def environment(self, agent: AgentSettings) -> dict[str, str]:
        return agent_environment(self._environ, extra=agent.env, names=agent.pass_env)

    async def list(self, *, check: bool = False) -> "list[AgentInfo]":
        """All that are known here, those that are not installed too; with `check`, the installed ones are asked."""
        # In a thread: dozens of names are looked for in every folder of the PATH.
        found = await asyncio.to_thread(self._all)
        agents = sorted(found, key=lambda agent: (agent.path is None, agent.name != DEMO, agent.name))
        if check:
            await asyncio.gather(*(self._probe(agent) for agent in agents if agent.path is not None))
        asked = [self._version(agent) for agent in agents]
        if waited_for := [task for task in asked if task is not None]:
            await asyncio.wait(waited_for, timeout=_VERSIONS_S)
        return [self._info(agent) for agent in agents]

    async def describe(self, name: str) -> AgentInfo:
        """Raises UnknownAgent for one that is neither in the settings nor in the catalogue."""
        agent = self._named(name)
        if (version := self._version(agent)) is not None:
            await asyncio.wait((version,), timeout=_VERSIONS_S)
        return self._info(agent)

    async def check(self, name: str) -> AgentInfo:
        """Asks the agent itself. Whoever asks while it is being asked gets the same answer. Raises UnknownAgent."""
        agent = self._named(name)
        if agent.path is None:
            return msgspec.structs.replace(self._info(agent), error=_missing(agent))
        await self._probe(agent)
        return await self.describe(name)

    async def close(self) -> None:
        for task in self._probes.values():
            task.cancel()
        await asyncio.gather(*self._probes.values(), return_exceptions=True)
        await self._versions.close()

    # How an agent is put together

    def _all(self) -> "list[_Agent]":
        names = {DEMO, *(entry.name for entry in CATALOGUE), *self._settings.agents}
        return [self._resolve(name) for name in sorted(names) if self._is_enabled(name)]

    def _is_enabled(self, name: str) -> bool:
        given = self._settings.agents.get(name)
        return given is None or given.enabled

    def _named(self, name: str) -> _Agent:
        if not self._is_enabled(name):
            raise UnknownAgent(f"The agent {name!r} is switched off in the settings")
        if name != DEMO and name not in self._settings.agents and known(name) is None:
            raise UnknownAgent(f"There is no agent {name!r}; there are: {', '.join(self.names())}")
        return self._resolve(name)

    def _resolve(self, name: str) -> _Agent:
        given = self._settings.agents.get(name)
        entry = _entry(name, given)
        if given is None:
            given = AgentSettings(kind=entry.kind if entry is not None else "acp")
        whole = msgspec.structs.replace(
            given,
            env={**(entry.env if entry is not None else self._demo_env(name)), **given.env},
            pass_env=(*(entry.credentials if entry is not None else ()), *given.pass_env),
            args=(),
        )
        environment = self.environment(whole)
        if given.kind == "claude":
            path = _claude(given.command, environment)
            command = given.command
        else:
            command = (*self._command(given, entry, environment), *given.args)
            path = find(command[:1], environment)
        login = given.login or (_login(entry.login, path, environment) if entry is not None else None)
        return _Agent(
            name=name,
            settings=msgspec.structs.replace(whole, command=command, login=login),
            known=entry,
            path=path,
            is_usable=path is not None or (given.kind == "acp" and bool(given.command)),
            title=given.title or (entry.title if entry is not None else "Demo agent" if name == DEMO else name),
        )

    def _command(self, given: AgentSettings, entry: Known | None, environment: Mapping[str, str]) -> tuple[str, ...]:
        if given.command:
            return given.command
        if entry is None:
            return (sys.executable, "-I", "-m", "holdfast.demo")
        # By its whole path: it may stand in a folder that is not on the PATH.
        return (find(entry.programs, environment) or entry.programs[0], *entry.args)

    def _demo_env(self, name: str) -> dict[str, str]:
        return {"HOLDFAST_DEMO_STATE": str(self._settings.data / "demo")} if name == DEMO else {}

    # What is told of it

    def _info(self, agent: _Agent) -> AgentInfo:
        checked_at, found = self._found.get(agent.name, (None, Found()))
        if agent.path is None:
            checked_at, found = None, Found()  # it was there, and is not any more
        version = self._version(agent)
        says = version.result() if version is not None and version.done() and not version.cancelled() else None
        return AgentInfo(
            name=agent.name,
            title=agent.title,
            kind=agent.settings.kind,
            installed=agent.path is not None,
            configured=agent.name in self._settings.agents,
            default=agent.name == self._settings.default_agent,
            command=self._shown(agent),
            version=found.version or says,
            login=agent.settings.login,
            install=agent.known.install if agent.known is not None else None,
            checked_at=checked_at,
            error=self._error(agent, found),
            capabilities=found.capabilities,
            auth_methods=found.auth_methods,
            models=found.models,
            account=found.account,
        )

    def _error(self, agent: _Agent, found: Found) -> str | None:
        if agent.path is None:
            # That a known agent is not here is no error, unless somebody has set it up.
            return _missing(agent) if agent.name in self._settings.agents else None
        return None if found.error is None else f"{agent.title} {found.error}"

    def _shown(self, agent: _Agent) -> "list[str]":
        """The command without what looks like a secret: others than its owner may read this."""
        command = agent.settings.command or ((agent.path,) if agent.path is not None else ())
        secrets = secrets_of(self.environment(agent.settings))
        shown: list[str] = []
        for word in command:
            cleaner = StderrCollector(head=1, tail=0, secrets=secrets)
            cleaner.feed(word.encode("utf-8", "replace"))
            result = cleaner.result()
            shown.append((result.head or "") if result is not None else "")
        return shown

    def _version(self, agent: _Agent) -> "asyncio.Task[str | None] | None":
        """Only of known programs: what --version does to another is anybody's guess."""
        if agent.path is None or agent.known is None:
            return None
        return self._versions.ask(agent.path, self.environment(agent.settings))

    async def _probe(self, agent: _Agent) -> Found:
        task = self._probes.get(agent.name)
        if task is None:
            task = self._probes[agent.name] = asyncio.ensure_future(self._ask(agent))
            task.add_done_callback(lambda _: self._probes.pop(agent.name, None))
        return await asyncio.shield(task)

    async def _ask(self, agent: _Agent) -> Found:
        inquiry = Inquiry(
            kind=agent.settings.kind,
            command=list(agent.settings.command),
            setting_sources=list(agent.settings.setting_sources),
        )
        async with self._room:
            found = await probe(inquiry, self.environment(agent.settings))
        if agent.known is not None and "resume_broken" in agent.known.quirks and found.capabilities is not None:
            found = msgspec.structs.replace(
                found, capabilities=msgspec.structs.replace(found.capabilities, resume=False)
            )
        self._found[agent.name] = (timestamp(now_ms()), found)
        return found


def _entry(name: str, given: AgentSettings | None) -> Known | None:
    """What the catalogue says that counts here. An agent of kind claude is Claude Code, whatever it is called."""
    entry = known(name)
    if given is None or (entry is not None and entry.kind == given.kind):
        return entry
    return known("claude") if given.kind == "claude" else None


def _claude(command: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    """The program, if the SDK that drives it is there too."""
    if not has_claude_package():
        return None
    return find(command, environment) if command else bundled_claude() or find(("claude",), environment)


def _login(how: str, path: str | None, environment: Mapping[str, str]) -> str:
    """How one logs in, by commands that a shell finds: the SDK's own program is on nobody's PATH."""
    if path is None:
        return how
    program = typed(path, environment)
    return re.sub(rf"`{re.escape(Path(path).name)}(?=[ `])", lambda _: f"`{program}", how)


def _missing(agent: _Agent) -> str:
    missing = f": {agent.settings.command[0]!r} was not found" if agent.settings.command else ""
    return f"{agent.title} is not installed{missing}"
