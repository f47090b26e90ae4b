"""A run in which nothing happens says so, once for each silence, and its record tells what it waits for."""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.runs.agents import configure


@pytest.fixture(scope="module")
def watchful_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Calls a second and a half a silence: longer than an agent needs to start on a busy machine."""
    server = Server(tmp_path_factory.mktemp("watchful") / "data", HOLDFAST_STALL_S="1.5")
    try:
        yield configure(server).start()
    finally:
        server.close()


@pytest.fixture
def watchful(watchful_server: Server) -> Iterator[Client]:
    with watchful_server.client() as client:
        yield client


def stalls(client: Client, session_id: str, *, after: int) -> list[dict[str, Any]]:
    """Those after a position: on a busy machine an agent that is being started may be called stalled as well."""
    found = [event for event in client.history(session_id) if event["type"] == "stalled"]
    return [event["data"] for event in found if event["sequence"] > after]


def silences(events: list[dict[str, Any]]) -> list[float]:
    """How long nothing had happened, by the log, before each word of a stall."""
    at = [datetime.fromisoformat(event["timestamp"]) for event in events]
    pairs = zip(events[1:], pairwise(at), strict=True)
    return [(now - before).total_seconds() for event, (before, now) in pairs if event["type"] == "stalled"]


def cancel(client: Client, session_id: str) -> None:
    assert client.post(f"/sessions/{session_id}/cancel").json()["status"] == "cancelled"


def test_an_agent_that_hangs_is_said_to_be_stalled_once(watchful: Client) -> None:
    session_id = watchful.run_task("hang")
    start = watchful.until(session_id, "agent_start")
    stalled = watchful.until(session_id, "stalled", after=start["sequence"])
    assert stalled["data"]["waiting_on"] == "model"
    assert 1_500 <= stalled["data"]["idle_ms"] < 60_000
    record = watchful.record(session_id)
    assert record["status"] == "running", "it goes on, for all that anybody knows"
    # Since the last that the agent did, not since it was said.
    assert record["waiting_on"] == {"kind": "model", "since": start["timestamp"], "stalled": True}
    other = watchful.run_task("slow 4 tools 20")  # meanwhile another silence would have been long over
    # The machine may have kept it from its work for so long.
    assert [s for s in silences(watchful.follow(other)) if s < 1.4] == [], "one that works is not stalled"
    assert len(stalls(watchful, session_id, after=start["sequence"])) == 1
    cancel(watchful, session_id)


def test_a_tool_that_hangs_is_named_with_what_it_does_and_every_silence_is_told(watchful: Client) -> None:
    call = "update('tool_call', toolCallId='t', title='Run', kind='execute', status='in_progress', {0})"
    task = "\n".join(
        [
            call.format("rawInput={'command': 'make all'}"),
            "until('progress')",
            "update('tool_call_update', toolCallId='t', status='in_progress', content=[])",
            "until('done')",
            "update('tool_call_update', toolCallId='t', status='completed')",
            "until('end')",
        ]
    )
    session_id = watchful.run_task(task, agent="scripted")
    workspace = Path(watchful.record(session_id)["workspace"])
    began = watchful.until(session_id, "tool_start")
    called = began["data"]
    first = watchful.until(session_id, "stalled", after=began["sequence"])
    named = {"tool_name": called["tool_name"], "tool_id": "t", "detail": "make all"}
    assert {**first["data"], "idle_ms": 0} == {"waiting_on": "tool", "idle_ms": 0, **named}
    waiting = watchful.record(session_id)["waiting_on"]
    assert waiting["stalled"] is True
    assert {name: waiting[name] for name in ("kind", *named)} == {"kind": "tool", **named}
    (workspace / "progress").touch()
    second = watchful.until(session_id, "stalled", after=first["sequence"])
    assert second["data"]["waiting_on"] == "tool"
    (workspace / "done").touch()
    third = watchful.until(session_id, "stalled", after=second["sequence"])
    assert third["data"]["waiting_on"] == "model"
    assert "tool_id" not in third["data"]
    (workspace / "end").touch()
    assert watchful.end_of(session_id)["data"]["stop_reason"] == "success"
    assert len(stalls(watchful, session_id, after=began["sequence"])) == 3
    assert "waiting_on" not in watchful.record(session_id)


def test_a_person_who_does_not_answer_is_waited_for_and_that_is_told_too(watchful: Client) -> None:
    session_id = watchful.run_task("ask")
    asked = watchful.until(session_id, "permission_request")
    assert watchful.until(session_id, "stalled", after=asked["sequence"])["data"]["waiting_on"] == "person"
    record = watchful.record(session_id)
    assert (record["status"], record["waiting_on"]["kind"]) == ("waiting", "person")
    assert record["waiting_on"]["stalled"] is True
    [waiting] = [one for one in watchful.get("/permissions").json()["permissions"] if one["session_id"] == session_id]
    path = f"/sessions/{session_id}/permissions/{waiting['request']['request_id']}/answer"
    assert watchful.post(path, json={"decision": "deny"}).status_code == 200
    assert watchful.end_of(session_id)["data"]["stop_reason"] == "success"


def test_an_agent_that_does_not_start_is_stalled_too(watchful: Client, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("import time; time.sleep(600)")
    session_id = watchful.run_task("work", agent="workspace", workspace=str(tmp_path))
    watchful.until(session_id, "stalled")
    waiting = watchful.record(session_id)["waiting_on"]
    assert (waiting["kind"], waiting["stalled"]) == ("start", True)
    cancel(watchful, session_id)
