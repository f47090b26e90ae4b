"""Turns of the model, counted from events: a new one begins when the model goes on after a tool."""

import pytest

from holdfast.events import HookTriggered, Message, Thinking, ToolComplete, ToolStart, Usage
from holdfast.keeper.turns import Turns


def text(parent=None):
    return Message(text="a", is_partial=True, parent_id=parent)


def final(parent=None):
    return Message(text="a", full_text="a", is_partial=False, parent_id=parent)


def thought():
    return Thinking(text="a", is_partial=True)


def start(id_="1", parent=None):
    return ToolStart(tool_name="t", tool_input={}, tool_id=id_, parent_id=parent)


def done(id_="1", parent=None):
    return ToolComplete(tool_name="t", tool_id=id_, result="", duration_ms=0, is_error=False, parent_id=parent)


def denied():
    return HookTriggered(hook_event="PreToolUse", tool_name="t", decision="deny", message="no")


@pytest.mark.parametrize(
    ("happened", "count"),
    [
        ([], 0),
        ([Usage(used=1)], 0),
        ([text(), text(), final()], 1),
        ([final()], 1),
        ([start()], 1),
        ([thought(), text(), final(), start()], 1),
        ([text(), final(), text(), final()], 1),
        ([text(), final(), start(), done()], 1),
        ([start(), done(), text(), text(), final()], 2),
        ([start(), done(), thought(), text(), start("2"), done("2"), final()], 2),
        ([start(), done(), thought(), text(), final(), start("2"), done("2"), text()], 3),
        ([start("a"), start("b"), done("a"), done("b"), text()], 2),
        ([start(), done(), start("2"), done("2"), start("3")], 3),
        ([start(), denied(), text()], 2),
        ([start(), denied(), start("2"), denied(), start("3")], 3),
        ([text(), start(), done(), text(), final()], 1),
        ([start("a"), start("s", "a"), done("s", "a"), text("a"), done("a"), text()], 2),
        ([start("a"), done("s", "a"), final("a")], 1),
        ([start("a"), done("s", "a"), text()], 1),
        ([start("a"), done("a"), start("s", "b"), final("b")], 1),
    ],
)
def test_a_turn_begins_when_the_model_goes_on_after_a_tool(happened, count):
    turns = Turns()
    for event in happened:
        turns.observe(event)
    assert turns.count == count
