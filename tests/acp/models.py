"""The official models of the protocol (package `acp`), as judges of what is sent."""

from typing import Any

from acp import schema
from pydantic import TypeAdapter

_ASKED = {
    "session/update": schema.SessionNotification,
    "session/request_permission": schema.RequestPermissionRequest,
    "elicitation/create": schema.CreateElicitationRequest,
    "$/cancel_request": schema.CancelRequestNotification,
}
ANSWERS = {
    "initialize": schema.InitializeResponse,
    "authenticate": schema.AuthenticateResponse,
    "session/new": schema.NewSessionResponse,
    "session/load": schema.LoadSessionResponse,
    "session/resume": schema.ResumeSessionResponse,
    "session/fork": schema.ForkSessionResponse,
    "session/list": schema.ListSessionsResponse,
    "session/prompt": schema.PromptResponse,
    "session/close": schema.CloseSessionResponse,
    "session/set_mode": schema.SetSessionModeResponse,
    "session/set_config_option": schema.SetSessionConfigOptionResponse,
}


def check(message: dict[str, Any], answers: str | None = None) -> None:
    """Raises if a message is none of the protocol; `answers` is the method that a response is for."""
    assert message["jsonrpc"] == "2.0"
    if "method" in message:
        assert ("id" in message) == (message["method"] in ("session/request_permission", "elicitation/create"))
        if message["method"].startswith("_"):
            return
        TypeAdapter(_ASKED[message["method"]]).validate_python(message["params"])
    elif "error" in message:
        schema.Error.model_validate(message["error"])
        assert set(message) == {"jsonrpc", "id", "error"}
    else:
        assert set(message) == {"jsonrpc", "id", "result"}
        if answers is not None:
            ANSWERS[answers].model_validate(message["result"])
