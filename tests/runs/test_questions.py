"""An agent's own questions: put to a person, answered by their items, and answered once."""

import json
from typing import Any

import pytest

from tests.client import Client

FORM = {
    "type": "object",
    "properties": {
        "colour": {"type": "string", "title": "Colour", "enum": ["red", "blue"]},
        "size": {"type": "integer", "title": "Size"},
        "note": {"type": "string"},
    },
    "required": ["colour"],
}


def asked(client: Client) -> tuple[str, dict[str, Any], str]:
    """A session that waits for an answer to its question, the question, and the path to answer it."""
    params = {"sessionId": "scripted", "mode": "form", "message": "How shall it look?", "requestedSchema": FORM}
    task = f"say(json.dumps(ask('elicitation/create', {params!r})['result']))"
    session_id = client.run_task(task, agent="scripted")
    question = client.until(session_id, "question")["data"]
    return session_id, question, f"/sessions/{session_id}/permissions/{question['request_id']}/answer"


def said(client: Client, session_id: str) -> Any:
    """What the agent got."""
    events = client.follow(session_id)
    assert events[-1]["data"]["stop_reason"] == "success"
    [text] = [
        event["data"]["full_text"] for event in events if event["type"] == "message" and not event["data"]["is_partial"]
    ]
    return json.loads(text)


def test_a_question_is_asked_with_its_items_and_its_answer_reaches_the_agent(agents: Client) -> None:
    session_id, question, path = asked(agents)
    assert question["text"] == "How shall it look?"
    assert question["expires_at"]
    items = {item["id"]: item for item in question["questions"]}
    # What is not said is plain: a text, of which one may do without.
    assert [item.get("kind", "text") for item in question["questions"]] == ["choice", "number", "text"]
    assert [item["id"] for item in items.values() if item.get("required")] == ["colour"]
    assert [option["kind"] for option in items["colour"]["options"]] == ["red", "blue"]
    record = agents.record(session_id)
    assert (record["status"], record["waiting_on"]["kind"]) == ("waiting", "person")
    answer = agents.post(path, json={"answers": {"colour": "blue", "size": 7}})
    assert answer.status_code == 200, answer.text
    assert said(agents, session_id) == {"action": "accept", "content": {"colour": "blue", "size": 7}}
    [resolved] = [e["data"] for e in agents.history(session_id) if e["type"] == "permission_resolved"]
    assert (resolved["by"], resolved["answers"]) == ("local", {"colour": "blue", "size": 7})
    late = agents.post(path, json={"answers": {"colour": "red"}})
    assert (late.status_code, late.json()["code"]) == (409, "already_answered")


def test_a_question_can_be_left_unanswered(agents: Client) -> None:
    session_id, _, path = asked(agents)
    assert agents.post(path, json={"decision": "deny"}).status_code == 200
    assert said(agents, session_id)["action"] in ("decline", "cancel")


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"answers": {"size": 7}}, "colour"),
        ({"answers": {"colour": "red", "smell": "sweet"}}, "smell"),
        ({"answers": {"colour": None}}, "colour"),
        ({"answers": {"colour": "green"}}, "colour"),
        ({"answers": {"colour": ["red", "blue"]}}, "colour"),
        ({"answers": {"colour": "red", "size": "large"}}, "size"),
        ({"answers": {"colour": "red", "size": 1.5}}, "size"),
        ({"answers": {"colour": "red", "note": {"text": "soon"}}}, "note"),
        ({"decision": "allow_once"}, "colour"),
        ({"decision": "allow_once", "answers": {"colour": "red"}, "input": {"a": 1}}, "input"),
        ({"decision": "deny", "answers": {"smell": "sweet"}}, "smell"),
    ],
)
def test_what_is_no_answer_to_the_question_leaves_it_open(agents: Client, body: dict[str, Any], named: str) -> None:
    session_id, _, path = asked(agents)
    answer = agents.post(path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), answer.text
    assert named in answer.json()["detail"]
    assert agents.record(session_id)["status"] == "waiting"
    assert agents.post(path, json={"decision": "deny"}).status_code == 200


def test_a_question_that_nobody_answers_expires(impatient: Client) -> None:
    session_id, _, path = asked(impatient)
    assert said(impatient, session_id)["action"] in ("decline", "cancel")
    [resolved] = [e["data"] for e in impatient.history(session_id) if e["type"] == "permission_resolved"]
    assert (resolved["decision"], resolved["by"]) == ("deny", "expiry")
    late = impatient.post(path, json={"answers": {"colour": "red"}})
    assert (late.status_code, late.json()["code"]) == (409, "already_answered")


def test_a_question_waits_in_the_list_of_what_waits_for_the_user(agents: Client, ada: Client) -> None:
    session_id, question, path = asked(agents)
    [waiting] = [one for one in agents.get("/permissions").json()["permissions"] if one["session_id"] == session_id]
    assert (waiting["type"], waiting["request"]) == ("question", question)
    assert session_id not in [one["session_id"] for one in ada.get("/permissions").json()["permissions"]]
    agents.post(path, json={"decision": "deny"})
    assert session_id not in [one["session_id"] for one in agents.get("/permissions").json()["permissions"]]
