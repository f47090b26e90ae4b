"""POST /v1/sessions: a session that waits for its first message, or gets it at once."""

import uuid
from hashlib import sha256
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.dialects.managed_config import PROJECT, WORKSPACE, checked, config_of
from holdfast.dialects.managed_said import SaidList, UserMessage, effective
from holdfast.dialects.managed_shapes import VERSION
from holdfast.errors import BadRequest, Conflict, HoldfastError
from holdfast.http.context import context_of, user_of
from holdfast.http.managed_agents import check_environment
from holdfast.http.managed_sending import Sending
from holdfast.http.managed_sessions import ForeignFields, Title, checked_title, refuse_foreign, shape_of
from holdfast.http.requests import once_of, only, read_body
from holdfast.log.managed import Listed, ManagedRow
from holdfast.sessions import policies
from holdfast.sessions.ids import deterministic_session_id, random_session_id
from holdfast.sessions.once import Once, keep_answer, known_answer
from holdfast.sessions.orders import checked_workspace
from holdfast.times import now_ms


class ModelRef(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: str


class AgentRef(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="agent", forbid_unknown_fields=True):
    id: str
    version: int = VERSION


class AgentWithOverrides(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="agent_with_overrides"):
    id: str
    version: int = VERSION
    model: str | ModelRef | None = None
    system: Any = None
    tools: Any = None
    skills: Any = None
    mcp_servers: Any = None


class CreateBody(ForeignFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent: str | AgentRef | AgentWithOverrides
    environment_id: str
    title: Title | None = None
    metadata: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    initial_events: SaidList | None = None
    resources: list[Any] | None = None


async def create(request: Request) -> Response:
    only(request, "beta")
    body, raw = await read_body(request, CreateBody)
    context, user = context_of(request), user_of(request)
    once = once_of(request, raw)
    known = await known_answer(context.log, once)
    if known is None:
        row = _row(request, body, once)
        first = _first(body)
        is_of_project = PROJECT in body.metadata
        if is_of_project:
            await _refuse_twin(request, row)
        # One that is there already, and no project's, was made by this very request, whose answer was lost.
        if once is None or is_of_project or await context.log.managed.one(row.id, user) is None:
            await context.log.managed.create(row)
        if first is not None:
            listed = Listed(id=row.id, created_ms=row.created_ms, session=None, managed=row)
            try:
                await Sending(context, user, listed, once).deliver([first])
            except HoldfastError:
                await context.log.managed.remove(row.id)  # who hears that it was refused knows of no session
                raise
        known = msgspec.json.encode(await shape_of(request, row.id))
        await keep_answer(context.log, once, known)
    return Response(known, media_type="application/json")


def _row(request: Request, body: CreateBody, once: Once | None) -> ManagedRow:
    """What is to be made, if all that it says can be; raises BadRequest and others that name what cannot."""
    settings = context_of(request).settings
    check_environment(body.environment_id)
    name, model = _agent(body.agent)
    context_of(request).agents.get(name)
    refuse_foreign(body)
    if body.resources:
        raise BadRequest(f"resources cannot be mounted here: the agent works in the folder metadata[{WORKSPACE!r}]")
    metadata = checked(body.metadata)
    policies.check(config_of(metadata), settings)
    if WORKSPACE in metadata:
        checked_workspace(metadata[WORKSPACE])
    project = metadata.get(PROJECT)
    now = now_ms()
    return ManagedRow(
        id=deterministic_session_id(project) if project is not None else _id(once),
        user_id=user_of(request),
        agent=name,
        model=model,
        title=checked_title(body.title),
        metadata=msgspec.json.encode(metadata).decode(),
        created_ms=now,
        updated_ms=now,
    )


def _id(once: Once | None) -> str:
    """A request that is repeated means the same session, even if its first answer was lost."""
    if once is None:
        return random_session_id()
    return str(uuid.UUID(bytes=sha256(f"{once.user_id}\n{once.key}".encode()).digest()[:16], version=4))


def _agent(given: str | AgentRef | AgentWithOverrides) -> tuple[str, str | None]:
    if isinstance(given, str):
        return given, None
    if given.version != VERSION:
        raise BadRequest(f"The agent {given.id!r} has no version {given.version}; it has {VERSION}")
    if isinstance(given, AgentRef):
        return given.id, None
    for name in ("system", "tools", "skills", "mcp_servers"):
        if getattr(given, name):
            raise BadRequest(f"agent.{name} cannot be overridden here: agents bring their own")
    return given.id, given.model.id if isinstance(given.model, ModelRef) else given.model


def _first(body: CreateBody) -> UserMessage | None:
    if body.initial_events is None:
        return None
    first, *others = effective(body.initial_events)
    if others or not isinstance(first, UserMessage):
        raise BadRequest("initial_events can be one user.message here")
    return first


async def _refuse_twin(request: Request, row: ManagedRow) -> None:
    """A project has one session, which may be there already."""
    log = context_of(request).log
    twin = await log.read.session(row.id)
    if twin is None:
        return
    if twin.user_id != row.user_id:
        raise Conflict("The project has a session already, another user's")
    managed = await log.managed.one(row.id, row.user_id)
    if managed is not None and managed.deleted_ms is not None:
        raise Conflict(f"The project's session {row.id} was deleted here; its log stays, so take another project_id")
    raise Conflict(f"The project has a session already, {row.id}: send your events there")
