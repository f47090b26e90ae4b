"""/ag-ui as a front end uses it, with the official package's input and events."""

import base64
import random
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from ag_ui.core import Context, ResumeEntry, RunAgentInput, UserMessage

from tests.conftest import Server
from tests.dialects.ag_ui_rules import check, texts
from tests.dialects.streams import ADA, Came, caller, follow, stream

LONG = "tools 1200 slow 600"
DEMO = "/ag-ui/demo"


@pytest.fixture
def thread() -> str:
    return f"thread-{uuid4()}"


def asked(thread: str, said: str, run: str = "r1", **more: Any) -> dict[str, Any]:
    """The input as the official types write it."""
    messages = [UserMessage(id=str(uuid4()), role="user", content=said)]
    given = RunAgentInput(thread_id=thread, run_id=run, messages=messages, **more)
    return given.model_dump(mode="json", by_alias=True, exclude_none=True)


def messages(frames: list[Came]) -> list[dict[str, Any]]:
    return [frame.data for frame in frames]


def run(page: httpx.Client, body: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    told = messages(follow(page, "POST", DEMO, body=body, **more))
    check(told)
    return told


def refused(answer: httpx.Response) -> tuple[int, str, str]:
    assert answer.headers["content-type"].startswith("application/problem+json")
    problem = answer.json()
    return answer.status_code, problem["code"], problem["detail"]


def record(page: httpx.Client, told: list[dict[str, Any]]) -> dict[str, Any]:
    return page.get(f"/api/v1/sessions/{told[0]['metadata']['holdfast']['session_id']}").json()


def test_a_front_end_runs_an_agent_and_sees_all_of_the_run(page: httpx.Client, thread: str) -> None:
    told = run(page, asked(thread, "List what is here, slow 0.1"))
    kinds = [message["type"] for message in told]
    assert (told[0]["threadId"], told[0]["runId"]) == (thread, "r1")
    assert {"TEXT_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT", "TOOL_CALL_START", "TOOL_CALL_RESULT"} <= set(kinds)
    assert told[-1]["outcome"] == {"type": "success"}
    assert told[-1]["result"]["output"] == list(texts(told).values())[-1]
    assert record(page, told)["task"] == "List what is here, slow 0.1"


def test_the_next_run_of_a_thread_goes_on_with_its_session(page: httpx.Client, thread: str) -> None:
    first = run(page, asked(thread, "Say one, slow 0.1", "r1"))
    second = run(page, asked(thread, "Say two, slow 0.1", "r2"))
    assert second[0]["runId"] == "r2"
    shown = record(page, second)
    assert (shown["runs"], shown["task"]) == (2, "Say two, slow 0.1")
    assert shown == record(page, first)
    replayed = messages(follow(page, "GET", f"{DEMO}/threads/{thread}/events"))
    check(replayed)
    asked_before = [one["input"]["messages"][0]["content"] for one in replayed if one["type"] == "RUN_STARTED"]
    assert asked_before == ["Say one, slow 0.1", "Say two, slow 0.1"]
    assert [one for one in replayed if one["type"] != "RUN_STARTED"] == [
        one for one in first + second if one["type"] != "RUN_STARTED"
    ]


def test_a_session_of_another_dialect_is_a_thread_by_its_id(page: httpx.Client) -> None:
    body = {"task": "Say hello, slow 0.1", "config": {"agent": "demo"}}
    session_id = page.post("/api/v1/sessions/run", json=body).json()["session_id"]
    before = messages(follow(page, "GET", f"{DEMO}/threads/{session_id}/events"))
    check(before)
    assert before[0]["runId"] == "run-1"
    told = run(page, asked(session_id, "Say it again, slow 0.1"))
    assert told[0]["metadata"] == {"holdfast": {"session_id": session_id, "run": 2}}


def test_a_request_that_is_made_again_is_told_again_and_starts_nothing(page: httpx.Client, thread: str) -> None:
    body = asked(thread, "flood 200 slow 0.5")
    first = follow(page, "POST", DEMO, body=body)
    assert follow(page, "POST", DEMO, body=body) == first
    dice = random.Random(4653)
    for cut in [0, len(first) - 2, *(dice.randrange(len(first) - 1) for _ in range(6))]:
        rest = follow(page, "POST", DEMO, body=body, after=first[cut].id)
        assert first[: cut + 1] + rest == first, f"cut behind {first[cut].id}"
    assert record(page, messages(first))["runs"] == 1
    other = page.post(DEMO, json=asked(thread, "Something else"))
    assert refused(other)[:2] == (409, "idempotency_mismatch")


def test_a_client_that_leaves_in_mid_run_comes_back_for_the_rest(page: httpx.Client, thread: str) -> None:
    body = asked(thread, "flood 300 slow 1.5")
    seen: list[Came] = []
    with stream(page, "POST", DEMO, body=body) as frames:
        seen += [next(frames) for _ in range(5)]
    seen += follow(page, "POST", DEMO, body=body, after=seen[-1].id)
    check(messages(seen))
    assert seen == follow(page, "POST", DEMO, body=body)


def interrupted(page: httpx.Client, thread: str, run_id: str = "r1") -> dict[str, Any]:
    told = run(page, asked(thread, "ask", run_id))
    assert told[-1]["type"] == "RUN_FINISHED"
    assert told[-1]["outcome"]["type"] == "interrupt"
    [interrupt] = told[-1]["outcome"]["interrupts"]
    return interrupt


@pytest.mark.parametrize(
    ("status", "payload", "is_error"),
    [
        ("resolved", {"approved": True}, False),
        ("resolved", True, False),
        ("resolved", {"decision": "allow_session"}, False),
        ("resolved", {"approved": False, "message": "Not here"}, True),
        ("cancelled", None, True),
    ],
)
def test_where_the_agent_asks_the_run_is_interrupted_and_a_resume_goes_on(
    page: httpx.Client, thread: str, status: Any, payload: Any, is_error: bool
) -> None:
    interrupt = interrupted(page, thread)
    assert interrupt["reason"] == "tool_call"
    answer = ResumeEntry(interrupt_id=interrupt["id"], status=status, payload=payload)
    told = run(page, asked(thread, "ask", "r2", resume=[answer]))
    assert told[0]["runId"] == "r2"
    result = next(one for one in told if one["type"] == "TOOL_CALL_RESULT")
    assert result["toolCallId"] == interrupt["toolCallId"]
    assert result["metadata"]["holdfast"]["is_error"] == is_error
    assert told[-1]["outcome"] == {"type": "success"}
    assert run(page, asked(thread, "ask", "r2", resume=[answer])) == told, "asked again, it is told again"
    assert record(page, told)["runs"] == 1


def test_what_was_answered_elsewhere_is_learned_by_who_resumes(page: httpx.Client, thread: str) -> None:
    interrupt = interrupted(page, thread)
    [waiting] = [
        one
        for one in page.get("/api/v1/permissions").json()["permissions"]
        if one["request"]["request_id"] == interrupt["id"]
    ]
    path = f"/api/v1/sessions/{waiting['session_id']}/permissions/{interrupt['id']}/answer"
    assert page.post(path, json={"decision": "deny", "message": "No"}).status_code == 200
    answer = ResumeEntry(interrupt_id=interrupt["id"], status="resolved", payload={"approved": True})
    told = run(page, asked(thread, "ask", "r2", resume=[answer]))
    resolved = next(one["value"] for one in told if one.get("name") == "holdfast.permission_resolved")
    assert resolved["decision"] == "deny"


def test_an_answer_that_does_not_fit_is_refused_and_the_request_stays_open(page: httpx.Client, thread: str) -> None:
    interrupt = interrupted(page, thread)
    for payload in ({}, {"approved": "yes"}, {"decision": "perhaps"}, None, [1]):
        entry = {"interruptId": interrupt["id"], "status": "resolved", "payload": payload}
        answer = page.post(DEMO, json=asked(thread, "ask", "r2") | {"resume": [entry]})
        assert refused(answer)[:2] == (400, "bad_request"), payload
        assert interrupt["id"] in refused(answer)[2]
    busy = page.post(DEMO, json=asked(thread, "Do something else", "r3"))
    assert refused(busy)[:2] == (409, "session_busy")
    entry = ResumeEntry(interrupt_id=interrupt["id"], status="cancelled")
    assert run(page, asked(thread, "ask", "r2", resume=[entry]))[-1]["outcome"] == {"type": "success"}


def test_an_answer_to_nothing_is_refused_and_starts_nothing(page: httpx.Client, thread: str) -> None:
    entry = ResumeEntry(interrupt_id="p-none", status="resolved", payload=True)
    for _ in range(2):
        status, code, detail = refused(page.post(DEMO, json=asked(thread, "Say hello, slow 0.1", "r2", resume=[entry])))
        assert (status, code) == (400, "bad_request")
        assert "'p-none'" in detail
    told = run(page, asked(thread, "Say hello, slow 0.1"))
    assert refused(page.post(DEMO, json=asked(thread, "Say hello, slow 0.1", "r2", resume=[entry])))[0] == 400
    assert record(page, told)["runs"] == 1


def test_a_crash_is_an_error_with_our_stop_reason_and_the_stderr(page: httpx.Client, thread: str) -> None:
    told = run(page, asked(thread, "stderr 3 crash 7"))
    assert (told[-1]["type"], told[-1]["code"]) == ("RUN_ERROR", "process_exit")
    assert told[-1]["message"].startswith("agent exited with status")
    info = told[-1]["rawEvent"]["termination_info"]
    assert info["exit_code"] == 7
    assert info["stderr"]["head"]


def test_a_thread_can_be_cancelled_and_its_run_says_so(page: httpx.Client, thread: str) -> None:
    body = asked(thread, LONG)
    with stream(page, "POST", DEMO, body=body) as frames:
        next(frame for frame in frames if frame.data["type"] == "TOOL_CALL_START")
        answer = page.post(f"{DEMO}/threads/{thread}/cancel")
        assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
        last = list(frames)[-1].data
    assert (last["type"], last["outcome"]) == ("RUN_FINISHED", {"type": "cancelled"})
    assert page.post(f"{DEMO}/threads/{thread}/cancel").json()["threadId"] == thread
    assert run(page, asked(thread, "Say hello, slow 0.1", "r2"))[-1]["outcome"] == {"type": "success"}


def test_behind_the_end_of_a_thread_an_event_source_is_told_to_stop(page: httpx.Client, thread: str) -> None:
    run(page, asked(thread, "Say hello, slow 0.1"))
    path = f"{DEMO}/threads/{thread}/events"
    whole = follow(page, "GET", path)
    for cut in range(len(whole) - 1):
        assert follow(page, "GET", path, after=whole[cut].id) == whole[cut + 1 :]
    assert page.get(path, headers={"last-event-id": whole[-1].id}).status_code == 204
    assert follow(page, "GET", path, after="999999") == whole, "a place of another log"


def test_context_files_and_settings_reach_the_agent(page: httpx.Client, thread: str, tmp_path: Path) -> None:
    note = base64.b64encode(b"remember").decode()
    content = [
        {"type": "text", "text": "Say hello, slow 0.1"},
        {
            "type": "document",
            "filename": "note.txt",
            "source": {"type": "data", "value": note, "mimeType": "text/plain"},
        },
    ]
    body = asked(
        thread,
        "-",
        context=[Context(description="The page", value="/orders")],
        forwarded_props={"holdfast": {"workspace": f"{tmp_path}//", "max_turns": 7, "profile": "careful"}},
    )
    body["messages"][0]["content"] = content
    shown = record(page, run(page, body))
    assert shown["task"] == "Say hello, slow 0.1\n\nContext:\n- The page: /orders"
    assert shown["workspace"] == str(tmp_path)
    first = page.get(f"/api/v1/sessions/{shown['session_id']}/events/history").json()["events"][0]
    assert first["data"]["attachments"][0]["name"] == "note.txt"


def test_a_project_has_its_one_session_under_whatever_thread(page: httpx.Client, thread: str) -> None:
    props = {"holdfast": {"project_id": thread}}
    first = record(page, run(page, asked("here", "Say one, slow 0.1", f"1-{thread}", forwarded_props=props)))
    second = record(page, run(page, asked("there", "Say two, slow 0.1", f"2-{thread}", forwarded_props=props)))
    assert first["project_id"] == thread
    assert (second["session_id"], second["runs"]) == (first["session_id"], 2)
    assert page.get(f"{DEMO}/threads/there/events").status_code == 404
    told = messages(follow(page, "GET", f"{DEMO}/threads/there/events?project_id={thread}"))
    assert sum(one["type"] == "RUN_STARTED" for one in told) == 2
    cancelled = page.post(f"{DEMO}/threads/there/cancel", params={"project_id": thread}).json()
    assert (cancelled["sessionId"], cancelled["status"]) == (first["session_id"], "complete")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"threadId": None}, "threadId"),
        ({"threadId": "a\0b"}, "threadId"),
        ({"runId": ""}, "runId"),
        ({"messages": "hello"}, "messages"),
        ({"messages": []}, "0 messages"),
        ({"messages": [{"id": "1", "role": "assistant", "content": "hello"}]}, "1 messages"),
        ({"messages": [{"id": "1", "role": "user", "content": "  "}]}, "empty"),
        ({"forwardedProps": {"holdfast": {"max_turns": 0}}}, "max_turns"),
        ({"forwardedProps": {"holdfast": {"telepathy": 1}}}, "telepathy"),
        ({"forwardedProps": {"holdfast": {"workspace": "/no/such/folder"}}}, "/no/such/folder"),
        ({"forwardedProps": {"holdfast": {"profile": "reckless"}}}, "reckless"),
        ({"resume": [{"interruptId": "p"}]}, "status"),
    ],
)
def test_nonsense_is_refused_by_name(page: httpx.Client, thread: str, change: dict[str, Any], said: str) -> None:
    body = {name: value for name, value in (asked(thread, "x") | change).items() if value is not None}
    status, _, detail = refused(page.post(DEMO, json=body))
    assert status in (400, 422)
    assert said in detail


