"""The application: the routes, and around them the door and the one place where errors become answers."""

import asyncio
import contextlib
import time

import structlog
from starlette.applications import Starlette
from starlette.datastructures import Headers, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.errors import BadRequest, HoldfastError, MethodNotAllowed, NotFound, ShuttingDown
from holdfast.http import (
    acp,
    ag_ui,
    agents,
    archive,
    choices,
    events,
    files,
    login,
    managed,
    mcp,
    meta,
    named,
    sessions,
    ui,
    usage,
    webhooks,
)
from holdfast.http.auth import check_host
from holdfast.http.context import Context
from holdfast.http.dialect import Dialect
from holdfast.http.problems import problem

# Each is a module with PREFIXES (what paths are its own), ROUTES, and `problem` (errors in its own form).
_DIALECTS: tuple[Dialect, ...] = (named, managed, ag_ui, acp, mcp)
# Below these nothing is the web UI's.
_PREFIXES = ("/api", *(prefix for dialect in _DIALECTS for prefix in dialect.PREFIXES))

# Of the API, what answers without a credential.
_OPEN = frozenset({"/api/v1/health", "/api/v1/login", "/api/v1/logout"})

_CUT_OFF = "The server stopped before this was done; ask again when it is back, with the same Idempotency-Key if any"

_ROUTES = [
    Route("/api/v1/health", meta.health),
    Route("/api/v1/login", login.login, methods=["POST"]),
    Route("/api/v1/logout", login.logout, methods=["POST"]),
    Route("/api/v1/me", login.me),
    Route("/api/v1/openapi.json", meta.openapi),
    Route("/api/v1/tickets", meta.ticket, methods=["POST"]),
    Route("/api/v1/events", events.combined),
    Route("/api/v1/usage", usage.usage),
    Route("/api/v1/permissions", sessions.permissions),
    Route("/api/v1/profiles", choices.profiles),
    Route("/api/v1/projects", choices.projects),
    Route("/api/v1/folders", choices.folders),
    Route("/api/v1/agents", agents.list_),
    Route("/api/v1/agents/{name}", agents.show),
    Route("/api/v1/agents/{name}/check", agents.check, methods=["POST"]),
    Route("/api/v1/sessions", sessions.list_),
    Route("/api/v1/sessions/run", sessions.run, methods=["POST"]),
    Route("/api/v1/sessions/recoverable", sessions.recoverable),
    Route("/api/v1/sessions/import", archive.import_, methods=["POST"]),
    Route("/api/v1/sessions/{session_id}", sessions.show),
    Route("/api/v1/sessions/{session_id}/task", sessions.task, methods=["POST"]),
    Route("/api/v1/sessions/{session_id}/resume", sessions.resume, methods=["POST"]),
    Route("/api/v1/sessions/{session_id}/fork", sessions.fork, methods=["POST"]),
    Route("/api/v1/sessions/{session_id}/cancel", sessions.cancel, methods=["POST"]),
    Route("/api/v1/sessions/{session_id}/pause", sessions.pause, methods=["POST"]),
    Route("/api/v1/sessions/{session_id}/discard", sessions.discard, methods=["POST"]),
    Route("/api/v1/sessions/{session_id}/profile", sessions.profile, methods=["POST"]),
    Route(
        "/api/v1/sessions/{session_id}/permissions/{request_id}/answer",
        sessions.answer,
        methods=["POST"],
    ),
    Route("/api/v1/sessions/{session_id}/files", files.list_),
    Route("/api/v1/sessions/{session_id}/files/content", files.content),
    Route("/api/v1/sessions/{session_id}/export", archive.export),
    Route("/api/v1/sessions/{session_id}/events", events.events),
    Route("/api/v1/sessions/{session_id}/events/history", events.history),
    *webhooks.ROUTES,
    *(route for dialect in _DIALECTS for route in dialect.ROUTES),
]


