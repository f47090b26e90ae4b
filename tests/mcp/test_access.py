"""Who may use the tools, and whose sessions they see."""

import httpx
import pytest
from mcp.shared.exceptions import MCPError

from tests.client import Client
from tests.conftest import TOKEN, Server
from tests.mcp.tools import connected
from tests.runs.agents import ADA

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"accept": "application/json, text/event-stream"}


def asked(server: Server, method: str = "POST", **headers: str) -> httpx.Response:
    return httpx.request(
        method, f"{server.url}/mcp", json=LIST if method == "POST" else None, headers={**ACCEPT, **headers}, timeout=60
    )


@pytest.mark.requirement("R052")
def test_without_a_credential_nothing_is_offered(house: Server) -> None:
    for headers in ({}, {"authorization": "Bearer wrong"}, {"x-api-key": "wrong"}):
        answer = asked(house, **headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
        assert "bearer" in answer.headers["www-authenticate"].lower()
    assert asked(house, authorization=f"Bearer {TOKEN}").status_code == 200


def test_another_site_gets_nowhere(house: Server) -> None:
    cookie = f"holdfast_token={TOKEN}"
    for headers in ({"cookie": cookie}, {"cookie": cookie, "origin": "http://evil.example"}):
        answer = asked(house, **headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden_origin")
    answer = asked(house, host="evil.example", authorization=f"Bearer {TOKEN}")
    assert (answer.status_code, answer.json()["code"]) == (421, "wrong_host")


def test_there_are_no_sessions_of_the_protocol_to_listen_to_or_to_end(house: Server) -> None:
    for method in ("GET", "DELETE"):
        answer = asked(house, method, authorization=f"Bearer {TOKEN}")
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    answer = asked(house, authorization=f"Bearer {TOKEN}")
    assert "mcp-session-id" not in answer.headers


def test_what_is_no_message_of_the_protocol_is_refused(house: Server) -> None:
    headers = {**ACCEPT, "authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
    answer = httpx.post(f"{house.url}/mcp", content=b"{", headers=headers, timeout=60)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, -32700)


@pytest.mark.anyio
@pytest.mark.requirement("R053")
async def test_the_sessions_of_others_are_not_there(house: Server, local: Client) -> None:
    asking = local.run_task("ask")
    request = local.until(asking, "permission_request")["data"]["request_id"]
    async with connected(house, token=ADA) as tools:
        assert asking not in str(await tools.call("list_sessions", limit=100))
        assert asking not in str(await tools.call("list_waiting"))
        assert asking not in str((await tools.client.list_resources()).resources)
        for name, arguments in (
            *((name, {}) for name in ("show_session", "watch_session", "read_session")),
            *((name, {}) for name in ("cancel_session", "pause_session", "resume_session")),
            *((name, {"task": "x"}) for name in ("send_task", "fork_session")),
            ("answer", {"request_id": request, "decision": "allow_once"}),
        ):
            code, detail = await tools.refused(name, session_id=asking, **arguments)
            assert (code, detail) == ("not_found", f"There is no session {asking!r}")
        with pytest.raises(MCPError, match="not_found: There is no session"):
            await tools.client.read_resource(f"holdfast://sessions/{asking}")
        own = await tools.start("tools 1")
        assert own in str(await tools.call("list_sessions"))
    assert local.get(f"/sessions/{own}").status_code == 404
    assert local.record(asking)["status"] == "waiting"
    local.post(f"/sessions/{asking}/cancel")


@pytest.mark.anyio
async def test_over_stdio_a_wrong_token_is_told_by_the_tools(house: Server) -> None:
    async with connected(house, "stdio", token="wrong") as tools:
        code, detail = await tools.refused("list_sessions")
    assert code == "unauthorized"
    assert "--token or HOLDFAST_TOKEN" in detail
    assert "wrong" not in detail
