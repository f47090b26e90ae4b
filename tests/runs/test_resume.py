"""Resume: a session goes on where it stood, or does its last task again; never unasked."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.processes import eventually
from tests.runs.test_continue import CONTEXT, SHORT_CONTEXT, TODOS

CONTINUE = "Continue from where you left off."


def resume(client: Client, session_id: str, **body: object) -> None:
    answer = client.post(f"/sessions/{session_id}/resume", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {"session_id": session_id, "status": "running"}


def refusal(client: Client, session_id: str, **body: object) -> tuple[int, str]:
    answer = client.post(f"/sessions/{session_id}/resume", json=body)
    return answer.status_code, answer.json()["code"]


def stopped(client: Client, workspace: Path, how: str, task: str = "wait for me", **config: object) -> str:
    """A session whose agent had heard its task when it was stopped."""
    session_id = client.run_task(task, agent="echoing", workspace=str(workspace), **config)
    eventually((workspace / "prompt-1").exists)
    client.until(session_id, "todo_update" if (workspace / "plan.json").exists() else "agent_start")
    assert client.post(f"/sessions/{session_id}/{how}").json()["resumable"] is True
    return session_id


def hears(client: Client, session_id: str, workspace: Path, **body: object) -> str:
    """What the agent hears when the session is resumed."""
    prompt = workspace / f"prompt-{len(list(workspace.glob('prompt-*'))) + 1}"
    resume(client, session_id, **body)
    return str(eventually(lambda: prompt.exists() and prompt.read_text()))


def heard(client: Client, session_id: str, workspace: Path, **body: object) -> str:
    """The same, of one that then gets to its end."""
    said = hears(client, session_id, workspace, **body)
    assert client.end_of(session_id)["data"]["stop_reason"] == "success"
    return said


def user_messages(client: Client, session_id: str) -> list[dict[str, Any]]:
    return [event["data"] for event in client.history(session_id) if event["type"] == "user_message"]


@pytest.mark.requirement("R005", "R023", "R085", "R102", "R138")
def test_a_paused_session_goes_on_with_the_agents_memory_and_without_a_word_of_a_cancel(
    agents: Client, tmp_path: Path
) -> None:
    session_id = stopped(agents, tmp_path, "pause")
    assert heard(agents, session_id, tmp_path) == CONTINUE
    assert user_messages(agents, session_id) == [
        {"text": "wait for me"},
        {"text": CONTINUE, "resume": "continue"},
    ]
    starts = [event["data"] for event in agents.history(session_id) if event["type"] == "agent_start"]
    assert [start["agent_session_id"] for start in starts] == ["echo", "echo"]
    record = agents.record(session_id)
    assert (record["status"], record["runs"]) == ("complete", 2)
    assert record["task"] == "wait for me", "what is to be done is what was"
    assert "recovered" not in [event["type"] for event in agents.history(session_id)]


@pytest.mark.requirement("R099", "R100", "R101")
def test_a_cancelled_session_that_is_resumed_hears_how_its_todos_stood(agents: Client, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(TODOS))
    session_id = stopped(agents, tmp_path, "cancel")
    (tmp_path / "plan.json").unlink()
    assert heard(agents, session_id, tmp_path) == f"{CONTEXT}\n\n{CONTINUE}"
    assert "RESUME CONTEXT" not in json.dumps(agents.follow(session_id))


@pytest.mark.requirement("R099", "R100", "R101")
def test_one_that_has_lost_its_memory_hears_of_its_todos_all_the_more(agents: Client, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(TODOS))
    (tmp_path / "forgetful").touch()
    session_id = stopped(agents, tmp_path, "cancel")
    fresh = hears(agents, session_id, tmp_path)
    assert fresh.startswith(CONTEXT)
    assert fresh.endswith("wait for me")
    agents.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R099", "R101")
@pytest.mark.parametrize(("how", "context"), [("pause", ""), ("cancel", f"{SHORT_CONTEXT}\n\n")])
def test_a_rerun_gives_the_agent_its_last_task_again(agents: Client, tmp_path: Path, how: str, context: str) -> None:
    session_id = stopped(agents, tmp_path, how)
    assert hears(agents, session_id, tmp_path, how="rerun") == f"{context}wait for me"
    assert user_messages(agents, session_id)[1:] == [{"text": "wait for me", "resume": "rerun"}]
    agents.post(f"/sessions/{session_id}/cancel")


def test_a_session_that_goes_on_twice_still_knows_its_task(agents: Client, tmp_path: Path) -> None:
    (tmp_path / "forgetful").touch()
    session_id = stopped(agents, tmp_path, "pause")
    for _ in range(2):
        fresh = hears(agents, session_id, tmp_path)
        assert fresh.endswith("wait for me")
        assert CONTINUE not in fresh, "without a memory that would mean nothing"
        agents.post(f"/sessions/{session_id}/pause")
    assert hears(agents, session_id, tmp_path, how="rerun") == "wait for me"
    agents.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R005")
def test_an_agent_that_has_lost_its_memory_says_so_and_is_told_what_it_was_about(
    agents: Client, tmp_path: Path
) -> None:
    (tmp_path / "forgetful").touch()
    session_id = stopped(agents, tmp_path, "pause")
    fresh = hears(agents, session_id, tmp_path)
    assert "your memory of it is lost" in fresh
    assert fresh.endswith("wait for me")
    assert "without memory" in agents.until(session_id, "recovered")["data"]["message"]
    # What the user sees is what the user asked for.
    assert user_messages(agents, session_id)[-1]["text"] == CONTINUE
    agents.post(f"/sessions/{session_id}/cancel")


def test_a_run_that_failed_can_be_resumed(agents: Client) -> None:
    session_id = agents.run_task("crash 3")
    assert agents.end_of(session_id)["data"]["stop_reason"] == "process_exit"
    resume(agents, session_id, how="rerun")
    assert agents.end_of(session_id)["data"]["stop_reason"] == "process_exit"
    assert agents.record(session_id)["runs"] == 2
    # To go on is said in words that make the demo agent work.
    resume(agents, session_id)
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"


def test_a_run_that_could_not_be_started_is_resumed_with_its_task(agents: Client, tmp_path: Path) -> None:
    session_id = agents.run_task("Do this", agent="workspace", workspace=str(tmp_path))
    assert agents.end_of(session_id)["data"]["stop_reason"] == "process_exit"
    echoing = Path(__file__).with_name("echoing_agent.py").read_text()
    (tmp_path / "agent.py").write_text(echoing)
    assert "Do this" in heard(agents, session_id, tmp_path)


@pytest.mark.requirement("R095")
def test_what_has_nothing_to_go_on_with_is_refused(agents: Client, tmp_path: Path) -> None:
    complete = agents.run_task("tools 1")
    agents.end_of(complete)
    running = agents.run_task("hang")
    agents.until(running, "agent_start")
    (tmp_path / "agent.py").write_text("import time; time.sleep(600)")
    unstarted = agents.run_task("work", agent="workspace", workspace=str(tmp_path))
    agents.post(f"/sessions/{unstarted}/cancel")
    before = {session_id: agents.record(session_id) for session_id in (complete, unstarted)}
    for how in ("continue", "rerun"):
        assert refusal(agents, complete, how=how) == (400, "not_resumable")
        assert refusal(agents, running, how=how) == (409, "session_busy")
    assert refusal(agents, unstarted) == (400, "not_resumable")
    assert {session_id: agents.record(session_id) for session_id in before} == before
    assert refusal(agents, "00000000-0000-4000-8000-000000000000") == (404, "not_found")
    agents.post(f"/sessions/{running}/cancel")


def test_a_resume_that_is_repeated_with_its_key_is_one_run(agents: Client, tmp_path: Path) -> None:
    session_id = stopped(agents, tmp_path, "pause")
    answers = [
        agents.post(f"/sessions/{session_id}/resume", json={}, headers={"idempotency-key": session_id})
        for _ in range(3)
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
    agents.end_of(session_id)
    assert agents.record(session_id)["runs"] == 2
    other = agents.post(
        f"/sessions/{session_id}/resume", json={"how": "rerun"}, headers={"idempotency-key": session_id}
    )
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_mismatch")


@pytest.mark.requirement("R187")
def test_a_run_that_reached_a_limit_goes_on_with_a_raised_one(agents: Client, tmp_path: Path) -> None:
    for timeout_s in (1, 5, 25):  # the shortest in which the agent hears its task here
        session_id = agents.run_task("wait for me", agent="echoing", workspace=str(tmp_path), timeout_s=timeout_s)
        end = agents.end_of(session_id)["data"]
        assert (end["stop_reason"], agents.record(session_id)["limit"]) == ("timeout", "timeout_s")
        if (tmp_path / "prompt-1").exists():
            break
    assert heard(agents, session_id, tmp_path, timeout_s=60) == CONTINUE
    assert "limit" not in agents.record(session_id)
