"""/v1/sessions: the sessions of Anthropic's Managed Agents, as its SDKs speak them."""

import secrets

import msgspec
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from holdfast.errors import HoldfastError
from holdfast.http import managed_agents, managed_creating, managed_events, managed_sessions
from holdfast.http.problems import detail_of, headers_of

# Below the latter there is nothing: a client that asks is told so in its own words, not by a page.
PREFIXES = (
    *("/v1/sessions", "/v1/agents", "/v1/environments"),
    *("/v1/messages", "/v1/models", "/v1/files", "/v1/skills", "/v1/vaults", "/v1/memory_stores", "/v1/deployments"),
)

_SESSION = "/v1/sessions/{session_id}"
ROUTES: list[BaseRoute] = [
    Route("/v1/agents", managed_agents.list_),
    Route("/v1/agents", managed_agents.refuse, methods=["POST"]),
    Route("/v1/agents/{agent_id}", managed_agents.show),
    Route("/v1/agents/{agent_id}", managed_agents.refuse, methods=["POST"]),
    Route("/v1/agents/{agent_id}/archive", managed_agents.refuse, methods=["POST"]),
    Route("/v1/environments", managed_agents.environments),
    Route("/v1/environments", managed_agents.refuse, methods=["POST"]),
    Route("/v1/environments/{environment_id}", managed_agents.environment),
    Route("/v1/environments/{environment_id}", managed_agents.refuse, methods=["POST", "DELETE"]),
    Route("/v1/environments/{environment_id}/archive", managed_agents.refuse, methods=["POST"]),
    Route("/v1/sessions", managed_sessions.list_),
    Route("/v1/sessions", managed_creating.create, methods=["POST"]),
    Route(_SESSION, managed_sessions.show),
    Route(_SESSION, managed_sessions.change, methods=["POST"]),
    Route(_SESSION, managed_sessions.delete, methods=["DELETE"]),
    Route(f"{_SESSION}/archive", managed_sessions.archive, methods=["POST"]),
    Route(f"{_SESSION}/events", managed_events.list_),
    Route(f"{_SESSION}/events", managed_events.send, methods=["POST"]),
    Route(f"{_SESSION}/events/stream", managed_events.stream),
    Route(f"{_SESSION}/stream", managed_events.stream),
]

_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "request_too_large",
}


def problem(error: HoldfastError) -> Response:
    """The error as the SDKs expect it; our code is its `details.error_code`."""
    # What our own API answers with 422 is a wrong request there.
    status = 400 if error.status == 422 else error.status
    request_id = f"req_{secrets.token_hex(12)}"
    headers = {"request-id": request_id, **headers_of(error)}
    if status in (409, 500):
        # SDKs try these again by themselves: a session that is busy stays so for long, and a defect for good.
        headers["x-should-retry"] = "false"
    body = {
        "type": "error",
        "error": {
            "type": _TYPES.get(status, "api_error" if status >= 500 else "invalid_request_error"),
            "message": detail_of(error),
            "details": {"error_code": error.code},
        },
        "request_id": request_id,
    }
    return Response(msgspec.json.encode(body), status_code=status, headers=headers, media_type="application/json")
