"""Claude's todo list: written whole by TodoWrite, or built up task by task by the task tools. Pure."""

from typing import Any

from holdfast.agents.stderr import plain
from holdfast.agents.values import as_object, todos_of
from holdfast.events import Todo

_TOOLS = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate"})


class Todos:
    """A call is noted when it is made, and counts when it has worked."""

    def __init__(self) -> None:
        self._tasks: dict[str, Todo] = {}
        self._calls: dict[str, tuple[str, dict[str, Any]]] = {}

    def called(self, tool: str, tool_id: str, given: dict[str, Any]) -> None:
        if tool in _TOOLS:
            self._calls[tool_id] = (tool, given)

    def returned(self, tool_id: str, detail: dict[str, Any]) -> list[Todo] | None:
        """The call has worked; answers the list if that has changed it, else None."""
        match self._calls.pop(tool_id, None):
            case "TodoWrite", given:
                return todos_of(given.get("todos"))
            case "TaskCreate", given:
                return self._created(given, detail)
            case "TaskUpdate", given:
                return self._updated(given)
            case _:
                return None

    def _created(self, given: dict[str, Any], detail: dict[str, Any]) -> list[Todo]:
        # It has no number before it is made: the result tells.
        number = as_object(detail.get("task")).get("id") or detail.get("id")
        self._tasks[str(number or len(self._tasks) + 1)] = Todo(content=_text(given.get("subject")), status="pending")
        return list(self._tasks.values())

    def _updated(self, given: dict[str, Any]) -> list[Todo] | None:
        number, status = str(given.get("taskId") or given.get("task_id") or ""), given.get("status")
        task = self._tasks.get(number)
        if task is None:
            return None
        if status == "deleted":
            del self._tasks[number]
        else:
            self._tasks[number] = Todo(
                content=_text(given.get("subject")) or task.content,
                status=status if isinstance(status, str) else task.status,
            )
        return list(self._tasks.values())


def _text(value: Any) -> str:
    return plain(value) if isinstance(value, str) else ""
