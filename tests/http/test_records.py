"""What a session's record says, alone and in the list, and from when on."""

from typing import Any

import pytest

from tests.client import Client
from tests.http.conftest import LONG

ALWAYS = {
    *("session_id", "status", "agent", "workspace", "task", "runs", "head", "created_at", "updated_at"),
}
AT_AN_END = {"stop_reason", "termination_info"}
MAY = {
    *("project_id", "agent_session_id", "model", "todos", "num_turns", "duration_ms", "total_cost_usd", "usage"),
    *("agent_stop_reason", "resumable", "limit", "capabilities", "forked_from"),
}


def both(client: Client, session_id: str) -> list[dict[str, Any]]:
    """The record alone and as the list has it."""
    listed = client.get("/sessions", params={"limit": 200}).json()["sessions"]
    return [client.record(session_id), next(one for one in listed if one["session_id"] == session_id)]


def nulls(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [key for key, item in value.items() if item is None or nulls(item)]
    return [item for item in value if item is None or nulls(item)] if isinstance(value, list) else []


@pytest.mark.requirement("R129", "R130", "R113")
def test_a_record_has_its_fields_and_no_nulls_and_its_end_only_after_the_end(local: Client) -> None:
    running = local.run_task(LONG)
    local.until(running, "agent_start")
    ended = local.run_task("Say hello, slow 0.1")
    end = local.end_of(ended)
    for record in both(local, running):
        assert record.keys() >= ALWAYS | {"waiting_on"}
        assert record.keys() <= ALWAYS | {"waiting_on"} | MAY - {"resumable", "num_turns", "duration_ms", "limit"}
        assert record["status"] == "running"
        assert record["waiting_on"]["kind"] in ("model", "tool")
        assert record["capabilities"], "what the agent can do"
        assert nulls(record) == []
    for record in both(local, ended):
        assert record.keys() >= ALWAYS | AT_AN_END
        assert record.keys() <= ALWAYS | AT_AN_END | MAY
        assert nulls(record) == []
        assert record["status"] == "complete"
        assert record["stop_reason"] == end["data"]["stop_reason"] == "success"
        assert record["termination_info"] == {"reason": "completed", "terminated_by": "agent"}
        assert record["termination_info"] == end["data"]["termination_info"]
        assert (record["task"], record["agent"], record["runs"]) == ("Say hello, slow 0.1", "demo", 1)
        assert record["head"] == end["sequence"]
        assert [todo["status"] for todo in record["todos"]] == ["completed"] * 3
        assert record["created_at"] < record["updated_at"]
    local.post(f"/sessions/{running}/cancel")


def test_a_record_tells_what_its_run_waits_for_while_it_is_under_way(local: Client) -> None:
    starting = local.run_task("x", agent="silent")
    asking, thinking = local.run_task("ask"), local.run_task("hang")
    request, start = local.until(asking, "permission_request"), local.until(thinking, "agent_start")
    waits = {
        session_id: [record["waiting_on"] for record in both(local, session_id)]
        for session_id in (asking, thinking, starting)
    }
    assert waits[asking] == [{"kind": "person", "since": request["timestamp"]}] * 2
    assert waits[thinking] == [{"kind": "model", "since": start["timestamp"]}] * 2
    assert [wait["kind"] for wait in waits[starting]] == ["start"] * 2
    for session_id in (starting, asking, thinking):
        assert "waiting_on" not in local.post(f"/sessions/{session_id}/cancel").json()


@pytest.mark.requirement("R129", "R130")
def test_a_record_shows_how_the_agent_died(local: Client) -> None:
    session_id = local.run_task("stderr 3 crash 7")
    end = local.end_of(session_id)
    for record in both(local, session_id):
        assert (record["status"], record["stop_reason"]) == ("failed", "process_exit")
        assert record["termination_info"] == end["data"]["termination_info"]
        assert record["termination_info"]["exit_code"] == 7
        assert record["termination_info"]["stderr"]["head"].startswith("line 1\nline 2\nline 3\n")
        assert nulls(record) == []


@pytest.mark.requirement("R082")
def test_once_the_terminal_event_can_be_read_the_record_is_final(local: Client) -> None:
    for task in ("tools 1", "crash", "stderr 1", "tools 300"):
        session_id = local.run_task(task)
        with local.stream(f"/sessions/{session_id}/events") as stream:
            for frame in stream:
                if frame.is_event and frame.data["type"] in ("agent_complete", "error"):
                    record = local.record(session_id)  # the stream is still open
                    break
        assert record["status"] == ("failed" if task == "crash" else "complete")
        for field in ("stop_reason", "num_turns", "duration_ms", "agent_session_id", "termination_info"):
            assert record[field] == frame.data["data"][field], field
        assert record["head"] == frame.id


@pytest.mark.requirement("R082", "R113")
def test_a_new_run_forgets_the_end_of_the_one_before(local: Client) -> None:
    session_id = local.run_task("crash")
    local.end_of(session_id)
    local.next_task(session_id, LONG)
    record = local.record(session_id)
    assert record["status"] == "running"
    assert record.keys().isdisjoint(AT_AN_END | {"num_turns", "duration_ms", "resumable", "limit"})
    local.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R094")
def test_only_a_session_that_was_stopped_says_whether_it_can_go_on(local: Client) -> None:
    complete, failed = local.run_task("tools 1"), local.run_task("crash")
    for session_id in (complete, failed):
        local.end_of(session_id)
        assert all("resumable" not in record for record in both(local, session_id))
    started, silent = local.run_task(LONG), local.run_task("x", agent="silent")
    local.until(started, "agent_start")
    for session_id, resumable in ((started, True), (silent, False)):
        answer = local.post(f"/sessions/{session_id}/cancel")
        assert answer.status_code == 200
        assert answer.json()["resumable"] is resumable
        assert [record["resumable"] for record in both(local, session_id)] == [resumable] * 2


@pytest.mark.requirement("R095")
def test_a_session_cancelled_before_its_agent_had_started_cannot_be_continued(local: Client) -> None:
    session_id = local.run_task("x", agent="silent")
    local.post(f"/sessions/{session_id}/cancel")
    answer = local.post(f"/sessions/{session_id}/task", json={"task": "go on"})
    assert (answer.status_code, answer.json()["code"]) == (400, "not_resumable")
    assert local.record(session_id)["runs"] == 1
