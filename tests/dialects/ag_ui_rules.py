"""The rules of AG-UI 1.0 for a stream of events, as a client enforces them; the shapes are the official package's."""

import json
from typing import Any

from ag_ui.core import Event
from pydantic import TypeAdapter

_event = TypeAdapter[Any](Event)
_ITEMS = {
    "TEXT_MESSAGE": "messageId",
    "REASONING_MESSAGE": "messageId",
    "REASONING": "messageId",
    "TOOL_CALL": "toolCallId",
}


def check(messages: list[dict[str, Any]], *, is_whole: bool = True) -> None:
    """`is_whole`: from the beginning of a run to the end of one."""
    open_run: str | None = None
    open_items: set[tuple[str, str]] = set()
    subagents: set[str] = set()
    owners: dict[tuple[str, str], str | None] = {}
    for number, message in enumerate(messages):
        kind = message["type"]
        _event.validate_python(message)
        assert set(message) <= _fields(message), f"fields that AG-UI does not know: {message}"
        if number == 0 and is_whole:
            assert kind == "RUN_STARTED", message
        if kind == "RUN_STARTED":
            assert open_run is None, "a run within a run"
            open_run = message["runId"]
            continue
        if is_whole or open_run is not None:
            assert open_run is not None, f"outside of a run: {message}"
        if kind in ("RUN_FINISHED", "RUN_ERROR"):
            assert not open_items or kind == "RUN_ERROR", f"open at the end: {open_items}"
            assert not subagents or not is_whole, f"at work at the end: {subagents}"
            if kind == "RUN_FINISHED" and open_run is not None:
                assert message["runId"] == open_run
            open_run, open_items = None, set()
            continue
        if kind == "SUBAGENT_STARTED":
            assert message["subagentRunId"] not in subagents, f"at work already: {message}"
            subagents.add(message["subagentRunId"])
        elif kind in ("SUBAGENT_FINISHED", "SUBAGENT_ERROR"):
            assert message["subagentRunId"] in subagents or not is_whole, f"not at work: {message}"
            subagents.discard(message["subagentRunId"])
        family, _, step = kind.rpartition("_")
        item = (family, message[_ITEMS[family]]) if family in _ITEMS else None
        if item is None or step == "RESULT":
            continue
        if step == "START":
            assert item not in open_items, f"open already: {message}"
            open_items.add(item)
            owners[item] = message.get("subagentRunId")
        elif is_whole:
            assert item in open_items, f"not open: {message}"
            assert message.get("subagentRunId") in (None, owners[item])
        if step == "END":
            open_items.discard(item)
    if is_whole:
        assert open_run is None, "the last run has no end"


def _fields(message: dict[str, Any]) -> set[str]:
    kind = type(_event.validate_python(message))
    return {field.alias or name for name, field in kind.model_fields.items()} | {"type"}


def decoded(data: bytes) -> dict[str, Any]:
    return json.loads(data)


def texts(messages: list[dict[str, Any]], family: str = "TEXT_MESSAGE") -> dict[str, str]:
    """The texts as a client puts them together, by message."""
    found: dict[str, str] = {}
    for message in messages:
        if message["type"] == f"{family}_START":
            found.setdefault(message["messageId"], "")
        elif message["type"] == f"{family}_CONTENT":
            found[message["messageId"]] = found.get(message["messageId"], "") + message["delta"]
    return found
