"""A tool call as the rules see it: its name as Claude Code would say it, its command, its paths, its address.

Agents name their tools and inputs as they like. What cannot be found in an input is left out, and then no pattern can
match it. Where an input says one thing twice and differently, nothing is taken: a guess might be the harmless one.
"""

import os
import shlex
from typing import Any, cast

import msgspec

from holdfast.policy.paths import real


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One tool call, named as Claude Code names its tools; `workspace` is what relative paths are meant from."""

    tool: str
    input: Any
    workspace: str
    command: str | None = None
    paths: list[str] = []
    url: str | None = None


# The tools that a pattern can be about. Delete, Move and Think are ours, for the kinds of ACP that Claude Code lacks.
SEARCHES = frozenset({"Glob", "Grep"})
READS = SEARCHES | {"Read", "NotebookRead", "LS"}
EDITS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit", "Delete", "Move"})

_KINDS = {
    "read": "Read",
    "search": "Grep",
    "edit": "Edit",
    "delete": "Delete",
    "move": "Move",
    "execute": "Bash",
    "fetch": "WebFetch",
    "think": "Think",
}
# Claude Code's names that stand beside the kind's own, by the kind that an ACP agent may give them.
_NAMES = {
    "read": READS,
    "search": READS | {"WebSearch", "ToolSearch"},
    "edit": EDITS,
    "delete": frozenset({"Delete"}),
    "move": frozenset({"Move"}),
    "execute": frozenset({"Bash", "BashOutput", "KillShell", "KillBash", "TaskOutput", "TaskStop"}),
    "fetch": frozenset({"WebFetch", "WebSearch"}),
    "think": frozenset(
        {"Think", "Task", "Agent", "TodoWrite", "TodoRead", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"}
    ),
}
_OTHER_NAMES = frozenset({"Skill", "SlashCommand", "ToolSearch", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode"})
CANONICAL = _OTHER_NAMES.union(*_NAMES.values())

_COMMANDS = ("command", "cmd", "shell_command", "script")
_FOLDERS = ("cwd", "workdir", "working_directory", "workingDirectory", "directory", "dir_path")
_PATHS = (
    *("file_path", "filePath", "filepath", "path", "notebook_path", "absolute_path", "absolutePath", "abs_path"),
    *("dir_path", "directory", "dir", "folder", "target_file", "file", "filename", "paths", "file_paths", "filePaths"),
    *("old_path", "new_path", "oldPath", "newPath", "absolute_paths", "uri"),
)
_MOVED = ("source", "destination", "src", "dst", "from", "to", "source_path", "destination_path", "target")
_LISTS = ("locations", "edits", "files", "changes", "content")
_URLS = ("url", "uri", "href", "urls")


def call_of(tool_name: str, tool_input: Any, workspace: str, *, kind: str | None = None, locations: Any = None) -> Call:
    """Claude's call, or with `kind` (and `locations`, if they stand beside its input) that of an ACP agent."""
    tool = _tool_of(tool_name, kind)
    given = cast("dict[str, Any]", tool_input) if isinstance(tool_input, dict) else {}
    if tool in READS | EDITS:
        paths = _paths(given, _PATHS + _MOVED if tool in ("Move", "Delete") else _PATHS, locations)
        if tool in SEARCHES:
            # Under another name than Claude's, `pattern` may be an expression or a glob: then it counts as both.
            globbed = tool == "Glob" or tool_name not in CANONICAL
            paths = [place for base in paths or ["."] for place in _searched(given.get("pattern"), base, globbed)]
        return Call(tool=tool, input=tool_input, workspace=workspace, paths=paths)
    if tool == "Bash" and isinstance(tool_input, str):
        given = {"command": tool_input}
    # Any other tool may run a command or open an address, too; what is always refused is refused there as well.
    command = None if tool in CANONICAL and tool != "Bash" else _command(given, workspace)
    return Call(tool=tool, input=tool_input, workspace=workspace, command=command, url=_url(given))


def _tool_of(name: str, kind: str | None) -> str:
    """A known name counts, unless the kind says that the call does more than a tool of that name would."""
    if name.startswith("mcp__"):
        return name
    if kind not in _KINDS:
        return name or "unknown"
    if name in CANONICAL and (name in _NAMES[kind] or kind in ("read", "search", "think")):
        return name
    return _KINDS[kind]


def _command(given: dict[str, Any], workspace: str) -> str | None:
    found: set[str] = set()
    for key in _COMMANDS:
        value: Any = given.get(key)
        if isinstance(value, str):
            found.add(value)
        elif words := _texts(value):
            found.add(shlex.join(words))
        elif value is not None:
            return None
    if len(found) != 1:
        return None
    [command] = found
    arguments: Any = given.get("args", given.get("arguments"))
    if arguments:
        words = _texts(arguments)
        if not words:
            return None
        command = f"{command} {shlex.join(words)}"
    if not command.strip():
        return None
    folders = [given[key] for key in _FOLDERS if given.get(key)]
    if not folders:
        return command
    if len(folders) > 1 or not isinstance(folders[0], str):
        return None
    # Elsewhere the same words do something else, so where they run is part of what they are.
    return command if _is_workspace(folders[0], workspace) else f"cd {shlex.quote(folders[0])} && {command}"


def _is_workspace(folder: str, workspace: str) -> bool:
    try:
        return real(folder, workspace) == real(".", workspace)
    except ValueError:
        return False  # it is no path at all


def _texts(value: Any) -> list[str]:
    """The texts of a list that holds nothing else; else none."""
    if not isinstance(value, list):
        return []
    values = cast("list[Any]", value)
    return values if all(isinstance(one, str) for one in values) else []


def _paths(given: dict[str, Any], keys: tuple[str, ...], locations: Any) -> list[str]:
    found = _named(given, keys)
    for value in [locations, *(given.get(key) for key in _LISTS)]:
        for one in cast("list[Any]", value) if isinstance(value, list) else []:
            found += _named(cast("dict[str, Any]", one), _PATHS) if isinstance(one, dict) else []
    changes: Any = given.get("changes")
    if isinstance(changes, dict):
        found += [str(key) for key in cast("dict[Any, Any]", changes)]
    return list(dict.fromkeys(path for path in found if path))


def _named(given: dict[str, Any], keys: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for key in keys:
        value: Any = given.get(key)
        found += [value] if isinstance(value, str) else _texts(value)
    return found


def _searched(pattern: Any, base: str, globbed: bool) -> list[str]:
    """The folders that a search looks into: a glob may lead out of the one that it starts in."""
    if not globbed or not isinstance(pattern, str):
        return [base]
    segments = pattern.split("/")
    plain = next((n for n, segment in enumerate(segments) if any(c in segment for c in "*?[{!(")), len(segments))
    rest = "/".join(segments[plain:])
    if any(way_out in rest for way_out in ("..", "{/", ",/", "{~", ",~", "{,")):
        return [base, "/"]
    head = "/".join(segments[:plain]) or ("/" if plain else "")
    if head.startswith("~"):
        return [head]
    return [os.path.join(base, head) if head else base]  # noqa: PTH118 - texts of a foreign tool, not our files


def _url(given: dict[str, Any]) -> str | None:
    found: set[str] = set()
    for key in _URLS:
        value: Any = given.get(key)
        found.update([value] if isinstance(value, str) else _texts(value))
    return found.pop() if len(found) == 1 else None
