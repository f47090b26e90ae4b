"""A run in which nothing happens: what it waits for is told once, and looked for in time."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.events import Stalled, ToolStart
from holdfast.keeper.limits import Meter
from holdfast.limits import Limits
from tests.keeper.metering import ANSWERED, ASKED, QUESTION, START, done, meter, piece, tool


def test_a_silent_model_is_stalled_once():
    made = meter(START, tool(), done())
    assert made.stalled(109.9, 10) is None
    assert made.stalled(110.5, 10) == Stalled(waiting_on="model", idle_ms=10_500)
    assert made.stalled(500.0, 10) is None
    made.observe(piece("a"), 500.0)
    assert made.stalled(509.0, 10) is None
    assert made.stalled(510.0, 10) == Stalled(waiting_on="model", idle_ms=10_000)


def test_a_silent_tool_is_named_with_its_command():
    made = meter(tool("1", command="sleep 5"), tool("2", command="make test"))
    assert made.stalled(110.0, 10) == Stalled(
        waiting_on="tool", idle_ms=10_000, tool_name="Bash", tool_id="2", detail="make test"
    )
    made.observe(done("2"), 110.0)
    assert made.stalled(120.0, 10).tool_id == "1"


def test_a_tool_without_a_command_is_named_with_its_title():
    made = meter(ToolStart(tool_name="x", tool_input={}, tool_id="1", title="Look around"))
    assert made.stalled(110.0, 10).detail == "Look around"


@pytest.mark.parametrize("asked", [ASKED, QUESTION])
def test_a_person_is_waited_for_before_anything_else(asked):
    made = meter(tool(), asked)
    assert made.stalled(110.0, 10) == Stalled(waiting_on="person", idle_ms=10_000)
    made.observe(ANSWERED, 111.0)
    assert made.stalled(120.9, 10) is None
    assert made.stalled(121.0, 10).waiting_on == "tool"


@pytest.mark.parametrize(("ttl_s", "is_told"), [(5, False), (10, False), (10.1, True), (None, True)])
def test_a_person_whose_time_is_up_first_is_waited_for_in_silence(ttl_s, is_told):
    made = Meter(Limits(), 100.0, permission_ttl_s=ttl_s)
    made.observe(ASKED, 100.0)
    assert (made.stalled(110.0, 10) is not None) == is_told


# When to look


@pytest.mark.parametrize(
    ("limits", "happened", "stall_s", "wait"),
    [
        ({}, [], None, 60),
        ({"timeout_s": 10}, [], None, 8),
        ({"timeout_s": 10, "idle_s": 3}, [], None, 1),
        ({"timeout_s": 10, "idle_s": 3}, [ASKED], None, 3),
        ({}, [], 5, 3),
        ({}, [], 500, 60),
        ({"timeout_s": 1}, [], None, 0.05),
    ],
)
def test_the_next_look_is_when_time_alone_may_bring_something(limits, happened, stall_s, wait):
    assert meter(*happened, **limits).next_check_s(102.0, stall_s) == pytest.approx(wait)


def test_after_a_stall_was_told_the_next_one_is_looked_for_later():
    made = meter()
    assert made.stalled(105.0, 5) is not None
    assert made.next_check_s(105.0, 5) == 5


_KINDS = {
    "text": lambda: piece("a"),
    "tool": tool,
    "done": done,
    "asked": lambda: ASKED,
    "answered": lambda: ANSWERED,
}


@given(
    st.lists(st.tuples(st.floats(0, 30), st.sampled_from(sorted(_KINDS))), max_size=12),
    st.floats(1, 50),
    st.floats(1, 50),
    st.floats(1, 50),
)
def test_who_sleeps_as_long_as_told_misses_nothing(steps, timeout_s, idle_s, stall_s):
    made = Meter(Limits(timeout_s=timeout_s, idle_s=idle_s), 0.0)
    now, look_at = 0.0, made.next_check_s(0.0, stall_s)
    for gap, kind in steps:
        now += gap
        while look_at <= now:
            if made.reached(look_at) is not None:
                return
            made.stalled(look_at, stall_s)
            look_at += made.next_check_s(look_at, stall_s)
        if look_at - now > 0.06:  # it never sleeps shorter than 0.05 s, and is that late at most
            assert made.reached(now) is None
            assert copy.deepcopy(made).stalled(now, stall_s) is None
        made.observe(_KINDS[kind](), now)
