"""What a run waits for: tools that are not done, requests without an answer, and how that is told."""

from typing import Any, Literal

import msgspec

_DETAIL_CHARACTERS = 200


class OpenTool(msgspec.Struct, frozen=True, array_like=True):
    name: str
    at_ms: int
    detail: str | None = None
    parent_id: str | None = None


class OpenRequest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question to a person that has no answer yet: the event as it stands in the log."""

    type: Literal["permission_request", "question"]
    data: msgspec.Raw
    at_ms: int


class WaitingOn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a run needs to go on."""

    kind: Literal["start", "model", "tool", "person"]
    since: str
    tool_name: str | None = None
    tool_id: str | None = None
    detail: str | None = None
    stalled: bool = False


def detail_of(tool_input: Any) -> str | None:
    """What a tool call is about, in a line: its command, its path, its address."""
    if not isinstance(tool_input, dict):
        return None
    values: dict[str, Any] = tool_input  # pyright: ignore[reportUnknownVariableType]
    for name in ("command", "file_path", "path", "url", "pattern", "query", "description"):
        value = values.get(name)
        if isinstance(value, str) and value:
            return value if len(value) <= _DETAIL_CHARACTERS else value[: _DETAIL_CHARACTERS - 1] + "…"
    return None
