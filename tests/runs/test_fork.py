"""Fork: a new session that begins where another one stands, if the agent can do that."""

from pathlib import Path
from typing import Any

import pytest

from tests.client import Client


def fork(client: Client, session_id: str, **body: object) -> Any:
    return client.post(f"/sessions/{session_id}/fork", json={"task": "Try it the other way", **body})


def refusal(client: Client, session_id: str, **body: object) -> tuple[int, str]:
    answer = fork(client, session_id, **body)
    return answer.status_code, answer.json()["code"]


@pytest.fixture
def parent(agents: Client, tmp_path: Path) -> str:
    """A session of an agent that can fork, after two runs."""
    (tmp_path / "forks").touch()
    session_id = agents.run_task("go", agent="echoing", workspace=str(tmp_path), project_id=f"fork {tmp_path}")
    agents.end_of(session_id)
    agents.next_task(session_id, "go on", profile="careful")
    agents.end_of(session_id)
    return session_id


def test_a_fork_is_a_session_of_its_own_that_begins_where_the_other_stands(
    agents: Client, parent: str, tmp_path: Path
) -> None:
    before = agents.record(parent)
    answer = fork(agents, parent)
    assert answer.status_code == 200, answer.text
    session_id = answer.json()["session_id"]
    assert session_id != parent
    events = agents.follow(session_id)
    assert [event["type"] for event in events[:4]] == ["user_message", "session_connect", "forked", "agent_start"]
    assert events[0]["data"] == {"text": "Try it the other way"}
    assert events[2]["data"] == {"from_session_id": parent, "from_run": 2}
    assert events[3]["data"]["agent_session_id"] == "fork of echo"
    record = agents.record(session_id)
    assert record["forked_from"] == {"session_id": parent, "run": 2}
    assert (record["workspace"], record["runs"], record["status"]) == (str(tmp_path), 1, "complete")
    assert "project_id" not in record, "the project's session is the other one"
    assert (tmp_path / "prompt-3").read_text() == "Try it the other way"
    assert agents.record(parent) == before, "what was forked from stays as it is"
    # From now on it goes on with the fork, and forks no more.
    agents.next_task(session_id, "more")
    agents.follow(session_id)
    assert len(list(tmp_path.glob("fork-*"))) == 1
    assert agents.record(session_id)["agent_session_id"] == "fork of echo"
    assert agents.record(session_id)["forked_from"] == {"session_id": parent, "run": 2}


def test_a_fork_whose_agent_could_not_be_started_is_made_by_its_next_run(
    agents: Client, parent: str, tmp_path: Path
) -> None:
    (tmp_path / "forks").unlink()  # it said that it can, and now it cannot
    session_id = fork(agents, parent).json()["session_id"]
    assert agents.end_of(session_id)["data"]["stop_reason"] == "start_failed"
    (tmp_path / "forks").touch()
    agents.next_task(session_id, "Now")
    events = agents.follow(session_id)
    assert events[-1]["data"]["stop_reason"] == "success"
    assert agents.record(session_id)["agent_session_id"] == "fork of echo"
    assert agents.record(session_id)["forked_from"] == {"session_id": parent, "run": 2}
    assert len(list(tmp_path.glob("fork-*"))) == 1


def test_what_cannot_be_forked_is_refused(agents: Client, parent: str, tmp_path: Path) -> None:
    assert refusal(agents, parent, run=3) == (404, "not_found")
    assert refusal(agents, parent, run=1) == (422, "unsupported"), "this agent forks only where it stands"
    assert refusal(agents, parent, profile="reckless") == (422, "unknown_profile")
    demo = agents.run_task("tools 1")
    agents.end_of(demo)
    assert refusal(agents, demo) == (422, "unsupported")
    running = agents.run_task("hang")
    agents.until(running, "agent_start")
    assert refusal(agents, running) == (409, "session_busy")
    agents.post(f"/sessions/{running}/cancel")
    never = agents.run_task("x", agent="missing")
    agents.end_of(never)
    assert refusal(agents, never) == (400, "not_resumable")
    assert refusal(agents, "00000000-0000-4000-8000-000000000000") == (404, "not_found")


def test_another_users_session_is_not_forked(agents: Client, ada: Client, parent: str) -> None:
    assert refusal(ada, parent) == (404, "not_found")


def test_a_fork_that_is_repeated_with_its_key_is_one_session(agents: Client, parent: str) -> None:
    body = {"task": "Try it the other way"}
    answers = [
        agents.post(f"/sessions/{parent}/fork", json=body, headers={"idempotency-key": f"fork {parent}"})
        for _ in range(3)
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
