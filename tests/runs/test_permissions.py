"""A permission request: asked once, answered once, by a person, by its expiry or by the end of the run."""

import contextlib
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually
from tests.runs.agents import note_of

FILE = "holdfast-permission.txt"  # what the demo agent makes if it is allowed to


def asked(client: Client, task: str = "ask") -> tuple[str, dict[str, Any]]:
    session_id = client.run_task(task)
    return session_id, client.until(session_id, "permission_request")["data"]


def answer(client: Client, session_id: str, request_id: str, decision: str) -> Any:
    return client.post(f"/sessions/{session_id}/permissions/{request_id}/answer", json={"decision": decision})


DECISIONS = ["allow_once", "allow_session", "allow_project", "deny"]


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.requirement("R085")
def test_the_agent_does_what_it_was_allowed_to_and_nothing_else(agents: Client, decision: str) -> None:
    session_id, request = asked(agents)
    record = agents.record(session_id)
    assert record["status"] == "waiting"
    assert request["tool_input"]["command"].startswith("touch")
    assert [option["kind"] for option in request["options"]] == DECISIONS
    answered = answer(agents, session_id, request["request_id"], decision)
    assert answered.status_code == 200
    assert answered.json()["session_id"] == session_id
    events = agents.follow(session_id)
    resolved = [event["data"] for event in events if event["type"] == "permission_resolved"]
    rule = {"rule": request["rule"]} if decision in ("allow_session", "allow_project") else {}
    assert resolved == [{"request_id": request["request_id"], "decision": decision, "by": "local", **rule}]
    allowed = decision != "deny"
    assert [event["data"]["is_error"] for event in events if event["type"] == "tool_complete"] == [not allowed]
    assert Path(record["workspace"], FILE).exists() is allowed
    assert events[-1]["data"]["stop_reason"] == "success"


def options(*kinds: str) -> list[dict[str, str]]:
    """What an agent offers; the ids say nothing, and neither does the order."""
    return [{"optionId": f"option-{number}", "kind": kind, "name": "Yes"} for number, kind in enumerate(kinds)]


ANY = ("reject_always", "allow_always", "reject_once", "allow_once")


@pytest.mark.parametrize(
    ("offered", "decision", "chosen"),
    [
        *((ANY, decision, "option-3") for decision in DECISIONS[:3]),
        (ANY, "deny", "option-2"),
        (("reject_once", "allow_always"), "allow_once", "option-1"),
        (("allow_once", "reject_always"), "deny", "option-1"),
        # What it offers nothing for is never turned into its opposite.
        (("allow_once", "allow_always"), "deny", None),
        (("reject_once", "reject_always"), "allow_session", None),
        (("", "maybe"), "allow_once", None),
    ],
)
def test_an_agent_is_answered_by_the_kind_of_its_option(
    agents: Client, offered: tuple[str, ...], decision: str, chosen: str | None
) -> None:
    asking = {"toolCall": {"toolCallId": "t", "title": "Try"}, "options": options(*offered)}
    session_id = agents.run_task(f"say(json.dumps(ask('session/request_permission', {asking!r})))", agent="scripted")
    request = agents.until(session_id, "permission_request")["data"]
    assert answer(agents, session_id, request["request_id"], decision).status_code == 200
    events = agents.follow(session_id)
    [said] = [event["data"]["full_text"] for event in events if "full_text" in event["data"]]
    expected = {"outcome": "cancelled"} if chosen is None else {"outcome": "selected", "optionId": chosen}
    assert json.loads(said)["result"] == {"outcome": expected}
    [resolved] = [event["data"] for event in events if event["type"] == "permission_resolved"]
    assert resolved["decision"] == decision


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
                ["allow_once", "deny"] * 3,
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


@pytest.mark.requirement("R042", "R088", "R182")
def test_a_request_that_nobody_answers_is_denied_when_it_expires(impatient: Client) -> None:
    begun_at, ttl, rounding = datetime.now(UTC), timedelta(seconds=1), timedelta(milliseconds=1)
    session_id = impatient.run_task("ask")
    asked_event = impatient.until(session_id, "permission_request")
    expires_at = datetime.fromisoformat(asked_event["data"]["expires_at"])
    asked_at = datetime.fromisoformat(asked_event["timestamp"])
    assert begun_at + ttl - rounding <= expires_at <= asked_at + ttl + rounding
    events = impatient.follow(session_id)
    resolved = next(event for event in events if event["type"] == "permission_resolved")
    assert (resolved["data"]["decision"], resolved["data"]["by"]) == ("deny", "expiry")
    [hook] = [event["data"] for event in events if event["type"] == "hook_triggered"]
    assert (hook["decision"], hook["message"]) == ("deny", resolved["data"]["message"])
    assert datetime.fromisoformat(resolved["timestamp"]) >= expires_at - timedelta(seconds=0.05)
    assert events[-1]["data"]["stop_reason"] == "success"
    assert not Path(impatient.record(session_id)["workspace"], FILE).exists()
    late = answer(impatient, session_id, asked_event["data"]["request_id"], "allow_once")
    assert (late.status_code, late.json()["code"]) == (409, "already_answered")


