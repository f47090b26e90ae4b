"""Limits: how far a run may go, whatever its agent thinks of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.processes import eventually, marked, throughout

SPENT = "update('usage_update', used=10, size=20, cost={{'amount': {0}, 'currency': 'USD'}})"
LIMITS = {
    # the limit's name: how it is set, a task that reaches it, its agent, the stop reason
    "max_turns": (3, "ask ask ask ask ask ask", "demo", "error_max_turns"),
    "max_budget_usd": (0.5, f"{SPENT.format(0.5)}; time.sleep(600)", "scripted", "error_max_budget_usd"),
    "timeout_s": (2, "hang", "demo", "timeout"),
    "idle_s": (2, "hang", "demo", "idle_timeout"),
    "max_output_bytes": (10_000, "flood 1000000 hang", "demo", "max_output"),
    "max_memory_mb": (100, "held = bytearray(200_000_000); time.sleep(600)", "scripted", "max_memory"),
}
# Of what an agent may have of everything.
ENOUGH = {
    "max_turns": 4,
    "max_budget_usd": 0.51,
    "timeout_s": 60,
    "idle_s": 30,
    "max_output_bytes": 10_000,
    "max_memory_mb": 400,
}


def limited(client: Client, limit: str, **config: object) -> tuple[str, float, list[dict[str, Any]]]:
    """A run that reaches a limit, whatever it asks being allowed: its session, the limit, and its events.

    The agent goes on only when it is answered, so it is never further than what was seen of it. A time, which begins
    before the agent is there, is the shortest in which it gets to its task here.
    """
    value, task, agent, _ = LIMITS[limit]
    for factor in (1, 4, 15) if limit in ("timeout_s", "idle_s") else (1,):
        session_id = client.run_task(task, agent=agent, **{limit: value * factor}, **config)
        events: list[dict[str, Any]] = []
        with client.stream(f"/sessions/{session_id}/events") as stream:
            for frame in stream:
                if frame.is_event:
                    events.append(frame.data)
                    if frame.data["type"] == "permission_request":
                        path = f"/sessions/{session_id}/permissions/{frame.data['data']['request_id']}/answer"
                        client.post(path, json={"decision": "allow_once"})
        if any(event["type"] == "agent_start" for event in events):
            break
    return session_id, value * factor, events


def end_of(client: Client, session_id: str) -> dict[str, Any]:
    data = client.end_of(session_id)["data"]
    assert client.record(session_id)["stop_reason"] == data["stop_reason"]
    return data


@pytest.mark.requirement("R036", "R086", "R103", "R106", "R120", "R187")
@pytest.mark.parametrize("limit", LIMITS)
def test_reaching_a_limit_ends_the_run_and_names_it(agents: Client, limit: str) -> None:
    stop_reason = LIMITS[limit][-1]
    session_id, value, events = limited(agents, limit)
    end = events[-1]
    assert end["type"] == "error"
    data = end["data"]
    assert (data["stop_reason"], data["error_type"], data["limit"]) == (stop_reason, stop_reason, limit)
    assert f"raise {limit} and resume to go on" in data["message"], "it says what to do"
    info = data["termination_info"]
    assert (info["reason"], info["terminated_by"], info["message"]) == ("error", "daemon", data["message"])
    assert data["num_turns"] == (value + 1 if limit == "max_turns" else 1)
    assert data["duration_ms"] > 0
    record = agents.record(session_id)
    assert (record["status"], record["stop_reason"], record["limit"]) == ("failed", stop_reason, limit)
    started = [event["data"]["tool_id"] for event in events if event["type"] == "tool_start"]
    assert sorted(started) == sorted(event["data"]["tool_id"] for event in events if event["type"] == "tool_complete")
    eventually(lambda: not marked(f"HOLDFAST_RUN={session_id}-1"), 15, "the end of the agent")


@pytest.mark.requirement("R187")
def test_a_run_that_stays_within_its_limits_is_left_alone(agents: Client) -> None:
    spend = f"{SPENT.format(0.5)}; say('x' * 9000); held = bytearray(50_000_000); time.sleep(1.5)"
    sessions = [agents.run_task("tools 3", **ENOUGH), agents.run_task(spend, agent="scripted", **ENOUGH)]
    ends = [end_of(agents, session_id) for session_id in sessions]
    assert [end["stop_reason"] for end in ends] == ["success", "success"]
    assert [end["num_turns"] for end in ends] == [4, 1]
    assert all("limit" not in agents.record(session_id) for session_id in sessions)


@pytest.mark.requirement("R040", "R093", "R187")
@pytest.mark.parametrize("limit", LIMITS)
def test_a_run_can_be_paused_at_a_limit_and_goes_on_with_a_raised_one(
    agents: Client, tmp_path: Path, limit: str
) -> None:
    _, _, agent, stop_reason = LIMITS[limit]
    session_id, _, events = limited(agents, limit, on_limit="pause", workspace=str(tmp_path))
    end = events[-1]
    assert end["type"] == "cancelled"
    data = end["data"]
    assert (data["reason"], data["stop_reason"], data["limit"]) == ("paused", "paused", limit)
    assert (data["agent_stop_reason"], data["resumable"]) == (stop_reason, True)
    assert f"raise {limit} and resume to go on" in data["message"]
    record = agents.record(session_id)
    assert (record["status"], record["limit"], record["resumable"]) == ("paused", limit, True)
    assert record["termination_info"] == {"reason": "terminated", "terminated_by": "daemon"}
    if agent == "demo":  # to whom the words that ask it to go on are a task like any other
        body = {limit: ENOUGH[limit] * 10, "max_turns": 100}
        assert agents.post(f"/sessions/{session_id}/resume", json=body).status_code == 200
        assert end_of(agents, session_id)["stop_reason"] == "success"
        assert "limit" not in agents.record(session_id)


@pytest.mark.requirement("R187")
def test_a_limit_that_is_not_raised_counts_for_the_next_run_too_and_each_run_is_counted_alone(agents: Client) -> None:
    session_id = agents.run_task("tools 2", max_turns=3)
    assert end_of(agents, session_id)["stop_reason"] == "success"
    agents.next_task(session_id, "tools 2")
    assert end_of(agents, session_id)["stop_reason"] == "success", "turns of the run before do not count"
    agents.next_task(session_id, "tools 5")
    assert end_of(agents, session_id)["stop_reason"] == "error_max_turns"
    answer = agents.post(f"/sessions/{session_id}/resume", json={"how": "rerun"})
    assert answer.status_code == 200
    assert end_of(agents, session_id)["stop_reason"] == "error_max_turns"
    agents.post(f"/sessions/{session_id}/resume", json={"how": "rerun", "max_turns": 6})
    assert end_of(agents, session_id)["stop_reason"] == "success"


@pytest.mark.requirement("R187")
def test_time_in_which_a_person_is_waited_for_is_not_the_agents(agents: Client) -> None:
    session_id = agents.run_task("ask", idle_s=4)
    request = agents.until(session_id, "permission_request")["data"]
    throughout(5, lambda: agents.record(session_id)["status"] == "waiting", "it waits for as long as it takes")
    path = f"/sessions/{session_id}/permissions/{request['request_id']}/answer"
    assert agents.post(path, json={"decision": "deny"}).status_code == 200
    assert end_of(agents, session_id)["stop_reason"] == "success"
    # But the run's own time goes on.
    waiting = agents.run_task("ask", timeout_s=1)
    assert end_of(agents, waiting)["limit"] == "timeout_s"


@pytest.mark.requirement("R187")
def test_an_agent_that_does_something_now_and_then_is_not_idle(agents: Client) -> None:
    session_id = agents.run_task("slow 6 tools 20", idle_s=4)
    assert end_of(agents, session_id)["stop_reason"] == "success"


@pytest.mark.requirement("R187")
def test_memory_is_that_of_all_the_agents_processes_together(agents: Client) -> None:
    hog = "import sys, time; held = bytearray(60_000_000); time.sleep(600)"
    task = (
        "import subprocess\n"
        f"for _ in range(3): subprocess.Popen([sys.executable, '-I', '-S', '-c', {hog!r}], start_new_session=True)\n"
        "time.sleep(600)"
    )
    session_id = agents.run_task(task, agent="scripted", max_memory_mb=150)
    assert end_of(agents, session_id)["limit"] == "max_memory_mb"
    eventually(lambda: not marked(f"HOLDFAST_RUN={session_id}-1"), 15, "the end of them all")


@pytest.mark.requirement("R084", "R187")
def test_a_limit_that_is_reached_with_the_end_leaves_one_end(agents: Client) -> None:
    def ends(sizes: Iterator[int]) -> set[str]:
        found = set()
        for size in sizes:
            session_id = agents.run_task(f"flood {size}", max_output_bytes=2_000)
            events = agents.follow(session_id)
            assert sum("termination_info" in event["data"] for event in events) == 1
            found.add(events[-1]["data"]["stop_reason"])
        return found

    assert ends(iter((10, 205, 215, 5_000))) == {"success", "max_output"}
