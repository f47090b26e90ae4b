"""What an agent reads before its task when the last one was cancelled: to the letter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.events import Todo
from holdfast.sessions.resume_context import with_resume_context

BEGIN = "[RESUME CONTEXT]\nPrevious execution was cancelled by user.\n"
END = "[END RESUME CONTEXT]\n\nGo on"


def todos(*statuses):
    return [Todo(content=f"Step {number}", status=status) for number, status in enumerate(statuses, 1)]


@pytest.mark.requirement("R099", "R100")
def test_the_block_is_exactly_as_it_was_agreed():
    state = [
        Todo(content="Read file", status="completed", priority="high"),
        Todo(content="Process data", status="in_progress"),
        Todo(content="Write output", status="pending"),
    ]
    assert with_resume_context("Go on", state) == (
        "[RESUME CONTEXT]\n"
        "Previous execution was cancelled by user.\n"
        "\n"
        "Todo state at cancellation:\n"
        "  ✓ Read file [completed]\n"
        "  → Process data [in_progress]\n"
        "  ○ Write output [pending]\n"
        "\n"
        "Note: Task(s) marked in_progress were interrupted and may be incomplete.\n"
        "[END RESUME CONTEXT]\n"
        "\n"
        "Go on"
    )


@pytest.mark.requirement("R099")
@pytest.mark.parametrize("none", [None, []])
def test_without_todos_there_is_no_todo_part(none):
    assert with_resume_context("Go on", none) == BEGIN + END


@pytest.mark.requirement("R099")
def test_without_a_todo_in_progress_there_is_no_note():
    assert with_resume_context("Go on", todos("completed", "pending")) == (
        f"{BEGIN}\nTodo state at cancellation:\n  ✓ Step 1 [completed]\n  ○ Step 2 [pending]\n{END}"
    )


@pytest.mark.requirement("R100")
@pytest.mark.parametrize(
    ("status", "icon"),
    [("completed", "✓"), ("in_progress", "→"), ("pending", "○"), ("cancelled", "✗"), ("never heard of", "○")],
)
def test_every_status_has_its_icon(status, icon):
    assert f"\n  {icon} Step 1 [{status}]\n" in with_resume_context("Go on", todos(status))


@pytest.mark.requirement("R099")
@settings(deadline=None)
@given(st.text(), st.lists(st.sampled_from(["completed", "in_progress", "pending", "cancelled"])))
def test_the_task_comes_last_and_as_the_user_wrote_it(task, statuses):
    made = with_resume_context(task, todos(*statuses))
    assert made.startswith(BEGIN)
    assert made.endswith(f"[END RESUME CONTEXT]\n\n{task}")
    context = made.removesuffix(task)
    assert context.count("\n  ") == len(statuses)
    assert ("Note:" in context) == ("in_progress" in statuses)
