"""Tool calls as the rules see them, whichever agent made them."""

from typing import Any

import pytest

from holdfast.policy import call_of

HERE = "/srv/workspace"


@pytest.mark.parametrize(
    ("name", "kind", "tool"),
    [
        ("Read", None, "Read"),
        ("mcp__x__y", None, "mcp__x__y"),
        ("mcp__x__y", "execute", "mcp__x__y"),
        ("whatever", None, "whatever"),
        ("", None, "unknown"),
        ("read_file", "read", "Read"),
        ("search_file_content", "search", "Grep"),
        ("replace", "edit", "Edit"),
        ("rm", "delete", "Delete"),
        ("mv", "move", "Move"),
        ("run_shell_command", "execute", "Bash"),
        ("web_fetch", "fetch", "WebFetch"),
        ("reason", "think", "Think"),
        ("plan", "switch_mode", "plan"),
        ("thing", "other", "thing"),
        ("thing", "no such kind", "thing"),
        ("Write", "edit", "Write"),
        ("Glob", "search", "Glob"),
        ("WebSearch", "fetch", "WebSearch"),
        ("Task", "think", "Task"),
        ("TodoWrite", "think", "TodoWrite"),
        ("BashOutput", "execute", "BashOutput"),
        ("ExitPlanMode", "switch_mode", "ExitPlanMode"),
        # A kind that does more than the name says is believed.
        ("Read", "execute", "Bash"),
        ("Read", "edit", "Edit"),
        ("TodoWrite", "delete", "Delete"),
        ("Grep", "fetch", "WebFetch"),
    ],
)
def test_a_tool_is_named_as_claude_code_would_name_it(name: str, kind: str | None, tool: str) -> None:
    assert call_of(name, {}, HERE, kind=kind).tool == tool


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({"command": "ls -l", "description": "List"}, "ls -l"),
        ({"cmd": "ls"}, "ls"),
        ({"command": ["bash", "-lc", "a b"]}, "bash -lc 'a b'"),
        ({"command": "git", "args": ["push", "a b"]}, "git push 'a b'"),
        ({"command": "ls", "cmd": "ls"}, "ls"),
        ({"command": "ls", "cwd": HERE}, "ls"),
        ({"command": "ls", "cwd": "."}, "ls"),
        ({"command": "ls", "cwd": "/a b"}, "cd '/a b' && ls"),
        ({"command": "ls", "workdir": "sub"}, "cd sub && ls"),
        ("ls", "ls"),
        ({}, None),
        (None, None),
        (["ls"], None),
        ({"command": ""}, None),
        ({"command": "  "}, None),
        ({"command": 5}, None),
        ({"command": ["ls", 5]}, None),
        ({"command": "ls", "cmd": "rm x"}, None),
        ({"command": "ls", "args": {"x": 1}}, None),
        ({"command": "ls", "cwd": 5}, None),
        ({"command": "ls", "cwd": "a", "workdir": "b"}, None),
    ],
)
def test_the_command_is_found_or_none_is_taken(given: Any, command: str | None) -> None:
    assert call_of("shell", given, HERE, kind="execute").command == command


@pytest.mark.parametrize(
    ("name", "kind", "given", "paths"),
    [
        ("Read", None, {"file_path": "/a"}, ["/a"]),
        ("NotebookEdit", None, {"notebook_path": "/a", "new_source": "x"}, ["/a"]),
        ("MultiEdit", None, {"file_path": "a", "edits": [{"old_string": "x"}]}, ["a"]),
        ("edit", "edit", {"edits": [{"path": "a"}, {"file_path": "b"}]}, ["a", "b"]),
        ("edit", "edit", {"filePath": "a", "locations": [{"path": "b", "line": 3}]}, ["a", "b"]),
        ("edit", "edit", {"absolute_path": "/a"}, ["/a"]),
        ("edit", "edit", {"changes": {"/a": {}, "/b": {}}}, ["/a", "/b"]),
        ("edit", "edit", {"content": [{"type": "diff", "path": "a"}]}, ["a"]),
        ("read_many", "read", {"paths": ["a", "b"]}, ["a", "b"]),
        ("mv", "move", {"source": "a", "destination": "b"}, ["a", "b"]),
        ("Edit", None, {}, []),
        ("Edit", None, {"file_path": 5}, []),
        ("Edit", None, "a", []),
        ("Grep", None, {"pattern": "/etc"}, ["."]),
        ("Grep", None, {"pattern": "x", "path": "src"}, ["src"]),
        ("Glob", None, {"pattern": "**/*.py"}, ["."]),
        ("Glob", None, {"pattern": "*.py", "path": "src"}, ["src"]),
        ("Glob", None, {"pattern": "/etc/**"}, ["/etc"]),
        ("Glob", None, {"pattern": "/*"}, ["/"]),
        ("Glob", None, {"pattern": "~/x/*"}, ["~/x"]),
        ("Glob", None, {"pattern": "../../*", "path": "src"}, ["src/../.."]),
        ("Glob", None, {"pattern": "*/../../*"}, [".", "/"]),
        ("Glob", None, {"pattern": "{src,/etc}/*"}, [".", "/"]),
        ("glob", "search", {"pattern": "/etc/*"}, ["/etc"]),
    ],
)
def test_the_paths_are_found(name: str, kind: str | None, given: Any, paths: list[str]) -> None:
    assert [path.removeprefix("./") for path in call_of(name, given, HERE, kind=kind).paths] == paths


def test_locations_beside_the_input_count_too() -> None:
    call = call_of("edit", {"path": "a"}, HERE, kind="edit", locations=[{"path": "b"}, {"line": 1}, 5])
    assert call.paths == ["a", "b"]
    assert call_of("edit", None, HERE, kind="edit", locations=[{"path": "b"}]).paths == ["b"]


def test_an_address_is_taken_if_there_is_only_one() -> None:
    assert call_of("WebFetch", {"url": "https://a", "prompt": "x"}, HERE).url == "https://a"
    assert call_of("open", {"urls": ["https://a"]}, HERE, kind="fetch").url == "https://a"
    assert call_of("open", {"urls": ["https://a", "https://b"]}, HERE, kind="fetch").url is None
    assert call_of("open", {"url": "https://a", "uri": "https://b"}, HERE, kind="fetch").url is None
    assert call_of("open", {}, HERE, kind="fetch").url is None
