"""The real agents, each set up to know nothing but the scripted API and a folder of its own.

Nothing of them leaves this machine: no telemetry, no updates, no keyring, dummy keys.
"""

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.conftest import Server

_PACKAGES = Path(__file__).parents[1] / "npm/node_modules"
_CODEX = _PACKAGES / "@zed-industries/codex-acp-linux-x64/bin/codex-acp"
_GOOSE = _PACKAGES / "@aaif/goose-binary-linux-x64/bin/goose"

AgentTable = dict[str, Any]


def claude_environment(folder: Path, url: str, **more: str) -> dict[str, str]:
    """The variables for Claude Code. Its home and its transcripts are below `folder`."""
    return {
        **_home(folder),
        "CLAUDE_CONFIG_DIR": str(folder / "claude"),
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        # With its ten retries a test of an error would take three minutes.
        "CLAUDE_CODE_MAX_RETRIES": "0",
        **more,
    }


@contextlib.contextmanager
def serving_claude(folder: Path, url: str, **environment: str) -> Iterator[Server]:
    """A server whose agent is Claude Code; its data are in `data` and the agent's in `agents` of the folder."""
    server = Server(folder / "data", HOLDFAST_DEFAULT_AGENT="claude", **environment)
    server.config.write_text(settings(claude=claude_agent(folder / "agents", url)))
    try:
        yield server.start()
    finally:
        server.close()


def codex_agent(folder: Path, url: str, **more: str) -> AgentTable:
    """The table [agents.codex]: it asks before each command that the script wants asked."""
    home = folder / "codex"
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text(
        f"""\
model = "gpt-5.4"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
check_for_update_on_startup = false

[model_providers.scripted]
name = "Scripted"
base_url = {json.dumps(url + "/v1")}
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
"""
    )
    return {
        "command": [_program(_CODEX)],
        "env": {**_home(folder), "CODEX_HOME": str(home), "SCRIPTED_API_KEY": "dummy", **more},
    }


def goose_agent(folder: Path, url: str, **more: str) -> AgentTable:
    """The table [agents.goose]: it asks before each call of a tool that changes something."""
    return {
        "command": [_program(_GOOSE), "acp", "--with-builtin", "developer"],
        "env": {
            **_home(folder),
            "GOOSE_PROVIDER": "openai",
            "GOOSE_MODEL": "scripted",
            "GOOSE_MODE": "approve",
            "GOOSE_DISABLE_KEYRING": "1",
            "GOOSE_TELEMETRY_OFF": "true",
            "GOOSE_TELEMETRY_ENABLED": "false",
            # An error is then an error at once, not after seven seconds of retries.
            "GOOSE_PROVIDER_SKIP_BACKOFF": "true",
            "OPENAI_HOST": url,
            "OPENAI_BASE_PATH": "v1/chat/completions",
            "OPENAI_API_KEY": "dummy",
            **more,
        },
    }


def claude_agent(folder: Path, url: str, **more: str) -> AgentTable:
    """The table [agents.claude]: the program is the one that comes with the SDK."""
    return {"kind": "claude", "env": claude_environment(folder, url, **more)}


def settings(**tables: AgentTable) -> str:
    """The settings file of a server that knows these agents."""
    lines: list[str] = []
    for name, table in tables.items():
        lines.append(f"[agents.{name}]")
        # What JSON says of texts, lists and numbers is TOML too.
        lines += [f"{key} = {json.dumps(value)}" for key, value in table.items() if key != "env"]
        lines.append(f"[agents.{name}.env]")
        lines += [f"{key} = {json.dumps(value)}" for key, value in table["env"].items()]
    return "\n".join([*lines, ""])


def _home(folder: Path) -> dict[str, str]:
    """A home of its own, and no proxy: Claude Code would ask it for 127.0.0.1 too."""
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }


def _program(path: Path) -> str:
    assert path.is_file(), "The tests' agents are not installed; `make test` does it."
    return str(path)
