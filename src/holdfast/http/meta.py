"""Health, tickets, the OpenAPI document, and the page at /."""

import time
from html import escape

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from holdfast import __version__
from holdfast.errors import ForbiddenOrigin, Unauthorized
from holdfast.events import timestamp
from holdfast.http.auth import COOKIE
from holdfast.http.context import context_of, json_response, user_of
from holdfast.http.openapi import document
from holdfast.sessions.session import now_ms


class Health(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    status: str
    version: str
    uptime_s: float | None = None
    store: str | None = None
    agents: list[str] | None = None
    sessions: dict[str, int] | None = None
    streams: int | None = None


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
            agents=sorted(context.host.agents),
            sessions=await context.log.read.count_by_status(),
            streams=context.streams.count,
        )
    )


async def ticket(request: Request) -> Response:
    value, valid_s = context_of(request).doorkeeper.issue(user_of(request))
    return json_response(Ticket(ticket=value, expires_at=timestamp(now_ms() + int(valid_s * 1000))))


async def openapi(_request: Request) -> Response:
    return json_response(document())


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Holdfast</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ font: 16px/1.6 system-ui, sans-serif; max-width: 42rem; margin: 4rem auto; padding: 0 1.25rem; }}
  code, pre {{ font: 0.875rem/1.6 ui-monospace, monospace; }}
  pre {{ padding: 1rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 8px;
         overflow-x: auto; }}
</style>
<h1>Holdfast {version}</h1>
<p>{greeting}</p>
<pre>holdfast run "Say hello"
holdfast ls
holdfast attach ID</pre>
<p>The API is described in <a href="/api/v1/openapi.json">openapi.json</a>.</p>
</html>
"""


async def home(request: Request) -> Response:
    doorkeeper = context_of(request).doorkeeper
    token = request.query_params.get("token")
    if token is not None and doorkeeper.user_of(token) is not None:
        # The token must not stay in the address bar, the history or a referrer.
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(
            COOKIE, token, max_age=365 * 86400, httponly=True, samesite="strict", secure=request.url.scheme == "https"
        )
        return answer
    try:
        user = doorkeeper.admit("GET", request.headers, {}, is_stream=False)
        greeting = f"The server is up, and you are in as <b>{escape(user)}</b>. Try it from a terminal:"
        status = 200
    except (Unauthorized, ForbiddenOrigin):
        greeting = (
            "The server is up. To use it from this browser, open the address with the token that "
            "<code>holdfast serve</code> prints. From a terminal:"
        )
        status = 401
    page = _PAGE.format(version=escape(__version__), greeting=greeting)
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
    return HTMLResponse(page, status_code=status, headers={"content-security-policy": policy})
