"""From ACP updates to events: tool calls, announced or not, one completion for each start."""

import pytest

from holdfast.agents.acp_events import Update
from holdfast.events import AgentUpdate, ToolComplete, ToolStart
from tests.agents.updates import Turn, call, kinds, progress, shown, text


@pytest.fixture
def turn():
    return Turn()


@pytest.mark.requirement("R034", "R035")
def test_a_tool_call_becomes_a_start_and_a_completion_with_its_measured_duration(turn):
    command = {"command": "ls"}
    started = turn.take(call("t1", kind="execute", status="pending", rawInput=command))
    turn.clock += 250
    ended = turn.take(progress("t1", status="completed", rawOutput="a.txt", content=[shown("shown")]))
    assert started == [
        ToolStart(tool_name="execute", tool_input=command, tool_id="t1", kind="execute", title="Tool t1")
    ]
    assert ended == [ToolComplete(tool_name="execute", tool_id="t1", result="a.txt", duration_ms=250, is_error=False)]


@pytest.mark.requirement("R035", "R088")
def test_a_failed_tool_is_an_error_of_the_tool_only(turn):
    turn.take(call("t1", kind="edit"))
    [ended] = turn.take(progress("t1", status="failed", content=[shown("no such file")]))
    assert (ended.is_error, ended.result, ended.tool_name) == (True, "no such file", "edit")


@pytest.mark.requirement("R033", "R034")
def test_a_tool_ends_the_text_before_it(turn):
    assert kinds(turn.take(text("Let me look."), call("t1"))) == ["message", "message", "tool_start"]


def test_a_call_that_comes_complete_is_a_start_and_a_completion(turn):
    made = turn.take(call("t1", kind="read", status="completed", content=[shown("a"), shown("b")]))
    assert kinds(made) == ["tool_start", "tool_complete"]
    assert made[1].result == "a\nb"


@pytest.mark.requirement("R034")
def test_an_update_of_a_call_that_was_never_announced_announces_it(turn):
    made = turn.take(text("x"), progress("g1", kind="execute", title="touch a", status="in_progress"))
    assert kinds(made) == ["message", "message", "tool_start"]
    assert (made[2].tool_id, made[2].tool_name, made[2].title) == ("g1", "execute", "touch a")
    assert kinds(turn.take(progress("g1", status="completed"))) == ["tool_complete"]
    assert kinds(turn.take(progress("g2", status="failed"))) == ["tool_start", "tool_complete"]


def test_progress_of_a_call_is_kept_and_what_it_showed_is_the_result_if_no_other_comes(turn):
    turn.take(call("t1"))
    update = progress("t1", status="in_progress", content=[shown("half way")])
    assert turn.take(update) == [AgentUpdate(kind="tool_call_update", update=update)]
    [ended] = turn.take(progress("t1", status="completed"))
    assert ended.result == "half way"


@pytest.mark.requirement("R036")
def test_what_comes_for_a_call_after_its_completion_does_not_start_it_again(turn):
    turn.take(call("t1", status="completed"))
    late = progress("t1", content=[shown("more")])
    assert turn.take(late) == [AgentUpdate(kind="tool_call_update", update=late)]
    again = progress("t1", status="completed")
    assert turn.take(again) == [AgentUpdate(kind="tool_call_update", update=again)]


def test_an_id_that_is_announced_anew_after_its_completion_is_another_call(turn):
    turn.take(call("t1", status="completed"))
    assert kinds(turn.take(call("t1"), progress("t1", status="completed"))) == ["tool_start", "tool_complete"]


def test_calls_at_the_same_time_are_kept_apart(turn):
    turn.take(call("a", kind="read"))
    turn.clock += 10
    turn.take(call("b", kind="edit"))
    turn.clock += 10
    ended = turn.take(progress("a", status="completed"), progress("b", status="failed"))
    assert [(end.tool_name, end.duration_ms) for end in ended] == [("read", 20), ("edit", 10)]


