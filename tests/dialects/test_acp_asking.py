"""What agents ask, as ACP clients are asked it, and what these answer: both directions."""

from typing import Any

import msgspec
import pytest

from holdfast import events
from holdfast.agents.interface import Reply
from holdfast.dialects.acp_asking import asked_in, id_of, permission, question, reply_to
from holdfast.dialects.acp_params import Abilities, abilities
from holdfast.dialects.acp_place import Place, Received
from holdfast.dialects.acp_telling import Open
from holdfast.errors import BadRequest
from tests.acp.models import check
from tests.dialects.acp_told import (
    ASKING,
    DONE,
    RESOLVED,
    WHO,
    again,
    as_log,
    kinds,
    log_of,
    messages,
    prompt,
    tell,
    updates,
)

FORMS = Abilities(forms=True, urls=True)


def raw(value: object) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))


def chosen(option: object) -> msgspec.Raw:
    return raw({"outcome": {"outcome": "selected", "optionId": option}})


def item(kind: str = "choice", *, names: tuple[str, ...] = (), **fields: Any) -> events.QuestionItem:
    options = [events.PermissionOption(kind=name.lower(), name=name) for name in names]
    return events.QuestionItem(id="q", text="Which?", kind=kind, options=options, **fields)


def asked(*items: events.QuestionItem, **fields: Any) -> events.Question:
    until = "2026-01-05T12:44:56.789Z"
    return events.Question(request_id="r2", text="Which?", questions=list(items), expires_at=until, **fields)


