"""A task as the content blocks of a prompt: its text, and its files in the form that the agent can take.

A file that cannot go along whole goes as a link: the agent can read it itself.
"""

import base64
from collections.abc import Collection
from typing import Any
from urllib.parse import quote

from holdfast.agents.acp_calls import CannotStart
from holdfast.agents.interface import GivenFile, Task

# Beyond these, agents and the services behind them refuse a prompt, or never answer it.
_IMAGE_BYTES = 5_000_000
_TEXT_BYTES = 100_000
_TEXTUAL = frozenset(
    f"application/{name}"
    for name in ("json", "xml", "yaml", "x-yaml", "toml", "javascript", "typescript", "sql", "x-sh", "x-ndjson")
)
_DRAWN = "image/svg+xml"  # a picture to a browser, a text to a model


def blocks_of(task: Task, can: Collection[str], *, is_fresh: bool = False) -> list[dict[str, Any]]:
    """`is_fresh`: the agent has lost its memory. Raises CannotStart for a file that cannot be read."""
    text = (task.fresh_text if is_fresh else None) or task.text
    return [{"type": "text", "text": text}, *(_block(file, can) for file in task.files)]


def _block(file: GivenFile, can: Collection[str]) -> dict[str, Any]:
    try:
        with open(file.path, "rb") as opened:  # noqa: PTH123 - pathlib would cost the keeper memory
            return _carried(file, opened.read(_IMAGE_BYTES + 1), can) or _link(file)
    except OSError as error:
        raise unreadable(file, error) from error


def unreadable(file: GivenFile, error: OSError) -> CannotStart:
    return CannotStart(f"the attached file {file.name!r} cannot be read: {error.strerror or error}")


def _carried(file: GivenFile, content: bytes, can: Collection[str]) -> dict[str, Any] | None:
    """The file itself; None if it is too large, or of a kind that the agent does not take."""
    media_type = file.media_type.partition(";")[0].strip().lower()
    if media_type.startswith("image/") and media_type != _DRAWN:
        if "images" not in can or len(content) > _IMAGE_BYTES:
            return None
        return {"type": "image", "data": base64.b64encode(content).decode(), "mimeType": media_type}
    if not (media_type.startswith("text/") or media_type in _TEXTUAL or media_type == _DRAWN):
        return None
    if "embedded_context" not in can or len(content) >= _TEXT_BYTES:
        return None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    return {"type": "resource", "resource": {"uri": _uri(file), "mimeType": file.media_type, "text": text}}


def _link(file: GivenFile) -> dict[str, Any]:
    return {"type": "resource_link", "uri": _uri(file), "name": file.name, "mimeType": file.media_type}


def _uri(file: GivenFile) -> str:
    return f"file://{quote(file.path)}"
