"""What a run can be told, and the bodies that say so."""

import mimetypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

import msgspec

Decision = Literal["allow_once", "allow_session", "allow_project", "deny"]


class RunConfig(TypedDict, total=False):
    """How a run is to be done; what is left out comes from the session's run before, and at its first run from the
    server's settings. PROTOCOL.md says what each one means."""

    max_turns: int
    max_budget_usd: float
    timeout_s: float
    idle_s: float
    max_output_bytes: int
    max_memory_mb: int
    on_limit: Literal["end", "pause"]
    profile: str
    allow: Sequence[str]
    ask: Sequence[str]
    deny: Sequence[str]
    unattended: bool
    model: str
    mode: str
    options: Mapping[str, str | bool]
    setting_sources: Sequence[Literal["user", "project", "local"]]
    sandbox: bool
    output_display: bool
    output_schema: Mapping[str, Any]


class GivenAttachment(msgspec.Struct, frozen=True, kw_only=True):
    """A file that goes with a task."""

    name: str
    data: bytes
    media_type: str = "application/octet-stream"


def attached(attachments: Sequence[GivenAttachment | Path]) -> list[GivenAttachment] | None:
    """With the files that are named by their paths read; raises OSError if one cannot be."""
    return [_read(given) if isinstance(given, Path) else given for given in attachments] or None


def _read(path: Path) -> GivenAttachment:
    media_type, _ = mimetypes.guess_type(path.name)
    return GivenAttachment(name=path.name, data=path.read_bytes(), media_type=media_type or "application/octet-stream")


def body_of(**fields: Any) -> dict[str, Any]:
    """The fields that are set: what is None is not said."""
    return {name: value for name, value in fields.items() if value is not None}
