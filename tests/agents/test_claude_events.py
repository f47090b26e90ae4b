"""From the Claude CLI's frames to events: in order, nothing lost, and nothing that it could say raises."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdfast import events
from holdfast.agents.claude_events import Translation
from tests.agents.claude_frames import RECORDED, Clock, of, translated


def names(told):
    return [name for name, _ in told]


def delta(text, kind="text", parent=None):
    event = {"type": "content_block_delta", "index": 0, "delta": {"type": f"{kind}_delta", kind: text}}
    return {"type": "stream_event", "event": event, "parent_tool_use_id": parent}


def said(*blocks, parent=None, **more):
    return {"type": "assistant", "message": {"content": list(blocks)}, "parent_tool_use_id": parent, **more}


def text(words):
    return {"type": "text", "text": words}


def call(tool_id="t1", name="Bash", **given):
    return {"type": "tool_use", "id": tool_id, "name": name, "input": given}


def returned(tool_id="t1", content="done", **more):
    block = {"type": "tool_result", "tool_use_id": tool_id, "content": content, **more}
    return {"type": "user", "message": {"content": [block]}, "parent_tool_use_id": None}


# What was recorded


@pytest.mark.requirement("R033")
def test_a_text_is_pieces_and_then_the_whole():
    told = translated(RECORDED["text"])
    assert names(told) == ["message"] * 3
    assert [data["text"] for data in of(told, "message")] == ["Hello ", "there.", "Hello there."]
    assert [data["is_partial"] for data in of(told, "message")] == [True, True, False]
    assert of(told, "message")[-1]["full_text"] == "Hello there."


@pytest.mark.requirement("R032")
def test_thinking_comes_before_the_text_that_it_leads_to():
    told = translated(RECORDED["thinking"])
    finals = [(name, data["full_text"]) for name, data in told if not data["is_partial"]]
    assert finals == [("thinking", "Hm."), ("message", "So it is.")]
    assert "".join(data["text"] for data in of(told, "thinking") if data["is_partial"]) == "Hm."


@pytest.mark.requirement("R034", "R035")
def test_a_tool_is_told_between_the_texts_around_it_and_its_time_is_measured():
    told = translated(RECORDED["shell"])
    whole = [(name, data) for name, data in told if not data.get("is_partial")]
    assert names(whole) == ["message", "tool_start", "tool_complete", "message"]
    start, complete = whole[1][1], whole[2][1]
    assert (start["tool_name"], start["tool_input"]) == ("Bash", {"command": "touch made.txt"})
    assert (complete["tool_id"], complete["tool_name"]) == (start["tool_id"], "Bash")
    assert (complete["duration_ms"], complete["is_error"]) == (10, False)


def test_what_a_subagent_does_names_the_call_that_started_it():
    told = translated(RECORDED["subagent"])
    [agent] = [data for data in of(told, "tool_start") if data["tool_name"] == "Agent"]
    inner = [(name, data) for name, data in told if data.get("parent_id") == agent["tool_id"]]
    assert names(inner) == ["message", "tool_start", "tool_complete", "message"]
    finals = [data for data in of(told, "message") if not data["is_partial"] and "parent_id" not in data]
    assert [data["full_text"] for data in finals] == ["I will hand this to another agent.", "The other agent is done."]


@pytest.mark.requirement("R037", "R048")
def test_a_structured_result_is_neither_a_tool_nor_a_text():
    assert translated(RECORDED["structured"]) == []


@pytest.mark.requirement("R088")
def test_an_attempt_that_broke_off_is_replaced_by_the_final_of_the_next():
    told = translated(RECORDED["aborted"])
    assert [data["full_text"] for data in of(told, "message") if not data["is_partial"]] == ["At last."]
    pieces = [data["text"] for data in of(told, "message") if data["is_partial"]]
    assert pieces == ["Never to ", "be heard.", "At last."]
    [retry] = of(told, "agent_retry")
    assert (retry["attempt"], "status" in retry, retry["message"]) == (1, False, "unknown")
    assert names(told).index("agent_retry") == 2


def test_a_compaction_is_told_with_what_filled_the_context():
    [compacted] = of(translated(RECORDED["compacted"]), "compacted")
    assert compacted["trigger"] == "auto"
    assert compacted["tokens_before"] > 1_000_000


def test_a_usage_limit_is_told_with_its_reset_as_a_time():
    [limit] = of(translated(RECORDED["limit_reached"]), "rate_limit")
    assert (limit["status"], limit["limit_type"]) == ("rejected", "five_hour")
    assert limit["resets_at"].startswith("20")
    assert limit["resets_at"].endswith("Z")


@pytest.mark.parametrize("name", RECORDED)
def test_every_event_of_a_recording_can_be_written_and_read(name):
    translation = Translation(Clock())
    for frame in RECORDED[name]:
        for event in translation.frame(frame):
            assert events.record(event, 0).decode() == event
    assert translation.open_tools == {}
    assert translation.facts.model in (None, "claude-opus-5-5", "claude-sonnet-5-5")


def test_the_cost_is_what_was_spent_since_the_result_before():
    translation = Translation(Clock())
    translated(RECORDED["compacted"], translation)
    first, last = [frame for frame in RECORDED["compacted"] if frame["type"] == "result"]
    assert last["total_cost_usd"] > first["total_cost_usd"]
    assert translation.facts.cost_usd == pytest.approx(last["total_cost_usd"])
    older = [{name: value for name, value in frame.items() if "since" not in name} for frame in (first,)]
    translation = Translation(Clock())
    translated(older, translation)
    assert translation.facts.cost_usd == pytest.approx(first["total_cost_usd"])


# What nobody has recorded


@pytest.mark.requirement("R049")
def test_what_has_no_event_of_its_own_is_kept():
    unknown = {"type": "novelty", "text": "Something new."}
    subtype = {"type": "system", "subtype": "novelty", "text": "Something new."}
    block = {"type": "hologram", "shape": "cube"}
    assert translated([unknown, subtype, said(block)]) == [
        ("agent_update", {"kind": "novelty", "update": unknown}),
        ("agent_update", {"kind": "novelty", "update": subtype}),
        ("agent_update", {"kind": "hologram", "update": block}),
    ]


def test_heartbeats_are_not():
    noise = [{"type": "system", "subtype": "status"}, {"type": "tool_progress"}, {"type": "keep_alive"}]
    assert translated(noise) == []


@pytest.mark.requirement("R029")
def test_escapes_are_removed_however_they_are_split():
    told = translated([delta("red \x1b[3"), delta("1mfish\x1b"), delta("[0m."), said(text("red \x1b[31mfish\x1b[0m."))])
    assert "".join(data["text"] for _, data in told if data["is_partial"]) == "red fish."
    assert told[-1][1]["full_text"] == "red fish."


@pytest.mark.requirement("R036")
def test_a_call_is_begun_once_and_ended_once_whatever_is_repeated():
    frames = [said(call()), said(call()), returned(), returned(), returned("never called")]
    assert names(translated(frames)) == ["tool_start", "tool_complete"]


def test_a_result_of_texts_is_a_text_and_any_other_stays_as_it_is():
    image = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    frames = [
        said(call("a"), call("b")),
        returned("a", [text("one"), text("two")]),
        returned("b", [text("one"), image], is_error=True),
    ]
    first, second = of(translated(frames), "tool_complete")
    assert (first["result"], first["is_error"]) == ("one\ntwo", False)
    assert (second["result"], second["is_error"]) == ([text("one"), image], True)


def test_texts_of_several_speakers_do_not_mix():
    inner = [delta("inner ", parent="t1"), said(text("inner one"), parent="t1")]
    told = translated([delta("outer "), *inner, said(text("outer one"))])
    assert [(data.get("parent_id"), data["is_partial"]) for _, data in told] == [
        (None, True),
        ("t1", True),
        ("t1", False),
        (None, False),
    ]


def test_an_empty_text_is_no_message():
    assert translated([delta(""), said(text("")), said(text(" \n"))]) == []


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(10**17, 10**30) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
TYPES = ["system", "assistant", "user", "stream_event", "rate_limit_event", "result", "tool_progress"]
SUBTYPES = ["init", "api_retry", "compact_boundary", "permission_denied", "status", "success"]
BLOCKS = ["text", "thinking", "tool_use", "tool_result", "redacted_thinking"]
TOOLS = ["Bash", "TodoWrite", "TaskCreate", "TaskUpdate", "StructuredOutput"]


def shaped(fields, **known):
    """Objects with these fields, each of them anything at all or what it should be."""
    return st.fixed_dictionaries({}, optional={name: values | known.get(name, values) for name in fields})


blocks = shaped(
    ["type", "text", "thinking", "id", "name", "input", "tool_use_id", "content", "is_error"],
    type=st.sampled_from(BLOCKS),
    name=st.sampled_from(TOOLS),
    id=st.sampled_from(["a", "b"]),
    tool_use_id=st.sampled_from(["a", "b"]),
    input=shaped(["todos", "subject", "taskId", "status"], taskId=st.sampled_from(["1", "2"])),
)
messages = shaped(["content"], content=st.lists(blocks | values, max_size=3))
hostile = shaped(
    [
        *("type", "subtype", "message", "event", "parent_tool_use_id", "rate_limit_info", "compact_metadata", "error"),
        *("attempt", "error_status", "retry_delay_ms", "tool_use_result", "model", "api_error", "num_turns"),
        *("model_usage_since_last_result", "total_cost_usd", "tool_name"),
    ],
    type=st.sampled_from(TYPES),
    subtype=st.sampled_from(SUBTYPES),
    message=messages,
    event=shaped(
        ["type", "delta"],
        type=st.sampled_from(["content_block_delta", "message_delta"]),
        delta=shaped(["type", "text", "thinking"], type=st.sampled_from(["text_delta", "thinking_delta"])),
    ),
    rate_limit_info=shaped(["status", "resetsAt", "utilization", "rateLimitType"]),
    compact_metadata=shaped(["trigger", "pre_tokens"]),
)


@pytest.mark.requirement("R049")
@settings(max_examples=60)  # large values, each of many parts
@given(st.lists(hostile, max_size=6))
@example([{"type": ["a", "list"]}])
@example([{"type": "system", "subtype": {"an": "object"}}])
@example([{"type": "rate_limit_event", "rate_limit_info": {"resetsAt": 10**18}}])
@example([{"type": "system", "subtype": "api_retry", "attempt": True, "error_status": False}])
def test_nothing_that_the_cli_could_say_raises_and_all_that_is_made_of_it_can_be_written(frames):
    translation = Translation(Clock())
    for frame in frames:
        for event in translation.frame(frame):
            assert events.record(event, 0).decode() is not None
