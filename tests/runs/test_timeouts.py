"""A run that takes longer than it may: it ends with `timeout`, whatever the agent does about it."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.client import Client
from tests.processes import eventually, marked


@pytest.mark.requirement("R086", "R103", "R114", "R120", "R036")
def test_a_run_ends_when_its_time_is_up(agents: Client) -> None:
    def see_ended(task: str) -> None:
        began = time.monotonic()
        session_id = agents.run_task(task, timeout_s=1)
        events = agents.follow(session_id)
        assert 1 <= time.monotonic() - began < 30, task
        end = events[-1]
        assert (end["type"], end["data"]["stop_reason"], end["data"]["error_type"]) == ("error", "timeout", "timeout")
        info = end["data"]["termination_info"]
        assert (info["reason"], info["terminated_by"]) == ("error", "daemon")
        assert info["message"] == "the run did not end within 1 s; raise timeout_s and resume to go on"
        assert end["data"]["limit"] == "timeout_s"
        started = [event["data"]["tool_id"] for event in events if event["type"] == "tool_start"]
        completed = [event["data"]["tool_id"] for event in events if event["type"] == "tool_complete"]
        assert sorted(started) == sorted(completed), task
        record = agents.record(session_id)
        assert (record["status"], record["stop_reason"], record["limit"]) == ("failed", "timeout", "timeout_s")
        assert "resumable" not in record
        eventually(lambda: not marked(f"HOLDFAST_RUN={session_id}-1"), 15, f"the end of all that {task!r} has started")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(see_ended, ["hang", "stubborn", "slow 60 tools 200", "ask"]))


@pytest.mark.requirement("R086")
def test_a_run_within_its_time_is_left_alone_and_the_next_may_be_given_another(agents: Client) -> None:
    session_id = agents.run_task("slow 0.5 tools 2", timeout_s=30)
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"

    def next_end(task: str, **config: float) -> dict[str, Any]:
        agents.next_task(session_id, task, **config)
        return agents.end_of(session_id)["data"]

    assert next_end("hang", timeout_s=0.3)["message"].startswith("the run did not end within 0.3 s;")
    assert next_end("hang")["message"].startswith("the run did not end within 0.3 s;"), "what is not said stays"
    assert next_end("slow 0.6 tools 2", timeout_s=30)["stop_reason"] == "success"


@pytest.mark.requirement("R084", "R086")
def test_a_timeout_that_races_with_the_end_or_a_cancel_leaves_one_end(agents: Client) -> None:
    def race(number: int) -> str:
        session_id = agents.run_task("slow 0.4 tools 3", timeout_s=0.4 + number * 0.02)
        if number % 2:
            time.sleep(0.4)  # about when the time is up, and the work is done
            agents.post(f"/sessions/{session_id}/cancel")
        ends = [event for event in agents.follow(session_id) if "termination_info" in event["data"]]
        assert len(ends) == 1
        assert ends[0]["data"]["stop_reason"] == agents.record(session_id)["stop_reason"]
        return ends[0]["data"]["stop_reason"]

    with ThreadPoolExecutor(3) as pool:
        assert set(pool.map(race, range(9))) <= {"timeout", "success", "cancelled"}
