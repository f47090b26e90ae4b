"""The server on stdin and stdout, for a client that starts it as a program."""

import asyncio
import signal
from collections.abc import Sequence
from typing import Any

from mcp.server.stdio import stdio_server

from holdfast.client import Holdfast
from holdfast.mcp.own import own_session_id
from holdfast.mcp.server import build
from holdfast.mcp.tool import Tool


def run(url: str | None, token: str | None, tools: Sequence[Tool[Any, Any]]) -> None:
    """Serves until stdin is closed; raises ConfigError if it is not clear which server to talk to."""
    # Python would wait for the thread that reads stdin, and so for the next line. There is nothing to put in order.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(_serve(url, token, tools))


async def _serve(url: str | None, token: str | None, tools: Sequence[Tool[Any, Any]]) -> None:
    async with Holdfast(url, token, user_agent="holdfast-mcp", credential_option="--token") as holdfast:
        server = build(holdfast, tools, own_session_id())
        # Whatever prints goes to stderr meanwhile: stdout is the protocol's.
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())
