"""The next task of a session: same id, same agent memory, and after a cancel a word to the agent about it."""

import json
from pathlib import Path

import pytest

from tests.client import Client
from tests.processes import eventually

TODOS = [
    {"content": "Read file", "status": "completed", "priority": "high"},
    {"content": "Process data", "status": "in_progress", "priority": "medium"},
    {"content": "Write output", "status": "pending", "priority": "low"},
    {"content": "Tidy up", "status": "cancelled", "priority": "low"},
]
CONTEXT = """[RESUME CONTEXT]
Previous execution was cancelled by user.

Todo state at cancellation:
  ✓ Read file [completed]
  → Process data [in_progress]
  ○ Write output [pending]
  ✗ Tidy up [cancelled]

Note: Task(s) marked in_progress were interrupted and may be incomplete.
[END RESUME CONTEXT]"""
SHORT_CONTEXT = "[RESUME CONTEXT]\nPrevious execution was cancelled by user.\n[END RESUME CONTEXT]"


def cancel_at_work(client: Client, session_id: str, event: str, *, after: int = 0) -> None:
    client.until(session_id, event, after=after)
    answer = client.post(f"/sessions/{session_id}/cancel").json()
    assert (answer["status"], answer["resumable"]) == ("cancelled", True)


def next_prompt(client: Client, session_id: str, workspace: Path, task: str, **config: object) -> str:
    """What the agent hears when the session gets its next task."""
    prompts = len(list(workspace.glob("prompt-*")))
    client.next_task(session_id, task, **config)
    assert client.end_of(session_id)["data"]["stop_reason"] == "success"
    return (workspace / f"prompt-{prompts + 1}").read_text()


@pytest.mark.requirement("R099", "R100", "R101", "R102")
def test_after_a_cancel_the_agent_hears_how_its_todos_stood_and_the_user_does_not(
    agents: Client, tmp_path: Path
) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(TODOS))
    session_id = agents.run_task("wait for me", agent="echoing", workspace=str(tmp_path))
    cancel_at_work(agents, session_id, "todo_update")
    assert agents.record(session_id)["todos"] == TODOS
    assert next_prompt(agents, session_id, tmp_path, "Go on, please") == f"{CONTEXT}\n\nGo on, please"
    events = agents.follow(session_id)
    assert [event["data"]["text"] for event in events if event["type"] == "user_message"] == [
        "wait for me",
        "Go on, please",
    ]
    assert [event["data"]["task"] for event in events if event["type"] == "agent_start"][-1] == "Go on, please"
    assert agents.record(session_id)["task"] == "Go on, please"
    assert "RESUME CONTEXT" not in json.dumps(events)
    # The run that followed was not cancelled, so the next one hears nothing.
    assert next_prompt(agents, session_id, tmp_path, "And now?") == "And now?"


@pytest.mark.requirement("R099")
def test_the_todo_part_and_the_note_come_only_if_there_is_cause(agents: Client, tmp_path: Path) -> None:
    session_id = agents.run_task("wait for me", agent="echoing", workspace=str(tmp_path))
    eventually((tmp_path / "prompt-1").exists)
    cancel_at_work(agents, session_id, "agent_start")
    assert next_prompt(agents, session_id, tmp_path, "Again") == f"{SHORT_CONTEXT}\n\nAgain"
    (tmp_path / "plan.json").write_text(json.dumps(TODOS[:1]))
    head = agents.record(session_id)["head"]
    agents.next_task(session_id, "wait again")
    cancel_at_work(agents, session_id, "todo_update", after=head)
    expected = SHORT_CONTEXT.replace("user.\n", "user.\n\nTodo state at cancellation:\n  ✓ Read file [completed]\n")
    assert next_prompt(agents, session_id, tmp_path, "Last") == f"{expected}\n\nLast"


