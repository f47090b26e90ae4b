"""A run in one event: its last words and the tools that it used, whatever else happened."""

import pytest

from holdfast.agents.interface import Task
from holdfast.events import Message, Thinking, ToolStart
from holdfast.keeper.gist import Gist

TASK = Task(session_id="s", agent="a", text="[CONTEXT] Do it", shown="Do it", command=[], cwd="/", turn=3)


def gist_of(*events, duration_ms=1200):
    gist = Gist()
    for event in events:
        gist.observe(event)
    return gist.told(TASK, duration_ms)


def said(text, parent_id=None, *, is_partial=False):
    full_text = None if is_partial else text
    return Message(text=text, full_text=full_text, is_partial=is_partial, parent_id=parent_id)


def called(tool_name, parent_id=None):
    return ToolStart(tool_name=tool_name, tool_input={}, tool_id=tool_name, parent_id=parent_id)


@pytest.mark.requirement("R043")
def test_the_users_words_and_the_agents_last_ones_are_shown():
    turn = gist_of(said("first"), said("sec", is_partial=True), said("second"), Thinking(text="hm", is_partial=False))
    assert (turn.turn_number, turn.prompt_preview, turn.response_preview) == (3, "Do it", "second")
    assert (turn.duration_ms, turn.tools_used) == (1200, [])


def test_what_a_subagent_says_and_what_is_not_finished_are_not_the_agents_last_words():
    turn = gist_of(said("mine"), said("another's", "t1"), said("no en", is_partial=True))
    assert turn.response_preview == "mine"


def test_each_tool_is_named_once_in_the_order_of_its_first_use_those_of_subagents_too():
    turn = gist_of(called("Read"), called("Task"), called("Bash", "Task"), called("Read"))
    assert turn.tools_used == ["Read", "Task", "Bash"]


def test_long_words_are_cut_and_a_clock_that_was_set_back_makes_no_negative_time():
    turn = gist_of(said("x" * 1000), duration_ms=-5)
    assert len(turn.response_preview) == 200
    assert turn.duration_ms == 0
