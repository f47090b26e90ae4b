"""/api/agent as a page uses it: start, follow, come back, stop, pause, resume."""

import json
import random
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from holdfast.sessions.ids import deterministic_session_id
from tests.conftest import Server
from tests.dialects.streams import ADA, Came, caller, follow, stream

LONG = "tools 2 slow 600"


@pytest.fixture
def project() -> str:
    return f"project-{uuid4()}"


def start(page: httpx.Client, project: str, prompt: str, **more: object) -> str:
    answer = page.post("/api/agent/start", json={"prompt": prompt, "projectId": project, **more})
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body == {"success": True, "data": {"sessionId": body["data"]["sessionId"], "status": "running"}}
    return body["data"]["sessionId"]


def until(page: httpx.Client, session_id: str, kind: str) -> Came:
    """The first event of this name, or status of this kind."""
    with stream(page, "GET", f"/api/agent/stream/{session_id}") as frames:
        return next(frame for frame in frames if kind in (frame.name, frame.data.get("kind")))


def data(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body.keys() == {"success", "data"}
    assert body["success"] is True
    return body["data"]


def error(answer: httpx.Response) -> tuple[int, str, str]:
    body = answer.json()
    assert body.keys() == {"success", "error", "code"}
    assert body["success"] is False
    return answer.status_code, body["code"], body["error"]


@pytest.mark.requirement("R184", "R185", "R006")
def test_a_page_starts_a_prompt_and_sees_its_result(page: httpx.Client, project: str, tmp_path: Path) -> None:
    session_id = start(page, project, "Say hello, slow 0.2", cwd=str(tmp_path), maxTurns=50, maxBudgetUsd=2)
    assert session_id == deterministic_session_id(project)
    frames = follow(page, "GET", f"/api/agent/stream/{session_id}")
    assert frames[0].name == "status"
    assert {"text", "tool_start", "tool_done", "status"} <= {frame.name for frame in frames}
    end = frames[-1]
    assert end.name == "result"
    assert end.data.keys() == {"output", "cost", "duration", "turns", "stopReason"}
    assert end.data["stopReason"] == "success"
    said = "".join(frame.data["text"] for frame in frames if frame.name == "text")
    assert said.endswith(end.data["output"])
    shown = data(page.get(f"/api/agent/status/{session_id}"))
    assert (shown["projectId"], shown["status"], shown["cwd"]) == (project, "complete", str(tmp_path))
    assert (shown["prompt"], shown["stopReason"]) == ("Say hello, slow 0.2", "success")
    assert shown["duration"] == end.data["duration"]


@pytest.mark.requirement("R184", "R057")
def test_who_comes_back_at_any_place_gets_exactly_the_rest(page: httpx.Client, project: str) -> None:
    session_id = start(page, project, "flood 400 slow 0.3")
    live = follow(page, "GET", f"/api/agent/stream/{session_id}")
    dice = random.Random(4653)
    for cut in [0, len(live) - 1, *(dice.randrange(len(live) - 1) for _ in range(8))]:
        before = live[:cut]
        after = before[-1].id if before else None
        assert before + follow(page, "GET", f"/api/agent/stream/{session_id}", after=after) == live


@pytest.mark.requirement("R027", "R184", "R054", "R028")
def test_a_frame_is_an_id_a_name_and_the_data_alone(page: httpx.Client, project: str) -> None:
    session_id = start(page, project, "Say\n\ndata: {}\n\nhello, slow 0.1")
    answer = page.get(f"/api/agent/stream/{session_id}")
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    first, *frames, rest = answer.text.split("\n\n")
    assert (first, rest) == ("retry: 3000", "")
    for frame in frames:
        id_, name, body = frame.split("\n")
        assert re.fullmatch(r"id: \d+(~\S+)?", id_)
        assert name.removeprefix("event: ") in ("status", "text", "tool_start", "tool_done", "result")
        assert "type" not in json.loads(body.removeprefix("data: "))


@pytest.mark.requirement("R184", "R065")
def test_behind_the_end_of_a_session_an_event_source_is_told_to_stop(page: httpx.Client, project: str) -> None:
    session_id = start(page, project, "Say hello, slow 0.1")
    end = follow(page, "GET", f"/api/agent/stream/{session_id}")[-1]
    again = page.get(f"/api/agent/stream/{session_id}", headers={"last-event-id": end.id})
    assert (again.status_code, again.content) == (204, b"")


@pytest.mark.requirement("R184")
def test_a_stream_begins_with_the_last_run_unless_it_is_asked_for_all(page: httpx.Client, project: str) -> None:
    session_id = start(page, project, "Say one, slow 0.1")
    first = follow(page, "GET", f"/api/agent/stream/{session_id}")
    assert start(page, project, "Say two, slow 0.1") == session_id
    second = follow(page, "GET", f"/api/agent/stream/{session_id}")
    assert [frame.name for frame in second].count("result") == 1
    assert second[0].data["detail"]["text"] == "Say two, slow 0.1"
    assert follow(page, "GET", f"/api/agent/stream/{session_id}", after="0") == first + second
    assert follow(page, "GET", f"/api/agent/stream/{session_id}?after=0") == first + second
    assert follow(page, "GET", f"/api/agent/stream/{session_id}", after="nonsense") == second
    assert follow(page, "GET", f"/api/agent/stream/{session_id}", after="999999") == second, "of another log"


@pytest.mark.requirement("R185", "R131")
def test_a_crash_is_an_error_with_what_the_agent_left_on_stderr(page: httpx.Client, project: str) -> None:
    end = follow(page, "GET", f"/api/agent/stream/{start(page, project, 'crash 3')}")[-1]
    assert end.name == "error"
    assert end.data["message"].startswith("agent exited with status")
    assert (end.data["subtype"], end.data["stopReason"]) == ("process_exit", "process_exit")
    info = end.data["terminationInfo"]
    assert info["exitCode"] == 3
    assert "asked to crash" in info["stderr"]["head"]


@pytest.mark.requirement("R184", "R009")
def test_a_project_that_is_busy_is_told_as_before(page: httpx.Client, project: str) -> None:
    session_id = start(page, project, LONG)
    status, code, message = error(page.post("/api/agent/start", json={"prompt": "Another", "projectId": project}))
    assert (status, code) == (409, "project_busy")
    assert message.startswith("Agent session already running for this project")
    data(page.delete(f"/api/agent/{session_id}"))


@pytest.mark.requirement("R184", "R091")
def test_deleting_ends_the_run_and_again_changes_nothing(page: httpx.Client, project: str) -> None:
    session_id = start(page, project, LONG)
    until(page, session_id, "agent_start")
    assert data(page.delete(f"/api/agent/{session_id}"))["status"] == "cancelled"
    end = follow(page, "GET", f"/api/agent/stream/{session_id}")[-1]
    assert (end.name, end.data["stopReason"], end.data["resumable"]) == ("error", "cancelled", True)
    assert data(page.delete(f"/api/agent/{session_id}"))["status"] == "cancelled"


@pytest.mark.requirement("R184", "R020")
def test_what_is_paused_is_found_and_goes_on_or_is_given_up(page: httpx.Client, project: str) -> None:
    assert data(page.get(f"/api/agent/paused/{project}")) is None
    session_id = start(page, project, LONG)
    until(page, session_id, "agent_start")
    assert data(page.post(f"/api/agent/pause/{session_id}"))["status"] == "paused"
    found = data(page.get(f"/api/agent/paused/{project}"))
    assert (found["sessionId"], found["resumable"]) == (session_id, True)
    assert session_id in [one["sessionId"] for one in data(page.get("/api/agent/recoverable"))]
    assert error(page.post("/api/agent/start", json={"prompt": "x", "projectId": project}))[:2] == (
        409,
        "project_paused",
    )
    resumed = data(page.post(f"/api/agent/resume/{project}", json={"maxTurns": 40}))
    assert resumed == {"sessionId": session_id, "status": "running"}
    assert data(page.get(f"/api/agent/paused/{project}")) is None
    with stream(page, "GET", f"/api/agent/stream/{session_id}") as frames:
        assert next(frames).data["detail"]["resume"] == "continue"
    data(page.post(f"/api/agent/pause/{session_id}"))
    assert data(page.delete(f"/api/agent/{session_id}"))["status"] == "cancelled"
    assert data(page.get(f"/api/agent/paused/{project}")) is None
    assert session_id not in [one["sessionId"] for one in data(page.get("/api/agent/recoverable"))]


@pytest.mark.requirement("R184")
def test_a_paused_project_may_be_given_another_prompt(page: httpx.Client, project: str) -> None:
    session_id = start(page, project, LONG)
    until(page, session_id, "agent_start")
    data(page.post(f"/api/agent/pause/{session_id}"))
    data(page.post(f"/api/agent/resume/{project}", json={"prompt": "Say hello, slow 0.1"}))
    assert follow(page, "GET", f"/api/agent/stream/{session_id}")[-1].name == "result"
    assert error(page.post(f"/api/agent/resume/{project}"))[:2] == (400, "not_resumable")


@pytest.mark.requirement("R184", "R052", "R053")
def test_others_sessions_are_as_if_they_were_not_there(house: Server, page: httpx.Client, project: str) -> None:
    session_id = start(page, project, "Say hello, slow 0.1")
    with caller(house, ADA) as ada:
        for method, path in (
            ("GET", f"/api/agent/stream/{session_id}"),
            ("GET", f"/api/agent/status/{session_id}"),
            ("POST", f"/api/agent/pause/{session_id}"),
            ("POST", f"/api/agent/resume/{project}"),
            ("DELETE", f"/api/agent/{session_id}"),
        ):
            assert error(ada.request(method, path))[:2] == (404, "not_found"), path
        assert data(ada.get(f"/api/agent/paused/{project}")) is None
        assert data(ada.get("/api/agent/recoverable")) == []
    with caller(house, "") as nobody:
        assert error(nobody.get(f"/api/agent/status/{session_id}"))[:2] == (401, "unauthorized")


@pytest.mark.requirement("R184")
@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"projectId": "p"}, "prompt"),
        ({"prompt": "x"}, "projectId"),
        ({"prompt": " ", "projectId": "p"}, "prompt"),
        ({"prompt": "x", "projectId": "p", "maxTurns": 0}, "maxTurns"),
        ({"prompt": "x", "projectId": "p", "max_turns": 3}, "max_turns"),
        ({"prompt": "x", "projectId": "p", "cwd": "/no/such/folder"}, "/no/such/folder"),
        ({"prompt": "x", "projectId": "p", "agent": "nobody"}, "nobody"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(page: httpx.Client, body: dict[str, object], said: str) -> None:
    status, code, message = error(page.post("/api/agent/start", json=body))
    assert status in (400, 422)
    assert said in message, code


@pytest.mark.requirement("R184")
def test_paths_and_methods_that_are_none_answer_in_the_same_form(page: httpx.Client) -> None:
    assert error(page.get("/api/agent/nothing/there"))[:2] == (404, "not_found")
    assert error(page.get("/api/agent/start"))[:2] == (405, "method_not_allowed")


@pytest.mark.requirement("R184")
def test_a_start_with_an_idempotency_key_takes_effect_once(page: httpx.Client, project: str) -> None:
    key = {"idempotency-key": str(uuid4())}
    body = {"prompt": "Say hello, slow 0.1", "projectId": project}
    answers = [page.post("/api/agent/start", json=body, headers=key).json() for _ in range(2)]
    assert answers[0] == answers[1]
    session_id = answers[0]["data"]["sessionId"]
    follow(page, "GET", f"/api/agent/stream/{session_id}")
    assert data(page.get(f"/api/agent/status/{session_id}"))["runs"] == 1


@pytest.mark.requirement("R184", "R052")
def test_a_ticket_opens_the_stream(house: Server, page: httpx.Client, project: str) -> None:
    session_id = start(page, project, "Say hello, slow 0.1")
    ticket = page.post("/api/v1/tickets").json()["ticket"]
    with caller(house, "") as nobody:
        assert follow(nobody, "GET", f"/api/agent/stream/{session_id}?ticket={ticket}")[-1].name == "result"
