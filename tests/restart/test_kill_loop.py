"""kill -9 again and again, at any moment, while sessions start, work, end and are continued.

HOLDFAST_KILLS=200 runs the full bar; by default there are fewer, because each costs a start of the server.
"""

import asyncio
import json
import os
import random
import sqlite3
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.client import TERMINAL
from tests.conftest import TOKEN, Server
from tests.processes import eventually
from tests.restart.readers import Reader, number

KILLS = int(os.environ.get("HOLDFAST_KILLS") or 15)
# What the agents do, and how many tool calls that makes; all end by themselves. At full speed there is nearly always
# something that is committed and not yet acknowledged, which the keeper then has to send again.
TASKS = {
    "tools 6000": 6000,
    "tools 150 slow 1.5": 150,
    "flood 400 slow 1": 0,
    "tools 40 crash 3": 40,
    "tools 5": 5,
    "flood 30 tools 300": 300,
}
AT_ONCE = 5


class Client:
    """Starts sessions with a key each, and asks again until it has heard the answer."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._http = httpx.AsyncClient(
            base_url=f"{server.url}/api/v1", headers={"authorization": f"Bearer {TOKEN}"}, timeout=10
        )
        self.started: dict[str, str] = {}  # session id → its task
        self.readers: list[Reader] = []
        self.following: set[asyncio.Task[None]] = set()
        self.is_done = False

    async def keep_starting(self) -> None:
        keys = 0
        while not self.is_done:
            if len(self.following) >= AT_ONCE:
                await asyncio.sleep(0.02)
                continue
            keys += 1
            task = random.choice(list(TASKS))
            session_id = await self._start(f"key {keys}", task)
            assert session_id not in self.started, "one key, one session"
            self.started[session_id] = task
            reader = Reader(self._server, session_id)
            self.readers.append(reader)
            following = asyncio.ensure_future(reader.follow())
            self.following.add(following)
            following.add_done_callback(self.following.discard)

    async def _start(self, key: str, task: str) -> str:
        while True:
            try:
                answer = await self._http.post("/sessions/run", json={"task": task}, headers={"idempotency-key": key})
            except httpx.TransportError:
                await asyncio.sleep(0.02)
                continue
            assert answer.status_code == 200, answer.text
            return answer.json()["session_id"]

    async def records(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        query: dict[str, Any] = {"limit": 200}
        while True:
            page = (await self._http.get("/sessions", params=query)).json()
            found += page["sessions"]
            if "next" not in page:
                return found
            query["before"] = page["next"]

    async def close(self) -> None:
        await self._http.aclose()


def check_store(server: Server) -> None:
    with sqlite3.connect(server.data / "holdfast.db") as store:
        assert store.execute("pragma integrity_check").fetchall() == [("ok",)]


def check_transcript(frames: list[bytes], task: str) -> None:
    assert [number(frame) for frame in frames] == list(range(1, len(frames) + 1)), task
    events = [json.loads(frame.partition(b"data: ")[2]) for frame in frames]
    kinds = [event["type"] for event in events]
    assert kinds[:2] == ["user_message", "session_connect"], task
    assert [kind for kind in kinds if kind in TERMINAL] == [kinds[-1]], task
    assert kinds.count("agent_start") == 1
    # Nobody has touched the agents or their keepers: each has worked to its own end, with nothing left out.
    assert events[-1]["data"]["stop_reason"] == ("process_exit" if "crash" in task else "success"), task
    assert kinds.count("tool_start") == kinds.count("tool_complete") == TASKS[task]
    texts = [event["data"] for event in events if event["type"] == "message"]
    pieces = "".join(text["text"] for text in texts if text["is_partial"])
    assert pieces == "".join(text["text"] for text in texts if not text["is_partial"]), task
    if "flood" in task:
        assert pieces.startswith("".join(f"word-{n} " for n in range(1, int(task.split()[1]) + 1))), task


@pytest.mark.anyio
@pytest.mark.timeout(60 + 20 * KILLS)
@pytest.mark.requirement("R023", "R059", "R063", "R081", "R137", "R143", "R144")
@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
async def test_no_kill_at_any_moment_loses_doubles_or_blocks_anything(
    make_server: Callable[..., Server], request: pytest.FixtureRequest, store: str
) -> None:
    settings = {} if store == "sqlite" else {"HOLDFAST_STORE": request.getfixturevalue("postgres")()}
    server = make_server(**settings)
    await asyncio.to_thread(server.start)
    client = Client(server)
    starting = asyncio.ensure_future(client.keep_starting())
    for kill in range(KILLS if store == "sqlite" else KILLS // 5):
        # At times in the middle of its start, before it listens.
        await asyncio.sleep(random.uniform(0, 0.8))
        await asyncio.to_thread(server.kill)
        if store == "sqlite" and kill % 5 == 0:
            await asyncio.to_thread(check_store, server)
        server.start(wait=False)
        if random.random() < 0.8:
            await asyncio.to_thread(server.wait_ready, 60)
        assert not starting.done() or starting.result()
    await asyncio.to_thread(server.wait_ready, 60)
    # Kills that came too fast let too few sessions start.
    await asyncio.to_thread(eventually, lambda: len(client.readers) >= 3, 60, "enough sessions")
    client.is_done = True
    await asyncio.wait_for(starting, 60)
    await asyncio.wait_for(asyncio.gather(*client.following), 120)

    assert len(client.readers) >= 3
    for reader in client.readers:
        check_transcript(reader.frames, client.started[reader.session_id])
    records = await client.records()
    assert {record["session_id"] for record in records} == client.started.keys()
    assert {record["status"] for record in records} <= {"complete", "failed"}
    again = [Reader(server, reader.session_id) for reader in client.readers]
    for reader, fresh in zip(client.readers, again, strict=True):
        await asyncio.wait_for(fresh.follow(), 30)
        assert fresh.frames == reader.frames
    await client.close()
    await asyncio.to_thread(server.stop)
    if store == "sqlite":
        check_store(server)
    eventually(lambda: not server.below(), 15, "the end of all keepers")
