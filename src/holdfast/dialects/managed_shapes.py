"""Sessions, agents and the environment in the shapes that Anthropic's sessions API gives them: pure."""

from collections.abc import Mapping
from typing import Any, Literal, get_args

import msgspec

from holdfast.dialects.managed_config import WORKSPACE
from holdfast.log.managed import Listed, ManagedRow
from holdfast.log.reader import SessionRow
from holdfast.sessions.agents import AgentInfo
from holdfast.sessions.record import state_of
from holdfast.state import State
from holdfast.times import timestamp

Status = Literal["rescheduling", "running", "idle", "terminated"]
STATUSES: tuple[Status, ...] = get_args(Status)
# Where agents run: the machine of this server. There is no other.
ENVIRONMENT = "local"
# An agent's settings have no history here.
VERSION = 1
_NO_MODEL = "default"


def status_of(state: State | None) -> Status:
    if state is None:
        return "idle"  # it waits for its first message
    if state.status in ("pending", "running"):
        return "running"
    return "terminated" if state.status == "cancelled" and not state.resumable else "idle"


def metadata_of(row: ManagedRow | None) -> dict[str, str]:
    return {} if row is None else msgspec.json.decode(row.metadata, type=dict[str, str])


def session_shape(listed: Listed, usage: Mapping[str, int], now_ms: int) -> dict[str, Any]:
    session, managed = listed.session, listed.managed
    state = None if session is None else state_of(session)
    agent = session.agent if session is not None else managed.agent if managed is not None else ""
    chosen = managed.model if managed is not None else None
    updated = max(row.updated_ms for row in (session, managed) if row is not None)
    return {
        "id": listed.id,
        "type": "session",
        "status": status_of(state),
        "title": managed.title if managed is not None else None,
        "metadata": {**_place(session), **metadata_of(managed)},
        "agent": {
            **_agent(agent, agent, (state.model if state is not None else None) or chosen),
            "version": VERSION,
        },
        "environment_id": ENVIRONMENT,
        "created_at": timestamp(listed.created_ms),
        "updated_at": timestamp(updated),
        "archived_at": _time(managed.archived_ms) if managed is not None else None,
        "stats": {"duration_seconds": max(0, now_ms - listed.created_ms) / 1000},
        "usage": dict(usage),
        "budget": None,
        "deployment_id": None,
        "outcome_evaluations": [],
        "resources": [],
        "vault_ids": [],
    }


def agent_shape(info: AgentInfo, model: str | None, since_ms: int) -> dict[str, Any]:
    return {
        **_agent(info.name, info.title, model),
        "version": VERSION,
        "metadata": {"holdfast.kind": info.kind, **({"holdfast.version": info.version} if info.version else {})},
        "created_at": timestamp(since_ms),
        "updated_at": timestamp(since_ms),
        "archived_at": None,
    }


def environment_shape(since_ms: int) -> dict[str, Any]:
    return {
        "id": ENVIRONMENT,
        "type": "environment",
        "name": ENVIRONMENT,
        "description": "The machine of this Holdfast server",
        "config": {"type": "self_hosted"},
        "metadata": {},
        "created_at": timestamp(since_ms),
        "updated_at": timestamp(since_ms),
        "archived_at": None,
    }


def _agent(name: str, title: str, model: str | None) -> dict[str, Any]:
    return {
        "id": name,
        "type": "agent",
        "name": title,
        "description": None,
        "execution_identity": {"type": "service_account"},
        "model": {"id": model or _NO_MODEL},
        "system": None,
        "tools": [],
        "skills": [],
        "mcp_servers": [],
        "multiagent": None,
    }


def _place(session: SessionRow | None) -> dict[str, str]:
    return {} if session is None else {WORKSPACE: session.workspace}


def _time(at_ms: int | None) -> str | None:
    return None if at_ms is None else timestamp(at_ms)
