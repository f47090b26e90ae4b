"""What Claude Code says of itself at its start and hands over at its end."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import events
from holdfast.agents.claude_telling import agent_start, display, offered_models
from holdfast.agents.interface import Task
from tests.agents.claude_frames import RECORDED, result_of

TASK = Task(session_id="ours", agent="claude", text="with context", shown="Do it", command=[], cwd="/", kind="claude")
DISPLAY = {"output": "Done.", "error": "", "comments": "", "result_files": ["a.txt"], "status": "COMPLETE"}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.requirement("R030")
def test_the_start_tells_the_model_the_tools_and_the_agents_own_session():
    init = RECORDED["text"][0]
    start = agent_start(init, TASK, offered_models({"models": [{"value": "opus", "displayName": "Opus"}]}))
    assert (start.session_id, start.agent, start.task) == ("ours", "claude", "Do it")
    assert (start.model, start.agent_session_id) == (init["model"], init["session_id"])
    assert start.tools == init["tools"]
    assert start.models == [events.Choice(id="opus", name="Opus")]
    assert {"resume", "fork", "fork_at"} <= set(start.capabilities)


def test_without_models_none_are_offered():
    assert offered_models(None) is None
    assert offered_models({"models": []}) is None


@pytest.mark.requirement("R037")
def test_a_structured_result_is_displayed_and_one_of_another_shape_as_it_is():
    assert display(result_of("text"), TASK) == []
    [shown] = display({"structured_output": DISPLAY}, TASK)
    assert msgspec.to_builtins(shown) == DISPLAY
    for task in (TASK, msgspec.structs.replace(TASK, output_schema={"type": "object"})):
        [shown] = display(result_of("structured"), task)
        assert (shown.output, shown.status) == ('{"n":3}', "COMPLETE")


@given(st.dictionaries(st.sampled_from(["model", "session_id", "permissionMode", "tools", "skills"]), values), values)
def test_nothing_that_could_be_said_there_raises(init, structured):
    for event in [agent_start(init, TASK, offered_models(init)), *display({"structured_output": structured}, TASK)]:
        assert events.record(event, 0).decode() == event
