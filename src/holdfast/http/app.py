"""The application: the routes, and around them the door and the one place where errors become answers."""

import time

import structlog
from starlette.applications import Starlette
from starlette.datastructures import Headers, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdfast.errors import BadRequest, HoldfastError, MethodNotAllowed, NotFound
from holdfast.http import agents, choices, events, files, login, meta, sessions, ui
from holdfast.http.auth import check_host
from holdfast.http.context import Context
from holdfast.http.problems import problem

# Of the API, what answers without a credential.
_OPEN = frozenset({"/api/v1/health", "/api/v1/login", "/api/v1/logout"})

_ROUTES = [
    Route("/api/v1/health", meta.health),
    Route("/api/v1/login", login.login, methods=["POST"]),
    Route("/api/v1/logout", login.logout, methods=["POST"]),
    Route("/api/v1/me", login.me),
    Route("/api/v1/openapi.json", meta.openapi),
    Route("/api/v1/tickets", meta.ticket, methods=["POST"]),
    Route("/api/v1/events", events.combined),
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
    Route("/api/v1/sessions/{session_id}/events", events.events),
    Route("/api/v1/sessions/{session_id}/events/history", events.history),
]


class Door:
    """Checks host and credential, logs each request without its query (tokens stand there), and answers errors."""

    def __init__(self, app: ASGIApp, context: Context) -> None:
        self._app = app
        self._context = context
        self._allowed_hosts = frozenset(name.lower() for name in context.settings.allowed_hosts)
        self._logger = structlog.get_logger("holdfast.http")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
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
                await problem(error)(scope, receive, sending)
        except Exception:  # the server's outermost boundary: a defect is logged and told, and the server goes on
            self._logger.exception("a request failed", method=scope["method"], path=scope["path"])
            if status == 0:
                await problem(HoldfastError())(scope, receive, sending)
        finally:
            self._logger.debug(
                "request",
                method=scope["method"],
                path=scope["path"],
                status=status,
                ms=round((time.monotonic() - began) * 1000, 1),
            )

    def _admit(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        check_host(headers.get("host"), self._allowed_hosts)
        path = scope["path"]
        if _is_of_the_api(path) and path not in _OPEN:
            scope["holdfast.user"] = self._context.doorkeeper.admit(
                scope["method"], headers, QueryParams(scope["query_string"]), is_stream=path.endswith("/events")
            )


def _is_of_the_api(path: str) -> bool:
    return path == "/api" or path.startswith("/api/")


class _Elsewhere:
    """What no route names: nothing, if it is below /api; else the web UI answers."""

    def __init__(self, ui: ASGIApp) -> None:
        self._ui = ui

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _is_of_the_api(scope["path"]):
            raise HTTPException(status_code=404)
        await self._ui(scope, receive, send)


async def _http_error(request: Request, error: Exception) -> Response:
    """What the router itself refuses, in our words."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return problem(NotFound(f"There is nothing at {request.url.path!r}"))
    if error.status_code == 405:
        answer = problem(MethodNotAllowed(f"{request.method} is not possible at {request.url.path!r}"))
        answer.headers.update(error.headers or {})
        return answer
    return problem(BadRequest(str(error.detail)))


async def _holdfast_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HoldfastError)
    return problem(error)


async def _defect(_request: Request, _error: Exception) -> Response:
    """Starlette answers with this and raises the error again: the door logs it."""
    return problem(HoldfastError())


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
