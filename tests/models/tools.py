"""Finds the agent's own tool for an intention, and fills in its parameters by their names."""

from collections.abc import Iterable
from typing import Any

from tests.models.actions import Call, Shell, Structured, Todos, Write
from tests.models.conversation import Tool

Intention = Call | Shell | Write | Todos | Structured

_COMMAND = ("command", "cmd")
_PATH = ("file_path", "path", "filePath", "absolute_path")
_CONTENT = ("content", "file_text", "contents")


class NoSuchTool(Exception):
    """The agent has no tool for what the script wants; the model says so in its answer."""


def resolve(intention: Intention, tools: Iterable[Tool]) -> tuple[str, dict[str, Any] | str]:
    """The name of the tool and its arguments; for a freeform one, its text. Raises NoSuchTool."""
    by_name = {tool.name: tool for tool in tools}
    match intention:
        case Call(tool=name, input=given):
            # Also one that does not exist: what an agent makes of that is worth a test.
            return name, given
        case Shell(command=command):
            tool = _first(by_name, ("Bash", "shell", "exec_command"), (_COMMAND,))
            said = {key: _as_command(tool, key, command) for key in _COMMAND}
            return tool.name, _fill(tool, said | _ASKING | _PATIENT)
        case Write(path=path, content=content):
            tool = _first(by_name, ("Write", "write", "apply_patch"), (_PATH, _CONTENT))
            if tool.is_freeform:
                return tool.name, _patch(path, content)
            return tool.name, _fill(tool, dict.fromkeys(_PATH, path) | dict.fromkeys(_CONTENT, content))
        case Todos(items=items):
            return _todos(by_name, items)
        case Structured(value=value):
            return _first(by_name, ("StructuredOutput",), ()).name, value


# codex asks a person only if the call says that it needs more than the sandbox gives.
_ASKING = {"sandbox_permissions": "require_escalated", "justification": "The script wants to be asked."}
# It goes on without its command after ten seconds, unless the call says otherwise; this is the longest that it waits.
_PATIENT = {"yield_time_ms": 30_000}


def _todos(tools: dict[str, Tool], items: list[tuple[str, Any]]) -> tuple[str, dict[str, Any]]:
    tool = _first(tools, ("TodoWrite", "update_plan"), ())
    if tool.name == "update_plan":
        return tool.name, {"plan": [{"step": what, "status": status} for what, status in items]}
    return tool.name, {
        "todos": [{"content": what, "status": status, "activeForm": f"{what} …"} for what, status in items]
    }


def _patch(path: str, content: str) -> str:
    """codex's own form of a change, here of a new file."""
    lines = "".join(f"+{line}\n" for line in content.splitlines())
    return f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n"


def _first(tools: dict[str, Tool], names: tuple[str, ...], parameters: tuple[tuple[str, ...], ...]) -> Tool:
    """The first of the names that there is, else a tool that has one parameter of each group."""
    for name in names:
        if name in tools:
            return tools[name]
    for tool in tools.values():
        known = tool.parameters.get("properties", {})
        if parameters and all(any(name in known for name in group) for group in parameters):
            return tool
    raise NoSuchTool(f"I have no tool like {names[0]}, only {', '.join(sorted(tools)) or 'none at all'}.")


def _as_command(tool: Tool, key: str, command: str) -> str | list[str]:
    kind = tool.parameters.get("properties", {}).get(key, {}).get("type")
    return ["bash", "-lc", command] if kind == "array" else command


def _fill(tool: Tool, values: dict[str, Any]) -> dict[str, Any]:
    """What the tool knows of the values, and something harmless for whatever else it requires."""
    properties = tool.parameters.get("properties", {})
    filled = {key: value for key, value in values.items() if key in properties}
    for key in tool.parameters.get("required", []):
        if key not in filled:
            filled[key] = _harmless(properties.get(key, {}))
    return filled


def _harmless(schema: dict[str, Any]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    return {"boolean": False, "integer": 1, "number": 1, "array": [], "object": {}}.get(schema.get("type"), "scripted")
