"""What agents ask: listed, shown with how to answer it, and answered from a shell or by who sits at the terminal."""

import json

import pytest

from holdfast.cli import exits
from holdfast.cli.prompting import edited
from holdfast.errors import ConfigError
from tests.client import Client
from tests.test_cli_terminal import Terminal

FORM = {
    "type": "object",
    "properties": {
        "colour": {"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "b", "title": "Blue"}]},
        "size": {"type": "integer", "title": "Size"},
    },
    "required": ["colour"],
}  # fmt: skip


def asks_a_question(client: Client) -> str:
    params = {"sessionId": "scripted", "mode": "form", "message": "How shall it look?", "requestedSchema": FORM}
    session_id = client.run_task(f"say(json.dumps(ask('elicitation/create', {params!r})['result']))", agent="scripted")
    client.until(session_id, "question")
    return session_id


URL = {"mode": "url", "url": "https://example.com/login", "elicitationId": "e-1"}
EMPTY = {"mode": "form", "requestedSchema": {"type": "object", "properties": {}}}


def asks_for_nothing_but_done(client: Client, kind: dict) -> str:
    """A question without items: an address to be opened, or a form that has no fields."""
    params = {"sessionId": "scripted", "message": "Log in, please.", **kind}
    session_id = client.run_task(f"say(ask('elicitation/create', {params!r})['result']['action'])", agent="scripted")
    client.until(session_id, "question")
    return session_id


def heard(client: Client, session_id: str) -> str:
    """What the agent got for an answer."""
    return "".join(event["data"]["text"] for event in client.follow(session_id) if event["type"] == "message")


def asks_permission(client: Client) -> str:
    session_id = client.run_task("ask")
    client.until(session_id, "permission_request")
    return session_id


def resolved(client: Client, session_id: str) -> dict:
    return client.until(session_id, "permission_resolved")["data"]


def test_permissions_lists_what_waits_and_show_says_what_it_is_and_how_to_answer(command, agents):
    session_id = asks_permission(agents)
    listed = command("permissions")
    (line,) = [line for line in listed.stdout.splitlines() if line.startswith(session_id[:8])]
    assert "touch holdfast-permission.txt" in line
    entries = json.loads(command("permissions", "--json").stdout)["permissions"]
    assert session_id in {entry["session_id"] for entry in entries}
    shown = command("show", session_id).stdout
    assert "an answer of yours" in shown
    assert "command: touch holdfast-permission.txt" in shown
    assert f"holdfast answer {session_id[:8]} allow|session|project|deny" in shown
    agents.post(f"/sessions/{session_id}/cancel")


@pytest.mark.parametrize(
    ("words", "decision"),
    [
        (["allow"], "allow_once"),
        (["session"], "allow_session"),
        (["allow-project"], "allow_project"),
        (["--deny"], "deny"),
    ],
)
def test_a_permission_is_answered_in_a_word(command, agents, words, decision):
    session_id = asks_permission(agents)
    done = command("answer", session_id[:8], *words, "-m", "Because.")
    assert done.exit_code == 0, done.stderr
    assert resolved(agents, session_id) | {"rule": None, "request_id": None} == {
        "decision": decision, "by": "local", "message": "Because.", "rule": None, "request_id": None,
    }  # fmt: skip


def test_what_cannot_be_meant_is_refused_before_it_is_sent_and_the_request_stays_open(command, agents):
    session_id = asks_permission(agents)
    for words, told in (
        (["maybe"], "'maybe' is no decision"),
        (["allow", "--request", "nope"], "'nope'"),
        (["--input", '{"command": "ls"}'], "does not take another input"),
        (["allow", "--deny"], "--deny stands alone"),
        ([], f"holdfast answer {session_id[:8]} allow"),
    ):
        done = command("answer", session_id, *words)
        assert done.exit_code in (exits.USAGE, exits.FAILURE)
        assert told in done.stderr
    assert agents.record(session_id)["status"] == "waiting"
    assert json.loads(command("answer", session_id, "deny", "--json").stdout)["session_id"] == session_id
    agents.end_of(session_id)
    gone = command("answer", session_id, "deny")
    assert gone.exit_code == exits.FAILURE
    assert "asks nothing; it is complete" in gone.stderr


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (["2"], {"colour": "b"}),
        (["Red", "7"], {"colour": "r", "size": 7}),
        (["size=3", "colour=2"], {"colour": "b", "size": 3}),
    ],
)
def test_a_question_is_answered_by_number_by_name_or_item_by_item(command, agents, words, answers):
    session_id = asks_a_question(agents)
    shown = command("show", session_id).stdout
    assert "2  Blue" in shown
    assert f"holdfast answer {session_id[:8]} colour=… size=…" in shown
    done = command("answer", session_id, *words)
    assert done.exit_code == 0, done.stderr
    assert resolved(agents, session_id)["answers"] == answers