def test_a_call_is_named_by_its_name_else_its_kind_else_its_title(turn):
    turn.take(call("1", kind="execute") | {"name": "bash"})
    turn.take(call("2", kind="execute"), call("3"))
    turn.take(progress("4"))
    assert [event.tool_name for event in turn.events] == ["bash", "execute", "Tool 3", "tool"]


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "diff", "path": "/a", "oldText": "x", "newText": "y"}],
        [{"type": "terminal", "terminalId": "never-made-by-us"}],
        [shown("text"), {"type": "diff", "path": "/a", "newText": "y"}],
    ],
)
def test_diffs_and_terminals_are_results_as_they_are(turn, content):
    [_, ended] = turn.take(call("t1", status="completed", content=content))
    assert ended.result == content


def test_a_diff_is_shown_beside_the_raw_output_of_the_call(turn):
    diff = {"type": "diff", "path": "a.py", "oldText": "1", "newText": "2"}
    turn.take(call("t1", kind="edit", content=[shown("about to"), diff]))
    [ended] = turn.take(progress("t1", status="completed", rawOutput={"ok": True}))
    assert (ended.result, ended.content) == ({"ok": True}, [diff])
    [_, plain] = turn.take(call("t2", status="completed", rawOutput="done", content=[shown("done")]))
    assert plain.content is None


def test_a_result_without_content_is_empty(turn):
    assert turn.take(call("t1", status="completed"))[1].result == ""


@pytest.mark.requirement("R034")
def test_a_permission_request_for_a_call_that_was_never_announced_announces_it_once(turn):
    asked = Update(toolCallId="g1", title="\x1b[1mtouch a\x1b[0m", kind="execute", rawInput={"command": "touch a"})
    turn.take(text("x"))
    made = turn.translation.announce(asked)
    assert kinds(made) == ["message", "tool_start"]
    assert made[1] == ToolStart(
        tool_name="execute", tool_input={"command": "touch a"}, tool_id="g1", kind="execute", title="touch a"
    )
    assert turn.translation.announce(asked) == []
    assert turn.translation.called(Update(toolCallId="g1")).name == "execute"
    assert kinds(turn.take(progress("g1", status="completed"))) == ["tool_complete"]


def test_a_permission_request_without_a_call_announces_none(turn):
    assert turn.translation.announce(Update()) == []
    assert turn.translation.called(Update()).name == "tool"


# Names that are not in the protocol, as real agents tell them


def meta(**told):
    return {"_meta": told}


@pytest.mark.parametrize(
    ("announced", "name", "kind"),
    [
        (meta(goose={"toolCall": {"toolName": "shell", "extensionName": "developer"}}), "shell", "execute"),
        (meta(goose={"toolCall": {"toolName": "write", "extensionName": "developer"}}), "write", "edit"),
        (meta(goose={"toolCall": {"toolName": "shell", "extensionName": "remote"}}), "mcp__remote__shell", None),
        ({"kind": "execute", **meta(claudeCode={"toolName": "Bash"})}, "Bash", "execute"),
        ({"kind": "other", **meta(claudeCode={"toolName": "mcp__a__b"})}, "mcp__a__b", "other"),
        ({"kind": "think", **meta(x={"toolName": "Bash"})}, "Bash", "think"),
        ({"kind": "other"}, "Tool t1", "other"),
        (meta(goose={"toolCall": {"toolName": 5}}, other=7, more=[]), "Tool t1", None),
        ({"_meta": "none"}, "Tool t1", None),
    ],
)
def test_a_name_in_the_agents_own_place_counts_and_says_the_kind_if_nothing_else_does(turn, announced, name, kind):
    [start] = turn.take(call("t1") | announced)
    assert (start.tool_name, start.kind) == (name, kind)
    # As goose asks: the kind says nothing, and the name is not repeated.
    known = turn.translation.called(Update(toolCallId="t1", kind="other", rawInput={"command": "ls"}))
    assert (known.name, known.kind, known.input) == (name, kind, {"command": "ls"})


def test_what_is_learnt_of_a_call_for_a_request_does_not_change_the_call(turn):
    turn.take(call("t1", kind="edit"))
    turn.translation.called(Update(toolCallId="t1", kind="execute", content=[shown("a preview")]))
    assert turn.translation.called(Update(toolCallId="t1")).kind == "edit"
    assert turn.take(progress("t1", status="completed"))[0].result == ""
