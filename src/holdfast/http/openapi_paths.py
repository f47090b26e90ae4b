"""The OpenAPI document's paths: what can be asked where, and what is answered."""

from typing import Any

from holdfast.state import STATUSES

REF = "#/components/schemas/{name}"
SECURITY: list[dict[str, list[str]]] = [{"bearer": []}, {"cookie": []}, {"query": []}]


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REF.format(name=name)}}}


def _answer(description: str, name: str) -> dict[str, Any]:
    return {"description": description, "content": _json(name)}


def _problems(*statuses: int) -> dict[str, Any]:
    return {
        str(status): {
            "description": "See the code",
            "content": {"application/problem+json": {"schema": {"$ref": REF.format(name="Problem")}}},
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
_NAME = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
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


_FILE = {
    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
    "text/plain": {"schema": {"type": "string"}},
}


def _get(summary: str, responses: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"summary": summary, "parameters": list(parameters), "responses": responses}}


def _open(path: dict[str, Any], *more_with: dict[str, list[str]]) -> dict[str, Any]:
    """It answers without a credential, and perhaps says more with one."""
    return {method: {**operation, "security": [{}, *more_with]} for method, operation in path.items()}


def _post(summary: str, body: str | None, responses: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {"summary": summary, "parameters": list(parameters), "responses": responses}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": _json(body)}
    return {"post": operation}


def paths() -> dict[str, Any]:
    session = "/api/v1/sessions/{session_id}"
    started = {"200": _answer("The run has been started", "Started")}
    record = {"200": _answer("The session's record", "Record")}
    unavailable = (503, 507)
    listed = (
        _query("status", {"type": "array", "items": {"enum": list(STATUSES)}}, "Only these"),
        _query("agent", {"type": "array", "items": {"type": "string"}}, "Only these"),
        _query("project_id", {"type": "array", "items": {"type": "string"}}, "Only these"),
        _query("q", {"type": "string", "maxLength": 200}, "Only those in which each of these words occurs"),
        _query("limit", _number(50, 1, 200), "How many"),
        _query("before", {"type": "string"}, "The value of `next` of the page before"),
    )
    return {
        "/api/v1/health": _open(
            _get("Is the server up?", {"200": _answer("It is", "Health"), **_problems()}), *SECURITY
        ),
        "/api/v1/login": _open(
            _post(
                "Set the browser's cookie by a token",
                "LoginBody",
                {"204": {"description": "It is set"}, **_problems(400, 403, 413)},
            )
        ),
        "/api/v1/logout": _open(
            _post(
                "Take the browser's cookie away",
                None,
                {"204": {"description": "There is none any more"}, **_problems(400, 403, 413)},
            )
        ),
        "/api/v1/me": _get("Who is asking", {"200": _answer("The user", "Me"), **_problems(400)}),
        "/api/v1/tickets": _post(
            "A ticket that opens one stream, once", None, {"200": _answer("The ticket", "Ticket"), **_problems(400)}
        ),
        "/api/v1/events": _get(
            "All of the caller's sessions in one stream", {**_STREAM, **_problems(400)}, _AFTER, _LAST
        ),
        "/api/v1/permissions": _get(
            "What waits for the caller's answer, over all sessions",
            {"200": _answer("All of it, the oldest first", "WaitingList"), **_problems(400)},
        ),
        "/api/v1/profiles": _get(
            "The permission profiles there are", {"200": _answer("All of them", "ProfileList"), **_problems(400)}
        ),
        "/api/v1/projects": _get(
            "The caller's projects, those with the latest news first",
            {"200": _answer("The first 500", "ProjectList"), **_problems(400)},
        ),
        "/api/v1/folders": _get(
            "The folders in a folder of the server's machine",
            {"200": _answer("Their names", "FolderList"), **_problems(400, 422)},
            _query("path", {"type": "string", "default": "~"}, "An absolute path; ~ is the home of the server's user"),
        ),
        "/api/v1/agents": _get("The agents there are", {"200": _answer("All of them", "AgentList"), **_problems(400)}),
        "/api/v1/agents/{name}": _get(
            "One agent", {"200": _answer("What is known of it", "AgentInfo"), **_problems(400, 404)}, _NAME
        ),
        "/api/v1/agents/{name}/check": _post(
            "Start an agent, ask it what it can do, and end it",
            None,
            {"200": _answer("What it said", "AgentInfo"), **_problems(400, 404, 413)},
            _NAME,
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
        f"{session}/resume": _post(
            "Go on with what was cancelled, paused, interrupted or ended by a limit, or do its task again",
            "ResumeBody",
            {**started, **_problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _KEY,
        ),
        f"{session}/fork": _post(
            "A new session that begins where this one stands, or stood after an earlier run",
            "ForkBody",
            {**started, **_problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _KEY,
        ),
        **{
            f"{session}/{name}": _post(
                summary, None, {**record, **_problems(400, 404, 409, 413, *unavailable)}, _ID, _KEY
            )
            for name, summary in (
                ("cancel", "End the run"),
                ("pause", "End the run so that it can go on later"),
                ("discard", "Give up what a paused or interrupted session could still go on with"),
            )
        },
        f"{session}/profile": _post(
            "Let the run go on under another permission profile",
            "ProfileBody",
            {**record, **_problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _KEY,
        ),
        f"{session}/permissions/{{request_id}}/answer": _post(
            "Answer a permission request or a question",
            "AnswerBody",
            {**record, **_problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _REQUEST_ID,
            _KEY,
        ),
        f"{session}/files": _get(
            "The files of the session's workspace that changed since it began",
            {"200": _answer("The latest first", "FileList"), **_problems(400, 404, 422)},
            _ID,
            _query("run", _number(None, 1, 10**9), "Since this run began"),
        ),
        f"{session}/files/content": _get(
            "One file of the session's workspace",
            {"200": {"description": "The file", "content": _FILE}, **_problems(400, 404, 413, 415)},
            _ID,
            {**_query("path", {"type": "string"}, "Below the workspace"), "required": True},
            _query("as", {"enum": ["text"]}, "Its beginning, if it is a text"),
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
