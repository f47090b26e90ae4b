"""What the shell completes for who presses Tab: ids, agents and profiles, as the server knows them.

Rule: a person is in the middle of typing. A server that is slow, away or refuses completes nothing, and not a word is
said about it.
"""

import asyncio
from typing import Any

import typer

from holdfast.cli import asked
from holdfast.cli.text import one_line
from holdfast.client import Holdfast
from holdfast.errors import HoldfastError

# Longer than any server of this machine takes, shorter than a person waits.
PATIENCE_S = 1.0
SESSIONS = 100

Completions = list[tuple[str, str]]


def sessions(context: typer.Context, incomplete: str) -> Completions:
    """The newest sessions by their short ids, as `ls` shows them, unless somebody has begun to type a longer one."""
    found = _ask(context, "/sessions", limit=SESSIONS).get("sessions", [])
    length = 8 if len(incomplete) <= 8 else None
    return [(record["session_id"][:length], f"{record['status']} · {one_line(record['task'], 50)}") for record in found]


def waiting(context: typer.Context, incomplete: str) -> Completions:
    """Those that wait for an answer."""
    found = _ask(context, "/permissions").get("permissions", [])
    return [(entry["session_id"][:8], asked.headline(entry["type"], entry["request"])) for entry in found]


def agents(context: typer.Context, incomplete: str) -> Completions:
    found = _ask(context, "/agents").get("agents", [])
    return [(info["name"], one_line(info["title"], 50)) for info in found if info["installed"]]


def profiles(context: typer.Context, incomplete: str) -> Completions:
    found = _ask(context, "/profiles").get("profiles", [])
    return [(info["name"], one_line(info["description"], 70)) for info in found]


def projects(context: typer.Context, incomplete: str) -> Completions:
    found = _ask(context, "/projects").get("projects", [])
    return [(info["project_id"], f"{info['status']} · {one_line(info['task'], 50)}") for info in found]


def webhooks(context: typer.Context, incomplete: str) -> Completions:
    return [(hook["id"], one_line(hook["url"], 70)) for hook in _ask(context, "/webhooks").get("webhooks", [])]


def _ask(context: typer.Context, path: str, **query: Any) -> dict[str, Any]:
    async def ask() -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE_S):
            async with Holdfast(context.params.get("url"), context.params.get("token")) as holdfast:
                return await holdfast.request("GET", path, query=query)

    try:
        return asyncio.run(ask())
    except (HoldfastError, TimeoutError):
        return {}
