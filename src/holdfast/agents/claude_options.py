"""How the Claude CLI is started for a task: its options, its environment, and what it is told."""

import base64
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions
from claude_agent_sdk._version import __version__ as sdk_version

from holdfast.agents.acp_prompt import unreadable
from holdfast.agents.environment import agent_environment
from holdfast.agents.interface import GivenFile, Task

# A hundred years: by default the CLI deletes transcripts that are a month old.
_SETTINGS = json.dumps({"cleanupPeriodDays": 36_500})
# The task list's tools appear only if they are named.
TASK_TOOLS = ["TaskCreate", "TaskGet", "TaskList", "TaskUpdate"]
_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
# Permissions are never bypassed; what a mode allows beyond the policy still passes the policy.
MODES = ("default", "acceptEdits", "plan", "dontAsk", "auto")
DISPLAY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "output": {"type": "string", "description": "What the user asked for, in Markdown."},
        "error": {"type": "string", "description": "What went wrong, if anything did; else empty."},
        "comments": {"type": "string", "description": "Remarks beside the output; else empty."},
        "result_files": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Paths of files made or changed.",
        },
        "status": {"type": "string", "enum": ["COMPLETE", "PARTIAL", "FAILED"]},
    },
    "required": ["output", "error", "comments", "result_files", "status"],
    "additionalProperties": False,
}


def options_for(task: Task, *, resume: bool, **callbacks: Any) -> ClaudeAgentOptions:
    """`resume`: take up (or fork from) the agent's stored session. Never both ids, unless a fork names its own."""
    ids: dict[str, Any]
    if resume and task.fork:
        ids = {
            "resume": task.agent_session_id,
            "fork_session": True,
            "session_id": task.new_session_id,
            "resume_session_at": task.resume_at,
        }
    elif resume:
        ids = {"resume": task.agent_session_id}
    else:
        ids = {"session_id": task.agent_session_id or task.new_session_id}
    schema = task.output_schema or (DISPLAY_SCHEMA if task.output_display else None)
    # By default a command may ask to be run outside of it, and one inside is allowed without asking: neither is ours.
    sandbox: dict[str, Any] = {
        "enabled": True,
        "failIfUnavailable": True,
        "allowUnsandboxedCommands": False,
        "autoAllowBashIfSandboxed": False,
    }
    return ClaudeAgentOptions(
        system_prompt={"type": "preset", "preset": "claude_code"},
        cwd=task.cwd,
        cli_path=task.command[0] if task.command else None,
        setting_sources=task.setting_sources,  # pyright: ignore[reportArgumentType] - checked where they were given
        settings=_SETTINGS,
        permission_mode=task.mode or "default",  # pyright: ignore[reportArgumentType]
        model=task.model,
        max_turns=task.limits.max_turns,
        max_budget_usd=task.limits.max_budget_usd,
        add_dirs=sorted({str(Path(file.path).parent) for file in task.files}),
        include_partial_messages=True,
        forward_subagent_text=True,
        output_format={"type": "json_schema", "schema": schema} if schema else None,
        sandbox=sandbox if task.sandbox else None,  # pyright: ignore[reportArgumentType]
        session_store_flush="eager",
        **ids,
        **callbacks,
    )


def unknown_choice(task: Task) -> str | None:
    """What the user chose and the CLI does not have; permissions are never bypassed, so that mode is none."""
    if task.mode is not None and task.mode not in MODES:
        return f"Claude Code has no mode {task.mode!r} here; there are: {', '.join(MODES)}"
    if task.options:
        return f"Claude Code has no option {next(iter(task.options))!r}; it has none at all"
    return None


def environment_for(task: Task, own: Mapping[str, str]) -> dict[str, str]:
    """From an allow-list. Background work is off: when a run ends, nothing of it is left to come back to."""
    return {
        "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
        "DISABLE_AUTOUPDATER": "1",
        **agent_environment(own, extra=task.environment, names=task.pass_environment),
        "CLAUDE_CODE_ENTRYPOINT": "sdk-py",
        "CLAUDE_AGENT_SDK_VERSION": sdk_version,
        "PWD": task.cwd,
    }


def prompt_of(task: Task, *, is_fresh: bool) -> tuple[str, list[dict[str, Any]]]:
    """The text, and the blocks before it: images and PDFs are shown to the model, other files named to it. Raises
    CannotStart for a file that cannot be read."""
    blocks: list[dict[str, Any]] = []
    named: list[str] = []
    for file in task.files:
        if file.media_type in _IMAGES:
            blocks.append({"type": "image", "source": _source(file)})
        elif file.media_type == "application/pdf":
            blocks.append({"type": "document", "source": _source(file), "title": file.name})
        else:
            named.append(f"- {file.path}")
    text = (task.fresh_text if is_fresh else None) or task.text
    if named:
        text = "\n".join([text, "", "Attached files:", *named])
    return text, blocks


def _source(file: GivenFile) -> dict[str, Any]:
    try:
        data = base64.b64encode(Path(file.path).read_bytes()).decode("ascii")
    except OSError as error:
        raise unreadable(file, error) from error
    return {"type": "base64", "media_type": file.media_type, "data": data}


def config_folder(environment: Mapping[str, str]) -> Path:
    """Where the CLI keeps its transcripts."""
    given = environment.get("CLAUDE_CONFIG_DIR")
    return Path(given) if given else Path(environment.get("HOME") or os.path.expanduser("~")) / ".claude"  # noqa: PTH111
