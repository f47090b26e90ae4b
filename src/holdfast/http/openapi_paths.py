"""The OpenAPI document's paths: what can be asked where, and what is answered."""

from typing import Any

from holdfast.sessions.usage import WAYS
from holdfast.state import STATUSES

REF = "#/components/schemas/{name}"
SECURITY: list[dict[str, list[str]]] = [{"bearer": []}, {"cookie": []}, {"query": []}]


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REF.format(name=name)}}}


def answer(description: str, name: str) -> dict[str, Any]:
    return {"description": description, "content": _json(name)}


def problems(*statuses: int) -> dict[str, Any]:
    return {
        str(status): {
            "description": "See the code",
            "content": {"application/problem+json": {"schema": {"$ref": REF.format(name="Problem")}}},
        }
        for status in (401, 421, 500, *statuses)
    }


def query(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema, "description": description}


def number(default: int | None, least: int, most: int) -> dict[str, Any]:
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
_AFTER = query("after", number(0, 0, 10**18), "The position, exclusive")
_STREAM = {
    "200": {
        "description": "Server-sent events: `id` is the position, `data` an Envelope",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


_LINES = {"application/jsonl": {"schema": {"type": "string"}}}
_FILE = {
    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
    "text/plain": {"schema": {"type": "string"}},
}


def get(summary: str, responses: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"summary": summary, "parameters": list(parameters), "responses": responses}}


def _open(path: dict[str, Any], *more_with: dict[str, list[str]]) -> dict[str, Any]:
    """It answers without a credential, and perhaps says more with one."""
    return {method: {**operation, "security": [{}, *more_with]} for method, operation in path.items()}


def post(summary: str, body: str | None, responses: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {"summary": summary, "parameters": list(parameters), "responses": responses}
    if body is not None:
        operation["requestBody"] = {"required": True, "content": _json(body)}
    return {"post": operation}


def paths() -> dict[str, Any]:
    session = "/api/v1/sessions/{session_id}"
    started = {"200": answer("The run has been started", "Started")}
    record = {"200": answer("The session's record", "Record")}
    unavailable = (503, 507)
    listed = (
        query("status", {"type": "array", "items": {"enum": list(STATUSES)}}, "Only these"),
        query("agent", {"type": "array", "items": {"type": "string"}}, "Only these"),
        query("project_id", {"type": "array", "items": {"type": "string"}}, "Only these"),
        query("q", {"type": "string", "maxLength": 200}, "Only those in which each of these words occurs"),
        query("limit", number(50, 1, 200), "How many"),
        query("before", {"type": "string"}, "The value of `next` of the page before"),
    )
    return {
        "/api/v1/health": _open(get("Is the server up?", {"200": answer("It is", "Health"), **problems()}), *SECURITY),
        "/api/v1/login": _open(
            post(
                "Set the browser's cookie by a token",
                "LoginBody",
                {"204": {"description": "It is set"}, **problems(400, 403, 413)},
            )
        ),
        "/api/v1/logout": _open(
            post(
                "Take the browser's cookie away",
                None,
                {"204": {"description": "There is none any more"}, **problems(400, 403, 413)},
            )
        ),
        "/api/v1/me": get("Who is asking", {"200": answer("The user", "Me"), **problems(400)}),
        "/api/v1/tickets": post(
            "A ticket that opens one stream, once", None, {"200": answer("The ticket", "Ticket"), **problems(400)}
        ),
        "/api/v1/events": get(
            "All of the caller's sessions in one stream", {**_STREAM, **problems(400)}, _AFTER, _LAST
        ),
        "/api/v1/usage": get(
            "What the caller's runs have cost",
            {"200": answer("The sums", "UsageReport"), **problems(400)},
            query("by", {"enum": list(WAYS)}, "Parts of the sum, one for each"),
            query("since", {"type": "string"}, "Runs that ended at or after this time, or day"),
            query("until", {"type": "string"}, "Runs that ended before this time, or day"),
        ),
        "/api/v1/permissions": get(
            "What waits for the caller's answer, over all sessions",
            {"200": answer("All of it, the oldest first", "WaitingList"), **problems(400)},
        ),
        "/api/v1/profiles": get(
            "The permission profiles there are", {"200": answer("All of them", "ProfileList"), **problems(400)}
        ),
        "/api/v1/projects": get(
            "The caller's projects, those with the latest news first",
            {"200": answer("The first 500", "ProjectList"), **problems(400)},
        ),
        "/api/v1/folders": get(
            "The folders in a folder of the server's machine",
            {"200": answer("Their names", "FolderList"), **problems(400, 422)},
            query("path", {"type": "string", "default": "~"}, "An absolute path; ~ is the home of the server's user"),
        ),
        "/api/v1/agents": get("The agents there are", {"200": answer("All of them", "AgentList"), **problems(400)}),
        "/api/v1/agents/{name}": get(
            "One agent", {"200": answer("What is known of it", "AgentInfo"), **problems(400, 404)}, _NAME
        ),
        "/api/v1/agents/{name}/check": post(
            "Start an agent, ask it what it can do, and end it",
            None,
            {"200": answer("What it said", "AgentInfo"), **problems(400, 404, 413)},
            _NAME,
        ),
        "/api/v1/sessions": get(
            "The caller's sessions, newest first", {"200": answer("A page", "SessionList"), **problems(400)}, *listed
        ),
        "/api/v1/sessions/run": post(
            "Start a session, or a project's next run",
            "RunBody",
            {**started, **problems(400, 409, 413, 422, *unavailable)},
            _KEY,
        ),
        "/api/v1/sessions/import": {
            "post": {
                "summary": "Take in a session from a file that `export` made",
                "parameters": [_KEY],
                "requestBody": {"required": True, "content": _LINES},
                "responses": {
                    "200": answer("Its id here, and its status", "Started"),
                    **problems(400, 409, 413, *unavailable),
                },
            }
        },
        f"{session}/export": get(
            "The session as a file",
            {
                "200": {"description": "JSON Lines: its name, then its events", "content": _LINES},
                **problems(400, 404),
            },
            _ID,
        ),
        "/api/v1/sessions/recoverable": get(
            "Interrupted sessions that can be continued",
            {"200": answer("All of them", "RecoverableList"), **problems(400)},
        ),
        session: get("One session", {**record, **problems(400, 404)}, _ID),
        f"{session}/task": post(
            "The session's next task",
            "TaskBody",
            {**started, **problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _KEY,
        ),
        f"{session}/resume": post(
            "Go on with what was cancelled, paused, interrupted or ended by a limit, or do its task again",
            "ResumeBody",
            {**started, **problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _KEY,
        ),
        f"{session}/fork": post(
            "A new session that begins where this one stands, or stood after an earlier run",
            "ForkBody",
            {**started, **problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _KEY,
        ),
        **{
            f"{session}/{name}": post(
                summary, None, {**record, **problems(400, 404, 409, 413, *unavailable)}, _ID, _KEY
            )
            for name, summary in (
                ("cancel", "End the run"),
                ("pause", "End the run so that it can go on later"),
                ("discard", "Give up what a paused or interrupted session could still go on with"),
            )
        },
        f"{session}/profile": post(
            "Let the run go on under another permission profile",
            "ProfileBody",
            {**record, **problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _KEY,
        ),
        f"{session}/permissions/{{request_id}}/answer": post(
            "Answer a permission request or a question",
            "AnswerBody",
            {**record, **problems(400, 404, 409, 413, 422, *unavailable)},
            _ID,
            _REQUEST_ID,
            _KEY,
        ),
        f"{session}/files": get(
            "The files of the session's workspace that changed since it began",
            {"200": answer("The latest first", "FileList"), **problems(400, 404, 422)},
            _ID,
            query("run", number(None, 1, 10**9), "Since this run began"),
        ),
        f"{session}/files/content": get(
            "One file of the session's workspace",
            {"200": {"description": "The file", "content": _FILE}, **problems(400, 404, 413, 415)},
            _ID,
            {**query("path", {"type": "string"}, "Below the workspace"), "required": True},
            query("as", {"enum": ["text"]}, "Its beginning, if it is a text"),
        ),
        f"{session}/events": get(
            "The session's events, live",
            {**_STREAM, "204": {"description": "Nothing lies behind the position"}, **problems(400, 404)},
            _ID,
            _AFTER,
            query("partials", {"type": "boolean", "default": True}, "false: without partials whose final is there"),
            _LAST,
        ),
        f"{session}/events/history": get(
            "The session's events without partials, a page at a time",
            {"200": answer("A page", "History"), **problems(400, 404)},
            _ID,
            _AFTER,
            query("limit", number(500, 1, 1000), "How many"),
        ),
    }
