"""What the routes work with, handed down from the composition root by way of the application's state."""

import time

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.config import Settings
from holdfast.errors import NotFound
from holdfast.http.acp_lines import Lines
from holdfast.http.auth import Doorkeeper
from holdfast.log.log import Log
from holdfast.log.reader import SessionRow
from holdfast.sessions.agents import Agents
from holdfast.sessions.auth_health import AuthHealth
from holdfast.sessions.host import Host
from holdfast.sessions.session import Session
from holdfast.stream.follow import Streams
from holdfast.webhooks.office import Office


class Context(msgspec.Struct, frozen=True, kw_only=True):
    settings: Settings
    log: Log
    host: Host
    agents: Agents
    auth_health: AuthHealth
    streams: Streams
    doorkeeper: Doorkeeper
    webhooks: Office
    acp: Lines = msgspec.field(default_factory=Lines)
    began: float = msgspec.field(default_factory=time.monotonic)


def context_of(request: Request) -> Context:
    return request.app.state.context


def user_of(request: Request) -> str:
    return request.scope["holdfast.user"]


async def row_of(request: Request) -> SessionRow:
    """The session that the path names, if it is the caller's; raises NotFound for others' and none alike."""
    session_id = request.path_params["session_id"]
    # PostgreSQL refuses a text with NUL, even to look for it; no session has one in its id.
    row = None if "\0" in session_id else await context_of(request).log.read.session(session_id)
    if row is None or row.user_id != user_of(request):
        raise NotFound(f"There is no session {session_id!r}")
    return row


async def session_of(request: Request) -> Session:
    row = await row_of(request)
    session = await context_of(request).host.find(row.id)
    assert session is not None
    return session


def json_response(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status_code=status, media_type="application/json")
