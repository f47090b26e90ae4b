"""The tool that waits: it misses nothing, tells that it is alive, ends when it is to, and survives its server."""

import asyncio
from collections.abc import Callable

import httpx
import pytest

from holdfast.client import Holdfast, Session
from holdfast.mcp.call import Call
from holdfast.mcp.watching import WatchSession, watch_session
from tests.client import Client
from tests.conftest import TOKEN, Server
from tests.mcp.tools import MODES, PATIENCE_S, Tools, Way, connected, entries

LONG = "tools 2 slow 600"


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not await asyncio.to_thread(is_so):  # noqa: ASYNC110 - it is the server's, which tells nobody
            await asyncio.sleep(0.05)


def streams(client: Client) -> int:
    return client.get("/health").json()["streams"]


async def until_streams(client: Client, count: int) -> None:
    """Waits until the server has so many; it may take it a while to notice that a reader has gone."""
    await until(lambda: streams(client) == count)


class Watching:
    """A call of watch_session that is under way, and what it has told of its progress."""

    def __init__(self, tools: Tools, session_id: str, **arguments: object) -> None:
        self.told: list[tuple[float, float | None, str | None]] = []
        self._is_heard = asyncio.Event()
        given = {"session_id": session_id, "wait_s": 60, **arguments}
        self.task = asyncio.ensure_future(
            tools.client.call_tool("watch_session", given, progress_callback=self._progress)
        )

    async def _progress(self, progress: float, total: float | None, message: str | None) -> None:
        self.told.append((progress, total, message))
        self._is_heard.set()

    async def heard(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self._is_heard.wait()


@pytest.mark.anyio
async def test_a_wait_without_news_ends_in_its_time_and_says_so(house: Server, local: Client) -> None:
    session_id = local.run_task("hang")
    local.until(session_id, "agent_start")
    head = local.record(session_id)["head"]
    async with connected(house) as tools:
        digest = await tools.call("watch_session", session_id=session_id, after=head, wait_s=0.1)
    assert (digest["status"], digest["entries"], digest["next_after"]) == ("running", [], head)
    assert digest["note"] == "Nothing new so far; call again with after=next_after."
    assert "end" not in digest
    local.post(f"/sessions/{session_id}/cancel")


@pytest.mark.anyio
async def test_a_long_log_comes_in_several_answers_without_a_hole(house: Server, local: Client) -> None:
    session_id = local.run_task("tools 150")
    local.end_of(session_id)
    async with connected(house) as tools:
        digests = await tools.digests(session_id)
        whole = await tools.call("read_session", session_id=session_id, limit=200)
        rest = await tools.call("read_session", session_id=session_id, limit=200, after=whole["next_after"])
    assert [digest.get("more", False) for digest in digests] == [True, False]
    told = [(entry["sequence"], entry["kind"]) for entry in entries(digests)]
    assert told == [(entry["sequence"], entry["kind"]) for entry in whole["entries"] + rest["entries"]]
    assert sum(kind == "tool_call" for _, kind in told) == 150


@pytest.mark.anyio
@pytest.mark.parametrize(("way", "mode"), [("stdio", MODES[0]), ("stdio", MODES[1]), ("http", MODES[0])])
async def test_it_tells_that_it_waits_and_a_call_that_is_given_up_leaves_nothing_but_the_run(
    house: Server, local: Client, way: Way, mode: str
) -> None:
    session_id = local.run_task("hang")
    local.until(session_id, "agent_start")
    head = local.record(session_id)["head"]
    await until_streams(local, 0)
    async with connected(house, way, mode=mode) as tools:
        watching = Watching(tools, session_id, after=head)
        await watching.heard()
        assert watching.told[0][1:] == (60, "waiting")
        await until_streams(local, 1)
        watching.task.cancel()
        await until_streams(local, 0)
        assert (await tools.call("show_session", session_id=session_id))["status"] == "running"
        await tools.call("cancel_session", session_id=session_id)


@pytest.mark.anyio
@pytest.mark.requirement("R144")
async def test_a_wait_over_stdio_goes_on_through_a_kill_of_the_server(server: Server) -> None:
    async with connected(server, "stdio") as tools:
        workspace = server.data.parent / "workspace"
        workspace.mkdir()
        session_id = await tools.start("tools 4 slow 8", workspace=str(workspace))
        watching = Watching(tools, session_id, until="done")
        await watching.heard()
        await asyncio.to_thread(server.kill)
        code, detail = await tools.refused("show_session", session_id=session_id)
        assert (code, server.url in detail) == ("unreachable", True)
        assert (await tools.refused("start_session", task="x"))[0] == "unreachable"
        await asyncio.to_thread(server.start)
        result = await watching.task
        digests = [result.structured_content or {}]
        if "end" not in digests[-1]:
            digests += await tools.digests(session_id, digests[-1]["next_after"], until="done")
        assert digests[-1]["end"]["stop_reason"] == "success"
        assert [entry["kind"] for entry in entries(digests)] == ["message", "end"]


@pytest.mark.anyio
@pytest.mark.parametrize("way", ["stdio", "http"])
async def test_who_waits_while_the_server_stops_learns_of_it(make_server: Callable[..., Server], way: Way) -> None:
    server = make_server().start("--keep-agents")
    async with connected(server, way) as tools:
        session_id = await tools.start(LONG)
        [*_, digest] = await tools.digests(session_id, to="waiting_on", wait_s=1)
        with server.client() as client:
            await until_streams(client, 0)
            watching = Watching(tools, session_id, after=digest["next_after"], until="done")
            await watching.heard()
            await until_streams(client, 1)
        assert await asyncio.to_thread(server.stop, 45) == 0
        result = await watching.task
        assert not result.is_error, result.content
        told = result.structured_content or {}
        assert told["status"] in ("running", "pending")
        assert "end" not in told
        await asyncio.to_thread(server.start)
        after = told["next_after"]
        assert (await tools.call("cancel_session", session_id=session_id))["status"] == "cancelled"
        assert [entry["kind"] for entry in entries(await tools.digests(session_id, after, until="done"))] == ["end"]


def test_a_wait_ends_with_its_connection(house: Server, local: Client) -> None:
    session_id = local.run_task("hang")
    local.until(session_id, "agent_start")
    asyncio.run(until_streams(local, 0))
    call = {"name": "watch_session", "arguments": {"session_id": session_id, "after": 3, "wait_s": 60}}
    message = {"id": 1, "method": "tools/call", "params": {**call, "_meta": {"progressToken": 1}}}
    headers = {**local.headers, "accept": "application/json, text/event-stream"}
    with httpx.stream(
        "POST", f"{house.url}/mcp", json={"jsonrpc": "2.0", **message}, headers=headers, timeout=PATIENCE_S
    ) as answer:
        lines = answer.iter_lines()
        assert "notifications/progress" in next(line for line in lines if line.startswith("data:"))
        asyncio.run(until_streams(local, 1))
    asyncio.run(until_streams(local, 0))
    assert local.post(f"/sessions/{session_id}/cancel").json()["status"] == "cancelled"
    assert "a request failed" not in house.log.read_text()


@pytest.mark.anyio
async def test_no_end_is_told_before_what_led_to_it(
    house: Server, local: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that ends between the last news of a wait and the look at its record."""
    session_id = local.run_task("ask")
    asked = local.until(session_id, "permission_request")

    async def tell(*_: object) -> None:
        pass

    async def follow(_: object, session: Session) -> None:
        await session.answer(asked["data"]["request_id"], "allow_once")
        await session.end()

    monkeypatch.setattr("holdfast.mcp.watching._Watch.follow", follow)
    async with Holdfast(house.url, TOKEN) as holdfast:
        digest = await watch_session(
            Call(holdfast=holdfast, tell=tell), WatchSession(session_id=session_id, after=asked["sequence"])
        )
    assert digest.end is not None
    assert digest.next_after == local.record(session_id)["head"]
    assert digest.entries[-1].kind == "end"
