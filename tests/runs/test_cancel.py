"""Cancel: within three seconds, whatever the agent thinks of it; once; and never over an end that came first."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from holdfast.sessions.ids import deterministic_session_id
from tests.client import TERMINAL, Client
from tests.conftest import Server
from tests.processes import eventually, marked
from tests.runs.agents import quickest


def cancel(client: Client, session_id: str) -> dict:
    answer = client.post(f"/sessions/{session_id}/cancel")
    assert answer.status_code == 200, answer.text
    return answer.json()


def left_of(session_id: str) -> list[int]:
    """The processes of the session's agent, wherever they have gone."""
    return marked(f"HOLDFAST_RUN={session_id}-1")


CANCELLED = {
    # what the agent does, and the event by which it is seen to be at it
    "slow 60 tools 60": "tool_start",
    "hang": "agent_start",
    "stubborn": "agent_start",
    "orphan hang": "message",
    "orphan stubborn": "message",
    "ask": "permission_request",
}


@pytest.mark.requirement("R040", "R091", "R093", "R094", "R113")
def test_a_cancel_is_in_the_log_within_three_seconds_and_nothing_is_left(agents: Client) -> None:
    def see_cancelled(task: str) -> float:
        session_id = agents.run_task(task)
        seen = agents.until(session_id, CANCELLED[task])["sequence"]
        asked_at = time.monotonic()
        record = cancel(agents, session_id)
        events = agents.follow(session_id, after=seen)
        took = time.monotonic() - asked_at
        end = events[-1]
        assert end["type"] == "cancelled", task
        assert end["data"]["message"] == "Task was cancelled"
        assert end["data"]["resumable"] is True
        assert end["data"]["stop_reason"] == "cancelled"
        assert end["data"]["termination_info"] == {"reason": "terminated", "terminated_by": "daemon"}
        assert (record["status"], record["resumable"], record["stop_reason"]) == ("cancelled", True, "cancelled")
        assert agents.record(session_id) == record
        eventually(lambda: not left_of(session_id), 15, f"the end of all that {task!r} has started")
        return took

    with ThreadPoolExecutor(3) as pool:
        tried = pool.map(lambda task: quickest(lambda: see_cancelled(task), 3), CANCELLED)
        took = dict(zip(CANCELLED, tried, strict=True))
    assert {task: seconds for task, seconds in took.items() if seconds >= 3} == {}


@pytest.mark.requirement("R096", "R098")
def test_cancelling_again_or_too_late_changes_nothing(agents: Client) -> None:
    cancelled = agents.run_task("hang")
    agents.until(cancelled, "agent_start")
    first = cancel(agents, cancelled)
    complete = agents.run_task("tools 1")
    agents.follow(complete)
    before = agents.record(complete)
    assert before["status"] == "complete"
    assert cancel(agents, cancelled) == first
    assert cancel(agents, complete) == before
    assert len([event for event in agents.follow(cancelled) if event["type"] in TERMINAL]) == 1
    assert agents.follow(complete)[-1]["type"] == "agent_complete"


@pytest.mark.requirement("R091", "R098", "R084")
def test_many_cancels_at_once_make_one_end(agents: Client) -> None:
    session_id = agents.run_task("stubborn")
    agents.until(session_id, "agent_start")
    with ThreadPoolExecutor(8) as pool:
        records = list(pool.map(lambda _: cancel(agents, session_id), range(8)))
    assert all(record == records[0] for record in records)
    assert len([event for event in agents.follow(session_id) if event["type"] in TERMINAL]) == 1


@pytest.mark.requirement("R093", "R094", "R095", "R097")
def test_a_run_whose_agent_has_not_started_is_cancelled_and_cannot_be_continued(agents: Client, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("import time; time.sleep(600)")

    def see_cancelled() -> float:
        session_id = agents.run_task("work", agent="workspace", workspace=str(tmp_path))
        asked_at = time.monotonic()
        record = cancel(agents, session_id)
        took = time.monotonic() - asked_at
        assert (record["status"], record["resumable"]) == ("cancelled", False)
        end = agents.end_of(session_id)
        assert (end["type"], end["data"]["resumable"]) == ("cancelled", False)
        refusal = agents.post(f"/sessions/{session_id}/task", json={"task": "again"})
        assert (refusal.status_code, refusal.json()["code"]) == (400, "not_resumable")
        assert agents.record(session_id) == record
        return took

    assert quickest(see_cancelled, 3) < 3


@pytest.mark.requirement("R097", "R084")
def test_a_cancel_at_any_moment_of_a_start_leaves_one_end_and_no_process(server: Server) -> None:
    with server.client() as client:
        for delay_ms in (0, 2, 5, 10, 20, 40, 60, 80, 120):
            session_id = client.run_task("hang")
            threading.Event().wait(delay_ms / 1000)
            cancel(client, session_id)
            ends = [event for event in client.follow(session_id) if event["type"] in TERMINAL]
            assert [event["type"] for event in ends] == ["cancelled"]
    eventually(lambda: not server.below(), 15, "the end of all processes")


@pytest.mark.requirement("R084", "R117", "R096")
def test_a_cancel_that_races_with_the_end_leaves_exactly_one(agents: Client) -> None:
    def race(delay_ms: int) -> str:
        session_id = agents.run_task("slow 0.4 tools 4")
        agents.until(session_id, "agent_start")
        threading.Event().wait(0.38 + delay_ms / 1000)
        record = cancel(agents, session_id)
        ends = [event for event in agents.follow(session_id) if event["type"] in TERMINAL]
        assert len(ends) == 1
        assert record["stop_reason"] == ends[0]["data"]["stop_reason"]
        return ends[0]["type"]

    with ThreadPoolExecutor(3) as pool:
        found = set(pool.map(race, range(-40, 60, 9)))
    assert found <= {"agent_complete", "cancelled"}


@pytest.mark.requirement("R012", "R084")
def test_a_project_that_is_cancelled_and_started_again_and_again_has_one_agent_at_a_time(server: Server) -> None:
    """The next run must not be started with the order of the one before, nor twice."""
    session_id = deterministic_session_id("restless")
    done = threading.Event()

    def keep_cancelling() -> None:
        with server.client() as client:
            while not done.is_set():
                client.post(f"/sessions/{session_id}/cancel")

    def keep_starting(name: str) -> None:
        with server.client() as client:
            for number in range(12):
                body = {"task": f"{name}{number}: slow 30 tools 9", "config": {"project_id": "restless"}}
                eventually(lambda body=body: client.post("/sessions/run", json=body).status_code == 200, 30)

    with ThreadPoolExecutor(5) as pool:
        cancelling = [pool.submit(keep_cancelling) for _ in range(2)]
        list(pool.map(keep_starting, "abc"))
        done.set()
        for one in cancelling:
            one.result(30)
    with server.client() as client:
        cancel(client, session_id)
        client.run_task("slow 0.5 tools 3", project_id="restless")
        events = client.follow(session_id)
    begins = [n for n, event in enumerate(events) if event["type"] == "user_message"]
    assert len(begins) == 37
    for begin, after in zip(begins, [*begins[1:], len(events)], strict=True):
        run = events[begin:after]
        assert sum(event["type"] in TERMINAL for event in run) == 1
        assert run[-1]["type"] in TERMINAL
        assert all(event["data"]["task"] == run[0]["data"]["text"] for event in run if event["type"] == "agent_start")
    assert sum(event["type"] == "tool_complete" for event in events[begins[-1] :]) == 3
    assert events[-1]["type"] == "agent_complete"
    assert "event refused" not in server.log.read_text()
    eventually(lambda: not server.below(), 15, "the end of all processes")
