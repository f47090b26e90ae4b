"""A permission request: asked once, answered once, by a person, by its expiry or by the end of the run."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client

FILE = "holdfast-permission.txt"  # what the demo agent makes if it is allowed to


def asked(client: Client, task: str = "ask") -> tuple[str, dict[str, Any]]:
    session_id = client.run_task(task)
    return session_id, client.until(session_id, "permission_request")["data"]


def answer(client: Client, session_id: str, request_id: str, decision: str) -> Any:
    return client.post(f"/sessions/{session_id}/permissions/{request_id}/answer", json={"decision": decision})


@pytest.mark.parametrize(
    ("decision", "chosen", "allowed"),
    [
        ("allow_once", "allow_once", True),
        ("allow_always", "allow_always", True),
        ("reject_once", "reject_once", False),
        ("reject_always", "reject_once", False),  # the agent does not offer it: the other kind of the same direction
    ],
)
@pytest.mark.requirement("R085")
def test_the_agent_does_what_it_was_allowed_to_and_nothing_else(
    agents: Client, decision: str, chosen: str, allowed: bool
) -> None:
    session_id, request = asked(agents)
    record = agents.record(session_id)
    assert record["status"] == "waiting"
    assert request["tool_input"]["command"].startswith("touch")
    assert [option["kind"] for option in request["options"]] == ["allow_once", "allow_always", "reject_once"]
    answered = answer(agents, session_id, request["request_id"], decision)
    assert answered.status_code == 200
    assert answered.json()["session_id"] == session_id
    events = agents.follow(session_id)
    resolved = [event["data"] for event in events if event["type"] == "permission_resolved"]
    assert resolved == [{"request_id": request["request_id"], "decision": chosen, "by": "local"}]
    assert [event["data"]["is_error"] for event in events if event["type"] == "tool_complete"] == [not allowed]
    assert Path(record["workspace"], FILE).exists() is allowed
    assert events[-1]["data"]["stop_reason"] == "success"


def test_an_answered_request_lets_the_run_go_on_at_once(agents: Client) -> None:
    session_id, request = asked(agents, "ask slow 30 tools 30")
    record = answer(agents, session_id, request["request_id"], "allow_once").json()
    assert record["status"] == "running"
    agents.post(f"/sessions/{session_id}/cancel")


def test_the_first_answer_wins_and_later_ones_hear_so(agents: Client) -> None:
    session_id, request = asked(agents)
    with ThreadPoolExecutor(6) as pool:
        answers = list(
            pool.map(
                lambda decision: answer(agents, session_id, request["request_id"], decision),
                ["allow_once", "reject_once"] * 3,
            )
        )
    codes = sorted(one.status_code for one in answers)
    assert codes == [200, 409, 409, 409, 409, 409]
    assert {one.json()["code"] for one in answers if one.status_code == 409} == {"already_answered"}
    events = agents.follow(session_id)
    assert len([event for event in events if event["type"] == "permission_resolved"]) == 1
    late = answer(agents, session_id, request["request_id"], "allow_once")  # the run is over by now
    assert (late.status_code, late.json()["code"]) == (409, "already_answered")


def test_an_answer_to_nothing_is_refused(agents: Client) -> None:
    session_id, request = asked(agents)
    other, _ = asked(agents)
    unknown = answer(agents, session_id, "0" * 32, "allow_once")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    elsewhere = answer(agents, other, request["request_id"], "allow_once")
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (404, "not_found")
    nonsense = answer(agents, session_id, request["request_id"], "perhaps")
    assert (nonsense.status_code, nonsense.json()["code"]) == (400, "bad_request")
    assert agents.record(session_id)["status"] == "waiting"
    for one in (session_id, other):
        agents.post(f"/sessions/{one}/cancel")


@pytest.mark.requirement("R088")
def test_a_request_that_nobody_answers_is_rejected_when_it_expires(impatient: Client) -> None:
    session_id = impatient.run_task("ask")
    asked_event = impatient.until(session_id, "permission_request")
    expires_at = datetime.fromisoformat(asked_event["data"]["expires_at"])
    asked_at = datetime.fromisoformat(asked_event["timestamp"])
    assert timedelta(seconds=0.9) < expires_at - asked_at < timedelta(seconds=1.1)
    events = impatient.follow(session_id)
    resolved = next(event for event in events if event["type"] == "permission_resolved")
    assert (resolved["data"]["decision"], resolved["data"]["by"]) == ("reject_once", "expiry")
    assert datetime.fromisoformat(resolved["timestamp"]) >= expires_at - timedelta(seconds=0.05)
    assert events[-1]["data"]["stop_reason"] == "success"
    assert not Path(impatient.record(session_id)["workspace"], FILE).exists()
    late = answer(impatient, session_id, asked_event["data"]["request_id"], "allow_once")
    assert (late.status_code, late.json()["code"]) == (409, "already_answered")


@pytest.mark.requirement("R036", "R083")
@pytest.mark.parametrize("how", ["cancel", "crash"])
def test_an_open_request_is_closed_before_the_end(agents: Client, how: str, tmp_path: Path) -> None:
    asking = {"toolCall": {"toolCallId": "t", "title": "Try"}, "options": [{"optionId": "y", "kind": "allow_once"}]}
    task = f"send(id=9, method='session/request_permission', params={asking!r}); until('go'); os._exit(3)"
    session_id = agents.run_task(task, agent="scripted", workspace=str(tmp_path))
    request = agents.until(session_id, "permission_request")["data"]
    if how == "cancel":
        agents.post(f"/sessions/{session_id}/cancel")
    else:
        (tmp_path / "go").touch()
    events = agents.follow(session_id)
    resolved = [event["data"] for event in events if event["type"] == "permission_resolved"]
    assert resolved == [{"request_id": request["request_id"], "decision": "cancelled", "by": "daemon"}]
    assert [event["data"]["outcome"] for event in events if event["type"] == "tool_complete"] == ["unknown"]
    assert events[-1]["data"]["stop_reason"] == ("cancelled" if how == "cancel" else "process_exit")


def test_two_open_requests_are_answered_each_for_itself(agents: Client) -> None:
    options = [{"optionId": "y", "kind": "allow_once", "name": "Yes"}, {"optionId": "n", "kind": "reject_once"}]
    ask_for = "send(id='{0}', method='session/request_permission', params={{'toolCall': {{'toolCallId': '{0}'}}, "
    ask_for += f"'options': {options!r}}})".replace("{", "{{").replace("}", "}}")
    read = "json.loads(sys.stdin.readline())"
    task = "\n".join([ask_for.format("a"), ask_for.format("b"), f"say(repr([({read}), ({read})]))"])
    session_id = agents.run_task(task, agent="scripted")
    with agents.stream(f"/sessions/{session_id}/events") as stream:
        found = (
            frame.data["data"] for frame in stream if frame.data and frame.data.get("type") == "permission_request"
        )
        first, second = next(found), next(found)
    assert answer(agents, session_id, second["request_id"], "reject_once").json()["status"] == "waiting"
    assert answer(agents, session_id, first["request_id"], "allow_once").status_code == 200
    events = agents.follow(session_id)
    said = next(event["data"]["full_text"] for event in events if "full_text" in event["data"])
    assert said.index("'id': 'b'") < said.index("'optionId': 'n'") < said.index("'id': 'a'") < said.index("'y'")
