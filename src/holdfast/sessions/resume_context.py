"""What an agent is told before its next task when the last one was cancelled. Users never see it."""

from collections.abc import Sequence

from holdfast.events import Todo

_ICONS = {"completed": "✓", "in_progress": "→", "pending": "○", "cancelled": "✗"}


def with_resume_context(task: str, todos: Sequence[Todo] | None) -> str:
    lines = ["[RESUME CONTEXT]", "Previous execution was cancelled by user."]
    if todos:
        lines += ["", "Todo state at cancellation:"]
        lines += [f"  {_ICONS.get(todo.status, '○')} {todo.content} [{todo.status}]" for todo in todos]
        if any(todo.status == "in_progress" for todo in todos):
            lines += ["", "Note: Task(s) marked in_progress were interrupted and may be incomplete."]
    lines += ["[END RESUME CONTEXT]", "", task]
    return "\n".join(lines)
