"""What a run was ordered to do, kept with the run so that it can still be started after a restart."""

import sys
from collections.abc import Mapping
from pathlib import Path

import msgspec

from holdfast.agents.interface import Task
from holdfast.config import AgentSettings, Settings
from holdfast.errors import BadWorkspace, UnknownAgent
from holdfast.keeper.spec import Spec

# In the environment of everything that a run starts: by it, strays are found that left the process tree.
RUN_MARKER = "HOLDFAST_RUN"


class Order(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    agent: str
    workspace: str
    text: str
    shown: str
    timeout_s: float | None = None
    agent_session_id: str | None = None


def known_agents(settings: Settings) -> dict[str, AgentSettings]:
    demo = AgentSettings(
        command=(sys.executable, "-I", "-m", "holdfast.demo"),
        env={"HOLDFAST_DEMO_STATE": str(settings.data / "demo")},
    )
    return {"demo": demo, **settings.agents}


def agent_named(name: str, agents: Mapping[str, AgentSettings]) -> AgentSettings:
    try:
        return agents[name]
    except KeyError:
        known = ", ".join(sorted(agents))
        raise UnknownAgent(f"There is no agent {name!r}; the configured ones are: {known}") from None


def session_folder(settings: Settings, session_id: str) -> Path:
    return settings.data / "sessions" / session_id


def make_folders(order: Order, settings: Settings, session_id: str) -> None:
    """The session's own folder, and in it the workspace of those that were given none."""
    folder = session_folder(settings, session_id)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if Path(order.workspace).is_relative_to(folder):
        Path(order.workspace).mkdir(parents=True, exist_ok=True)


def checked_workspace(workspace: str) -> str:
    path = Path(workspace)
    if not path.is_absolute():
        raise BadWorkspace(f"The workspace {workspace!r} is not an absolute path")
    if not path.is_dir():
        raise BadWorkspace(f"The workspace {workspace!r} is not a folder")
    return str(path)


def marker(session_id: str, run: int) -> str:
    return f"{session_id}-{run}"


def spec_for(order: Order, settings: Settings, *, session_id: str, run: int, secret: str, socket: str) -> Spec:
    """Raises UnknownAgent if the agent has been taken out of the settings meanwhile."""
    agent = agent_named(order.agent, known_agents(settings))
    return Spec(
        session_id=session_id,
        run=run,
        secret=secret,
        socket=socket,
        task=Task(
            session_id=session_id,
            agent=order.agent,
            text=order.text,
            shown=order.shown,
            command=list(agent.command),
            cwd=order.workspace,
            environment={
                **agent.env,
                "HOLDFAST_SESSION_ID": session_id,
                RUN_MARKER: marker(session_id, run),
            },
            agent_session_id=order.agent_session_id,
            turn=run,
        ),
        timeout_s=order.timeout_s,
        server_patience_s=settings.server_patience_s,
        start_timeout_s=settings.start_timeout_s,
        permission_ttl_s=settings.permission_ttl_s,
        stderr_head=settings.stderr_head,
        stderr_tail=settings.stderr_tail,
    )
