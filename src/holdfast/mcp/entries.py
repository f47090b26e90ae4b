"""The events of a log in few words, as an agent wants to read them; pure."""

from typing import Any, Literal

import msgspec

from holdfast.client import Event
from holdfast.events import (
    AgentComplete,
    AgentRetry,
    Cancelled,
    Compacted,
    Error,
    Forked,
    HookTriggered,
    Message,
    OutputDisplay,
    PermissionRequest,
    PermissionResolved,
    Question,
    RateLimit,
    Recovered,
    Stalled,
    TerminationInfo,
    Thinking,
    ToolComplete,
    ToolStart,
    UserMessage,
)
from holdfast.waiting import detail_of

Kind = Literal[
    "task", "message", "thinking", "tool_call", "tool_result", "output", "permission_request", "question", "answer",
    "stalled", "note", "end",
]  # fmt: skip


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happened in a session."""

    sequence: int
    kind: Kind
    text: str
    tool_name: str | None = None
    tool_id: str | None = None
    request_id: str | None = None
    is_error: bool = False
    parent_id: str | None = None
    """Of what a subagent says and does: the tool_id of the call that started it."""


class Widths(msgspec.Struct, frozen=True, kw_only=True):
    """How many characters of each text are told."""

    texts: int
    tasks: int
    tools: int


def entry_of(event: Event, widths: Widths) -> Entry | None:
    """None for what tells an agent nothing, or comes again as a whole: partials, counts, what nobody knows here."""
    told = _told(event.data)
    if told is None:
        return None
    kind, text, more = told
    width = {"task": widths.tasks, "tool_call": widths.tools, "tool_result": widths.tools}.get(kind, widths.texts)
    return Entry(sequence=event.sequence, kind=kind, text=cut(text, width, event.sequence), **more)


def _told(data: object) -> tuple[Kind, str, dict[str, Any]] | None:
    match data:
        case UserMessage():
            return "task", data.text, {}
        case Message(is_partial=False):
            return "message", data.full_text or data.text, {"parent_id": data.parent_id}
        case Thinking(is_partial=False):
            return "thinking", data.full_text or data.text, {"parent_id": data.parent_id}
        case ToolStart():
            text = detail_of(data.tool_input) or data.title or plain(data.tool_input)
            return "tool_call", text, _call(data)
        case ToolComplete():
            is_error = data.is_error
            return "tool_result", plain(data.result), {**_call(data), "is_error": is_error}
        case OutputDisplay():
            return "output", "\n".join(filter(None, (data.output, data.comments, data.error))), {}
        case PermissionRequest():
            text = f"{data.title or data.tool_name}: {plain(data.tool_input)}"
            asked = {"request_id": data.request_id, "tool_name": data.tool_name, "tool_id": data.tool_id}
            return "permission_request", text, asked
        case Question():
            return "question", data.text, {"request_id": data.request_id, "tool_id": data.tool_id}
        case PermissionResolved():
            text = f"{data.decision} (by {data.by})" + (f": {data.message}" if data.message else "")
            return "answer", text, {"request_id": data.request_id}
        case Stalled():
            return "stalled", f"Nothing for {data.idle_ms // 1000} s; waits for the {data.waiting_on}", {}
        case AgentComplete() | Error() | Cancelled():
            return "end", _end(data), {"is_error": data.stop_reason != "success"}
        case _:
            note = _note(data)
            return None if note is None else ("note", note, {})


def _call(data: ToolStart | ToolComplete) -> dict[str, Any]:
    return {"tool_name": data.tool_name, "tool_id": data.tool_id, "parent_id": data.parent_id}


def _note(data: object) -> str | None:
    match data:
        case AgentRetry():
            return f"The agent tries again (attempt {data.attempt}): {data.message or data.status or 'no reason given'}"
        case RateLimit():
            return f"Rate limit: {data.status}" + (f", until {data.resets_at}" if data.resets_at else "")
        case Compacted():
            return "The agent has summed up its conversation"
        case Recovered():
            return data.message
        case Forked():
            return f"Begins where the session {data.from_session_id} stood after its run {data.from_run}"
        case HookTriggered():
            return f"{data.tool_name}: {data.decision}: {data.message}"
        case _:
            return None


def _end(data: AgentComplete | Error | Cancelled) -> str:
    said = f"{data.stop_reason}: {data.message}" if data.message else data.stop_reason
    stderr = stderr_of(data.termination_info)
    return f"{said}\nstderr:\n{stderr}" if stderr else said


def stderr_of(info: TerminationInfo) -> str:
    if info.stderr is None:
        return ""
    parts = [info.stderr.head]
    if info.stderr.truncated:
        parts.append(f"[… of {info.stderr.total_lines} lines …]")
    if info.stderr.tail:
        parts.append(info.stderr.tail)
    return "\n".join(parts)


def plain(value: Any) -> str:
    """What a tool was given or answered, as a text."""
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def cut(text: str, width: int, sequence: int) -> str:
    """The beginning of a text, and where the rest is."""
    if len(text) <= width:
        return text
    return f"{text[:width]}… [{len(text)} characters; read_session(after={sequence - 1}, limit=1, max_chars=100000)]"


def first(text: str, width: int) -> str:
    """The beginning of a text whose rest nobody needs here."""
    return text if len(text) <= width else f"{text[: width - 1]}…"
