"""The translation into AG-UI over recorded logs: its rules are kept, and a cut anywhere loses and repeats nothing."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.dialects.telling import Place, place
from holdfast.events import End, Message, Thinking, ToolComplete, ToolStart
from tests.dialects.ag_ui_logs import ASK, END, SAID, TASK, done, kinds, told_of
from tests.dialects.ag_ui_rules import check, texts
from tests.dialects.logs import NAMES, log, recording, without_partials
from tests.event_values import final, partial, recorded


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_log_keeps_the_rules_and_each_run_has_one_end(name: str) -> None:
    entries = recording(name)
    for log_then in (entries, without_partials(entries)):
        messages = [message for _, message in told_of(log_then)]
        check(messages)
        started = kinds(messages).count("RUN_STARTED")
        assert started == kinds(messages).count("RUN_FINISHED") + kinds(messages).count("RUN_ERROR") > 0
        starts = [entry.data.tool_id for entry in entries if isinstance(entry.data, ToolStart)]
        assert [one["toolCallId"] for one in messages if one["type"] == "TOOL_CALL_START"] == starts
        results = [entry.data.tool_id for entry in entries if isinstance(entry.data, ToolComplete)]
        assert [one["toolCallId"] for one in messages if one["type"] == "TOOL_CALL_RESULT"] == results
        errors = [e.data.stop_reason for e in entries if isinstance(e.data, End)]
        stops = [
            one["rawEvent"]["stop_reason"] for one in messages if one["type"].startswith("RUN_") and "rawEvent" in one
        ]
        assert stops == errors


@pytest.mark.parametrize("name", NAMES)
def test_the_texts_are_those_of_the_log_whether_or_not_its_pieces_are_there(name: str) -> None:
    entries = recording(name)
    finals: dict[str, list[str]] = {"message": [], "thinking": []}
    for entry in entries:
        if isinstance(entry.data, (Message, Thinking)) and not entry.data.is_partial:
            finals[entry.type].append(entry.data.text)
    for log_then in (without_partials(entries), entries):
        messages = [message for _, message in told_of(log_then)]
        found = (texts(messages), texts(messages, "REASONING_MESSAGE"))
        if name == "claude-broken" and log_then is entries:
            assert list(found[0].values()) == ["Half of what", *finals["message"]]
        elif name == "claude-retry" and log_then is entries:
            assert list(found[0].values()) == ["Never to be heard to its end.", *finals["message"]]
        else:
            assert sorted(found[0].values()) == sorted(finals["message"])
            assert sorted(found[1].values()) == sorted(finals["thinking"])


@pytest.mark.parametrize("name", NAMES)
def test_a_cut_anywhere_loses_nothing_and_repeats_nothing(name: str) -> None:
    entries = recording(name)
    whole = told_of(entries)
    expected = texts([message for _, message in whole])
    dice = random.Random(name)
    for cut in {0, len(whole), *(dice.randrange(len(whole) + 1) for _ in range(8))}:
        before = whole[:cut]
        received = place(before[-1][0]) if before else Place()
        assert before + told_of(entries, received) == whole
        # As if the client came back when the pieces had been dropped.
        later = [message for _, message in before + told_of(without_partials(entries), received)]
        check(later)
        if name not in ("claude-broken", "claude-retry"):
            assert texts(later) == expected


@given(st.data())
def test_also_where_agents_speak_at_the_same_time_and_are_interrupted(data: st.DataObject) -> None:
    """Two lanes of pieces, a request and its answer, in any order; cut anywhere, with the pieces there and gone."""
    lanes = [
        [partial("Hel"), partial("lo"), final("Hello.")],
        [
            recorded("tool_start", tool_name="Agent", tool_id="a"),
            *(partial("Sub", parent_id="a"), partial("ag", parent_id="a"), final("Subagent.", parent_id="a")),
            done("a"),
        ],
        [partial("Hm", "thinking"), final("Hmm.", "thinking")],
        [ASK, SAID],
    ]
    come = [TASK]
    while any(lanes):
        come.append(data.draw(st.sampled_from([lane for lane in lanes if lane])).pop(0))
    entries = log(*come, END)
    whole = told_of(entries)
    check([message for _, message in whole])
    cut = data.draw(st.integers(0, len(whole)))
    before = whole[:cut]
    received = place(before[-1][0]) if before else Place()
    assert before + told_of(entries, received) == whole
    if received.left == 0:
        later = [message for _, message in before + told_of(without_partials(entries), received)]
        said: dict[str, str] = {}
        for family in ("TEXT_MESSAGE", "REASONING_MESSAGE"):
            for name, text in texts(later, family).items():
                said[name.partition(".")[0]] = said.get(name.partition(".")[0], "") + text
        assert said == {"1-message-1": "Hello.", "1-message-a-1": "Subagent.", "1-thinking-1": "Hmm."}
