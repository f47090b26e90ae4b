"""Permission requests: one answer each, by its kind, from one of the four decisions."""

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


@pytest.mark.parametrize("decision", ["allow_once", "allow_always", "reject_once", "reject_always"])
def test_an_answer_reaches_the_agent_and_the_log(client: Client, decision: str) -> None:
    session_id, path = asked(client)
    assert client.record(session_id)["status"] == "waiting"
    answer = client.post(path, json={"decision": decision})
    assert answer.status_code == 200, answer.text
    assert answer.json()["session_id"] == session_id
    events = client.follow(session_id)
    assert events[-1]["data"]["stop_reason"] == "success"
    [resolved] = [event["data"] for event in events if event["type"] == "permission_resolved"]
    assert resolved["by"] == "local"
    assert resolved["decision"].split("_")[0] == decision.split("_")[0], "the direction stays, whatever is offered"
    [request] = [event["data"] for event in events if event["type"] == "permission_request"]
    assert resolved["request_id"] == request["request_id"]
    assert resolved["decision"] in {option["kind"] for option in request["options"]}


def test_the_first_answer_wins_and_later_ones_are_refused(shared_server: Server, client: Client) -> None:
    session_id, path = asked(client)
    callers = 6
    barrier = threading.Barrier(callers)

    def call(number: int) -> tuple[int, str]:
        with shared_server.client() as caller:
            caller.get("/health")
            barrier.wait(10)
            decision = "allow_once" if number % 2 else "reject_once"
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
    client.post(path, json={"decision": "reject_once"})


def test_an_answer_made_again_with_its_key_gets_the_same_answer(client: Client) -> None:
    session_id, path = asked(client)
    answers = [
        client.post(path, json={"decision": "allow_once"}, headers={"idempotency-key": session_id}) for _ in range(3)
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}
    client.end_of(session_id)
