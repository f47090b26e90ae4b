"""The protocol's own SDK as a client over HTTP and WebSocket: what others build on it works here."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import acp
import httpx
import pytest
from acp.client import ClientSideConnection
from acp.http import create_http_stream
from acp.ws import create_websocket_stream

from tests.acp.sdk import SdkClient
from tests.client import Client
from tests.conftest import TOKEN, Server

pytestmark = pytest.mark.anyio
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@asynccontextmanager
async def over_http(url: str, client: SdkClient) -> AsyncIterator[ClientSideConnection]:
    async with httpx.AsyncClient(timeout=30, headers=HEADERS, verify=False) as http:
        connection = acp.connect_to_agent(client, create_http_stream(f"{url}/acp", client=http))
        try:
            yield connection
        finally:
            await connection.close()


@asynccontextmanager
async def over_a_socket(url: str, client: SdkClient) -> AsyncIterator[ClientSideConnection]:
    stream = await create_websocket_stream(f"{url.replace('http', 'ws')}/acp", headers=HEADERS)
    connection = acp.connect_to_agent(client, stream)
    try:
        yield connection
    finally:
        await connection.close()


@pytest.mark.parametrize("open_", [over_http, over_a_socket])
async def test_the_sdk_works_in_a_session_and_another_of_it_loads_it(
    house: Server, client: Client, tmp_path: Path, open_: Callable[..., Awaitable[ClientSideConnection]]
) -> None:
    cwd = str(tmp_path)
    first, second = SdkClient(), SdkClient()
    async with open_(house.url, first) as agent:
        await agent.initialize(protocol_version=1)
        session_id = (await agent.new_session(cwd=cwd, mcp_servers=[])).session_id
        answer = await agent.prompt(session_id=session_id, prompt=[acp.text_block("tools 2 ask")])
        assert answer.stop_reason == "end_turn"
        assert len(first.asked) == 1
        with pytest.raises(acp.RequestError) as refused:
            await agent.set_session_mode(session_id=session_id, mode_id="reckless")
        assert refused.value.code == -32602
    assert client.record(session_id)["status"] == "complete"
    async with open_(house.url, second) as agent:
        await agent.initialize(protocol_version=1)
        await agent.load_session(session_id=session_id, cwd=cwd, mcp_servers=[])
        answer = await agent.prompt(session_id=session_id, prompt=[acp.text_block("tools 1")])
        assert answer.stop_reason == "end_turn"
        calls = [update for update in second.updates if update.session_update == "tool_call"]
        assert len(calls) == 4, "of both runs"
