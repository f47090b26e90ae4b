"""A client that is made with the protocol's own SDK, `agent-client-protocol`."""

from typing import Any

import acp
from acp import schema


class SdkClient(acp.Client):
    """Allows everything, and keeps what came."""

    def __init__(self) -> None:
        self.updates: list[Any] = []
        self.asked: list[list[schema.PermissionOption]] = []
        self.notices: list[tuple[str, dict[str, Any]]] = []

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        self.updates.append(update)

    async def request_permission(
        self, session_id: str, tool_call: schema.ToolCallUpdate, options: list[schema.PermissionOption], **_: Any
    ) -> schema.RequestPermissionResponse:
        self.asked.append(options)
        allowed = schema.AllowedOutcome(outcome="selected", option_id=options[0].option_id)
        return schema.RequestPermissionResponse(outcome=allowed)

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        self.notices.append((method, params))
