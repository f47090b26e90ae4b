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
from holdfast.http import events, meta, sessions
from holdfast.http.auth import check_host
from holdfast.http.context import Context
from holdfast.http.problems import problem

_OPEN = frozenset({"/", "/api/v1/health"})

_ROUTES = [
    Route("/", meta.home),
    Route("/api/v1/health", meta.health),
    Route("/api/v1/openapi.json", meta.openapi),
    Route("/api/v1/tickets", meta.ticket, methods=["POST"]),
    Route("/api/v1/events", events.combined),
    Route("/api/v1/sessions", sessions.list_),
    Route("/api/v1/sessions/run", sessions.run, methods=["POST"]),
    Route("/api/v1/sessions/recoverable", sessions.recoverable),
    Route("/api/v1/sessions/{session_id}", sessions.show),
    Route("/api/v1/sessions/{session_id}/task", sessions.task, methods=["POST"]),
    Route("/api/v1/sessions/{session_id}/cancel", sessions.cancel, methods=["POST"]),
    Route(
        "/api/v1/sessions/{session_id}/permissions/{request_id}/answer",
        sessions.answer,
        methods=["POST"],
    ),
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
        if path not in _OPEN:
            scope["holdfast.user"] = self._context.doorkeeper.admit(
                scope["method"], headers, QueryParams(scope["query_string"]), is_stream=path.endswith("/events")
            )


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
    app.state.context = context
    return Door(app, context)
