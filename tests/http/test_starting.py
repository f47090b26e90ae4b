"""POST /sessions/run and /sessions/{id}/task: what is there when the answer comes, and whose work goes on."""

from pathlib import Path
from uuid import UUID

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import LONG
from tests.processes import eventually


@pytest.mark.requirement("R001")
def test_a_start_is_answered_without_waiting_for_the_agent(local: Client) -> None:
    # This agent never says a word: who waited for it would answer after its start timeout of 60 s.
    answer = local.post("/sessions/run", json={"task": "Say hello", "config": {"agent": "silent"}}, timeout=10)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    session_id = answer.json()["session_id"]
    assert answer.json() == {"session_id": session_id, "status": "running"}
    assert [event["type"] for event in local.history(session_id)] == ["user_message", "session_connect"]
    local.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R002", "R031")
def test_whoever_connects_at_once_sees_the_user_message_first(client: Client) -> None:
    session_id = client.run_task("Say hello, slow 0.1")
    with client.stream(f"/sessions/{session_id}/events") as stream:
        first = next(frame for frame in stream if frame.is_event)
    assert first.id == 1
    assert first.data["type"] == "user_message"
    assert first.data["data"] == {"text": "Say hello, slow 0.1"}


@pytest.mark.requirement("R002")
def test_the_answer_comes_behind_the_folder_and_the_status_running(local: Client, house: Server) -> None:
    session_id = local.run_task("Say nothing", agent="silent")
    assert local.record(session_id)["status"] == "running"
    assert (house.data / "sessions" / session_id).is_dir()
    local.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R019")
def test_each_session_has_a_folder_of_its_own(client: Client, shared_server: Server) -> None:
    sessions = [client.run_task(f"Write note {number}, slow 0.1") for number in range(2)]
    workspaces = []
    for session_id in sessions:
        client.end_of(session_id)
        workspace = Path(client.record(session_id)["workspace"])
        assert workspace.is_relative_to(shared_server.data / "sessions" / session_id)
        assert len(list(workspace.iterdir())) == 1, "the demo agent leaves one note"
        workspaces.append(workspace)
    assert workspaces[0] != workspaces[1]


def test_a_given_workspace_is_where_the_agent_works(client: Client, tmp_path: Path) -> None:
    session_id = client.run_task("Write a note, slow 0.1", workspace=str(tmp_path))
    client.end_of(session_id)
    assert client.record(session_id)["workspace"] == str(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.requirement("R003")
def test_the_agent_works_on_when_nobody_watches(client: Client) -> None:
    unwatched = client.run_task("tools 50 slow 0.5")
    left = client.run_task("tools 50 slow 0.5")
    with client.stream(f"/sessions/{left}/events") as stream:
        for frame in stream:
            if frame.is_event and frame.data["type"] == "tool_start":
                break
    assert client.record(left)["status"] == "running"
    for session_id in (unwatched, left):
        eventually(lambda session_id=session_id: client.record(session_id)["status"] == "complete")
        assert [event["type"] for event in client.history(session_id)].count("tool_complete") == 50


@pytest.mark.requirement("R004", "R023")
def test_the_next_task_is_the_next_run_of_the_same_session(client: Client) -> None:
    session_id = client.run_task("tools 1")
    first = client.follow(session_id)
    answer = client.post(f"/sessions/{session_id}/task", json={"task": "tools 2"})
    assert answer.json() == {"session_id": session_id, "status": "running"}
    second = client.follow(session_id, after=len(first))
    assert second[0]["type"] == "user_message"
    assert second[0]["data"] == {"text": "tools 2"}
    assert [event["sequence"] for event in first + second] == list(range(1, len(first) + len(second) + 1))
    record = client.record(session_id)
    assert (record["runs"], record["task"], record["head"]) == (2, "tools 2", len(first) + len(second))


@pytest.mark.requirement("R005", "R016")
def test_the_next_task_takes_up_the_agents_own_session(client: Client) -> None:
    session_id = client.run_task("Remember the heron, slow 0.1")
    first = client.follow(session_id)
    client.next_task(session_id, "What was it? slow 0.1")
    second = client.follow(session_id, after=len(first))
    starts = [event["data"] for event in first + second if event["type"] == "agent_start"]
    assert starts[0]["agent_session_id"] == starts[1]["agent_session_id"] != session_id
    assert client.record(session_id)["agent_session_id"] == starts[0]["agent_session_id"]
    said = [event["data"]["text"] for event in second if event["type"] == "message" and "full_text" in event["data"]]
    assert "Remember the heron" in said[-1]


@pytest.mark.requirement("R016")
def test_the_agents_session_id_is_the_last_that_it_reported_while_ours_stays(local: Client) -> None:
    session_id = local.run_task("one", agent="forgetful")
    assert local.end_of(session_id)["data"]["stop_reason"] == "success"
    first = local.record(session_id)["agent_session_id"]
    local.next_task(session_id, "two")
    events = local.follow(session_id)
    reported = [event["data"]["agent_session_id"] for event in events if event["type"] == "agent_start"]
    assert reported[0] == first != reported[1]
    record = local.record(session_id)
    assert (record["session_id"], record["agent_session_id"]) == (session_id, reported[1])


@pytest.mark.requirement("R008")
def test_a_session_without_a_project_gets_a_random_uuid4(local: Client) -> None:
    ids = {local.run_task("the same task", agent="quick") for _ in range(3)}
    assert len(ids) == 3
    for text in ids:
        local.end_of(text)
        assert str(UUID(text)) == text
        assert UUID(text).version == 4


def test_a_task_for_a_session_under_way_is_refused(local: Client) -> None:
    session_id = local.run_task(LONG)
    answer = local.post(f"/sessions/{session_id}/task", json={"task": "too early"})
    assert (answer.status_code, answer.json()["code"]) == (409, "session_busy")
    local.post(f"/sessions/{session_id}/cancel")
    assert [event["data"].get("text") for event in local.history(session_id)].count("too early") == 0
