"""The named dialect's translation: what becomes of each event, over logs made by hand and over recorded ones."""

import json
import random
from typing import Any

import pytest

from holdfast.dialects.named import Named
from holdfast.dialects.telling import Place, place
from holdfast.entry import Entry
from holdfast.events import End, Message, Recorded, Stderr, TerminationInfo, Todo, ToolComplete, ToolStart, UserMessage
from tests.dialects.logs import NAMES, log, recording, told, without_partials
from tests.event_values import final, partial, recorded

TASK = recorded("user_message")


def named(*come: Recorded) -> list[tuple[str | None, dict[str, Any]]]:
    return of(log(*come))


def of(entries: list[Entry], received: Place | None = None) -> list[tuple[str | None, dict[str, Any]]]:
    found = told(Named(received or Place()), entries, received)
    return [(message.name, json.loads(message.data)) for _, message in found]


def text_of(messages: list[tuple[str | None, dict[str, Any]]]) -> str:
    return "".join(data["text"] for name, data in messages if name == "text")


@pytest.mark.requirement("R184", "R185")
def test_pieces_come_as_text_and_a_final_does_not_repeat_them() -> None:
    messages = named(TASK, partial("Hel"), partial("lo."), final("Hello."), partial("So"), final("So long."))
    assert [data["text"] for name, data in messages if name == "text"] == ["Hel", "lo.", "\n\nSo", " long."]


@pytest.mark.requirement("R185")
def test_a_final_without_pieces_tells_its_text() -> None:
    assert text_of(named(TASK, final("Hello."), final("So long."))) == "Hello.\n\nSo long."


@pytest.mark.requirement("R185")
def test_what_subagents_say_is_left_out_and_their_tools_are_not() -> None:
    messages = named(
        TASK,
        final("Mine."),
        final("Theirs.", parent_id="t"),
        recorded("tool_start", tool_id="u", parent_id="t"),
        recorded("tool_complete", tool_id="u", parent_id="t"),
    )
    assert text_of(messages) == "Mine."
    assert [(name, data["parentId"]) for name, data in messages if name in ("tool_start", "tool_done")] == [
        ("tool_start", "t"),
        ("tool_done", "t"),
    ]


@pytest.mark.requirement("R185")
def test_a_tool_starts_makes_progress_and_is_done() -> None:
    messages = named(
        TASK,
        recorded("tool_start", tool_name="Bash", tool_input={"command": "make"}, tool_id="t", title="Run make"),
        recorded("agent_update", kind="tool_call_update", update={"toolCallId": "t", "status": "in_progress"}),
        recorded("agent_update", kind="tool_progress", update={"tool_use_id": "t", "elapsed_time_seconds": 1.5}),
        recorded("agent_update", kind="tool_progress", update={"tool_use_id": "other"}),
        recorded("agent_update", kind="mode", update=["no object"]),
        recorded("stalled", waiting_on="tool", idle_ms=300_000, tool_id="t", tool_name="Bash"),
        recorded("tool_complete", tool_name="Bash", tool_id="t", result={"exitCode": 0}, duration_ms=7),
    )[1:]
    assert messages[0] == (
        "tool_start",
        {"toolId": "t", "tool": "Bash", "parentId": None, "input": {"command": "make"}, "title": "Run make"},
    )
    assert [(name, data["elapsed"]) for name, data in messages[1:4]] == [
        ("tool_progress", None),
        ("tool_progress", 1500),
        ("tool_progress", 300_000),
    ]
    assert messages[4:] == [
        (
            "tool_done",
            {
                "toolId": "t",
                "tool": "Bash",
                "parentId": None,
                "result": {"exitCode": 0},
                "isError": False,
                "duration": 7,
            },
        )
    ]


@pytest.mark.requirement("R185")
def test_a_status_says_what_the_agent_does_or_waits_for() -> None:
    messages = named(
        TASK,
        recorded("session_connect"),
        recorded("agent_start", model="m1"),
        partial("Hm", "thinking"),
        partial("m", "thinking"),
        final("Hmm", "thinking"),
        recorded("permission_request", title="Run make"),
        recorded("question", text="Which colour?"),
        recorded("permission_resolved"),
        recorded("permission_resolved", request_id="q", decision="deny", by="expiry"),
        recorded("todo_update", todos=[Todo(content="a", status="completed"), Todo(content="b", status="pending")]),
        recorded("usage"),
        recorded("stalled"),
        recorded("hook_triggered", message="`sudo` is refused"),
    )
    assert {name for name, _ in messages} == {"status"}
    assert [(data["kind"], data["status"], data["message"]) for _, data in messages] == [
        ("user_message", "pending", "The task is being started"),
        ("agent_start", "running", "demo is at work with m1"),
        ("thinking", "running", "The agent is thinking"),
        ("permission_request", "waiting", "Waiting for permission: Run make"),
        ("question", "waiting", "Waiting for an answer: Which colour?"),
        ("permission_resolved", "waiting", "Answered: allow_once by local"),
        ("permission_resolved", "running", "Answered: deny by expiry"),
        ("todo_update", "running", "1 of 2 todos done"),
        ("stalled", "running", "Nothing has happened for 300 s; waiting for the model"),
        ("hook_triggered", "running", "`sudo` is refused"),
    ]
    assert messages[3][1]["detail"]["request_id"] == "r", "what is needed to answer"


