"""How the ends of runs are told as events of Anthropic's sessions API."""

from typing import Any

import pytest

from holdfast import events
from holdfast.event import Event
from tests.dialects.managed_logs import STORED, entries, log_of, told, types
from tests.test_recordings import INDEX


@pytest.mark.parametrize(
    ("name", "error", "stop_reason"),
    [
        ("demo-task", None, "end_turn"),
        ("demo-cancelled", None, "end_turn"),
        ("demo-crash", "unknown_error", "retries_exhausted"),
        ("demo-killed", "unknown_error", "retries_exhausted"),
        ("demo-timeout", "unknown_error", "retries_exhausted"),
        ("claude-overloaded", None, "end_turn"),
        ("claude-limits", "model_rate_limited_error", "retries_exhausted"),
        ("claude-max-turns", "tool_use_limit_reached_error", "retries_exhausted"),
        ("claude-wrong-key", "model_request_failed_error", "retries_exhausted"),
    ],
)
def test_an_end_is_told_by_its_reason(name: str, error: str | None, stop_reason: str) -> None:
    pieces = told(entries(name))
    errors = [piece.data["error"] for piece in pieces if piece.type == "session.error"]
    finals = [one["type"] for one in errors if one["retry_status"]["type"] == "exhausted"]
    assert finals == ([] if error is None else [error])
    assert pieces[-1].data["stop_reason"]["type"] == stop_reason


@pytest.mark.parametrize("name", [entry["name"] for entry in INDEX])
def test_an_end_has_our_stop_reason_and_termination_info_beside_the_words_of_the_api(name: str) -> None:
    ends = [entry.data for entry in entries(name) if isinstance(entry.data, events.End)]
    told_ends = [piece.data["holdfast"] for piece in told(entries(name)) if "holdfast" in piece.data]
    assert [one["stop_reason"] for one in told_ends] == [end.stop_reason for end in ends]
    assert [one["termination_info"]["reason"] for one in told_ends] == [end.termination_info.reason for end in ends]


def test_a_crash_tells_its_exit_code_and_the_last_lines_of_stderr() -> None:
    stderr = events.Stderr(head="first", tail="one\ntwo", truncated=True, total_lines=200)
    info = events.TerminationInfo(reason="error", terminated_by="agent", exit_code=3, stderr=stderr)
    crash = events.TYPES["error"](
        stop_reason="process_exit",
        termination_info=info,
        message="agent exited with status 3",
        error_type="process_exit",
    )
    error = told(log_of(events.UserMessage(text="Do"), crash))[2].data["error"]
    assert error["message"] == "agent exited with status 3\none\ntwo"


def _end(**more: Any) -> Event:
    info = events.TerminationInfo(reason="terminated", terminated_by="daemon")
    return events.TYPES["cancelled"](termination_info=info, message="Task was cancelled", **more)


def test_what_was_cancelled_before_it_began_takes_no_more() -> None:
    begun = events.UserMessage(text="Do")
    told_of = types(told(log_of(begun, _end(stop_reason="cancelled", resumable=False))))
    assert told_of[2:] == ["user.interrupt", "session.status_terminated"]
    told_of = types(told(log_of(begun, _end(stop_reason="paused", reason="paused", resumable=False))))
    assert told_of[2:] == ["user.interrupt", "session.status_idle"]


def test_a_budget_that_is_used_up_is_no_interrupt() -> None:
    end = _end(stop_reason="paused", reason="paused", resumable=True, limit="max_budget_usd")
    assert told(log_of(events.UserMessage(text="Do"), end))[2].data["stop_reason"] == {"type": "budget_reached"}


def test_a_refusal_says_why() -> None:
    info = events.TerminationInfo(reason="completed", terminated_by="agent")
    end = events.TYPES["agent_complete"](
        stop_reason="refusal", termination_info=info, status="FAILED", message="I will not"
    )
    idle = STORED.validate_python(told(log_of(events.UserMessage(text="Do"), end))[-1].data)
    assert idle.stop_reason.type == "refusal"
    assert idle.stop_details.explanation == "I will not"


def test_tokens_are_added_up_over_the_runs() -> None:
    info = events.TerminationInfo(reason="completed", terminated_by="agent")

    def run(usage: Any) -> list[Event]:
        end = events.TYPES["agent_complete"](
            stop_reason="success", termination_info=info, status="COMPLETE", usage=usage
        )
        return [events.UserMessage(text="Do"), end]

    pieces = told(log_of(*run({"input_tokens": 3, "output_tokens": 1}), *run({"inputTokens": 4}), *run("much")))
    used = [piece.data["usage"] for piece in pieces if piece.type == "session.usage"]
    assert used == [{"input_tokens": 3, "output_tokens": 1}, {"input_tokens": 7, "output_tokens": 1}]
