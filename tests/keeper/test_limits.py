"""How far a run may go: each limit stops it, says which one it was and what to do, and nothing else stops it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.events import (
    AgentUnparsed,
    AgentUpdate,
    Message,
    PermissionRequest,
    PermissionResolved,
    Stalled,
    Thinking,
    Usage,
)
from tests.keeper.metering import ANSWERED, ASKED, QUESTION, START, done, meter, piece, tool, whole


def limit(made, now_s=100.0):
    reached = made.reached(now_s)
    return None if reached is None else (reached.stop_reason, reached.limit)


@pytest.mark.requirement("R187")
def test_without_limits_nothing_stops_a_run():
    made = meter(START, piece("x" * 1_000_000), done(), piece("y"), Usage(cost_usd=1e6))
    made.memory_mb = 1e6
    assert made.reached(1e9) is None


@pytest.mark.requirement("R187")
def test_the_turn_after_the_last_one_is_too_many():
    made = meter(piece("a"), tool(), done(), max_turns=2)
    for _ in range(2):
        assert limit(made) is None
        made.observe(piece("b"), 100.0)
        made.observe(whole("b"), 100.0)
    made.observe(tool("2"), 100.0)
    made.observe(done("2"), 100.0)
    assert (limit(made), made.turns) == (None, 2)
    made.observe(tool("3"), 100.0)
    assert (limit(made), made.turns) == (("error_max_turns", "max_turns"), 3)


@pytest.mark.requirement("R187")
def test_a_budget_is_reached_when_it_is_spent():
    made = meter(Usage(cost_usd=0.49), max_budget_usd=0.5)
    assert limit(made) is None
    made.observe(Usage(used=7), 100.0)
    assert made.cost_usd == 0.49
    made.observe(Usage(cost_usd=0.5), 100.0)
    assert limit(made) == ("error_max_budget_usd", "max_budget_usd")


@pytest.mark.requirement("R187")
@pytest.mark.parametrize("waits", [(), (ASKED,)], ids=["working", "waiting for a person"])
def test_time_is_up_whatever_the_run_waits_for(waits):
    made = meter(*waits, timeout_s=10)
    made.observe(piece("a"), 109.0)
    assert limit(made, 109.9) is None
    assert limit(made, 110.0) == ("timeout", "timeout_s")


@pytest.mark.requirement("R187")
def test_an_agent_is_idle_when_it_has_said_nothing_for_long_enough():
    made = meter(START, idle_s=5)
    assert limit(made, 104.9) is None
    made.observe(piece("a"), 104.9)
    assert limit(made, 109.8) is None
    assert limit(made, 109.9) == ("idle_timeout", "idle_s")


@pytest.mark.requirement("R187")
@pytest.mark.parametrize("asked", [ASKED, QUESTION])
def test_an_agent_that_waits_for_a_person_is_not_idle(asked):
    made = meter(asked, idle_s=5)
    assert limit(made, 1_000.0) is None
    made.observe(ANSWERED, 1_000.0)
    assert limit(made, 1_004.9) is None
    assert limit(made, 1_005.0) == ("idle_timeout", "idle_s")


def test_an_agent_waits_for_a_person_until_all_its_questions_are_answered():
    second = PermissionRequest(request_id="2", tool_name="t", tool_input={}, options=[], expires_at="")
    made = meter(ASKED, second, ANSWERED, idle_s=5)
    assert limit(made, 200.0) is None
    made.observe(PermissionResolved(request_id="2", decision="deny", by="p"), 200.0)
    assert limit(made, 205.0) is not None


def test_being_called_stalled_is_nothing_that_the_agent_does():
    made = meter(idle_s=5)
    made.observe(Stalled(waiting_on="model", idle_ms=4_000), 104.0)
    assert limit(made, 105.0) == ("idle_timeout", "idle_s")


@pytest.mark.requirement("R187")
@pytest.mark.parametrize(
    ("happened", "size"),
    [
        ([piece("grüße")], 7),
        ([piece("ab"), piece("cd"), whole("abcd")], 4),
        ([whole("abcd")], 4),
        ([piece("ab"), whole("ab"), piece("ab"), whole("ab")], 4),
        ([piece("ab"), piece("cd", kind=Thinking), whole("ab"), whole("cd", kind=Thinking)], 4),
        ([piece("ab"), piece("cd", "p"), whole("cd", "p"), whole("ab")], 4),
        ([piece("ab"), whole("a")], 2),
        ([tool(), done(result="grüße")], 7),
        ([tool(), done(result={"a": [1]})], 9),
        ([AgentUpdate(kind="tool_call_update", update={"a": [1]})], 9),
        ([AgentUnparsed(text="abc")], 3),
        ([START, tool(command="ls"), ASKED, ANSWERED, Usage(used=1)], 0),
    ],
)
def test_output_is_what_the_agent_says_and_its_tools_give_each_text_once(happened, size):
    made = meter(*happened, max_output_bytes=1_000)
    assert made.output_bytes == size
    if size:
        assert limit(meter(*happened, max_output_bytes=size)) is None
    if size > 1:
        assert limit(meter(*happened, max_output_bytes=size - 1)) == ("max_output", "max_output_bytes")


@given(st.lists(st.tuples(st.booleans(), st.lists(st.text(max_size=5), max_size=4))))
def test_the_output_of_texts_does_not_depend_on_how_they_are_cut(texts):
    cut, uncut = meter(max_output_bytes=1), meter(max_output_bytes=1)
    for is_message, pieces in texts:
        kind = Message if is_message else Thinking
        for part in pieces:
            cut.observe(piece(part, kind=kind), 100.0)
        for made in (cut, uncut):
            made.observe(whole("".join(pieces), kind=kind), 100.0)
    assert cut.output_bytes == uncut.output_bytes == sum(len("".join(pieces).encode()) for _, pieces in texts)


@pytest.mark.requirement("R187")
def test_memory_is_too_much_beyond_the_limit():
    made = meter(max_memory_mb=100)
    made.memory_mb = 100
    assert limit(made) is None
    made.memory_mb = 100.5
    assert limit(made) == ("max_memory", "max_memory_mb")


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"max_turns": 1}, "the model has used up its 1 turn; raise max_turns and resume to go on"),
        (
            {"max_budget_usd": 0.5},
            "the run has cost 0.75 of 0.50 US dollars; raise max_budget_usd and resume to go on",
        ),
        ({"timeout_s": 90}, "the run did not end within 90 s; raise timeout_s and resume to go on"),
        ({"idle_s": 0.5}, "the agent has done nothing for 0.5 s; raise idle_s and resume to go on"),
        (
            {"max_output_bytes": 2},
            "the agent has written more than 2 bytes; raise max_output_bytes and resume to go on",
        ),
        (
            {"max_memory_mb": 64},
            "the agent's processes take 65 MB of memory, more than 64; raise max_memory_mb and resume to go on",
        ),
    ],
)
def test_a_limit_says_what_happened_and_what_to_do(limits, told):
    made = meter(whole("a"), tool(), done(), piece("bc"), Usage(cost_usd=0.75), **limits)
    made.memory_mb = 65.2
    assert made.reached(200.0).message == told


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        *((name, True) for name in ("max_turns", "max_budget_usd", "max_output_bytes")),
        *((name, False) for name in ("timeout_s", "idle_s", "max_memory_mb")),
    ],
)
def test_an_event_can_be_one_too_many_only_where_events_are_counted(name, counts):
    assert not meter().counts
    assert meter(**{name: 1}).counts is counts
