"""The demo agent asks for permission, and does what the answer says."""

import pytest

from tests.demo.speaking import CANCELLED, END_TURN, SILENCE, is_permission, of_kind, text_of


def asked(agent, prompt="ask"):
    number = agent.prompt(prompt)
    call, request = agent.until(is_permission)
    update = call["params"]["update"]
    assert (update["sessionUpdate"], update["kind"], update["status"]) == ("tool_call", "execute", "pending")
    assert request["params"]["toolCall"]["toolCallId"] == update["toolCallId"]
    return number, request


def option(request, kind):
    [found] = [entry for entry in request["params"]["options"] if entry["kind"] == kind]
    return {"outcome": "selected", "optionId": found["optionId"]}


def test_ask_waits_and_runs_the_command_when_it_is_allowed(agent, workspace):
    number, request = asked(agent)
    assert request["id"] == 0
    assert [entry["kind"] for entry in request["params"]["options"]] == [
        "allow_once",
        "allow_always",
        "reject_once",
    ]
    assert agent.line(SILENCE) is None
    assert list(workspace.iterdir()) == []
    agent.answer(request, option(request, "allow_once"))
    *updates, response = agent.response(number)
    states = [update["params"]["update"].get("status") for update in updates]
    assert states[:2] == ["in_progress", "completed"]
    assert (workspace / "holdfast-permission.txt").exists()
    assert response["result"] == END_TURN
    assert asked(agent)[1]["id"] == 1


def test_ask_does_not_run_what_was_rejected(agent, workspace):
    number, request = asked(agent, "ask flood 2")
    agent.answer(request, option(request, "reject_once"))
    *updates, response = agent.response(number)
    updates = [message["params"]["update"] for message in updates]
    assert updates[0]["status"] == "failed"
    assert "rejected" in text_of(updates)
    assert "word-1 word-2 " in text_of(updates)
    assert list(workspace.iterdir()) == []
    assert response["result"] == END_TURN


def test_ask_asks_no_more_once_it_is_always_allowed(agent):
    number, request = asked(agent)
    agent.answer(request, option(request, "allow_always"))
    agent.response(number)
    updates, response = agent.turn("ask")
    assert response["result"] == END_TURN
    assert of_kind(updates, "tool_call_update")[-1]["status"] == "completed"


def test_ask_ends_the_turn_when_the_question_was_cancelled(agent, workspace):
    number, request = asked(agent)
    agent.answer(request, {"outcome": "cancelled"})
    assert agent.response(number)[-1]["result"] == CANCELLED
    assert list(workspace.iterdir()) == []


def test_ask_when_stubborn_does_not_end_the_turn_of_a_cancelled_question(agent):
    _, request = asked(agent, "stubborn ask flood 1")
    agent.answer(request, {"outcome": "cancelled"})
    agent.until(lambda message: message["params"]["update"].get("content") == {"type": "text", "text": "word-1 "})
    assert agent.line(SILENCE) is None


@pytest.mark.parametrize(
    "answer",
    [{"error": {"code": -32601, "message": "no"}}, {"result": None}, {"result": {"outcome": {"outcome": "selected"}}}],
)
def test_ask_takes_a_client_that_cannot_answer_as_a_no(agent, workspace, answer):
    number, request = asked(agent)
    agent.send({"id": request["id"], **answer})
    *updates, response = agent.response(number)
    assert updates[0]["params"]["update"]["status"] == "failed"
    assert response["result"] == END_TURN
    assert list(workspace.iterdir()) == []