def test_what_is_not_there_is_told_so(page: httpx.Client, thread: str) -> None:
    assert refused(page.post("/ag-ui/nobody", json=asked(thread, "x")))[:2] == (422, "unknown_agent")
    assert refused(page.get(f"{DEMO}/threads/{thread}/events"))[:2] == (404, "not_found")
    assert refused(page.post(f"{DEMO}/threads/{thread}/cancel"))[:2] == (404, "not_found")
    assert refused(page.get("/ag-ui"))[:2] == (404, "not_found")
    assert refused(page.get(DEMO))[:2] == (405, "method_not_allowed")
    assert refused(page.post(DEMO, content=b"{"))[:2] == (400, "bad_request")


def test_what_belongs_to_one_user_is_not_there_for_another(house: Server, page: httpx.Client, thread: str) -> None:
    mine = record(page, run(page, asked(thread, "Say mine, slow 0.1")))
    with caller(house, ADA) as ada:
        assert refused(ada.get(f"{DEMO}/threads/{thread}/events"))[:2] == (404, "not_found")
        assert refused(ada.get(f"{DEMO}/threads/{mine['session_id']}/events"))[:2] == (404, "not_found")
        hers = record(ada, run(ada, asked(thread, "Say hers, slow 0.1")))
    assert hers["session_id"] != mine["session_id"]
    with caller(house, "") as nobody:
        assert refused(nobody.post(DEMO, json=asked(thread, "x")))[:2] == (401, "unauthorized")
