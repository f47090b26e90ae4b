"""What an ACP agent calls a tool, and of what kind it is, where the protocol's own fields do not say it: pure.

The protocol has kinds and titles; the name is not in it yet. Some agents tell it in `_meta`, and of those one (goose)
gives all its tools the kind `other`: without the name, no rule for commands or edits would ever be about its calls.
"""

from typing import Any

from holdfast.agents.stderr import plain
from holdfast.agents.values import as_object

# Goose's own tools; those of its other extensions are somebody else's, and may mean another thing by the same name.
_OWN_EXTENSIONS = (None, "developer")
_KINDS = {
    **dict.fromkeys(("shell", "bash", "exec", "exec_command", "execute_command", "run_command"), "execute"),
    **dict.fromkeys(("run_shell_command", "run_terminal_cmd", "run_terminal_command", "local_shell"), "execute"),
    **dict.fromkeys(("write", "write_file", "create_file", "edit", "edit_file", "multi_edit", "multiedit"), "edit"),
    **dict.fromkeys(("str_replace", "replace", "text_editor", "apply_patch", "insert"), "edit"),
    **dict.fromkeys(("read", "read_file", "view", "ls", "tree", "list_directory"), "read"),
    **dict.fromkeys(("grep", "glob", "search_files", "file_search"), "search"),
    **dict.fromkeys(("web_fetch", "webfetch", "fetch_url"), "fetch"),
}


def name_of(name: str | None, meta: Any) -> str | None:
    """The tool's name, if the agent tells one."""
    if name:
        return plain(name)
    for vendor in as_object(meta).values():
        told = as_object(vendor)
        call = as_object(told.get("toolCall")) or told
        found, extension = call.get("toolName"), call.get("extensionName")
        if isinstance(found, str) and found:
            return plain(found if extension in _OWN_EXTENSIONS else f"mcp__{extension}__{found}")
    return None


def kind_of(kind: str | None, name: str | None) -> str | None:
    """The kind that the agent tells, unless that says nothing and the name does."""
    return _KINDS.get((name or "").lower(), kind) if kind in (None, "other") else kind
