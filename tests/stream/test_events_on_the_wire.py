"""The events of a run of the demo agent, as they come to a client that watches."""

import time
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.stream.conftest import LONG

Events = list[dict[str, Any]]


@pytest.fixture(scope="module")
def shown(river: Server) -> Events:
    """All events of a run, read live; its tools take some time each."""
    with river.client() as client:
        return client.follow(client.run_task("Say hello, slow 1.5"))


def of(events: Events, *types: str) -> list[dict[str, Any]]:
    return [event["data"] for event in events if event["type"] in types]


@pytest.mark.requirement("R030")
def test_agent_start_says_who_works_on_what(shown: Events, river: Server) -> None:
    [start] = of(shown, "agent_start")
    [connect] = of(shown, "session_connect")
    assert start["session_id"] == connect["session_id"]
    assert (start["agent"], start["task"]) == ("demo", "Say hello, slow 1.5")
    assert start["agent_session_id"]
    assert isinstance(start["tools"], list)
    assert isinstance(start["skills"], list)


@pytest.mark.requirement("R031", "R044")
def test_a_run_begins_with_the_users_words_and_is_framed_by_its_keeper(shown: Events) -> None:
    types = [event["type"] for event in shown]
    assert types[:3] == ["user_message", "session_connect", "agent_start"]
    assert shown[0]["data"] == {"text": "Say hello, slow 1.5"}
    assert types[-2:] == ["session_disconnect", "agent_complete"]
    assert shown[-2]["data"]["total_turns"] == 1
    assert shown[-2]["data"]["total_duration_ms"] >= 1500
    assert shown[-2]["data"]["session_id"] == shown[1]["data"]["session_id"]


@pytest.mark.requirement("R032", "R033")
@pytest.mark.parametrize(("kind", "texts"), [("thinking", 1), ("message", 3)])
def test_a_text_comes_in_pieces_and_then_whole(shown: Events, kind: str, texts: int) -> None:
    pieces: list[str] = []
    finals = 0
    for data in of(shown, kind):
        if data["is_partial"]:
            assert "full_text" not in data
            assert data["text"]
            pieces.append(data["text"])
        else:
            assert data["full_text"] == data["text"] == "".join(pieces)
            pieces.clear()
            finals += 1
    assert pieces == [], "each text has its final"
    assert finals == texts


@pytest.mark.requirement("R032", "R033")
@pytest.mark.parametrize(("kind", "chunk"), [("thinking", "agent_thought_chunk"), ("message", "agent_message_chunk")])
def test_a_text_is_seen_to_grow(local: Client, tmp_path: Path, kind: str, chunk: str) -> None:
    """The agent says the next piece when the one before was seen."""
    said = ["Let ", "me ", "see."]
    one = "update({0!r}, messageId='m', content={{'type': 'text', 'text': {1!r}}}); until({1!r})"
    task = "\n".join(one.format(chunk, piece) for piece in said)
    session_id = local.run_task(task, agent="scripted", workspace=str(tmp_path))
    texts: list[dict[str, Any]] = []
    with local.stream(f"/sessions/{session_id}/events") as stream:
        for frame in stream:
            if frame.is_event and frame.data["type"] == kind:
                texts.append(frame.data["data"])
                if texts[-1]["is_partial"]:
                    (tmp_path / texts[-1]["text"]).touch()
    assert [text["text"] for text in texts] == [*said, "Let me see."]
    assert texts[-1]["full_text"] == "Let me see."


@pytest.mark.requirement("R034", "R035", "R036")
def test_a_tool_starts_once_and_completes_once_and_its_time_is_measured(shown: Events) -> None:
    starts = {event["data"]["tool_id"]: event for event in shown if event["type"] == "tool_start"}
    ends = {event["data"]["tool_id"]: event for event in shown if event["type"] == "tool_complete"}
    assert list(starts) == list(ends)
    assert len(starts) == len(of(shown, "tool_start")) == len(of(shown, "tool_complete")) == 3
    off_ms: list[float] = []
    for tool_id, start in starts.items():
        end = ends[tool_id]
        assert start["sequence"] < end["sequence"]
        assert start["data"].keys() >= {"tool_name", "tool_input", "tool_id", "kind", "title"}
        diff = {"content"} if start["data"].get("kind") == "edit" else set()
        assert end["data"].keys() == {"tool_name", "tool_id", "result", "duration_ms", "is_error"} | diff
        assert start["data"]["tool_name"] == end["data"]["tool_name"]
        took = datetime.fromisoformat(end["timestamp"]) - datetime.fromisoformat(start["timestamp"])
        off_ms.append(abs(took.total_seconds() * 1000 - end["data"]["duration_ms"]))
        assert end["data"]["is_error"] is False
    assert median(off_ms) <= 5  # each is read off the clock for itself, and the machine may pause in between
    read = next(data for data in of(shown, "tool_start") if data["kind"] == "read")
    assert read["tool_input"]["path"].endswith(".md")
    command = of(shown, "tool_complete")[-1]
    assert command["result"]["exitCode"] == 0


@pytest.mark.requirement("R035")
def test_the_time_that_a_tool_waited_for_its_permission_counts(local: Client) -> None:
    session_id = local.run_task("ask")
    request = local.until(session_id, "permission_request")["data"]
    asked_at = time.monotonic()
    for _ in range(20):
        assert local.record(session_id)["status"] == "waiting"
    waited_ms = (time.monotonic() - asked_at) * 1000
    local.post(f"/sessions/{session_id}/permissions/{request['request_id']}/answer", json={"decision": "allow_once"})
    [end] = of(local.follow(session_id), "tool_complete")
    assert end["tool_id"] == request["tool_id"]
    assert end["duration_ms"] >= int(waited_ms) > 5


@pytest.mark.requirement("R038", "R087")
def test_agent_complete_says_how_it_went(shown: Events) -> None:
    [end] = of(shown, "agent_complete")
    # The model answers, and once more after each of its three tools.
    assert (end["status"], end["stop_reason"], end["num_turns"]) == ("COMPLETE", "success", 4)
    assert end["duration_ms"] >= 1500
    assert end["termination_info"] == {"reason": "completed", "terminated_by": "agent"}
    assert not any(value is None for value in end.values())


@pytest.mark.requirement("R039", "R040")
def test_the_other_ends_say_what_happened(local: Client) -> None:
    crashed, long = local.run_task("crash 3"), local.run_task(LONG)
    error = local.end_of(crashed)
    assert error["type"] == "error"
    assert error["data"]["error_type"] == "process_exit"
    assert error["data"]["message"].startswith("agent exited with status")
    local.until(long, "agent_start")
    local.post(f"/sessions/{long}/cancel")
    cancelled = local.end_of(long)
    assert cancelled["type"] == "cancelled"
    assert cancelled["data"]["message"] == "Task was cancelled"
    assert cancelled["data"]["resumable"] is True


@pytest.mark.requirement("R043")
def test_a_turn_is_summed_up(shown: Events) -> None:
    [turn] = of(shown, "conversation_turn")
    assert turn["turn_number"] == 1
    assert turn["prompt_preview"] == "Say hello, slow 1.5"
    assert turn["response_preview"].startswith("## Done")
    assert turn["duration_ms"] >= 1500
    assert turn["tools_used"] == ["edit", "read", "execute"]


def test_todos_change_as_the_work_goes_on(shown: Events) -> None:
    plans = [[todo["status"] for todo in data["todos"]] for data in of(shown, "todo_update")]
    assert plans[0] == ["pending"] * 3
    assert plans[-1] == ["completed"] * 3
    assert ["completed", "in_progress", "pending"] in plans
