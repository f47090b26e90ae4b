"""What a run was ordered to do, kept with the run so that it can still be started after a restart."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from holdfast.agent_settings import AgentSettings
from holdfast.agents.interface import GivenFile, Task
from holdfast.config import Settings
from holdfast.errors import BadWorkspace
from holdfast.keeper.spec import Spec
from holdfast.limits import Limits
from holdfast.policy import Policy

Rules = Annotated[list[Annotated[str, Meta(max_length=10_000)]], Meta(max_length=1_000)]


class RunConfig(Limits, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a run is to be done. What is None comes from the session's run before, and at its first from the settings."""

    profile: str | None = None
    allow: Rules | None = None
    ask: Rules | None = None
    deny: Rules | None = None
    unattended: bool | None = None
    model: str | None = None
    mode: str | None = None
    options: dict[str, str | bool] | None = None
    setting_sources: list[Literal["user", "project", "local"]] | None = None
    sandbox: bool | None = None
    output_display: bool | None = None
    output_schema: dict[str, Any] | None = None

    @property
    def alone(self) -> "RunConfig":
        """Without what a body says beside it."""
        return RunConfig(**{name: getattr(self, name) for name in RunConfig.__struct_fields__})

    @property
    def limits(self) -> Limits:
        return Limits(**{name: getattr(self, name) for name in Limits.__struct_fields__})


class Order(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    agent: str
    workspace: str
    text: str
    shown: str
    config: RunConfig = RunConfig()
    files: list[GivenFile] = []
    agent_session_id: str | None = None
    new_session_id: str | None = None
    """For an agent's own session that must not have the session's id: what was begun under that was discarded."""
    resume: Literal["continue", "rerun"] | None = None
    switched: bool = False
    """Under another permission profile than the run before."""
    fresh_text: str | None = None
    # A fork's parent, and where the agent's own session stood there.
    forked_from: tuple[str, int] | None = None
    resume_at: str | None = None


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
    try:
        is_folder = path.is_dir()
    except OSError as error:
        raise BadWorkspace(f"The workspace {workspace!r} cannot be read: {error.strerror}") from error
    if not is_folder:
        raise BadWorkspace(f"The workspace {workspace!r} is not a folder")
    return str(path)


def markers(data: Path, session_id: str, run: int) -> dict[str, str]:
    """In the environment of everything that a run starts: by them, strays are found that left the process tree.

    The run alone does not tell: a project's session has the same id in every server on the machine.
    """
    owner = hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:16]
    return {"HOLDFAST_RUN": f"{session_id}-{run}", "HOLDFAST_RUN_OWNER": owner}


def task_for(
    order: Order,
    agent: AgentSettings,
    settings: Settings,
    *,
    session_id: str,
    run: int,
    policy: Policy,
    transcript: str | None = None,
) -> Task:
    config = order.config
    options: Mapping[str, str | bool] = {**agent.options, **(config.options or {})}
    fork = order.forked_from is not None and order.agent_session_id is not None
    return Task(
        session_id=session_id,
        agent=order.agent,
        kind=agent.kind,
        text=order.text,
        shown=order.shown,
        command=[*agent.command, *agent.args],
        cwd=order.workspace,
        environment={
            **agent.env,
            "HOLDFAST_SESSION_ID": session_id,
            **markers(settings.data, session_id, run),
        },
        pass_environment=list(agent.pass_env),
        files=order.files,
        turn=run,
        agent_session_id=order.agent_session_id,
        fork=fork,
        new_session_id=order.new_session_id or session_id,
        fresh_text=order.fresh_text,
        resume_at=order.resume_at,
        transcript=transcript,
        auth=agent.auth,
        model=config.model or agent.model,
        mode=config.mode or agent.mode,
        options=dict(options),
        setting_sources=list(agent.setting_sources if config.setting_sources is None else config.setting_sources),
        sandbox=agent.sandbox if config.sandbox is None else config.sandbox,
        output_display=bool(config.output_display),
        output_schema=config.output_schema,
        limits=config.limits,
        policy=policy,
    )


def spec_for(task: Task, settings: Settings, *, run: int, secret: str, socket: str, warm: bool = False) -> Spec:
    return Spec(
        session_id=task.session_id,
        run=run,
        secret=secret,
        socket=socket,
        task=task,
        warm=warm,
        stall_s=settings.stall_s,
        server_patience_s=settings.server_patience_s,
        start_timeout_s=settings.start_timeout_s,
        permission_ttl_s=settings.permission_ttl_s,
        stderr_head=settings.stderr_head,
        stderr_tail=settings.stderr_tail,
    )
