"""Parts of agents' messages as parts of events: bounded, free of escapes, and never raising for what they find."""

from collections.abc import Callable
from typing import Any

import msgspec

from holdfast.agents.stderr import plain
from holdfast.events import Todo

# One text or tool result beyond this is cut: no single event may weigh down every reader.
TEXT_CHARACTERS = 256 * 1024
_PREVIEW_CHARACTERS = 200


def as_object(value: Any) -> dict[str, Any]:
    """The JSON object that is expected here; anything else counts as an empty one."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def as_list(value: Any) -> list[Any]:
    """The list that is expected here; anything else counts as an empty one."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def as_objects(value: Any) -> list[dict[str, Any]]:
    """The JSON objects of the list that is expected here; what else is there does not count."""
    return [item for item in as_list(value) if isinstance(item, dict)]


def as_texts(value: Any) -> list[str]:
    """The texts of the list that is expected here, as they are."""
    return [item for item in as_list(value) if isinstance(item, str)]


def as_text(value: Any) -> str | None:
    """The text that is expected here, free of escapes; None for anything else, and for an empty one."""
    return cut(plain(value)) or None if isinstance(value, str) else None


def preview(text: str) -> str:
    return text if len(text) <= _PREVIEW_CHARACTERS else text[: _PREVIEW_CHARACTERS - 1] + "…"


def text_of(content: Any) -> str | None:
    """The text of a content block; None if it is of another type."""
    block = as_object(content)
    text = block.get("text") if block.get("type") == "text" else None
    return text if isinstance(text, str) else None


def todos_of(entries: Any) -> list[Todo]:
    return [
        Todo(
            content=plain(str(entry.get("content", ""))),
            status=str(entry.get("status", "pending")),
            priority=entry["priority"] if isinstance(entry.get("priority"), str) else None,
        )
        for entry in as_objects(entries)
    ]


def result_of(raw_output: Any, content: Any) -> Any:
    """What the tool gave: its raw output if the agent passes it on, else the content that it shows."""
    if raw_output is not None:
        return bounded(raw_output)
    texts: list[str] = []
    for part in as_list(content):
        text = text_of(as_object(part).get("content"))
        if text is None:
            return bounded(content)  # a diff, a terminal: kept as it is
        texts.append(text)
    return bounded("\n".join(texts))


def shown_beside(raw_output: Any, content: Any) -> Any:
    """What the agent shows of a call beside its raw output and a person wants to see: diffs, above all."""
    if raw_output is None:
        return None  # then it is the result
    parts = [part for part in as_list(content) if text_of(as_object(part).get("content")) is None]
    return bounded(parts) if parts else None


def cut(text: str, length: int | None = None) -> str:
    """The text, not longer than one may be. `length` is its own, if it was cut before."""
    length = len(text) if length is None else length
    return text if length <= TEXT_CHARACTERS else f"{text[:TEXT_CHARACTERS]}… [cut: {length} characters]"


def bounded(value: Any) -> Any:
    """The value with its texts free of escapes; one that is too large is cut, and says so."""
    if isinstance(value, str):
        return cut(plain(value))
    if isinstance(value, (dict, list)):
        encoded = msgspec.json.encode(value)
        if b"\\u001b" in encoded:
            value = _each(value, bounded)
            encoded = msgspec.json.encode(value)
        if len(encoded) > TEXT_CHARACTERS:
            return cut(encoded.decode())
    return value  # pyright: ignore[reportUnknownVariableType]


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        pairs: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
        return {plain(key): change(item) for key, item in pairs.items()}
    items: list[Any] = value
    return [change(item) for item in items]
