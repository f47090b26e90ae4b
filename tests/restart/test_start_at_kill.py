"""A task that was accepted at the moment of a kill: it is started by the next server or has its end, never stuck."""

import contextlib
import os
import random
import secrets
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import msgspec
import pytest

from holdfast.events import UserMessage
from holdfast.log.appends import NewRun, NewSession
from holdfast.log.log import Log
from holdfast.log.store import open_store
from holdfast.sessions.orders import Order
from holdfast.sessions.session import Session
from holdfast.stream.sse import frame
from tests.client import TERMINAL
from tests.conftest import Server
from tests.processes import eventually, is_alive


async def accept(data: Path, session_id: str, task: str) -> None:
    """What a server does before it starts an agent, and no more: its last act."""
    os.makedirs(data, mode=0o700, exist_ok=True)
    log = Log(open_store(f"sqlite:///{data / 'holdfast.db'}"), frame)
    await log.open()
    workspace = str(data / "sessions" / session_id / "workspace")
    order = Order(agent="demo", workspace=workspace, text=task, shown=task)
    new = NewSession(id=session_id, user_id="local", project_id=None, agent="demo", workspace=workspace)
    run = NewRun(
        number=1,
        secret=secrets.token_urlsafe(32),
        spec=msgspec.json.encode(order),
        agent="demo",
        workspace=workspace,
    )
    await Session.create(log, new, UserMessage(text=task), run, None)
    await log.close()


@pytest.mark.anyio
@pytest.mark.requirement("R143", "R002")
async def test_a_task_that_was_committed_and_never_started_is_started_by_the_next_server(
    make_server: Callable[..., Server],
) -> None:
    server = make_server()
    await accept(server.data, "11111111-1111-4111-8111-111111111111", "tools 3")
    server.start()
    with server.client() as client:
        events = client.follow("11111111-1111-4111-8111-111111111111")
        assert [event["type"] for event in events[:3]] == ["user_message", "session_connect", "agent_start"]
        assert sum(event["type"] == "tool_complete" for event in events) == 3
        assert events[-1]["data"]["stop_reason"] == "success"


@pytest.mark.anyio
@pytest.mark.requirement("R143", "R063", "R136")
async def test_a_keeper_that_died_before_it_could_say_anything_leaves_an_interrupted_session(
    make_server: Callable[..., Server],
) -> None:
    server = make_server()
    await accept(server.data, "11111111-1111-4111-8111-111111111111", "tools 3")
    folder = server.data / "runs" / "11111111-1111-4111-8111-111111111111-1"
    folder.mkdir(parents=True)
    (folder / "spec.json").write_bytes(b"{}")
    (folder / "claimed").touch()
    server.start()
    with server.client() as client:
        events = client.follow("11111111-1111-4111-8111-111111111111")
        assert [event["type"] for event in events] == ["user_message", "error"]
        assert (events[-1]["data"]["stop_reason"], events[-1]["data"]["resumable"]) == ("interrupted", False)
        assert client.get("/sessions/recoverable").json() == {"sessions": []}
        assert not folder.exists()
        client.next_task("11111111-1111-4111-8111-111111111111", "tools 1")
        assert client.end_of("11111111-1111-4111-8111-111111111111")["data"]["stop_reason"] == "success"


@pytest.mark.anyio
@pytest.mark.requirement("R143", "R001")
async def test_a_run_whose_keeper_never_came_to_life_is_started_by_the_next_server(
    make_server: Callable[..., Server],
) -> None:
    """The server before was killed in the very moment of starting the keeper."""
    server = make_server()
    await accept(server.data, "22222222-2222-4222-8222-222222222222", "tools 3")
    folder = server.data / "runs" / "22222222-2222-4222-8222-222222222222-1"
    folder.mkdir(parents=True)
    (folder / "spec.json").write_bytes(b"{}")
    server.start()
    with server.client() as client:
        events = client.follow("22222222-2222-4222-8222-222222222222")
        assert [event["type"] for event in events][:3] == ["user_message", "session_connect", "agent_start"]
        assert events[-1]["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R143", "R001", "R064")
def test_no_start_is_stuck_however_close_the_kill_was(server: Server) -> None:
    """Each key is one run, even if the client never heard the answer and asks again."""
    answers: dict[str, str] = {}

    def start(key: str) -> None:
        with contextlib.suppress(httpx.TransportError), server.client() as client:
            body = {"task": "tools 2", "config": {}}
            answer = client.post("/sessions/run", json=body, headers={"idempotency-key": key})
            answers[key] = answer.json()["session_id"]

    keys = [f"key {number}" for number in range(12)]
    for round_ in range(3):
        threads = [threading.Thread(target=start, args=(key,)) for key in keys[4 * round_ : 4 * round_ + 4]]
        for thread in threads:
            thread.start()
        threading.Event().wait(random.uniform(0, 0.06))
        server.kill()
        for thread in threads:
            thread.join(40)
        server.start()
    heard = dict(answers)
    for key in keys:
        start(key)
    assert {key: answers[key] for key in heard} == heard
    assert len(set(answers.values())) == len(keys)
    with server.client() as client:
        listed = {record["session_id"] for record in client.get("/sessions?limit=200").json()["sessions"]}
        assert listed == set(answers.values())
        for session_id in listed:
            events = client.follow(session_id)
            assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
            assert [event["type"] for event in events if event["type"] in TERMINAL] == ["agent_complete"]
            assert sum(event["type"] == "tool_complete" for event in events) == 2
    eventually(lambda: not server.below(), 15, "the end of all keepers")
    assert is_alive(server.pid)
