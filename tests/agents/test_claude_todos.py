"""Claude's todo list, by either of its tools: what the calls have brought about, and only that."""

import pytest

from holdfast.agents.claude_todos import Todos
from tests.agents.claude_frames import RECORDED, of, translated


def lists(name):
    told = of(translated(RECORDED[name]), "todo_update")
    return [[(todo["content"], todo["status"]) for todo in update["todos"]] for update in told]


def test_a_list_that_is_written_whole_is_told_as_often_as_it_is_written():
    read, write = "Read the file", "Write the output"
    assert lists("todos") == [
        [(read, "in_progress"), (write, "pending")],
        [(read, "completed"), (write, "in_progress")],
    ]


def test_a_list_that_is_built_up_task_by_task_grows_and_changes():
    read, write = "Read the file", "Write the output"
    assert lists("tasks") == [
        [(read, "pending")],
        [(read, "pending"), (write, "pending")],
        [(read, "in_progress"), (write, "pending")],
        [(read, "completed"), (write, "pending")],
    ]


def test_a_list_is_told_after_the_call_that_changed_it():
    told = [name for name, _ in translated(RECORDED["todos"]) if name in ("tool_complete", "todo_update")]
    assert told == ["tool_complete", "todo_update"] * 2


@pytest.fixture
def todos():
    """One task, of number 7."""
    todos = Todos()
    todos.called("TaskCreate", "a", {"subject": "Read"})
    assert [todo.content for todo in todos.returned("a", {"task": {"id": "7"}})] == ["Read"]
    return todos


def test_a_call_that_has_not_worked_changes_nothing(todos):
    todos.called("TaskUpdate", "b", {"taskId": "7", "status": "completed"})
    todos.called("TodoWrite", "c", {"todos": [{"content": "Never", "status": "pending"}]})
    todos.called("TaskCreate", "d", {"subject": "Never"})
    todos.called("TaskUpdate", "e", {"taskId": "7", "subject": "Read it all"})
    [todo] = todos.returned("e", {})
    assert (todo.content, todo.status) == ("Read it all", "pending")


def test_a_deleted_task_is_gone_and_one_of_another_run_is_not_invented(todos):
    todos.called("TaskUpdate", "b", {"taskId": "1", "status": "completed"})
    assert todos.returned("b", {}) is None
    todos.called("TaskUpdate", "c", {"taskId": "7", "status": "deleted"})
    assert todos.returned("c", {}) == []


def test_calls_of_other_tools_and_results_of_no_call_say_nothing(todos):
    todos.called("Bash", "b", {"command": "ls"})
    assert todos.returned("b", {}) is None
    assert todos.returned("never called", {}) is None


def test_what_a_subagent_has_to_do_is_not_on_the_list():
    block = {"type": "tool_use", "id": "t", "name": "TodoWrite", "input": {"todos": [{"content": "Look"}]}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "ok"}
    frames = [
        {"type": "assistant", "message": {"content": [block]}, "parent_tool_use_id": "outer"},
        {"type": "user", "message": {"content": [result]}, "parent_tool_use_id": "outer"},
    ]
    assert [name for name, _ in translated(frames)] == ["tool_start", "tool_complete"]