def test_a_request_is_asked_with_our_decisions_and_taken_back_when_others_answer() -> None:
    told = tell(as_log(prompt(), ASKING, RESOLVED))
    asked = told[1][1]
    assert asked["id"] == "holdfast:s-1:r1"
    assert asked["params"]["toolCall"]["toolCallId"] == "t1"
    assert [(option["optionId"], option["kind"]) for option in asked["params"]["options"]] == [
        ("allow_once", "allow_once"),
        ("allow_session", "allow_always"),
        ("deny", "reject_once"),
    ]
    assert told[2][1] == {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": "holdfast:s-1:r1"}}


def test_a_request_that_the_client_answered_itself_is_not_taken_back() -> None:
    log = as_log(prompt(), ASKING, RESOLVED)
    assert kinds(tell(log, answered=frozenset({"r1"}))) == ["session_info_update", "session/request_permission"]


def test_a_request_that_was_settled_while_nobody_listened_is_not_asked() -> None:
    log = as_log(prompt(), ASKING, RESOLVED, DONE)
    assert kinds(tell(log, still_open=Open(4, ()))) == ["session_info_update", "answer 7"]


def test_a_request_that_was_asked_before_a_cut_is_taken_back_after_it() -> None:
    log = as_log(prompt(), ASKING, RESOLVED)
    rest = tell(log, received=Received(Place(2)), still_open=Open(3, ()))
    assert kinds(rest) == ["$/cancel_request"]


def test_without_a_rule_nothing_can_be_allowed_for_longer() -> None:
    told = tell(as_log(prompt(), msgspec.structs.replace(ASKING, rule=None)))
    assert [option["optionId"] for option in told[1][1]["params"]["options"]] == ["allow_once", "deny"]


def test_of_two_that_wait_the_second_is_asked_even_if_the_first_was_settled_in_between() -> None:
    second = msgspec.structs.replace(ASKING, request_id="r2")
    log = as_log(prompt(origin=None), ASKING, second)
    who = msgspec.structs.replace(WHO, since=3, joined=3)
    both = tell(log, who, still_open=Open(3, {"r1", "r2"}))
    assert [message["id"] for message in messages(both)] == ["holdfast:s-1:r1", "holdfast:s-1:r2"]
    rest = tell(log, who, received=again(both[0][0]), still_open=Open(4, {"r2"}))
    assert [message["id"] for message in messages(rest)] == ["holdfast:s-1:r2"]


def test_a_question_that_the_client_cannot_be_asked_is_told_once_and_not_taken_back() -> None:
    asked = next(entry.data for entry in log_of("claude-question") if isinstance(entry.data, events.Question))
    log = as_log(prompt(), asked, msgspec.structs.replace(RESOLVED, request_id=asked.request_id))
    told = [update["content"]["text"] for update in updates(tell(log)) if "_chunk" in update["sessionUpdate"]]
    assert len(told) == 1
    assert all(told[0].count(item.text) == 1 for item in asked.questions)
    assert "$/cancel_request" not in kinds(tell(log))
    able = msgspec.structs.replace(WHO, abilities=Abilities(forms=True))
    assert kinds(tell(log, able)) == ["session_info_update", "elicitation/create", "$/cancel_request"]


def test_an_id_names_the_session_and_the_request_whatever_they_are() -> None:
    for session_id, request_id in (("s-1", "r1"), ("a:b:c", "r"), ("5a7e9fe1", "32ac9ac9")):
        assert asked_in(id_of(session_id, request_id)) == (session_id, request_id)
    for strange in (None, 7, "", "r1", "holdfast:", "holdfast::r1", "holdfast:s-1:", "other:s-1:r1"):
        assert asked_in(strange) is None


def test_what_is_chosen_is_the_decision_and_nothing_chosen_decides_nothing() -> None:
    for decision in ("allow_once", "allow_session", "allow_project", "deny"):
        assert reply_to(ASKING, chosen(decision), "ann") == Reply(decision=decision, by="ann")
    for nothing in ({"outcome": {"outcome": "cancelled"}}, {}, None, [], {"outcome": 7}):
        assert reply_to(ASKING, raw(nothing), "ann") is None
    for wrong in ("perhaps", None, 3, [], {}):
        with pytest.raises(BadRequest, match="was not offered"):
            reply_to(ASKING, chosen(wrong), "ann")


@pytest.mark.parametrize(
    ("one", "shape", "value"),
    [
        (item(names=("Red", "Blue")), {"type": "string", "oneOf": [("red", "Red"), ("blue", "Blue")]}, "blue"),
        (item(names=("Red",), many=True), {"type": "array", "anyOf": [("red", "Red")]}, ["red"]),
        (item("boolean"), {"type": "boolean"}, False),
        (item("number", whole=True), {"type": "integer"}, 0),
        (item("number"), {"type": "number"}, 0.5),
        (item("text", default="x"), {"type": "string", "default": "x"}, "y"),
    ],
)
def test_a_form_has_each_question_and_its_answers_come_back(
    one: events.QuestionItem, shape: dict[str, Any], value: Any
) -> None:
    message = msgspec.json.decode(question("s-1", asked(one), FORMS))
    check(message)
    given = message["params"]["requestedSchema"]["properties"]["q"]
    choices = given.get("oneOf") or given.get("items", {}).get("anyOf")
    found = {"type": given["type"], **({"default": given["default"]} if "default" in given else {})}
    if choices:
        found["oneOf" if "oneOf" in given else "anyOf"] = [(choice["const"], choice["title"]) for choice in choices]
    assert found == shape
    accepted = raw({"action": "accept", "content": {"q": value}})
    assert reply_to(asked(one), accepted, "ann") == Reply(decision="allow_once", by="ann", answers={"q": value})
    assert reply_to(asked(one), raw({"action": "decline"}), "ann") == Reply(decision="deny", by="ann")
    assert reply_to(asked(one), raw({"action": "cancel"}), "ann") is None, "who puts it away decides nothing for others"


def test_other_words_than_those_offered_have_a_field_of_their_own() -> None:
    free = asked(item(names=("Red", "Blue"), free_text=True))
    schema = msgspec.json.decode(question("s-1", free, FORMS))["params"]["requestedSchema"]
    assert list(schema["properties"]) == ["q", "q (other)"]
    assert schema["required"] == []
    answered = raw({"action": "accept", "content": {"q": "red", "q (other)": "Teal"}})
    assert reply_to(free, answered, "ann") == Reply(decision="allow_once", by="ann", answers={"q": "Teal"})


def test_who_has_no_forms_chooses_among_options() -> None:
    one = asked(item(names=("Red", "Blue")))
    message = msgspec.json.decode(question("s-1", one, Abilities()))
    check(message)
    assert [option["name"] for option in message["params"]["options"]] == ["Red", "Blue", "Decline"]
    assert reply_to(one, chosen("1"), "ann") == Reply(decision="allow_once", by="ann", answers={"q": "blue"})
    assert reply_to(one, chosen("decline"), "ann") == Reply(decision="deny", by="ann")
    with pytest.raises(BadRequest, match="'2'"):
        reply_to(one, chosen("2"), "ann")


def test_an_address_is_opened_by_who_can_and_told_to_the_others() -> None:
    one = asked(url="https://example.com/login")
    message = msgspec.json.decode(question("s-1", one, FORMS))
    check(message)
    assert (message["params"]["mode"], message["params"]["url"]) == ("url", "https://example.com/login")
    told = msgspec.json.decode(question("s-1", one, Abilities()))
    check(told)
    assert "Open https://example.com/login" in told["params"]["update"]["content"]["text"]


def test_a_change_of_a_file_is_shown_where_it_is_asked_for() -> None:
    edit = {"file_path": "/a/b.py", "old_string": "x", "new_string": "y"}
    asking = msgspec.structs.replace(ASKING, tool_name="Edit", tool_input=edit)
    message = msgspec.json.decode(permission("s-1", asking))
    check(message)
    [shown] = message["params"]["toolCall"]["content"]
    assert shown == {"type": "diff", "path": "/a/b.py", "oldText": "x", "newText": "y"}


def test_what_a_client_can_is_what_it_says() -> None:
    def able(**capabilities: Any) -> Abilities:
        return abilities(msgspec.json.encode({"protocolVersion": 1, "clientCapabilities": capabilities}))

    assert able() == abilities(b"{}") == Abilities()
    assert able(elicitation={"form": {}, "url": {}}) == FORMS
    assert able(elicitation={"form": None}) == Abilities()
    assert able(_meta={"_holdfast/event": True}) == Abilities(events=True)
