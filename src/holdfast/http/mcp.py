"""/mcp: the Model Context Protocol over HTTP (streamable, without sessions of its own).

The tools reach this server like any other client does, over loopback, with a token of the user who was let in: there is
one way to do things, and one that decides who may.
"""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from holdfast.config import Settings
from holdfast.errors import NotFound
from holdfast.http.context import Context
from holdfast.http.problems import problem as problem
from holdfast.mcp.installed import MISSING, is_installed

PREFIXES = ("/mcp",)

Serve = Callable[[str, str, Scope, Receive, Send], Awaitable[None]]

# A server that listens on all addresses is on this one too, and no proxy of the environment stands before it.
_LOOPBACK = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}  # noqa: S104


class Mcp:
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        context: Context = scope["app"].state.context
        serve = await asyncio.to_thread(_load)
        token = context.doorkeeper.token_of(scope["holdfast.user"])
        await serve(_own_url(context.settings, scope), token, scope, receive, send)


def _load() -> Serve:
    if not is_installed():
        raise NotFound(MISSING)
    # Imported at the first request, in a thread: it takes a second and tens of megabytes that most servers never need.
    from holdfast.mcp.server import serve_request

    return serve_request


def _own_url(settings: Settings, scope: Scope) -> str:
    """Where this server can be reached from itself: the address that the request came to, which is one of its own."""
    came_to, port = scope["server"]
    host: str = _LOOPBACK.get(settings.host) or came_to
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


# POST alone: without sessions there is nothing that a GET could listen to or a DELETE could end.
ROUTES: list[BaseRoute] = [Route("/mcp", Mcp(), methods=["POST"])]
