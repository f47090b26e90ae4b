"""Health, tickets, and the OpenAPI document."""

import asyncio
import time

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast import __version__
from holdfast.errors import ForbiddenOrigin, Unauthorized
from holdfast.http.context import context_of, json_response, user_of
from holdfast.http.openapi import document
from holdfast.sessions.auth_health import AuthStatus
from holdfast.times import now_ms, timestamp


class Health(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    status: str
    version: str
    uptime_s: float | None = None
    store: str | None = None
    agents: list[str] | None = None
    sessions: dict[str, int] | None = None
    streams: int | None = None
    warm_sessions: int | None = None
    agent_auth: AuthStatus | None = None


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    ticket: str
    expires_at: str


async def health(request: Request) -> Response:
    """Open to all, so that a load balancer can ask; the details are for users."""
    context = context_of(request)
    try:
        context.doorkeeper.admit("GET", request.headers, request.query_params, is_stream=False)
    except (Unauthorized, ForbiddenOrigin):
        return json_response(Health(status="ok", version=__version__))
    return json_response(
        Health(
            status="ok",
            version=__version__,
            uptime_s=round(time.monotonic() - context.began, 3),
            store=(context.settings.store or "sqlite").partition(":")[0].partition("+")[0],
            # In a thread: dozens of names are looked for in every folder of the PATH.
            agents=await asyncio.to_thread(context.agents.names),
            sessions=await context.log.read.count_by_status(),
            streams=context.streams.count,
            warm_sessions=context.host.runs.warm.ready,
            agent_auth=context.auth_health.status(),
        )
    )


async def ticket(request: Request) -> Response:
    value, valid_s = context_of(request).doorkeeper.issue(user_of(request))
    return json_response(Ticket(ticket=value, expires_at=timestamp(now_ms() + int(valid_s * 1000))))


async def openapi(_request: Request) -> Response:
    return json_response(document())
