"""What was said and done in a run, in one event: told from the others, the same for every agent. Pure."""

from holdfast import events
from holdfast.agents.interface import Task
from holdfast.agents.values import preview
from holdfast.events import ConversationTurn, Event


class Gist:
    """`observe` gets every event of the agent."""

    def __init__(self) -> None:
        self._last_message = ""
        self._tools: dict[str, None] = {}

    def observe(self, event: Event) -> None:
        match event:
            case events.Message(is_partial=False, parent_id=None):
                self._last_message = event.text
            case events.ToolStart():
                self._tools[event.tool_name] = None
            case _:
                pass

    def told(self, task: Task, duration_ms: int) -> ConversationTurn:
        return ConversationTurn(
            turn_number=task.turn,
            prompt_preview=preview(task.shown),
            response_preview=preview(self._last_message),
            duration_ms=max(0, duration_ms),
            tools_used=list(self._tools),
        )
