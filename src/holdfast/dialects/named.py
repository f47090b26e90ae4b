"""A session's log as named events: text, tool_start, tool_done, tool_progress, status, result, error.

Rule 1: `text` is what the agent says, to be appended; that of subagents is left out, as it would run into it.
Rule 2: a run ends with one `result` or one `error`, and nothing is told that is not of a run. All else that a person
may want to know is a `status`.
Rule 3: a field that is not known is null, since pages of this dialect read all of them.
"""

from typing import Any

import msgspec

from holdfast import events
from holdfast.agents.values import as_object
from holdfast.dialects.telling import Place, Told
from holdfast.dialects.texts import Texts
from holdfast.entry import Entry
from holdfast.event import Event

_encode = msgspec.json.Encoder().encode


class Named:
    """The fold of one session's log."""

    def __init__(self, received: Place) -> None:
        self._texts = Texts(received)
        self._output = ""
        self._has_spoken = False
        self._began_ms = 0
        self._tools: dict[str, str] = {}
        self._asked: set[str] = set()

    def __call__(self, entry: Entry) -> list[Told]:
        self._texts.reach(entry.sequence)
        told = self._told(entry)
        return [] if told is None else [Told(_encode(told[1]), told[0], self._texts.mark)]

    def _told(self, entry: Entry) -> tuple[str, Any] | None:
        event = entry.data
        match event:
            case events.UserMessage():
                self._texts.begin()
                self._output, self._has_spoken, self._began_ms = "", False, entry.at_ms
                return self._status(entry, "The task is being started", status="pending")
            case events.Message() | events.Thinking():
                return self._text(event, entry)
            case events.ToolStart():
                self._tools[event.tool_id] = event.tool_name
                return "tool_start", {
                    **_tool(event.tool_id, event.tool_name, event.parent_id),
                    "input": event.tool_input,
                    "title": event.title,
                }
            case events.ToolComplete():
                self._tools.pop(event.tool_id, None)
                return "tool_done", {
                    **_tool(event.tool_id, event.tool_name, event.parent_id),
                    "result": event.result,
                    "isError": event.is_error,
                    "duration": event.duration_ms,
                }
            case events.AgentUpdate():
                return self._progress(event.update)
            case events.Stalled() if event.tool_id in self._tools:
                return "tool_progress", {
                    **_tool(event.tool_id, self._tools[event.tool_id], None),
                    "elapsed": event.idle_ms,
                    "detail": _plain(event),
                }
            case events.End():
                return self._end(event, entry)
            case _:
                return self._note(entry)

    def _text(self, event: events.Message | events.Thinking, entry: Entry) -> tuple[str, Any] | None:
        pieces = self._texts.take(event)
        if isinstance(event, events.Thinking):
            return self._status(entry, "The agent is thinking", detail=None) if pieces[0].begins else None
        if event.parent_id is not None:
            return None
        if not event.is_partial:
            self._output = event.full_text or event.text
        # Messages follow each other as paragraphs: whoever appends them must not glue them together.
        said = "".join(("\n\n" if piece.begins and self._has_spoken else "") + piece.text for piece in pieces)
        self._has_spoken = True
        return ("text", {"text": said}) if said else None

    def _progress(self, update: Any) -> tuple[str, Any] | None:
        """What an agent tells of a tool that is at work."""
        fields = as_object(update)
        tool_id = fields.get("toolCallId") or fields.get("tool_use_id")
        if not isinstance(tool_id, str) or tool_id not in self._tools:
            return None
        seconds = fields.get("elapsed_time_seconds")
        elapsed = round(seconds * 1000) if isinstance(seconds, (int, float)) else None
        return "tool_progress", {**_tool(tool_id, self._tools[tool_id], None), "elapsed": elapsed, "detail": fields}

    def _note(self, entry: Entry) -> tuple[str, Any] | None:
        message = _sentence(entry.data)
        match entry.data:
            case events.PermissionRequest() | events.Question() as asked:
                self._asked.add(asked.request_id)
            case events.PermissionResolved() as resolved:
                self._asked.discard(resolved.request_id)
            case events.AgentRetry():
                self._texts.break_off(take_back=True)
            case _:
                pass
        return None if message is None else self._status(entry, message)

    def _status(
        self, entry: Entry, message: str, *, status: str | None = None, detail: Any = msgspec.UNSET
    ) -> tuple[str, Any]:
        return "status", {
            "status": status or ("waiting" if self._asked else "running"),
            "message": message,
            "kind": entry.type,
            "detail": _plain(entry.data) if detail is msgspec.UNSET else detail,
        }

    def _end(self, event: events.End, entry: Entry) -> tuple[str, Any]:
        self._tools.clear()
        self._asked.clear()
        sums = {
            "cost": event.total_cost_usd,
            "duration": max(0, entry.at_ms - self._began_ms) if event.duration_ms is None else event.duration_ms,
            "turns": event.num_turns,
            "stopReason": event.stop_reason,
        }
        if event.stop_reason == "success":
            return "result", {"output": self._output, **sums}
        message = getattr(event, "message", None) or f"The run ended with {event.stop_reason}"
        return "error", {
            "message": message,
            "subtype": event.stop_reason,
            **sums,
            "errorType": getattr(event, "error_type", None),
            "resumable": getattr(event, "resumable", None),
            "terminationInfo": camel(_plain(event.termination_info)),
        }


def _tool(tool_id: str, name: str, parent_id: str | None) -> dict[str, Any]:
    return {"toolId": tool_id, "tool": name, "parentId": parent_id}


def _sentence(event: Event) -> str | None:
    """What a person may read of it; None for what is of no use to one."""
    match event:
        case events.AgentStart():
            return f"{event.agent} is at work" + (f" with {event.model}" if event.model else "")
        case events.PermissionRequest():
            return f"Waiting for permission: {event.title or event.tool_name}"
        case events.Question():
            return f"Waiting for an answer: {event.text}"
        case events.PermissionResolved():
            return f"Answered: {event.decision} by {event.by}"
        case events.TodoUpdate():
            done = sum(todo.status == "completed" for todo in event.todos)
            return f"{done} of {len(event.todos)} todos done"
        case events.AgentRetry():
            return event.message or f"The model's service is asked again, attempt {event.attempt}"
        case events.RateLimit():
            return f"Rate limit: {event.status}"
        case events.Compacted():
            return "The agent has summed up its conversation"
        case events.Stalled():
            return f"Nothing has happened for {event.idle_ms // 1000} s; waiting for the {event.waiting_on}"
        case events.Forked():
            return f"Forked from the session {event.from_session_id}"
        case events.ProfileSwitch():
            return f"The permission profile is {event.profile_name}"
        case events.OutputDisplay():
            return event.comments or event.status
        case events.HookTriggered() | events.Recovered():
            return event.message
        case _:
            return None


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def camel(value: Any) -> Any:
    """With the names of its fields as this dialect writes them."""
    if not isinstance(value, dict):
        return value
    fields: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
    return {_camel(name): camel(field) for name, field in fields.items()}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
