"""Single events as `session/update`s of the Agent Client Protocol: pure, each by itself.

A field of the protocol is set only to what the protocol allows there; what is more stands in `_meta`.
"""

from typing import Any
from urllib.parse import quote

from holdfast import events
from holdfast.agents import acp_names
from holdfast.agents.values import as_object, as_objects, text_of
from holdfast.waiting import detail_of

_KINDS = frozenset({"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"})
# As Claude Code calls its tools.
_KINDS_BY_NAME = {
    **dict.fromkeys(("Read", "NotebookRead", "LS"), "read"),
    **dict.fromkeys(("Edit", "Write", "MultiEdit", "NotebookEdit"), "edit"),
    **dict.fromkeys(("Grep", "Glob", "ToolSearch"), "search"),
    **dict.fromkeys(("Bash", "BashOutput", "KillShell"), "execute"),
    **dict.fromkeys(("WebFetch", "WebSearch"), "fetch"),
    **dict.fromkeys(("Task", "Agent", "TodoWrite", "Skill"), "think"),
    **dict.fromkeys(("EnterPlanMode", "ExitPlanMode"), "switch_mode"),
}
_TITLE_CHARACTERS = 200
_STATUSES = {"completed": "completed", "in_progress": "in_progress", "cancelled": "completed"}
_DIFF = ("path", "newText")


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def kind_of(kind: str | None, tool_name: str) -> str:
    found = acp_names.kind_of(kind if kind in _KINDS else None, tool_name) or "other"
    return _KINDS_BY_NAME.get(tool_name, found) if found == "other" else found


def title_of(tool_name: str, tool_input: Any) -> str:
    detail = detail_of(tool_input)
    return f"{tool_name}: {detail}" if detail else tool_name


def headline(task: str) -> str:
    """A session's title: the first line of its task that says something."""
    line = next((line.strip() for line in task.splitlines() if line.strip()), "")
    return line if len(line) <= _TITLE_CHARACTERS else line[: _TITLE_CHARACTERS - 1] + "…"


def user_message(event: events.UserMessage, message_id: str) -> list[dict[str, Any]]:
    contents = [text(event.text)]
    for file in event.attachments or ():
        uri = f"attachment:{quote(file.name)}"
        link = {"type": "resource_link", "name": file.name, "uri": uri, "mimeType": file.media_type, "size": file.size}
        contents.append(link)
    return [
        {"sessionUpdate": "user_message_chunk", "messageId": message_id, "content": content} for content in contents
    ]


def session_info(event: events.UserMessage, timestamp: str) -> dict[str, Any]:
    return {"sessionUpdate": "session_info_update", "title": headline(event.text), "updatedAt": timestamp}


def chunk(event: events.Message | events.Thinking, message_id: str, piece: str) -> dict[str, Any]:
    kind = "agent_message_chunk" if isinstance(event, events.Message) else "agent_thought_chunk"
    update = {"sessionUpdate": kind, "messageId": message_id, "content": text(piece)}
    return update if event.parent_id is None else {**update, "_meta": {"parent_id": event.parent_id}}


def broken_off(message_id: str, *, is_message: bool) -> dict[str, Any]:
    """Said where a person reads: to most clients a message is what was appended, and they cannot take it back."""
    return {
        "sessionUpdate": "agent_message_chunk" if is_message else "agent_thought_chunk",
        "messageId": f"{message_id}-broken-off",
        "content": text("\n\n*This broke off and is begun again:*\n\n"),
        "_meta": {"broken_off": message_id},
    }


def tool_start(event: events.ToolStart) -> dict[str, Any]:
    update: dict[str, Any] = {
        "sessionUpdate": "tool_call",
        "toolCallId": event.tool_id,
        "title": event.title or title_of(event.tool_name, event.tool_input),
        "kind": kind_of(event.kind, event.tool_name),
        "status": "in_progress",
        "rawInput": event.tool_input,
        "_meta": _meta(event.tool_name, event.parent_id),
    }
    if shown := content_of(event.tool_name, event.tool_input):
        update["content"] = shown
    if path := _path(event.tool_input):
        update["locations"] = [{"path": path}]
    return update


