"""What Claude Code says of itself at its start, and what it hands over at its end, as events: pure."""

from typing import Any

import msgspec

from holdfast import events
from holdfast.agents.claude_events import Frame
from holdfast.agents.interface import Task
from holdfast.agents.values import as_list, as_object, as_objects
from holdfast.events import AgentStart, Choice, Event

_CAPABILITIES = ["resume", "fork", "fork_at", "images", "edit_input"]


def agent_start(init: Frame, task: Task, models: list[Choice] | None) -> AgentStart:
    model, session_id, mode = init.get("model"), init.get("session_id"), init.get("permissionMode")
    return AgentStart(
        session_id=task.session_id,
        agent=task.agent,
        task=task.shown,
        model=model if isinstance(model, str) else None,
        tools=_names(init.get("tools")),
        skills=_names(init.get("skills")),
        agent_session_id=session_id if isinstance(session_id, str) else None,
        mode=mode if isinstance(mode, str) else None,
        models=models,
        capabilities=_CAPABILITIES,
    )


def offered_models(info: dict[str, Any] | None) -> list[Choice] | None:
    return [
        Choice(id=str(model.get("value")), name=str(model.get("displayName") or model.get("value")))
        for model in as_objects((info or {}).get("models"))
    ] or None


def display(result: Frame, task: Task) -> list[Event]:
    """The structured result, if one was wanted and given."""
    structured = result.get("structured_output")
    if structured is None:
        return []
    if task.output_schema is None:
        try:
            return [msgspec.convert(structured, events.OutputDisplay, strict=False)]
        except msgspec.ValidationError:
            pass  # it does not fit what was asked for: told as it is
    text = msgspec.json.encode(structured).decode()
    return [events.OutputDisplay(output=text, error="", comments="", result_files=[], status="COMPLETE")]


def _names(values: Any) -> list[str]:
    return [str(as_object(value).get("name") if isinstance(value, dict) else value) for value in as_list(values)]