FORM = {"sessionId": "scripted", "mode": "form", "message": "?", "requestedSchema": {"type": "object"}}


def asked_by_one_that_stands_still(
    client: Client, server: Server, kind: str, agent: str, task: str
) -> tuple[str, int, dict[str, Any]]:
    """A session with a request, and its keeper, which was stopped before the request's time was up."""
    for _ in range(5):  # on a busy machine that time may be too short
        session_id = client.run_task(task, agent=agent)
        request = client.until(session_id, kind)["data"]
        with contextlib.suppress(ProcessLookupError):
            if note := note_of(server, session_id):
                os.kill(note["pid"], signal.SIGSTOP)
                if datetime.now(UTC) < datetime.fromisoformat(request["expires_at"]):
                    return session_id, note["pid"], request
                os.kill(note["pid"], signal.SIGCONT)
    raise AssertionError("no keeper could be stopped in time")


@pytest.mark.parametrize(
    ("kind", "agent", "task"),
    [("permission_request", "demo", "ask"), ("question", "scripted", f"ask('elicitation/create', {FORM!r})")],
)
def test_an_answer_that_the_expiry_was_quicker_than_is_told_so(
    impatient: Client, impatient_server: Server, kind: str, agent: str, task: str
) -> None:
    session_id, keeper, request = asked_by_one_that_stands_still(impatient, impatient_server, kind, agent, task)
    path = f"/sessions/{session_id}/permissions/{request['request_id']}/answer"
    # A keeper that wakes up late finds the answer and the expiry waiting for it together, and the time is up first.
    try:
        with ThreadPoolExecutor(1) as pool, impatient_server.client() as other:
            answering = pool.submit(impatient.post, path, json={"decision": "allow_once"})
            # No answer at all, so it cannot take the place of the one that is under way.
            nonsense = {"decision": "deny", "input": {}}
            eventually(lambda: other.post(path, json=nonsense).status_code == 409, 5, "the answer is under way")
            late = datetime.fromisoformat(request["expires_at"]) + timedelta(seconds=0.1)
            eventually(lambda: datetime.now(UTC) > late, 5, "the time is up")
            os.kill(keeper, signal.SIGCONT)
            answered = answering.result(30)
    finally:
        with contextlib.suppress(ProcessLookupError):  # it goes on after the first one, and may be done
            os.kill(keeper, signal.SIGCONT)
    assert (answered.status_code, answered.json()["code"]) == (409, "already_answered"), answered.text
    assert "deny by expiry" in answered.json()["detail"]
    events = impatient.follow(session_id)
    [resolved] = [event["data"] for event in events if event["type"] == "permission_resolved"]
    assert (resolved["decision"], resolved["by"]) == ("deny", "expiry")


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
    offered = [{"optionId": "y", "kind": "allow_once", "name": "Yes"}, {"optionId": "n", "kind": "reject_once"}]
    ask_for = "send(id='{0}', method='session/request_permission', params={{'toolCall': {{'toolCallId': '{0}'}}, "
    ask_for += f"'options': {offered!r}}})".replace("{", "{{").replace("}", "}}")
    read = "json.loads(sys.stdin.readline())"
    task = "\n".join([ask_for.format("a"), ask_for.format("b"), f"say(repr([({read}), ({read})]))"])
    session_id = agents.run_task(task, agent="scripted")
    with agents.stream(f"/sessions/{session_id}/events") as stream:
        found = (
            frame.data["data"] for frame in stream if frame.data and frame.data.get("type") == "permission_request"
        )
        first, second = next(found), next(found)
    assert answer(agents, session_id, second["request_id"], "deny").json()["status"] == "waiting"
    assert answer(agents, session_id, first["request_id"], "allow_once").status_code == 200
    events = agents.follow(session_id)
    said = next(event["data"]["full_text"] for event in events if "full_text" in event["data"])
    assert said.index("'id': 'b'") < said.index("'optionId': 'n'") < said.index("'id': 'a'") < said.index("'y'")
