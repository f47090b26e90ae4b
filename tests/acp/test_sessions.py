"""Sessions as ACP clients have them: list, load, resume, fork, close; and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from holdfast.dialects.acp_params import ListSessions
from holdfast.http.acp_list import listed
from holdfast.log.appends import NewRun, NewSession
from holdfast.log.log import Log
from tests.acp.client import Message, Remote, answers, calls, done, request, said, updates
from tests.acp.conftest import Connect
from tests.client import Client
from tests.conftest import Server
from tests.event_values import recorded
from tests.log.author import Author
from tests.stores import open_log

UNKNOWN = "11111111-1111-4111-8111-111111111111"


def worked(remote: Remote, folder: Path, *tasks: str) -> str:
    """A session in which these tasks were done."""
    session_id = remote.new(folder)
    for task in tasks:
        remote.until(answers(remote.prompt(session_id, task)), session_id=session_id)
    return session_id


def kinds(told: list[Message]) -> list[str]:
    return [update["sessionUpdate"] for update in told]


def test_a_load_replays_the_whole_history_and_is_answered_behind_it(connect: Connect, tmp_path: Path) -> None:
    one = connect()
    session_id = worked(one, tmp_path, "tools 2", "flood 9")
    before = one.until(lambda message: "result" in message and message["id"] == 3, session_id=session_id)
    other = connect()
    load = other.begin("session/load", {"sessionId": session_id, "cwd": str(tmp_path), "mcpServers": []})
    told = other.until(answers(load), session_id=session_id)
    replayed = updates(told, session_id)
    prompts = [update["content"]["text"] for update in replayed if update["sessionUpdate"] == "user_message_chunk"]
    assert prompts == ["tools 2", "flood 9"]
    assert said(before, session_id).items() <= said(told, session_id).items()
    assert told[-1].message["result"]["modes"]["availableModes"]
    # From then on it is live, with the prompts of others.
    one.prompt(session_id, "tools 1")
    rest = other.until(lambda message: "Done: `tools 1`" in str(message), after=told[-1].id, session_id=session_id)
    assert updates(rest, session_id)[0]["content"]["text"] == "tools 1"


def test_a_resume_replays_nothing_and_goes_on(connect: Connect, tmp_path: Path) -> None:
    session_id = worked(connect(), tmp_path, "tools 2")
    other = connect()
    resumed = other.ask("session/resume", {"sessionId": session_id, "cwd": str(tmp_path), "mcpServers": []})
    assert resumed["result"]["configOptions"][0]["currentValue"] == "demo"
    told = other.until(answers(other.prompt(session_id, "tools 1")), session_id=session_id)
    assert [one.message for one in told if calls("session/request_permission")(one.message)] == []
    assert kinds(updates(told, session_id)) == [
        *("session_info_update", "tool_call", "tool_call_update", "agent_message_chunk"),
    ]


def test_a_session_that_has_only_its_id_can_be_loaded_and_worked_in(connect: Connect, tmp_path: Path) -> None:
    session_id = connect().new(tmp_path)
    other = connect()
    answer = other.ask("session/load", {"sessionId": session_id, "cwd": str(tmp_path), "mcpServers": []})
    assert "modes" in answer["result"]
    told = other.until(answers(other.prompt(session_id, "tools 1")), session_id=session_id)
    assert told[-1].message["result"]["stopReason"] == "end_turn"


@pytest.mark.requirement("R128")
def test_the_list_says_how_sessions_ended(named: Remote, tmp_path: Path) -> None:
    good, bad, new = worked(named, tmp_path, "tools 1"), worked(named, tmp_path, "crash 3"), named.new(tmp_path)
    listed = named.ask("session/list", {"cwd": str(tmp_path)})["result"]["sessions"]
    assert [entry["sessionId"] for entry in listed] == [bad, good], f"{new} has no task, and so no log"
    meta = listed[0]["_meta"]
    assert (meta["status"], meta["stop_reason"]) == ("failed", "process_exit")
    info = meta["termination_info"]
    assert (info["reason"], info["terminated_by"], info["exit_code"]) == ("error", "agent", 3)
    assert "asked to crash" in info["stderr"]["head"]
    assert listed[1]["_meta"]["termination_info"] == {"reason": "completed", "terminated_by": "agent"}
    assert listed[1]["title"] == "tools 1"


async def begun(log: Log, folder: str) -> Author:
    author = Author(log)
    run = NewRun(number=1, secret="secret", spec=b"{}", agent="demo", workspace=folder)
    new = NewSession(id=author.id, user_id=author.user_id, project_id=None, agent="demo", workspace=folder)
    await author.write(recorded("user_message"), begin=run, create=new)
    return author


@pytest.mark.anyio
async def test_the_list_has_pages_and_can_be_of_one_folder(tmp_path: Path) -> None:
    async with open_log(f"sqlite:///{tmp_path / 'holdfast.db'}") as log:
        made = [(await begun(log, "/a")).id for _ in range(120)]
        elsewhere = (await begun(log, "/b")).id
        pages: list[list[str]] = []
        cursor = None
        while cursor is not None or not pages:
            page = await listed(log, "ann", ListSessions(cwd="/a/", cursor=cursor))
            pages.append([entry["sessionId"] for entry in page["sessions"]])
            cursor = page.get("nextCursor")
        assert [len(page) for page in pages] == [50, 50, 20]
        assert [id_ for page in pages for id_ in page] == made[::-1]
        everywhere = await listed(log, "ann", ListSessions())
        assert everywhere["sessions"][0]["sessionId"] == elsewhere
        assert (await listed(log, "ada", ListSessions()))["sessions"] == []


REFUSED = [
    ("session/prompt", {"sessionId": UNKNOWN, "prompt": [{"type": "text", "text": "x"}]}, -32002, UNKNOWN),
    ("session/prompt", {"sessionId": "{id}", "prompt": [{"type": "audio", "data": ""}]}, -32602, "audio"),
    ("session/prompt", {"sessionId": "{id}", "prompt": []}, -32602, "says nothing"),
    ("session/prompt", {"sessionId": "{id}", "prompt": "x"}, -32602, "prompt"),
    ("session/prompt", {"sessionId": "{id}"}, -32602, "prompt"),
    ("session/load", {"sessionId": UNKNOWN, "cwd": "/", "mcpServers": []}, -32002, UNKNOWN),
    ("session/load", {"sessionId": 7, "cwd": "/", "mcpServers": []}, -32602, "sessionId"),
    ("session/resume", {"sessionId": "a\0b", "cwd": "/", "mcpServers": []}, -32002, "There is no session"),
    ("session/fork", {"sessionId": UNKNOWN, "cwd": "/", "mcpServers": []}, -32002, UNKNOWN),
    ("session/close", {"sessionId": UNKNOWN}, -32002, UNKNOWN),
    ("session/new", {"cwd": "over/there", "mcpServers": []}, -32602, "over/there"),
    ("session/new", {"cwd": "/no/such/folder", "mcpServers": []}, -32602, "/no/such/folder"),
    ("session/new", {}, -32602, "cwd"),
    ("session/new", [], -32602, "params"),
    ("session/list", {"cursor": "yesterday"}, -32602, "yesterday"),
    ("session/list", {"cwd": "here"}, -32602, "here"),
    ("session/set_mode", {"sessionId": "{id}", "modeId": "reckless"}, -32602, "reckless"),
    ("session/set_config_option", {"sessionId": "{id}", "configId": "colour", "value": "red"}, -32602, "colour"),
    ("session/set_config_option", {"sessionId": "{id}", "configId": "agent", "value": "nobody"}, -32602, "nobody"),
    ("session/set_config_option", {"sessionId": "{id}", "configId": "agent", "value": 7}, -32602, "7"),
    ("session/delete", {"sessionId": "{id}"}, -32601, "session/delete"),
    ("_holdfast/nothing", {}, -32601, "_holdfast/nothing"),
]


@pytest.mark.parametrize(("method", "params", "code", "word"), REFUSED)
def test_what_cannot_be_done_is_an_error_that_names_it(
    named: Remote, tmp_path: Path, method: str, params: Any, code: int, word: str
) -> None:
    if isinstance(params, dict) and params.get("sessionId") == "{id}":
        params = {**params, "sessionId": named.new(tmp_path)}
    error = named.ask(method, params)["error"]
    assert (error["code"], word in error["message"]) == (code, True), error
    assert error["data"]["code"]


def test_a_session_of_another_user_does_not_exist(house: Server, hers: Remote, tmp_path: Path) -> None:
    with Remote(house, "same") as mine:
        mine.initialize()
        _check_strangers(mine, hers, tmp_path)


def _check_strangers(mine: Remote, hers: Remote, tmp_path: Path) -> None:
    session_id = worked(mine, tmp_path, "tools 1")
    promised = mine.new(tmp_path)
    for method in ("session/load", "session/resume", "session/fork", "session/prompt", "session/close"):
        for id_ in (session_id, promised):
            params = {"sessionId": id_, "cwd": str(tmp_path), "prompt": [{"type": "text", "text": "x"}]}
            assert hers.ask(method, params)["error"]["code"] == -32002, method
    seen = {entry["sessionId"] for entry in hers.ask("session/list", {})["result"]["sessions"]}
    assert not seen & {session_id, promised}
    asking = mine.prompt(session_id, "ask")
    asked = mine.until(calls("session/request_permission"))[-1].message
    hers.post({"jsonrpc": "2.0", "id": asked["id"], "result": {"outcome": {"outcome": "selected", "optionId": "deny"}}})
    mine.reply(asked, {"outcome": {"outcome": "selected", "optionId": "allow_once"}})
    told = mine.until(answers(asking))
    assert "I was allowed to run" in str(said(told, session_id))
    # Ends of the other's sessions are none of hers: the first that she hears of is her own.
    hers.prompt(own := hers.new(tmp_path), "tools 1")
    heard = hers.until(calls("_sandboxagent/session/ended"))
    assert heard[-1].message["params"]["session_id"] == own


def test_one_prompt_at_a_time(named: Remote, tmp_path: Path) -> None:
    session_id = named.new(tmp_path)
    prompt = named.prompt(session_id, "tools 2 slow 600")
    params = {"sessionId": session_id, "prompt": [{"type": "text", "text": "me too"}]}
    error = named.ask("session/prompt", params)["error"]
    assert (error["code"], error["data"]["code"]) == (-32600, "session_busy")
    named.notify("session/cancel", {"sessionId": session_id})
    named.until(answers(prompt))


def test_a_cancel_ends_the_prompt_with_cancelled(remote: Remote, tmp_path: Path) -> None:
    session_id = remote.new(tmp_path)
    prompt = remote.prompt(session_id, "tools 2 slow 600")
    begun = remote.until(calls("session/update"), session_id=session_id)
    remote.notify("session/cancel", {"sessionId": session_id})
    told = remote.until(answers(prompt), after=begun[-1].id, session_id=session_id)
    assert told[-1].message["result"]["stopReason"] == "cancelled"
    second = remote.prompt(session_id, "tools 1")
    told = remote.until(answers(second), after=told[-1].id, session_id=session_id)
    assert told[-1].message["result"]["stopReason"] == "end_turn"


def test_a_cancelled_request_is_a_cancelled_prompt(remote: Remote, tmp_path: Path) -> None:
    session_id = remote.new(tmp_path)
    prompt = remote.prompt(session_id, "tools 2 slow 600")
    remote.until(calls("session/update"), session_id=session_id)
    remote.notify("$/cancel_request", {"requestId": prompt + 1000})
    remote.notify("$/cancel_request", {"requestId": prompt})
    told = remote.until(answers(prompt), session_id=session_id)
    assert told[-1].message["result"]["stopReason"] == "cancelled"


def test_a_close_ends_the_work_and_answers_its_prompt(remote: Remote, client: Client, tmp_path: Path) -> None:
    session_id = remote.new(tmp_path)
    prompt = remote.prompt(session_id, "tools 2 slow 600")
    closed = remote.post(request("bye", "session/close", {"sessionId": session_id}), session_id)
    assert closed.status_code in (200, 202)
    told = remote.until(answers(prompt), session_id=session_id)
    assert told[-1].message["result"]["stopReason"] == "cancelled"
    assert client.record(session_id)["status"] == "cancelled"
    again = request("more", "session/prompt", {"sessionId": session_id, "prompt": [{"type": "text", "text": "x"}]})
    answer = remote.post(again, session_id)
    if answer.status_code == 202:
        error = remote.until(answers("more"), after=told[-1].id, session_id=session_id)[-1].message["error"]
    else:
        error = answer.json()["error"]
    assert error["code"] == -32002


def test_files_of_a_prompt_come_along(connect: Connect, client: Client, tmp_path: Path) -> None:
    named = connect()
    session_id = named.new(tmp_path)
    blocks = [
        {"type": "text", "text": "tools 1 with "},
        {"type": "resource", "resource": {"uri": "file:///a/notes.md", "text": "# Notes", "mimeType": "text/markdown"}},
        {"type": "resource_link", "name": "plan.md", "uri": "file:///a/plan.md"},
    ]
    prompt = named.begin("session/prompt", {"sessionId": session_id, "prompt": blocks})
    named.until(answers(prompt), session_id=session_id)
    event = client.history(session_id)[0]["data"]
    assert event["text"] == "tools 1 with [@notes.md](file:///a/notes.md)[@plan.md](file:///a/plan.md)"
    assert [(file["name"], file["media_type"]) for file in event["attachments"]] == [("notes.md", "text/markdown")]
    assert event["origin"]["dialect"] == "acp"
    other = connect()
    load = other.begin("session/load", {"sessionId": session_id, "cwd": str(tmp_path), "mcpServers": []})
    shown = updates(other.until(answers(load), session_id=session_id), session_id)
    assert [update["content"]["type"] for update in shown if update["sessionUpdate"] == "user_message_chunk"] == [
        *("text", "resource_link"),
    ]


def test_everything_of_a_session_is_told_once_to_who_loads_it_twice(named: Remote, tmp_path: Path) -> None:
    session_id = worked(named, tmp_path, "tools 1")
    first = named.begin("session/load", {"sessionId": session_id, "cwd": str(tmp_path), "mcpServers": []})
    told = named.until(answers(first))
    prompt = named.prompt(session_id, "tools 2")
    rest = named.until(answers(prompt), after=told[-1].id)
    assert kinds([one for one in updates(rest, session_id) if "tool" in one["sessionUpdate"]]) == [
        *("tool_call", "tool_call_update") * 2,
    ]
    assert len([message for message in done(rest, session_id) if "result" in message]) == 1
