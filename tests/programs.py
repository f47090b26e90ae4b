"""Programs that a test writes and puts where agents are looked for: real files, run as real processes."""

import sys
import textwrap
from pathlib import Path

# What an agent of ours answers to `initialize`, as the protocol has it.
INITIALIZED = {
    "protocolVersion": 1,
    "agentInfo": {"name": "scripted", "title": "Scripted", "version": "3.2.1"},
    "agentCapabilities": {
        "loadSession": True,
        "promptCapabilities": {"image": True, "embeddedContext": False},
        "mcpCapabilities": {"http": True},
        "sessionCapabilities": {"resume": {}, "list": {}},
    },
    "authMethods": [
        {"id": "browser", "name": "In the browser"},
        {"id": "key", "name": "API key", "description": "Set SOME_KEY", "type": "env_var"},
        {"name": "without an id"},
    ],
}

_ACP = """
import json, os, sys
if "--version" in sys.argv:
    print("scripted 3.2.1 (x86)")
    sys.exit(0)
{before}
for line in sys.stdin:
    request = json.loads(line)
    if request.get("method") == "initialize":
        print(json.dumps({{"jsonrpc": "2.0", "id": request["id"], "result": {answer!r}}}), flush=True)
"""

# The other side of the SDK's control protocol, as far as it goes before the first prompt.
_CLAUDE = """
import json, os, sys
if "--version" in sys.argv or "-v" in sys.argv:
    print("2.9.9 (Claude Code)")
    sys.exit(0)
{before}
for line in sys.stdin:
    request = json.loads(line)
    if request.get("type") == "control_request":
        answer = {{"account": {account!r}, "claude_code_version": "2.9.9", "models": [{{"value": "best"}}]}}
        response = {{"subtype": "success", "request_id": request["request_id"], "response": answer}}
        print(json.dumps({{"type": "control_response", "response": response}}), flush=True)
"""


def program(folder: Path, name: str, source: str) -> Path:
    """An executable file of that name; standard library only, so that it starts in 20 ms."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!{sys.executable} -IS\n{textwrap.dedent(source)}")
    path.chmod(0o755)
    return path


def acp_program(folder: Path, name: str, *, before: str = "", answer: object = INITIALIZED) -> Path:
    """An agent that answers `initialize` and nothing else; `before` is what it does first."""
    return program(folder, name, _ACP.format(before=textwrap.dedent(before), answer=answer))


def claude_program(folder: Path, account: dict[str, str], *, before: str = "") -> Path:
    """A `claude` that tells this account."""
    return program(folder, "claude", _CLAUDE.format(before=textwrap.dedent(before), account=account))
