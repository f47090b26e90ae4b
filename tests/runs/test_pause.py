"""Pause: a run that ends so that it can go on later. Discard: the word that it shall not."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from holdfast.sessions.ids import deterministic_session_id
from tests.client import TERMINAL, Client
from tests.conftest import Server
from tests.processes import eventually, marked
from tests.runs.agents import quickest


def command(client: Client, session_id: str, name: str) -> dict[str, Any]:
    answer = client.post(f"/sessions/{session_id}/{name}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: Client, path: str, **body: object) -> tuple[int, str]:
    answer = client.post(path, json=body)
    return answer.status_code, answer.json()["code"]


def paused(client: Client, task: str = "hang", **config: object) -> str:
    session_id = client.run_task(task, **config)
    client.until(session_id, "agent_start")
    assert command(client, session_id, "pause")["status"] == "paused"
    return session_id


PAUSED = {
    # what the agent does, and the event by which it is seen to be at it
    "slow 60 tools 60": "tool_start",
    "hang": "agent_start",
    "stubborn": "agent_start",
    "ask": "permission_request",
}


@pytest.mark.requirement("R036", "R040", "R083", "R093", "R094", "R113")
def test_a_paused_run_ends_within_three_seconds_as_a_cancelled_one_does_and_says_so(agents: Client) -> None:
    def see_paused(task: str) -> float:
        session_id = agents.run_task(task)
        agents.until(session_id, PAUSED[task])
        asked_at = time.monotonic()
        record = command(agents, session_id, "pause")
        took = time.monotonic() - asked_at
        events = agents.follow(session_id)
        end = events[-1]
        assert end["type"] == "cancelled", task
        assert (end["data"]["reason"], end["data"]["stop_reason"]) == ("paused", "paused")
        assert end["data"]["message"] == "Task was paused"
        assert end["data"]["resumable"] is True
        assert end["data"]["termination_info"] == {"reason": "terminated", "terminated_by": "daemon"}
        assert (record["status"], record["resumable"], record["stop_reason"]) == ("paused", True, "paused")
        assert "limit" not in record, "nothing but a person has stopped it"
        assert agents.record(session_id) == record
        started = [event["data"]["tool_id"] for event in events if event["type"] == "tool_start"]
        assert sorted(started) == sorted(
            event["data"]["tool_id"] for event in events if event["type"] == "tool_complete"
        )
        eventually(lambda: not marked(f"HOLDFAST_RUN={session_id}-1"), 15, f"the end of all that {task!r} has started")
        return took

    with ThreadPoolExecutor(2) as pool:
        tried = pool.map(lambda task: quickest(lambda: see_paused(task), 3), PAUSED)
        took = dict(zip(PAUSED, tried, strict=True))
    assert {task: seconds for task, seconds in took.items() if seconds >= 3} == {}


@pytest.mark.requirement("R084")
def test_pausing_again_changes_nothing_and_what_has_ended_cannot_be_paused(agents: Client) -> None:
    session_id = paused(agents)
    before = agents.record(session_id)
    assert command(agents, session_id, "pause") == before
    # Nor does it become a cancelled one: it has its end.
    assert command(agents, session_id, "cancel") == before
    for task in ("tools 1", "crash"):
        ended = agents.run_task(task)
        agents.end_of(ended)
        before = agents.record(ended)
        assert refused(agents, f"/sessions/{ended}/pause") == (400, "not_resumable")
        assert agents.record(ended) == before


@pytest.mark.requirement("R093")
def test_a_run_that_is_paused_before_its_agent_had_started_has_nothing_to_go_on_with(
    agents: Client, tmp_path: Path
) -> None:
    (tmp_path / "agent.py").write_text("import time; time.sleep(600)")
    session_id = agents.run_task("work", agent="workspace", workspace=str(tmp_path), project_id="paused at start")
    record = command(agents, session_id, "pause")
    assert (record["status"], record["resumable"]) == ("paused", False)
    assert refused(agents, f"/sessions/{session_id}/resume") == (400, "not_resumable")
    # So it does not keep the project from a new start.
    assert agents.run_task("tools 1", project_id="paused at start") == session_id
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R020")
def test_a_project_whose_session_is_paused_is_not_started_on_but_resumed_or_discarded(agents: Client) -> None:
    session_id = paused(agents, project_id="shelf")
    assert session_id == deterministic_session_id("shelf")
    before = agents.record(session_id)
    answer = agents.post("/sessions/run", json={"task": "tools 1", "config": {"project_id": "shelf"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "project_paused")
    for hint in ("resume", "discard", session_id):
        assert hint in answer.json()["detail"]
    assert agents.record(session_id) == before, "nothing was written"
    command(agents, session_id, "discard")
    assert agents.run_task("tools 1", project_id="shelf") == session_id
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"
    other = paused(agents, project_id="desk")
    assert agents.post(f"/sessions/{other}/resume", json={"how": "rerun"}).status_code == 200
    answer = agents.post("/sessions/run", json={"task": "tools 1", "config": {"project_id": "desk"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "project_busy")
    command(agents, other, "cancel")
    assert agents.run_task("tools 1", project_id="desk") == other


def see_discarded(client: Client, session_id: str, was: str) -> None:
    before = client.record(session_id)
    assert (before["status"], before["resumable"]) == (was, True)
    end = client.follow(session_id)[-1]
    assert end["type"] in TERMINAL
    record = command(client, session_id, "discard")
    assert (record["status"], record["resumable"]) == ("cancelled", False)
    assert "agent_session_id" not in record, "the agent's session is forgotten"
    assert "todos" not in record
    assert record["stop_reason"] == before["stop_reason"], "the run ended as it ended"
    # Who had read to the end gets the word, and then the stream is over again.
    assert [event["type"] for event in client.follow(session_id, after=end["sequence"])] == ["discarded"]
    behind = client.get(f"/sessions/{session_id}/events", headers={"last-event-id": str(record["head"])})
    assert behind.status_code == 204
    assert command(client, session_id, "discard") == record
    for path, body in (("task", {"task": "x"}), ("resume", {}), ("resume", {"how": "rerun"})):
        assert refused(client, f"/sessions/{session_id}/{path}", **body) == (400, "not_resumable"), (path, body)
    assert client.record(session_id) == record


@pytest.mark.requirement("R095")
def test_what_was_paused_can_be_discarded_and_then_not_gone_on_with(agents: Client) -> None:
    see_discarded(agents, paused(agents), "paused")


@pytest.mark.requirement("R095", "R134", "R135", "R136")
def test_what_was_interrupted_can_be_discarded_and_is_offered_no_longer(make_server: Callable[..., Server]) -> None:
    server = make_server().start()
    with server.client() as client:
        sessions = [client.run_task("hang") for _ in range(2)]
        for session_id in sessions:
            client.until(session_id, "agent_start")
    assert server.stop() == 0
    server.start()
    with server.client() as client:
        see_discarded(client, sessions[0], "interrupted")
        recoverable = client.get("/sessions/recoverable").json()["sessions"]
        assert [record["session_id"] for record in recoverable] == sessions[1:]


def test_only_what_waits_to_go_on_is_discarded(agents: Client) -> None:
    running, complete, cancelled = agents.run_task("hang"), agents.run_task("tools 1"), agents.run_task("hang")
    for session_id in (running, cancelled):
        agents.until(session_id, "agent_start")
    agents.end_of(complete)
    command(agents, cancelled, "cancel")
    for session_id in (complete, cancelled):
        before = agents.record(session_id)
        assert command(agents, session_id, "discard") == before
    assert refused(agents, f"/sessions/{running}/discard") == (409, "session_busy")
    assert agents.record(running)["status"] == "running"
    command(agents, running, "cancel")


@pytest.mark.requirement("R012", "R102")
def test_after_a_discard_the_projects_next_run_begins_anew(agents: Client, tmp_path: Path) -> None:
    config = {"agent": "echoing", "workspace": str(tmp_path), "project_id": "anew"}
    session_id = agents.run_task("wait for me", **config)
    eventually((tmp_path / "prompt-1").exists)
    agents.until(session_id, "agent_start")
    command(agents, session_id, "pause")
    command(agents, session_id, "discard")
    agents.run_task("Something else", **config)
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"
    # No word of a run that nobody wants to hear of any more.
    assert (tmp_path / "prompt-2").read_text() == "Something else"


@pytest.mark.requirement("R084", "R117")
def test_a_pause_that_races_with_a_cancel_or_the_end_leaves_exactly_one(agents: Client) -> None:
    def race(number: int) -> str:
        session_id = agents.run_task("slow 0.4 tools 4" if number % 2 else "hang")
        agents.until(session_id, "agent_start")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda name: agents.post(f"/sessions/{session_id}/{name}"), ("pause", "cancel")))
        ends = [event for event in agents.follow(session_id) if event["type"] in TERMINAL]
        assert len(ends) == 1
        record = agents.record(session_id)
        assert record["stop_reason"] == ends[0]["data"]["stop_reason"]
        assert record["status"] == {"success": "complete"}.get(record["stop_reason"], record["stop_reason"])
        return record["status"]

    with ThreadPoolExecutor(3) as pool:
        assert set(pool.map(race, range(8))) <= {"paused", "cancelled", "complete"}
