"""How the tests use the tools: through the SDK's own client, which checks every answer against the tool's schema."""

import contextlib
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Literal

import httpx2
from mcp import Client as McpClient
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import TOKEN, Server

Way = Literal["stdio", "http"]
# The protocol's newest version, and the handshake of those before it.
MODES = ("2026-07-28", "legacy")
PATIENCE_S = 60


class Tools:
    """The tools as functions: what they answer, or the code and the words of what they refuse."""

    def __init__(self, client: McpClient) -> None:
        self.client = client

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(name, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content

    async def refused(self, name: str, **arguments: Any) -> tuple[str, str]:
        result = await self.client.call_tool(name, arguments)
        assert result.is_error, result.structured_content
        told = result.structured_content
        assert told is not None
        [text] = result.content
        assert getattr(text, "text", None) == f"{told['code']}: {told['detail']}", "a model reads the same"
        return told["code"], told["detail"]

    async def start(self, task: str, **config: Any) -> str:
        return (await self.call("start_session", task=task, **config))["session_id"]

    async def digests(
        self, session_id: str, after: int = 0, *, to: str = "end", **arguments: Any
    ) -> list[dict[str, Any]]:
        """Watches again and again until the run has ended (`end`) or its agent asks for something (`requests`)."""
        found: list[dict[str, Any]] = []
        while not (found and to in found[-1] and "more" not in found[-1]):
            digest = await self.call("watch_session", session_id=session_id, after=after, **arguments)
            assert digest["next_after"] >= after
            after = digest["next_after"]
            found.append(digest)
        return found


def entries(digests: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [entry for digest in digests for entry in digest["entries"]]


@contextlib.asynccontextmanager
async def connected(
    server: Server,
    way: Way = "http",
    *,
    mode: str = "auto",
    token: str = TOKEN,
    flags: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> AsyncIterator[Tools]:
    if way == "http":
        headers = {"authorization": f"Bearer {token}"}
        # There is no TLS here; to load certificates takes a while. The first request waits for the SDK in the server.
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE_S, verify=False, trust_env=False) as http:
            transport = streamable_http_client(f"{server.url}/mcp", http_client=http)
            async with McpClient(transport, mode=mode) as client:
                yield Tools(client)
        return
    own = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "holdfast", "mcp", "--url", server.url, *flags],
        env={**own, "HOLDFAST_TOKEN": token, **(environ or {})},
    )
    with tempfile.TemporaryFile("w+") as stderr:
        async with McpClient(stdio_client(parameters, stderr), mode=mode) as client:
            yield Tools(client)
        stderr.seek(0)
        assert stderr.read() == "", "nothing went wrong in there"
