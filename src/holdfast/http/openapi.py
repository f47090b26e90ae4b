"""The OpenAPI document, made from the same types that the routes read and write."""

from functools import cache
from typing import Any

import msgspec

from holdfast import __version__, events
from holdfast.http.agents import AgentList
from holdfast.http.choices import ProfileList, ProjectList
from holdfast.http.login import LoginBody, Me
from holdfast.http.openapi_paths import REF, SECURITY, paths
from holdfast.http.openapi_webhooks import webhook_paths
from holdfast.http.problems import Problem
from holdfast.http.requests import AnswerBody, ForkBody, ProfileBody, ResumeBody, RunBody, TaskBody
from holdfast.http.sessions import RecoverableList, SessionList, Started, WaitingList
from holdfast.http.usage import UsageReport
from holdfast.http.webhooks import (
    Delivery,
    DeliveryList,
    RotateBody,
    Webhook,
    WebhookBody,
    WebhookChange,
    WebhookList,
)
from holdfast.sessions.agents import AgentInfo
from holdfast.sessions.auth_health import AuthStatus
from holdfast.sessions.files import FileList
from holdfast.sessions.folders import FolderList
from holdfast.sessions.record import Record


def _envelope() -> dict[str, Any]:
    """One shape for each type: which data belong to which type is part of the contract."""
    shapes = [
        {
            "type": "object",
            "title": name,
            "properties": {
                "type": {"const": name},
                "data": {"$ref": REF.format(name=kind.__name__)},
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
        "warm_sessions": {"type": "integer"},
        "agent_auth": {"$ref": REF.format(name="AuthStatus")},
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
        "events": {"type": "array", "items": {"$ref": REF.format(name="Envelope")}},
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
        ResumeBody,
        ForkBody,
        ProfileBody,
        LoginBody,
        Me,
        ProfileList,
        ProjectList,
        FolderList,
        FileList,
        WaitingList,
        AgentList,
        AgentInfo,
        AuthStatus,
        Started,
        SessionList,
        UsageReport,
        RecoverableList,
        Record,
        WebhookBody,
        WebhookChange,
        RotateBody,
        Webhook,
        WebhookList,
        Delivery,
        DeliveryList,
        Problem,
    )
    _, schemas = msgspec.json.schema_components(types, ref_template=REF)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Holdfast",
            "version": __version__,
            "summary": "Coding agents as durable sessions",
            "description": "PROTOCOL.md in the project states the contract in words.",
        },
        "paths": {**paths(), **webhook_paths()},
        "components": {
            "schemas": {**schemas, "Envelope": _envelope(), "Health": _HEALTH, "Ticket": _TICKET, "History": _HISTORY},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "holdfast_token"},
                "query": {"type": "apiKey", "in": "query", "name": "token"},
            },
        },
        "security": SECURITY,
    }