class Door:
    """Checks host and credential, logs each request without its query (tokens stand there), and answers errors."""

    def __init__(self, app: ASGIApp, context: Context) -> None:
        self._app = app
        self._context = context
        self._allowed_hosts = frozenset(name.lower() for name in context.settings.allowed_hosts)
        self._logger = structlog.get_logger("holdfast.http")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._open_socket(scope, receive, send)
            return
        began = time.monotonic()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            self._admit(scope)
            await self._app(scope, receive, sending)
        except HoldfastError as error:
            if status == 0:
                await _told(error, scope["path"])(scope, receive, sending)
        except asyncio.CancelledError:
            # Only the end of a stop cancels requests; what has begun to be answered breaks off.
            if status != 0:
                raise
            await _told(ShuttingDown(_CUT_OFF), scope["path"])(scope, receive, sending)
        except Exception:  # the server's outermost boundary: a defect is logged and told, and the server goes on
            self._logger.exception("a request failed", method=scope["method"], path=scope["path"])
            if status == 0:
                await _told(HoldfastError(), scope["path"])(scope, receive, sending)
        finally:
            self._logger.debug(
                "request",
                method=scope["method"],
                path=scope["path"],
                status=status,
                ms=round((time.monotonic() - began) * 1000, 1),
            )

    async def _open_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._admit(scope)
        except HoldfastError as error:
            # Sent through the extension of ASGI for it: the client learns why it was not let in.
            await _told(error, scope["path"])(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        except Exception:  # as below
            self._logger.exception("a socket failed", path=scope["path"])
            with contextlib.suppress(RuntimeError):  # it is closed already
                await send({"type": "websocket.close", "code": 1011})

    def _admit(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        check_host(headers.get("host"), self._allowed_hosts)
        path = scope["path"]
        if _is_of_the_api(path) and path not in _OPEN:
            method = scope.get("method", "GET")
            scope["holdfast.user"] = self._context.doorkeeper.admit(
                method, headers, QueryParams(scope["query_string"]), is_stream=_is_stream(method, path)
            )


def _is_of_the_api(path: str) -> bool:
    return any(_is_below(path, prefix) for prefix in _PREFIXES)


def _is_below(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}/")


def _is_stream(method: str, path: str) -> bool:
    """Whether a ticket may open it: it is for reading, and dialects take commands where others have a stream."""
    is_named_so = path.endswith(("/events", "/stream")) or path.startswith("/api/agent/stream/")
    return is_named_so and method in ("GET", "HEAD")


def _told(error: HoldfastError, path: str) -> Response:
    """The error in the words of whoever speaks at the path."""
    for dialect in _DIALECTS:
        if any(_is_below(path, prefix) for prefix in dialect.PREFIXES):
            return dialect.problem(error)
    return problem(error)


class _Elsewhere:
    """What no route names: nothing, if it is below /api; else the web UI answers."""

    def __init__(self, ui: ASGIApp) -> None:
        self._ui = ui

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000, "reason": "There is nothing here"})
            return
        if _is_of_the_api(scope["path"]):
            raise HTTPException(status_code=404)
        await self._ui(scope, receive, send)


async def _http_error(request: Request, error: Exception) -> Response:
    """What the router itself refuses, in our words."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    if error.status_code == 404:
        return _told(NotFound(f"There is nothing at {path!r}"), path)
    if error.status_code == 405:
        answer = _told(MethodNotAllowed(f"{request.method} is not possible at {path!r}"), path)
        answer.headers.update(error.headers or {})
        return answer
    return _told(BadRequest(str(error.detail)), path)


async def _holdfast_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HoldfastError)
    return _told(error, request.url.path)


async def _defect(request: Request, _error: Exception) -> Response:
    """Starlette answers with this and raises the error again: the door logs it."""
    return _told(HoldfastError(), request.url.path)


def build(context: Context) -> ASGIApp:
    app = Starlette(
        routes=_ROUTES,
        exception_handlers={HTTPException: _http_error, HoldfastError: _holdfast_error, Exception: _defect},
    )
    # A redirect would repeat the query, and with it a token; a path with a slash too many is no path of ours.
    app.router.redirect_slashes = False
    app.router.default = _Elsewhere(ui.Ui(ui.FOLDER))
    app.state.context = context
    return Door(app, context)
