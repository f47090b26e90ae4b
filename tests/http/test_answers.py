"""Permission requests: one answer each, which is one of the four decisions."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.client import Client
from tests.conftest import Server


def asked(client: Client) -> tuple[str, str]:
    """A session that waits for an answer, and the path to give it."""
    session_id = client.run_task("ask")
    request = client.until(session_id, "permission_request")
    return session_id, f"/sessions/{session_id}/permissions/{request['data']['request_id']}/answer"


DECISIONS = ["allow_once", "allow_session", "allow_project", "deny"]


@pytest.mark.parametrize("decision", DECISIONS)
def test_an_answer_reaches_the_agent_and_the_log(client: Client, decision: str) -> None:
    session_id, path = asked(client)
    assert client.record(session_id)["status"] == "waiting"
    answer = client.post(path, json={"decision": decision})
    assert answer.status_code == 200, answer.text
    assert answer.json()["session_id"] == session_id
    events = client.follow(session_id)
    assert events[-1]["data"]["stop_reason"] == "success"
    [request] = [event["data"] for event in events if event["type"] == "permission_request"]
    assert [option["kind"] for option in request["options"]] == DECISIONS
    [resolved] = [event["data"] for event in events if event["type"] == "permission_resolved"]
    expected = {"request_id": request["request_id"], "decision": decision, "by": "local"}
    # What lasts longer than this call is a rule, and the answer says which.
    assert resolved == expected | ({"rule": request["rule"]} if decision in DECISIONS[1:3] else {})
    [said] = [event["data"]["text"] for event in events if event["type"] == "message" and "full_text" in event["data"]][
        :1
    ]
    assert ("I was allowed to run" in said) == (decision != "deny"), "the agent has heard it"


@pytest.mark.requirement("R042", "R182")
def test_a_denial_and_its_reason_are_told_in_the_log_and_nothing_else_is(client: Client) -> None:
    for answer, message in (
        ({"decision": "deny", "message": "Not on a Friday."}, "Not on a Friday."),
        ({"decision": "deny"}, "Denied by local."),
        ({"decision": "allow_once", "message": "Go on."}, None),
    ):
        session_id, path = asked(client)
        assert client.post(path, json=answer).status_code == 200
        events = client.follow(session_id)
        hooks = [event["data"] for event in events if event["type"] == "hook_triggered"]
        [request] = [event["data"] for event in events if event["type"] == "permission_request"]
        told = {"hook_event": "PreToolUse", "tool_name": request["tool_name"], "decision": "deny", "message": message}
        assert hooks == ([] if message is None else [told])
        [resolved] = [event["data"] for event in events if event["type"] == "permission_resolved"]
        assert resolved.get("message") == answer.get("message")


@pytest.mark.parametrize(
    ("body", "status", "code", "named"),
    [
        ({"decision": "allow_once", "input": {"command": "ls"}}, 422, "unsupported", "edited"),
        ({"decision": "deny", "input": {"command": "ls"}}, 400, "bad_request", "denied"),
        ({"answers": {"colour": "red"}}, 400, "bad_request", "decision"),
        ({"decision": "allow_once", "answers": {}}, 400, "bad_request", "answers"),
        ({"decision": "cancelled"}, 400, "bad_request", "cancelled"),
        ({"decision": "allow_always"}, 400, "bad_request", "allow_always"),
        ({"message": "Yes!"}, 400, "bad_request", "decision"),
        ({"decision": None}, 400, "bad_request", "decision"),
    ],
)
def test_what_is_no_answer_to_this_request_leaves_it_open(
    client: Client, body: dict[str, object], status: int, code: str, named: str
) -> None:
    session_id, path = asked(client)
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert named in answer.json()["detail"]
    assert client.record(session_id)["status"] == "waiting"
    assert client.post(path, json={"decision": "deny"}).status_code == 200


def test_the_first_answer_wins_and_later_ones_are_refused(shared_server: Server, client: Client) -> None:
    session_id, path = asked(client)
    callers = 6
    barrier = threading.Barrier(callers)

    def call(number: int) -> tuple[int, str]:
        with shared_server.client() as caller:
            caller.get("/health")
            barrier.wait(60)
            decision = "allow_once" if number % 2 else "deny"
            answer = caller.post(path, json={"decision": decision})
            return answer.status_code, answer.json().get("code", "")

    with ThreadPoolExecutor(callers) as pool:
        answers = sorted(pool.map(call, range(callers)))
    assert answers == [(200, "")] + [(409, "already_answered")] * (callers - 1)
    client.end_of(session_id)
    late = client.post(path, json={"decision": "allow_once"})
    assert (late.status_code, late.json()["code"]) == (409, "already_answered")
    assert [event["type"] for event in client.history(session_id)].count("permission_resolved") == 1


def test_a_request_that_was_never_made_is_not_found(client: Client) -> None:
    session_id, path = asked(client)
    answer = client.post(f"/sessions/{session_id}/permissions/never/answer", json={"decision": "allow_once"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert "never" in answer.json()["detail"]
    assert client.record(session_id)["status"] == "waiting"
    client.post(path, json={"decision": "deny"})


def test_an_answer_made_again_with_its_key_gets_the_same_answer(client: Client) -> None:
    session_id, path = asked(client)
    answers = [
        client.post(path, json={"decision": "allow_once"}, headers={"idempotency-key": session_id}) for _ in range(3)
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
    client.end_of(session_id)