@pytest.mark.requirement("R102", "R105")
@pytest.mark.parametrize("end", ["crash", "complete", "timeout"])
def test_after_any_other_end_the_agent_gets_the_task_alone(agents: Client, tmp_path: Path, end: str) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(TODOS))
    config = {"timeout_s": 0.5} if end == "timeout" else {}
    agent = "missing" if end == "crash" else "echoing"
    task = "wait" if end == "timeout" else "go"
    session_id = agents.run_task(task, agent=agent, workspace=str(tmp_path), **config)
    stop_reason = agents.end_of(session_id)["data"]["stop_reason"]
    assert stop_reason == {"crash": "start_failed", "complete": "success", "timeout": "timeout"}[end]
    if end != "crash":
        assert next_prompt(agents, session_id, tmp_path, "Next", timeout_s=60) == "Next"
    else:
        agents.next_task(session_id, "Next")  # a failed session may be tried again, too
        assert agents.end_of(session_id)["data"]["stop_reason"] == "start_failed"


@pytest.mark.requirement("R004", "R005", "R016", "R023", "R085")
def test_a_session_goes_on_under_its_id_with_an_agent_that_remembers(agents: Client) -> None:
    session_id = agents.run_task("slow 0.3: my name is Ada")
    first = agents.follow(session_id)
    agent_session_id = agents.record(session_id)["agent_session_id"]
    answer = agents.post(f"/sessions/{session_id}/task", json={"task": "slow 0.3: what is my name?"})
    assert answer.json() == {"session_id": session_id, "status": "running"}
    both = agents.follow(session_id)
    assert both[: len(first)] == first
    assert [event["sequence"] for event in both] == list(range(1, len(both) + 1))
    second = both[len(first) :]
    assert [event["type"] for event in second[:3]] == ["user_message", "session_connect", "agent_start"]
    assert "recovered" not in {event["type"] for event in second}
    texts = [event["data"]["full_text"] for event in second if "full_text" in event["data"]]
    assert any("my name is Ada" in text for text in texts)
    record = agents.record(session_id)
    assert (record["runs"], record["status"], record["agent_session_id"]) == (2, "complete", agent_session_id)


@pytest.mark.requirement("R005", "R016")
def test_an_agent_that_cannot_take_up_its_session_says_so_and_starts_anew(agents: Client, tmp_path: Path) -> None:
    session_id = agents.run_task("say('one')", agent="scripted", workspace=str(tmp_path))
    first = agents.follow(session_id)
    agents.next_task(session_id, "say('two')")
    events = agents.follow(session_id, after=len(first))
    recovered = [event["data"] for event in events if event["type"] == "recovered"]
    assert [data["agent_session_id"] for data in recovered] == ["scripted"]
    assert events[-1]["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R004", "R085")
def test_a_task_during_a_run_is_refused_and_changes_nothing(agents: Client) -> None:
    session_id = agents.run_task("hang")
    agents.until(session_id, "agent_start")
    before = agents.record(session_id)
    refusal = agents.post(f"/sessions/{session_id}/task", json={"task": "me too"})
    assert (refusal.status_code, refusal.json()["code"]) == (409, "session_busy")
    assert agents.record(session_id) == before
    agents.post(f"/sessions/{session_id}/cancel")


def test_what_was_said_of_one_agent_does_not_count_for_another(agents: Client) -> None:
    """A model of the one is none of the other's; a limit is everybody's."""
    config = {"project_id": "two agents", "model": "large", "options": {"effort": "high"}, "max_turns": 3}
    session_id = agents.run_task("tools 1", agent="missing", **config)
    assert agents.end_of(session_id)["data"]["stop_reason"] == "start_failed"
    assert agents.run_task("tools 2", agent="demo", project_id="two agents") == session_id
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"
    agents.next_task(session_id, "tools 9")
    assert agents.end_of(session_id)["data"]["stop_reason"] == "error_max_turns"
    agents.next_task(session_id, "tools 1", model="large")
    assert agents.end_of(session_id)["data"]["stop_reason"] == "start_failed"