def tool_complete(event: events.ToolComplete) -> dict[str, Any]:
    update: dict[str, Any] = {
        "sessionUpdate": "tool_call_update",
        "toolCallId": event.tool_id,
        "status": "failed" if event.is_error else "completed",
        "rawOutput": event.result,
        "_meta": {**_meta(event.tool_name, event.parent_id), "duration_ms": event.duration_ms},
    }
    if shown := [*_diffs(event.content), *_shown(event.result)]:
        update["content"] = shown
    return update


def plan(event: events.TodoUpdate) -> dict[str, Any]:
    entries = [
        {
            "content": todo.content,
            "priority": todo.priority if todo.priority in ("high", "medium", "low") else "medium",
            "status": _STATUSES.get(todo.status, "pending"),
        }
        for todo in event.todos
    ]
    return {"sessionUpdate": "plan", "entries": entries}


def usage(event: events.Usage) -> dict[str, Any] | None:
    """None where the agent does not say how much of its context is used: the protocol has no word for less."""
    if event.used is None or event.size is None:
        return None
    update: dict[str, Any] = {"sessionUpdate": "usage_update", "used": event.used, "size": event.size}
    return update if event.cost_usd is None else {**update, "cost": {"amount": event.cost_usd, "currency": "USD"}}


def mode(event: events.ProfileSwitch) -> dict[str, Any]:
    return {"sessionUpdate": "current_mode_update", "currentModeId": event.profile_name}


def output(event: events.OutputDisplay, message_id: str) -> dict[str, Any]:
    """A structured result, of which nothing stands in the agent's messages."""
    files = "".join(f"\n- {file}" for file in event.result_files)
    parts = [part for part in (event.output, event.error, event.comments, files) if part]
    update = {"sessionUpdate": "agent_message_chunk", "messageId": message_id, "content": text("\n\n".join(parts))}
    return {**update, "_meta": {"status": event.status}}


def content_of(tool_name: str, tool_input: Any) -> list[dict[str, Any]]:
    """What a call of Claude Code is about to change, as the protocol shows changes."""
    given = as_object(tool_input)
    path, old, new = given.get("file_path"), given.get("old_string"), given.get("new_string")
    if tool_name == "Write":
        old, new = None, given.get("content")
    elif tool_name != "Edit" or not isinstance(old, str):
        return []
    if not isinstance(path, str) or not isinstance(new, str):
        return []
    return [{"type": "diff", "path": path, "oldText": old, "newText": new}]


def _meta(tool_name: str, parent_id: str | None) -> dict[str, Any]:
    return {"tool_name": tool_name} if parent_id is None else {"tool_name": tool_name, "parent_id": parent_id}


def _path(tool_input: Any) -> str | None:
    given = as_object(tool_input)
    for name in ("file_path", "notebook_path", "path"):
        value = given.get(name)
        if isinstance(value, str) and value.startswith("/"):
            return value
    return None


def _diffs(content: Any) -> list[dict[str, Any]]:
    """Of what an agent showed beside its result: the changes. Terminals were its own, and nobody else has them."""
    return [
        {"type": "diff", "path": part["path"], "oldText": _optional(part.get("oldText")), "newText": part["newText"]}
        for part in as_objects(content)
        if part.get("type") == "diff" and all(isinstance(part.get(name), str) for name in _DIFF)
    ]


def _optional(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _shown(result: Any) -> list[dict[str, Any]]:
    """The words of a result, wherever agents put them."""
    if isinstance(result, str):
        return [_block(result)] if result else []
    if isinstance(result, list):
        found = [*_diffs(result)]
        for part in as_objects(result):  # pyright: ignore[reportUnknownArgumentType]
            words = text_of(part) or text_of(part.get("content"))
            if words:
                found.append(_block(words))
        return found
    for name in ("output", "stdout", "text", "error"):
        words = as_object(result).get(name)
        if isinstance(words, str) and words:
            return [_block(words)]
    return []


def _block(words: str) -> dict[str, Any]:
    return {"type": "content", "content": text(words)}
