"""From ACP updates to events: every kind of the protocol, and what real agents do differently."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.agents.acp_events import TEXT_CHARACTERS
from holdfast.events import AgentUpdate, Message, Thinking, Todo, TodoUpdate, Usage
from tests.agents.updates import Turn, call, kinds, params, progress, shown, text, thought


@pytest.fixture
def turn():
    return Turn()


# Texts


@pytest.mark.requirement("R033")
def test_chunks_become_partials_with_the_new_piece_and_the_final_has_the_whole_text(turn):
    assert turn.take(text("Hel"), text("lo")) == [
        Message(text="Hel", is_partial=True),
        Message(text="lo", is_partial=True),
    ]
    assert turn.finish() == [Message(text="Hello", full_text="Hello", is_partial=False)]
    assert turn.finish() == []


@pytest.mark.requirement("R032")
def test_thoughts_become_thinking_and_a_message_ends_them(turn):
    made = turn.take(thought("Hm"), thought("m."), text("So:"), thought("Wait")) + turn.finish()
    assert made == [
        Thinking(text="Hm", is_partial=True),
        Thinking(text="m.", is_partial=True),
        Thinking(text="Hmm.", full_text="Hmm.", is_partial=False),
        Message(text="So:", is_partial=True),
        Message(text="So:", full_text="So:", is_partial=False),
        Thinking(text="Wait", is_partial=True),
        Thinking(text="Wait", full_text="Wait", is_partial=False),
    ]


def finals(events):
    return [event.text for event in events if isinstance(event, (Message, Thinking)) and not event.is_partial]


def test_another_message_id_begins_another_message(turn):
    turn.take(text("a", messageId="1"), text("b", messageId="1"), text("c", messageId="2"), text("d", messageId="2"))
    turn.finish()
    assert finals(turn.events) == ["ab", "cd"]


def test_an_agent_without_message_ids_writes_one_message_until_something_else_comes(turn):
    turn.take(text("a"), text("b"), call("t", status="completed"), text("c"))
    turn.finish()
    assert finals(turn.events) == ["ab", "c"]


def test_a_message_id_that_comes_later_or_is_left_out_belongs_to_the_same_message(turn):
    turn.take(
        text("a"), text("b", messageId="1"), text("c"), text("d", messageId="1"), text("e"), text("f", messageId="2")
    )
    turn.finish()
    assert finals(turn.events) == ["abcde", "f"]


def test_the_same_message_id_for_a_thought_and_a_message_are_two_texts(turn):
    turn.take(thought("a", messageId="1"), text("b", messageId="1"))
    turn.finish()
    assert finals(turn.events) == ["a", "b"]


def test_empty_chunks_make_no_events(turn):
    assert turn.take(text(""), thought(""), text("")) == []
    assert turn.finish() == []


@pytest.mark.requirement("R032", "R033")
@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.text(st.characters(exclude_characters="\x1b", codec="utf-8")))))
def test_the_partials_of_every_text_add_up_to_its_final(chunks):
    turn = Turn()
    turn.take(*((text if is_message else thought)(piece) for is_message, piece in chunks))
    turn.finish()
    pieces = []
    for event in turn.events:
        if event.is_partial:
            pieces.append(event.text)
        else:
            assert "".join(pieces) == event.text == event.full_text
            pieces.clear()
    assert pieces == []
    written = [piece for _, piece in chunks]
    assert "".join(finals(turn.events)) == "".join(written)


def test_a_picture_in_a_message_is_kept_as_it_is(turn):
    picture = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    update = {"sessionUpdate": "agent_message_chunk", "content": picture}
    made = turn.take(text("see: "), update, text("nice"))
    assert made[1] == AgentUpdate(kind="agent_message_chunk", update=update)
    turn.finish()
    assert finals(turn.events) == ["see: nice"]


def test_the_users_own_words_are_not_repeated(turn):
    assert turn.take({"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "Do it"}}) == []


# The others


def test_a_plan_becomes_todos(turn):
    entries = [
        {"content": "Read \x1b[1mfile\x1b[0m", "priority": "high", "status": "completed"},
        {"content": "Write", "priority": "low", "status": "in_progress"},
    ]
    made = turn.take(text("Plan:"), {"sessionUpdate": "plan", "entries": entries})
    assert made[2] == TodoUpdate(
        todos=[
            Todo(content="Read file", status="completed", priority="high"),
            Todo(content="Write", status="in_progress", priority="low"),
        ]
    )
    assert turn.take({"sessionUpdate": "plan", "entries": []}) == [TodoUpdate(todos=[])]


@pytest.mark.requirement("R106")
def test_usage_is_told_and_the_cost_is_kept_for_the_end(turn):
    usage = {"sessionUpdate": "usage_update", "used": 1200, "size": 200_000}
    assert turn.take(usage | {"cost": {"amount": 0.25, "currency": "USD"}}) == [
        Usage(used=1200, size=200_000, cost_usd=0.25)
    ]
    assert turn.take(usage) == [Usage(used=1200, size=200_000, cost_usd=0.25)]
    assert turn.translation.cost.usd == 0.25


def test_a_cost_in_another_currency_is_not_taken_for_dollars(turn):
    cost = {"amount": 30, "currency": "JPY"}
    [event] = turn.take({"sessionUpdate": "usage_update", "used": 1, "size": 2, "cost": cost})
    assert event == Usage(used=1, size=2, detail={"cost": cost})
    assert turn.translation.cost.usd is None


KEPT = [
    {"sessionUpdate": "available_commands_update", "availableCommands": [{"name": "init", "description": "x"}]},
    {"sessionUpdate": "current_mode_update", "currentModeId": "code"},
    {"sessionUpdate": "config_option_update", "configOptions": []},
    {"sessionUpdate": "session_info_update", "title": "A title"},
]
UNKNOWN = [
    {"sessionUpdate": "notice", "level": "info", "nested": {"a": [1, None, 0.5]}},
    {"sessionUpdate": "_vendor/thing", "_meta": {"x": 1}},
    {"sessionUpdate": "compaction_summary_chunk", "content": {"type": "text", "text": "so far"}},
    {"sessionUpdate": "tool_call_update", "status": "completed"},
    {"no": "kind"},
]


@pytest.mark.parametrize("update", KEPT, ids=lambda update: update["sessionUpdate"])
def test_an_update_without_an_event_of_its_own_is_kept_whole(turn, update):
    assert turn.take(update) == [AgentUpdate(kind=update["sessionUpdate"], update=update)]


@pytest.mark.parametrize("update", UNKNOWN)
def test_an_update_that_nobody_knows_is_kept_whole_and_ends_no_text(turn, update):
    made = turn.take(text("a"), update, text("b"), official=False)
    assert made[1] == AgentUpdate(kind=update.get("sessionUpdate", ""), update=update)
    turn.finish()
    assert finals(turn.events) == ["ab"]


def test_an_update_that_names_no_session_is_taken_for_ours_and_one_of_another_is_kept(turn):
    turn.translation.session_id = "s-1"
    assert turn.translation.update(json.dumps({"update": text("a")}).encode()) == [Message(text="a", is_partial=True)]
    assert turn.take(text("b")) == [Message(text="b", is_partial=True)]
    others = {"sessionId": "s-2", "update": text("c")}
    assert turn.translation.update(json.dumps(others).encode()) == [AgentUpdate(kind="session/update", update=others)]


def test_extension_data_in_meta_does_no_harm(turn):
    update = call("t1", status="completed") | {"_meta": {"terminal_output_delta": "x"}}
    assert kinds(turn.take(update)) == ["tool_start", "tool_complete"]


# Sizes


def test_a_huge_result_is_cut_and_says_so(turn):
    for output in ("x" * (TEXT_CHARACTERS + 1), {"stdout": "x" * TEXT_CHARACTERS}):
        [_, ended] = turn.take(call("t1", status="completed", rawOutput=output))
        assert TEXT_CHARACTERS < len(ended.result) < TEXT_CHARACTERS + 100
        assert "cut: " in ended.result[-50:]
    [_, ended] = turn.take(call("t1", status="completed", rawOutput="x" * TEXT_CHARACTERS))
    assert ended.result == "x" * TEXT_CHARACTERS


def test_a_huge_input_and_a_huge_unknown_update_are_cut(turn):
    [start] = turn.take(call("t1", rawInput={"content": "x" * TEXT_CHARACTERS}))
    assert len(json.dumps(start.tool_input)) < TEXT_CHARACTERS + 100
    for huge in (
        progress("t1", content=[shown("x" * TEXT_CHARACTERS)]),
        call("t1", _meta={"x": "x" * TEXT_CHARACTERS}),
    ):
        [kept] = turn.take(huge)
        assert TEXT_CHARACTERS < len(kept.update) < TEXT_CHARACTERS + 100


def test_a_huge_message_is_cut_and_says_so(turn):
    [piece] = turn.take(text("x" * (2 * TEXT_CHARACTERS)))
    assert len(piece.text) < TEXT_CHARACTERS + 100
    for _ in range(20):
        turn.take(text("y" * 100_000))
    [final] = turn.finish()
    assert len(final.text) < TEXT_CHARACTERS + 100
    assert final.text == final.full_text
    assert f"cut: {2 * TEXT_CHARACTERS + 2_000_000} characters" in final.text[-60:]
    turn.take(text("the next one is whole"))
    assert finals(turn.finish()) == ["the next one is whole"]


# Escapes

COLOURED = "\x1b[31mred\x1b[0m"


@pytest.mark.requirement("R029")
def test_every_text_of_every_event_is_free_of_escapes(turn):
    nested = {"deep": [COLOURED, {"deeper": COLOURED, COLOURED: 1}]}
    turn.take(
        text(COLOURED),
        thought(COLOURED),
        call("t1", rawInput=nested) | {"title": COLOURED},
        progress("t1", status="in_progress", content=[shown(COLOURED)]),
        progress("t1", status="completed", rawOutput=nested),
        call("t2", status="completed", content=[shown(COLOURED)]),
        {"sessionUpdate": "plan", "entries": [{"content": COLOURED, "priority": "low", "status": "pending"}]},
        {"sessionUpdate": "session_info_update", "title": COLOURED},
    )
    turn.take({"sessionUpdate": "_vendor", "text": COLOURED}, official=False)
    turn.finish()
    everything = "".join(str(event) for event in turn.events)
    assert "\\x1b" not in everything
    assert "[31m" not in everything
    assert everything.count("red") >= 13


@pytest.mark.requirement("R029")
@pytest.mark.parametrize("cut", range(1, len(COLOURED)))
def test_an_escape_that_is_cut_in_two_by_the_chunks_is_removed(turn, cut):
    turn.take(text(COLOURED[:cut]), text(COLOURED[cut:]), text("!"))
    turn.finish()
    assert "".join(event.text for event in turn.events if event.is_partial) == "red!"
    assert finals(turn.events) == ["red!"]


@pytest.mark.parametrize(
    "broken",
    [b"", b"null", b"[]", b"{}", b'{"update":5}', b'{"update":{"sessionUpdate":5}}', b'{"update":{"toolCallId":[]}}'],
)
def test_what_is_no_update_is_refused_as_such(turn, broken):
    with pytest.raises(ValueError):
        turn.translation.update(broken)
    assert turn.take(text("still alive")) != []


def test_the_helper_itself_refuses_what_is_no_acp():
    with pytest.raises(ValueError):
        params({"sessionUpdate": "agent_message_chunk"})