@pytest.mark.requirement("R185", "R104")
def test_a_run_that_succeeded_ends_with_a_result() -> None:
    end = recorded("agent_complete", total_cost_usd=0.25, duration_ms=1200, num_turns=3)
    assert named(TASK, final("First."), final("Last."), end)[-1] == (
        "result",
        {"output": "Last.", "cost": 0.25, "duration": 1200, "turns": 3, "stopReason": "success"},
    )


@pytest.mark.requirement("R185", "R105")
@pytest.mark.parametrize(
    ("end", "reason", "message"),
    [
        (recorded("error"), "process_exit", "It broke"),
        (recorded("cancelled"), "cancelled", "Task was cancelled"),
        (
            recorded("agent_complete", status="FAILED", stop_reason="error_max_turns"),
            "error_max_turns",
            "The run ended with error_max_turns",
        ),
    ],
)
def test_any_other_end_is_an_error_with_its_reason(end: Recorded, reason: str, message: str) -> None:
    name, data = named(TASK, end)[-1]
    assert name == "error"
    assert (data["message"], data["subtype"], data["stopReason"]) == (message, reason, reason)
    assert data["cost"] is None
    assert data["duration"] == 0, "by the clock, where the agent does not say"


@pytest.mark.requirement("R185", "R114")
def test_an_error_carries_what_the_agent_left_on_stderr() -> None:
    stderr = Stderr(head="boom", truncated=False, total_lines=1)
    info = TerminationInfo(reason="error", terminated_by="agent", exit_code=3, stderr=stderr)
    _, data = named(TASK, recorded("error", termination_info=info, num_turns=1))[-1]
    assert data["terminationInfo"] == {
        "reason": "error",
        "terminatedBy": "agent",
        "exitCode": 3,
        "stderr": {"head": "boom", "truncated": False, "totalLines": 1},
    }


def test_after_a_retry_the_new_answer_begins_a_paragraph() -> None:
    messages = named(TASK, partial("Never to"), recorded("agent_retry"), partial("The tide"), final("The tide is out."))
    assert text_of(messages) == "Never to\n\nThe tide is out."


@pytest.mark.requirement("R185")
@pytest.mark.parametrize("name", NAMES)
def test_of_a_recorded_log_the_texts_tools_and_ends_are_told_in_their_order(name: str) -> None:
    entries = recording(name)
    messages = of(entries)
    starts = [entry.data.tool_id for entry in entries if isinstance(entry.data, ToolStart)]
    ends = [entry.data.tool_id for entry in entries if isinstance(entry.data, ToolComplete)]
    assert [data["toolId"] for name, data in messages if name == "tool_start"] == starts
    assert [data["toolId"] for name, data in messages if name == "tool_done"] == ends
    over = [entry.data.stop_reason for entry in entries if isinstance(entry.data, End)]
    assert [data["stopReason"] for name, data in messages if name in ("result", "error")] == over
    assert {name for name, _ in messages} <= {
        *("text", "tool_start", "tool_done", "tool_progress", "status", "result", "error")
    }


@pytest.mark.requirement("R185")
@pytest.mark.parametrize("name", NAMES)
def test_the_text_is_that_of_the_log_with_partials_and_without(name: str) -> None:
    whole = recording(name)
    entries = without_partials(whole)
    runs: list[list[str]] = []
    for entry in entries:
        if isinstance(entry.data, UserMessage):
            runs.append([])
        elif isinstance(entry.data, Message) and entry.data.parent_id is None:
            runs[-1].append(entry.data.text)
    expected = "".join("\n\n".join(run) for run in runs)
    assert text_of(of(entries)) == expected
    # Where an answer of the model broke off, what had come of it stays on the page.
    if name not in ("claude-broken", "claude-retry"):
        assert text_of(of(whole)) == expected


@pytest.mark.requirement("R184", "R057")
@pytest.mark.parametrize("name", NAMES)
def test_a_cut_anywhere_in_a_recorded_log_loses_nothing_and_repeats_nothing(name: str) -> None:
    entries = recording(name)
    whole = told(Named(Place()), entries)
    dice = random.Random(name)
    for cut in {0, len(whole), *(dice.randrange(len(whole) + 1) for _ in range(8))}:
        before = whole[:cut]
        received = place(before[-1][0]) if before else Place()
        assert before + told(Named(received), entries, received) == whole
        gone = told(Named(received), without_partials(entries), received)
        texts = [json.loads(message.data) for _, message in before + gone if message.name == "text"]
        expected = [json.loads(message.data) for _, message in whole if message.name == "text"]
        if name not in ("claude-broken", "claude-retry"):
            assert "".join(data["text"] for data in texts) == "".join(data["text"] for data in expected)
