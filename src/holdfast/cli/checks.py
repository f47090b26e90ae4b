"""What `holdfast doctor` looks at: each check answers how one thing stands and, if it is not well, what to do."""

import asyncio
import os
import platform
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from holdfast import __version__
from holdfast.cli.connect import connect
from holdfast.client import Refused, Unreachable
from holdfast.client.address import url_of
from holdfast.config import Settings, find_file
from holdfast.errors import HoldfastError, UnknownAgent
from holdfast.policy import BUILT_IN

if TYPE_CHECKING:
    from holdfast.sessions.agents import Agents

MIB = 1024 * 1024
# A busy session writes some MB an hour: below the first nothing can be promised, below the second it is time to look.
DISK_NEEDED, DISK_WANTED = 100 * MIB, 1024 * MIB
OLDEST_PYTHON = (3, 11)


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    state: Literal["ok", "warning", "broken"]
    detail: str
    advice: str | None = None


def ok(name: str, detail: str) -> Check:
    return Check(name=name, state="ok", detail=detail)


def warning(name: str, detail: str, advice: str) -> Check:
    return Check(name=name, state="warning", detail=detail, advice=advice)


def broken(name: str, detail: str, advice: str) -> Check:
    return Check(name=name, state="broken", detail=detail, advice=advice)


def check_python() -> Check:
    detail = f"Holdfast {__version__}, Python {platform.python_version()} ({sys.executable})"
    if sys.version_info[:2] < OLDEST_PYTHON:
        return broken("python", detail, "install Python 3.11 or later")
    return ok("python", detail)


def check_settings_file(environ: Mapping[str, str], config: Path | None, settings: Settings) -> Check:
    path = find_file(environ, config)
    if path is None:
        return ok("settings", "no holdfast.toml; defaults and environment count")
    has_secrets = bool(settings.users or settings.token or any(agent.env for agent in settings.agents.values()))
    if has_secrets and _is_open_to_others(path):
        return warning("settings", f"{path} may hold tokens, and others can read it", f"chmod 600 {path}")
    return ok("settings", str(path))


def check_default_profile(settings: Settings) -> Iterator[Check]:
    there = sorted({*BUILT_IN, *settings.profiles})
    if settings.default_profile not in there:
        detail = f"there is no default profile {settings.default_profile!r}"
        yield broken("profile", detail, f"name one of these: {', '.join(there)}")


def check_data(data: Path) -> Check:
    if not data.exists():
        parent = _existing(data)
        if os.access(parent, os.W_OK | os.X_OK):
            return ok("data", f"{data} will be made at the first start")
        return broken("data", f"{data} cannot be made in {parent}", "choose another with --data or HOLDFAST_DATA")
    if not data.is_dir():
        return broken("data", f"{data} is not a folder", "move it away, or choose another with HOLDFAST_DATA")
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        return broken("data", f"{data} is not writable for you", f"chown -R $USER {data}")
    if _is_open_to_others(data):
        return warning("data", f"others can look into {data}", f"chmod 700 {data}")
    return ok("data", str(data))


def check_token(settings: Settings) -> Check:
    path = settings.data / "token"
    if settings.token:
        return ok("token", "from the settings")
    if not path.exists():
        return ok("token", "will be made at the first start")
    if _is_open_to_others(path):
        return broken("token", f"others can read {path}", f"delete it and start the server, or chmod 600 {path}")
    if not os.access(path, os.R_OK) or not path.read_bytes().strip():
        return broken("token", f"{path} is empty or not readable for you", "delete it and start the server")
    return ok("token", str(path))


def check_disk(data: Path) -> Check:
    where = _existing(data)
    free = shutil.disk_usage(where).free
    detail = f"{free // MIB:,} MiB free at {where}"
    if free < DISK_NEEDED:
        return broken("disk", detail, "make room: without space for the log nothing can run")
    if free < DISK_WANTED:
        return warning("disk", detail, "make room before it gets tight")
    return ok("disk", detail)


def check_server(settings: Settings, url: str | None, token: str | None, environ: Mapping[str, str]) -> Check:
    url = url or environ.get("HOLDFAST_URL") or url_of(settings)
    try:
        with connect(url, token or settings.token) as holdfast:
            version = holdfast.health().version
            holdfast.sessions(limit=1)
    except Unreachable:
        return warning("server", f"none answers at {url}", "start it: holdfast serve")
    except Refused as refusal:
        if refusal.status == 401:
            return broken("server", f"{url} does not accept the token", "give the right one with --token")
        return broken("server", str(refusal), "look what else listens there, or choose another --port")
    if version != __version__:
        return warning("server", f"{url} runs version {version}, this is {__version__}", "restart the server")
    return ok("server", f"{url}, version {version}")


def check_agents(settings: Settings, environ: Mapping[str, str]) -> Iterator[Check]:
    # Imported here because it brings much that other commands have no use for.
    from holdfast.sessions.agents import Agents

    agents = Agents(settings, environ)
    usable = agents.names()
    if settings.default_agent not in usable:
        yield broken("agent", f"the default agent {settings.default_agent!r} is not set up", _advice(agents, settings))
    for name in sorted({*usable, *(name for name, agent in settings.agents.items() if agent.enabled)}):
        if (path := agents.path(name)) is not None:
            yield ok("agent", f"{name}: {path}")
        else:
            program = (settings.agents[name].command or (name,))[0]
            yield broken(
                "agent", f"{name}: {program!r} is not a program on the PATH", "install it, or give its whole path"
            )


def check_agent_auth(settings: Settings, environ: Mapping[str, str]) -> Iterator[Check]:
    """Whether Claude Code can log in: it is started without a prompt, and asked for its account."""
    from holdfast.sessions.agents import Agents
    from holdfast.sessions.auth_health import AGENT, judge

    agents = Agents(settings, environ)
    if AGENT not in agents.names():
        return
    status = judge(asyncio.run(agents.check(AGENT)))
    if status.state == "ok":
        yield ok("login", f"{AGENT}: {status.message}")
    elif status.state == "no_details":
        yield ok(
            "login", f"{AGENT}: {status.message} (the credential is there; whether it is valid shows its first task)"
        )
    else:
        advice = agents.get(AGENT).login or "configure a credential"
        # Who works with another agent is not kept from that.
        problem = broken if settings.default_agent == AGENT else warning
        yield problem("login", f"{AGENT}: {status.message}", advice)


def _advice(agents: "Agents", settings: Settings) -> str:
    try:
        agents.get(settings.default_agent)
    except UnknownAgent as error:
        return str(error)
    raise AssertionError("what is usable can be got")


def check_store(settings: Settings) -> Check:
    # Imported here because only this one needs the database's libraries, which take long to load.
    from holdfast.log.store import inspect

    try:
        return ok("store", inspect(settings.store_url))
    except HoldfastError as error:
        return broken("store", str(error), "nothing was changed; --store or HOLDFAST_STORE choose another")


def _existing(path: Path) -> Path:
    return next(parent for parent in (path, *path.parents) if parent.exists())


def _is_open_to_others(path: Path) -> bool:
    return bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
