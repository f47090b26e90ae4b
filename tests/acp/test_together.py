"""Several clients at once: each is told everything, one answer is enough, and everybody hears of every end."""

import threading
from pathlib import Path

import pytest

from tests.acp.client import Remote, about, answers, calls, chosen, done, ends, said
from tests.acp.conftest import Connect
from tests.client import Client
from tests.conftest import Server

ASKED = calls("session/request_permission")


def joined(connect: Connect, session_id: str, folder: Path) -> Remote:
    other = connect()
    other.ask("session/resume", {"sessionId": session_id, "cwd": str(folder), "mcpServers": []})
    return other


def test_what_one_client_allows_is_withdrawn_from_the_other(connect: Connect, tmp_path: Path) -> None:
    one = connect()
    session_id = one.new(tmp_path)
    prompt = one.prompt(session_id, "ask")
    asked = one.until(ASKED, session_id=session_id)
    other = joined(connect, session_id, tmp_path)
    seen = other.until(ASKED, session_id=session_id)
    assert seen[-1].message == asked[-1].message
    other.reply(seen[-1].message, chosen("allow_once"))
    told = one.until(answers(prompt), after=asked[-1].id, session_id=session_id)
    assert "I was allowed to run" in str(said(told, session_id))
    [withdrawn] = [one.message for one in told if calls("$/cancel_request")(one.message)]
    assert withdrawn["params"]["requestId"] == asked[-1].message["id"]
    # Who answered is not told so, and who did not ask is not told the answer to the prompt.
    rest = other.until(lambda message: "I was allowed" in str(message), after=seen[-1].id, session_id=session_id)
    assert not [one for one in rest if calls("$/cancel_request")(one.message)]


def test_a_client_that_cancels_the_question_leaves_it_open_for_the_others(
    connect: Connect, client: Client, tmp_path: Path
) -> None:
    one = connect()
    session_id = one.new(tmp_path)
    prompt = one.prompt(session_id, "ask")
    asked = one.until(ASKED, session_id=session_id)[-1].message
    for nothing in ({"outcome": {"outcome": "cancelled"}}, {"outcome": {"outcome": "selected", "optionId": "maybe"}}):
        one.reply(asked, nothing)
    one.post({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "What?"}}, session_id)
    assert client.record(session_id)["status"] == "waiting"
    one.reply(asked, chosen("deny"))
    told = one.until(answers(prompt), session_id=session_id)
    assert "did not run" in str(said(told, session_id))


def test_an_answer_given_elsewhere_counts_and_is_told(connect: Connect, client: Client, tmp_path: Path) -> None:
    one = connect()
    session_id = one.new(tmp_path)
    prompt = one.prompt(session_id, "ask")
    asked = one.until(ASKED, session_id=session_id)
    request_id = asked[-1].message["id"].rpartition(":")[2]
    path = f"/sessions/{session_id}/permissions/{request_id}/answer"
    assert client.post(path, json={"decision": "allow_once"}).status_code == 200
    told = one.until(answers(prompt), after=asked[-1].id, session_id=session_id)
    assert calls("$/cancel_request")(about(told, session_id)[0])
    assert told[-1].message["result"]["stopReason"] == "end_turn"


def test_a_question_waits_for_a_client_that_was_away(connect: Connect, client: Client, tmp_path: Path) -> None:
    one = connect()
    session_id = one.new(tmp_path)
    prompt = one.prompt(session_id, "ask")
    client.until(session_id, "permission_request")
    asked = one.until(ASKED, session_id=session_id)
    one.reply(asked[-1].message, chosen("allow_session"))
    told = one.until(answers(prompt), after=asked[-1].id, session_id=session_id)
    assert told[-1].message["result"]["stopReason"] == "end_turn"
    again = one.prompt(session_id, "ask")
    rest = one.until(answers(again), after=told[-1].id, session_id=session_id)
    assert not [one for one in rest if ASKED(one.message)], "it is allowed for the session"


def test_two_live_readers_of_one_session_are_told_the_same(connect: Connect, tmp_path: Path) -> None:
    one = connect()
    session_id = one.new(tmp_path)
    first = one.prompt(session_id, "tools 1")
    told = one.until(answers(first), session_id=session_id)
    other = joined(connect, session_id, tmp_path)
    both: dict[str, str] = {}

    def read() -> None:
        found = other.until(lambda message: "Done: " in str(message), session_id=session_id)
        both.update(said(found, session_id))

    reader = threading.Thread(target=read)
    reader.start()
    second = one.prompt(session_id, "slow 0.5 flood 100 tools 5")
    rest = one.until(answers(second), after=told[-1].id, session_id=session_id)
    reader.join(30)
    assert said(rest, session_id).items() <= both.items()
    assert len(both) == len(said(rest, session_id)) + 1, "the prompt of the other client is told too"
    assert len(done(rest, session_id)) == 12


@pytest.mark.requirement("R128")
def test_every_client_hears_that_a_session_crashed_and_how(connect: Connect, tmp_path: Path) -> None:
    one, bystander = connect(), connect()
    session_id = one.new(tmp_path)
    prompt = one.prompt(session_id, "tools 1 crash 3")
    error = one.until(answers(prompt), session_id=session_id)[-1].message["error"]
    assert error["code"] == -32603
    assert error["message"].startswith("agent exited with status")
    for client in (one, bystander):
        params = client.until(ends(session_id))[-1].message["params"]
        data = params["data"]
        assert set(params) == {"session_id", "data"}
        assert (data["reason"], data["terminated_by"], data["exit_code"]) == ("error", "agent", 3)
        assert data["message"].startswith("agent exited with status")
        assert "asked to crash" in data["stderr"]["head"]
        assert (data["stderr"]["truncated"], data["stderr"]["total_lines"]) == (False, 6)
        assert data == {**error["data"]["termination_info"], "stop_reason": "process_exit", **_resumable(data)}


@pytest.mark.requirement("R128")
def test_each_end_is_told_once_however_often_a_client_comes_back(named: Remote, tmp_path: Path) -> None:
    session_id = named.new(tmp_path)
    heard = []
    after = None
    for task in ("tools 1", "crash 3", "tools 2"):
        prompt = named.prompt(session_id, task)
        told = named.until(ends(session_id), after=after)
        assert [one.message.get("id") for one in told if "method" not in one.message] == [prompt]
        after = told[-1].id
        heard += [one.message["params"]["data"]["stop_reason"] for one in told if ends(session_id)(one.message)]
    assert heard == ["success", "process_exit", "success"]


def _resumable(data: dict[str, object]) -> dict[str, object]:
    return {name: data[name] for name in ("resumable",) if name in data}


@pytest.mark.requirement("R128")
def test_who_comes_late_hears_of_an_end_behind_all_that_came_before_it(
    house: Server, client: Client, tmp_path: Path
) -> None:
    with Remote(house, "late") as late:
        late.initialize()
        session_id = late.new(tmp_path)
        prompt = late.prompt(session_id, "tools 3000")
        client.end_of(session_id)
        told = [told.message for told in late.until(ends(session_id))]
    assert sum("toolCallId" in str(message) for message in told) == 6000
    assert any(map(answers(prompt), told))
