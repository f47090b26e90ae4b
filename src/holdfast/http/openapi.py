"""The OpenAPI document, made from the same types that the routes read and write."""

from functools import cache
from typing import Any

import msgspec

from holdfast import __version__, events
from holdfast.http.problems import Problem
from holdfast.http.requests import AnswerBody, RunBody, TaskBody
from holdfast.http.sessions import RecoverableList, SessionList, Started
from holdfast.sessions.record import Record
from holdfast.state import STATUSES

_REF = "#/components/schemas/{name}"
_SECURITY: list[dict[str, list[str]]] = [{"bearer": []}, {"cookie": []}, {"query": []}]


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REF.format(name=name)}}}


def _answer(description: str, name: str) -> dict[str, Any]:
    return {"description": description, "content": _json(name)}


def _problems(*statuses: int) -> dict[str, Any]:
    return {
        str(status): {
            "description": "See the code",
            "content": {"application/problem+json": {"schema": {"$ref": _REF.format(name="Problem")}}},
        }
        for status in (401, 421, 500, *statuses)
    }


def _query(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": description}


def _number(default: int | None, least: int, most: int) -> dict[str, Any]:
    limits: dict[str, Any] = {"type": "integer", "minimum": least, "maximum": most}
    return limits if default is None else {**limits, "default": default}


_ID = {"name": "session_id", "in": "path", "required": True, "schema": {"type": "string"}}
_REQUEST_ID = {"name": "request_id", "in": "path", "required": True, "schema": {"type": "string"}}
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
    "description": "The same key and body take effect once",
}
_LAST = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "schema": {"type": "string"},
    "description": "The position: only what comes after it is sent; wins over `after`",
}
_AFTER = _query("after", _number(0, 0, 10**18), "The position, exclusive")
_STREAM = {
    "200": {
        "description": "Server-sent events: `id` is the position, `data` an Envelope",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


def _get(summary: str, responses: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"summary": summary, "parameters": list(parameters), "responses": responses}}


def _open(path: dict[str, Any]) -> dict[str, Any]:
    """It answers without a credential, and says more with one."""
    return {"get": {**path["get"], "security": [{}, *_SECURITY]}}


def _post(summary: str, body: str | None, responses: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {"summary": summary, "parameters": list(parameters), "responses": responses}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": _json(body)}
    return {"post": operation}


def _paths() -> dict[str, Any]:
    session = "/api/v1/sessions/{session_id}"
    started = {"200": _answer("The run has been started", "Started")}
    record = {"200": _answer("The session's record", "Record")}
    unavailable = (503, 507)
    listed = (
        _query("status", {"type": "array", "items": {"enum": list(STATUSES)}}, "Only these"),
        _query("agent", {"type": "array", "items": {"type": "string"}}, "Only these"),
        _query("project_id", {"type": "array", "items": {"type": "string"}}, "Only these"),
        _query("limit", _number(50, 1, 200), "How many"),
        _query("before", {"type": "string"}, "The value of `next` of the page before"),
    )
    return {
        "/api/v1/health": _open(_get("Is the server up?", {"200": _answer("It is", "Health"), **_problems()})),
        "/api/v1/tickets": _post(
            "A ticket that opens one stream, once", None, {"200": _answer("The ticket", "Ticket"), **_problems(400)}
        ),
        "/api/v1/events": _get(
            "All of the caller's sessions in one stream", {**_STREAM, **_problems(400)}, _AFTER, _LAST
        ),
        "/api/v1/sessions": _get(
            "The caller's sessions, newest first", {"200": _answer("A page", "SessionList"), **_problems(400)}, *listed
        ),
        "/api/v1/sessions/run": _post(
            "Start a session, or a project's next run",
            "RunBody",
            {**started, **_problems(400, 409, 413, 422, *unavailable)},
            _KEY,
        ),
        "/api/v1/sessions/recoverable": _get(
            "Interrupted sessions that can be continued",
            {"200": _answer("All of them", "RecoverableList"), **_problems(400)},
        ),
        session: _get("One session", {**record, **_problems(400, 404)}, _ID),
        f"{session}/task": _post(
            "The session's next task",
            "TaskBody",
            {**started, **_problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _KEY,
        ),
        f"{session}/cancel": _post(
            "End the run", None, {**record, **_problems(400, 404, 409, 413, *unavailable)}, _ID, _KEY
        ),
        f"{session}/permissions/{{request_id}}/answer": _post(
            "Answer a permission request",
            "AnswerBody",
            {**record, **_problems(400, 404, 409, 413, *unavailable)},
            _ID,
            _REQUEST_ID,
            _KEY,
        ),
        f"{session}/events": _get(
            "The session's events, live",
            {**_STREAM, "204": {"description": "Nothing lies behind the position"}, **_problems(400, 404)},
            _ID,
            _AFTER,
            _query("partials", {"type": "boolean", "default": True}, "false: without partials whose final is there"),
            _LAST,
        ),
        f"{session}/events/history": _get(
            "The session's events without partials, a page at a time",
            {"200": _answer("A page", "History"), **_problems(400, 404)},
            _ID,
            _AFTER,
            _query("limit", _number(500, 1, 1000), "How many"),
        ),
    }


def _envelope() -> dict[str, Any]:
    """One shape for each type: which data belong to which type is part of the contract."""
    shapes = [
        {
            "type": "object",
            "title": name,
            "properties": {
                "type": {"const": name},
                "data": {"$ref": _REF.format(name=kind.__name__)},
                "timestamp": {"type": "string", "format": "date-time"},
                "sequence": {"type": "integer", "minimum": 1},
                "session_id": {"type": "string"},
            },
            "required": ["type", "data", "timestamp", "sequence"],
            "additionalProperties": False,
        }
        for name, kind in events.TYPES.items()
    ]
    return {"oneOf": shapes}


_HEALTH = {
    "type": "object",
    "properties": {
        "status": {"type": "string"},
        "version": {"type": "string"},
        "uptime_s": {"type": "number"},
        "store": {"type": "string"},
        "agents": {"type": "array", "items": {"type": "string"}},
        "sessions": {"type": "object", "additionalProperties": {"type": "integer"}},
        "streams": {"type": "integer"},
    },
    "required": ["status", "version"],
}
_TICKET = {
    "type": "object",
    "properties": {"ticket": {"type": "string"}, "expires_at": {"type": "string", "format": "date-time"}},
    "required": ["ticket", "expires_at"],
}
_HISTORY = {
    "type": "object",
    "properties": {
        "events": {"type": "array", "items": {"$ref": _REF.format(name="Envelope")}},
        "head": {"type": "integer"},
        "next_after": {"type": "integer"},
    },
    "required": ["events", "head"],
}


@cache
def document() -> dict[str, Any]:
    types = (
        *events.TYPES.values(),
        RunBody,
        TaskBody,
        AnswerBody,
        Started,
        SessionList,
        RecoverableList,
        Record,
        Problem,
    )
    _, schemas = msgspec.json.schema_components(types, ref_template=_REF)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Holdfast",
            "version": __version__,
            "summary": "Coding agents as durable sessions",
            "description": "PROTOCOL.md in the project states the contract in words.",
        },
        "paths": _paths(),
        "components": {
            "schemas": {**schemas, "Envelope": _envelope(), "Health": _HEALTH, "Ticket": _TICKET, "History": _HISTORY},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "holdfast_token"},
                "query": {"type": "apiKey", "in": "query", "name": "token"},
            },
        },
        "security": _SECURITY,
    }