def test_an_answer_that_fits_no_item_is_refused_with_its_name(command, agents):
    session_id = asks_a_question(agents)
    for words, told in (
        (["3"], "'colour' has no option 3"),
        (["green"], "'colour' is none of its options"),
        (["size=4"], "lack 'colour'"),
        (["1", "big"], "'size' must be a number"),
        (["1", "2", "3"], "'3' is one answer too many"),
    ):
        done = command("answer", session_id, *words)
        assert (done.exit_code, told in done.stderr) == (exits.USAGE, True), done.stderr
    assert command("answer", session_id, "--deny").exit_code == 0
    assert resolved(agents, session_id)["decision"] == "deny"


@pytest.mark.parametrize("kind", [URL, EMPTY], ids=["url", "empty"])
def test_a_question_with_nothing_to_fill_in_is_answered_in_a_word_which_has_to_be_the_right_one(command, agents, kind):
    session_id = asks_for_nothing_but_done(agents, kind)
    assert f"holdfast answer {session_id[:8]} done" in command("show", session_id).stdout
    for words, told in ((["maybe"], "'maybe' is no answer"), ([], f"holdfast answer {session_id[:8]} done")):
        refused = command("answer", session_id, *words)
        assert (refused.exit_code, told in refused.stderr) == (exits.USAGE, True), refused.stderr
    assert agents.record(session_id)["status"] == "waiting"
    done = command("answer", session_id, "done")
    assert (done.exit_code, done.stderr) == (0, "Answered.\n")
    assert "accept" in heard(agents, session_id)


def test_an_id_may_be_typed_in_capitals(command, agents):
    session_id = asks_permission(agents)
    done = command("answer", session_id.upper(), "deny")
    assert (done.exit_code, done.stderr) == (0, "Denied.\n")


@pytest.fixture
def terminal(house, at_home, tmp_path):
    opened = []

    def open_terminal(*arguments):
        opened.append(Terminal(house.url, tmp_path, *arguments, "--token", at_home["HOLDFAST_TOKEN"]))
        return opened[-1]

    yield open_terminal
    for each in opened:
        each.close()


def test_who_sits_at_a_terminal_is_asked_until_the_answer_fits(terminal, agents):
    permission, question = asks_permission(agents), asks_a_question(agents)
    screen = terminal("answer", permission)
    screen.wait_for("q leave it open >")
    screen.press(b"perhaps\r")
    screen.wait_for("'perhaps' is no decision")
    screen.press(b"a\r")
    assert screen.finish() == 0
    assert resolved(agents, permission)["decision"] == "allow_once"
    screen = terminal("answer", question)
    screen.wait_for("colour (!deny declines) >")
    screen.press(b"9\r")
    screen.wait_for("'colour' has no option 9")
    screen.press(b"1\r")
    screen.wait_for("size >")
    screen.press(b"\r")
    assert screen.finish() == 0
    assert resolved(agents, question)["answers"] == {"colour": "r"}


@pytest.mark.parametrize(
    ("keys", "action"), [((b"maybe\r", b"y\r"), "accept"), ((b"n\r",), "decline"), ((b"done\r",), "accept")]
)
def test_a_question_with_nothing_to_fill_in_is_not_answered_by_being_shown(terminal, agents, keys, action):
    session_id = asks_for_nothing_but_done(agents, URL)
    screen = terminal("answer", session_id)
    screen.wait_for("y done · n decline · q leave it open >")
    screen.press(b"q\r")
    screen.wait_for("Left open.")
    assert (screen.finish(), agents.record(session_id)["status"]) == (0, "waiting")
    screen = terminal("answer", session_id)
    for number, key in enumerate(keys, 1):
        screen.wait_for("leave it open >" if number == 1 else "'maybe' is none of y, n and q.")
        screen.press(key)
    assert screen.finish() == 0
    assert action in heard(agents, session_id)


def test_an_input_is_changed_in_the_persons_editor_and_what_is_none_is_refused(monkeypatch):
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "sed -i s/ls/pwd/")
    assert edited({"command": "ls"}) == {"command": "pwd"}
    for editor, told in (
        ("sed -i s/{/[/", "no JSON object"),
        ("false", "ended with 1"),
        ("/nowhere/vi", "'/nowhere/vi'"),
    ):
        monkeypatch.setenv("EDITOR", editor)
        with pytest.raises(ConfigError, match=told):
            edited({"command": "ls"})
