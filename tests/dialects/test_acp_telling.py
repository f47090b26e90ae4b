"""A session's log as an ACP client is told it: over recorded logs of real sessions, and from every place."""

import msgspec
import pytest

from holdfast import events
from holdfast.dialects.acp_params import Abilities
from holdfast.dialects.acp_telling import Open
from tests.acp.models import check
from tests.dialects.acp_told import (
    ASKING,
    DONE,
    NAMES,
    WHO,
    again,
    as_log,
    kinds,
    log_of,
    messages,
    others,
    prompt,
    tell,
    texts,
    updates,
    without_partials,
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("joined", [False, True])
def test_every_message_of_a_real_log_is_one_of_the_protocol(name: str, *, joined: bool) -> None:
    log = log_of(name)
    who = msgspec.structs.replace(WHO, joined=log[-1].sequence if joined else 0, abilities=Abilities(forms=True))
    told = tell(log, who)
    assert told
    for message in messages(told):
        check(message)


@pytest.mark.parametrize("name", NAMES)
def test_whoever_comes_back_is_told_exactly_the_rest(name: str) -> None:
    log = log_of(name)
    whole = tell(log)
    step = max(1, len(whole) // 25)
    for cut in range(0, len(whole), step):
        rest = tell(log, received=again(whole[cut][0]))
        assert messages(rest) == messages(whole[cut + 1 :]), whole[cut][0]


@pytest.mark.parametrize("name", NAMES)
def test_it_does_not_matter_whether_partials_are_still_there(name: str) -> None:
    log = log_of(name)
    whole = tell(log)
    short = without_partials(log)
    assert texts(tell(short)) == texts(whole)
    step = max(1, len(whole) // 25)
    for cut in range(0, len(whole), step):
        rest = tell(short, received=again(whole[cut][0]))
        assert texts([*whole[: cut + 1], *rest]) == texts(whole)
        assert others([*whole[: cut + 1], *rest]) == others(whole)


@pytest.mark.parametrize("name", NAMES)
def test_the_texts_are_those_of_the_finals(name: str) -> None:
    finals = [
        entry.data.full_text or entry.data.text
        for entry in log_of(name)
        if isinstance(entry.data, events.Message | events.Thinking) and not entry.data.is_partial
    ]
    assert sorted(texts(tell(log_of(name))).values()) == sorted(text for text in finals if text)


def test_a_prompt_is_answered_by_the_end_of_its_run_and_not_echoed() -> None:
    told = tell(as_log(prompt(), events.Message(text="ok", is_partial=False), DONE))
    assert kinds(told) == ["session_info_update", "agent_message_chunk", "answer 7"]
    assert told[-1][1]["result"]["stopReason"] == "end_turn"


def test_a_prompt_of_another_client_is_shown_and_answered_there() -> None:
    other = events.Origin(dialect="acp", connection="d" * 32, request=7)
    for origin in (None, other):
        assert kinds(tell(as_log(prompt(origin=origin), DONE))) == ["user_message_chunk", "session_info_update"]


def test_history_is_told_with_the_own_prompts_and_then_the_load_is_answered() -> None:
    log = as_log(prompt(), events.Message(text="ok", is_partial=False), DONE, prompt("More"), DONE)
    who = msgspec.structs.replace(WHO, joined=3, load_answer=b'{"jsonrpc":"2.0","id":9,"result":{}}')
    history = ["user_message_chunk", "session_info_update", "agent_message_chunk", "answer 9"]
    assert kinds(tell(log, who)) == [*history, "session_info_update", "answer 7"]


def test_who_resumes_hears_nothing_of_what_was_but_what_still_waits_for_an_answer() -> None:
    log = as_log(prompt(origin=None), ASKING, events.Message(text="more", is_partial=True))
    who = msgspec.structs.replace(WHO, since=2, joined=2)
    told = tell(log, who, still_open=Open(2, {"r1"}))
    assert kinds(told) == ["session/request_permission", "agent_message_chunk"]
    assert kinds(tell(log, who, received=again(told[0][0]))) == ["agent_message_chunk"]
    assert kinds(tell(log, who, still_open=Open(3, ()))) == ["agent_message_chunk"]


def test_texts_of_subagents_have_messages_of_their_own() -> None:
    def piece(text: str, parent: str | None, *, is_partial: bool) -> events.Message:
        return events.Message(text=text, is_partial=is_partial, parent_id=parent)

    log = as_log(
        prompt(),
        piece("a", None, is_partial=True),
        piece("x", "t1", is_partial=True),
        piece("xy", "t1", is_partial=False),
        piece("ab", None, is_partial=False),
        piece("c", None, is_partial=False),
    )
    whole = tell(log)
    assert sorted(texts(whole).values()) == ["ab", "c", "xy"]
    for cut in range(len(whole)):
        rest = tell(without_partials(log), received=again(whole[cut][0]))
        assert texts([*whole[: cut + 1], *rest]) == texts(whole)


BEGUN = events.Message(text="Never to", is_partial=True)
RETRY = events.AgentRetry(attempt=1, delay_ms=500)
WHOLE = events.Message(text="Low tide", is_partial=False)


@pytest.mark.parametrize("broken", [(BEGUN, RETRY), (BEGUN,)], ids=["by a retry", "by another text"])
def test_a_text_that_was_begun_and_broke_off_is_told_to_be_void_and_the_next_is_another(
    broken: tuple[events.Event, ...],
) -> None:
    log = as_log(prompt(), *broken, WHOLE)
    whole = tell(log)
    first, void, last = [update for update in updates(whole) if "_chunk" in update["sessionUpdate"]]
    assert void["_meta"] == {"broken_off": first["messageId"]}
    assert len({first["messageId"], void["messageId"], last["messageId"]}) == 3
    assert "broke off" in void["content"]["text"]
    assert last["content"]["text"] == "Low tide"
    for cut in range(len(whole)):
        assert messages(tell(log, received=again(whole[cut][0]))) == messages(whole[cut + 1 :])
        rest = tell(without_partials(log), received=again(whole[cut][0]))
        assert texts([*whole[: cut + 1], *rest]) == {"1-message-1": "Low tide"}


def test_what_the_protocol_has_no_word_for_is_told_only_to_who_asked_for_it() -> None:
    log = as_log(prompt(), events.AgentRetry(attempt=1, delay_ms=500), DONE)
    assert "_holdfast/event" not in kinds(tell(log))
    who = msgspec.structs.replace(WHO, abilities=Abilities(events=True))
    told = [message for message in messages(tell(log, who)) if message.get("method") == "_holdfast/event"]
    assert [message["params"]["event"]["type"] for message in told] == ["agent_retry"]
    assert told[0]["params"]["event"]["data"] == {"attempt": 1, "delay_ms": 500}


def test_a_switch_of_the_profile_is_a_change_of_the_mode() -> None:
    told = tell(as_log(prompt(), events.ProfileSwitch(profile_type="x", profile_name="careful", tools=[])))
    assert updates(told)[-1] == {"sessionUpdate": "current_mode_update", "currentModeId": "careful"}
