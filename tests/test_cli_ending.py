"""The end of a run in plain words."""

from typing import get_args

import pytest

from holdfast.cli import exits
from holdfast.cli.ending import WORDS, describe
from holdfast.events import StopReason

ID = "12345678-0000-4000-8000-000000000000"


def said(stderr_lines=16, **end):
    return [line.plain for line in describe(end, ID, stderr_lines=stderr_lines)]


def test_every_stop_reason_has_its_words_and_its_own_exit_code():
    reasons = set(get_args(StopReason))
    assert set(WORDS) == reasons
    assert set(exits.STOP_REASONS) == reasons
    assert len(set(exits.STOP_REASONS.values())) == len(reasons)
    assert set(exits.STOP_REASONS.values()) <= set(exits.MEANINGS)


def test_a_stop_reason_of_a_later_version_is_no_success():
    assert exits.code_for("something_new") == exits.code_for(None) == exits.OTHER_END
    assert "something_new" in said(stop_reason="something_new")[0]


def test_a_good_end_shows_what_it_cost():
    assert said(stop_reason="success", num_turns=1, duration_ms=72_000, total_cost_usd=0.03125) == [
        "✓ Done · 1 turn · 1 min 12 s · $0.0312",
        '  go on with: holdfast task 12345678 "…"',
    ]


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({"exit_code": 0}, "exit code 0, which means success, but no answer came"),
        ({"exit_code": 127}, "exit code 127, a program was not found"),
        ({"exit_code": 3}, "exit code 3"),
        ({"exit_code": 137}, "exit code 137, by which a shell means SIGKILL"),
        ({"signal": "SIGKILL"}, "SIGKILL, killed from outside; often the system ran out of memory"),
        ({"signal": "SIGUSR1"}, "SIGUSR1"),
    ],
)
def test_a_death_is_told_with_its_meaning(info, expected):
    assert said(stop_reason="process_exit", termination_info=info)[0].split(" · ")[1] == expected


def test_short_stderr_is_shown_whole():
    stderr = {"head": "a\nb", "truncated": False, "total_lines": 2}
    assert said(stop_reason="process_exit", termination_info={"stderr": stderr})[1:4] == [
        "  stderr, 2 lines:",
        "  │ a",
        "  │ b",
    ]


@pytest.mark.parametrize(("limit", "shown"), [(16, 16), (None, 100)])
def test_of_long_stderr_the_beginning_and_the_end_are_shown_and_the_rest_is_counted(limit, shown):
    head, tail = [str(n) for n in range(50)], [str(n) for n in range(950, 1000)]
    stderr = {"head": "\n".join(head), "tail": "\n".join(tail), "truncated": True, "total_lines": 1000}
    lines = said(limit, stop_reason="process_exit", termination_info={"stderr": stderr})
    assert sum(line.startswith("  │ ") for line in lines) == shown
    assert f"  … {1000 - shown} lines left out" in lines
    assert "  │ 0" in lines
    assert "  │ 999" in lines


@pytest.mark.parametrize(
    ("end", "flag"),
    [
        ({"stop_reason": "timeout", "limit": "timeout_s"}, "--timeout SECONDS"),
        ({"stop_reason": "paused", "limit": "timeout_s"}, "--timeout SECONDS"),
        ({"stop_reason": "error_max_turns", "limit": "max_turns"}, "--max-turns N"),
        ({"stop_reason": "paused", "limit": "max_turns"}, "--max-turns N"),
        ({"stop_reason": "error_max_budget_usd", "limit": "max_budget_usd"}, "--max-budget USD"),
    ],
)
def test_after_a_limit_the_advice_names_the_flag_that_raises_it(end, flag):
    assert said(**end)[-1] == f"  go on with: holdfast resume 12345678 {flag}"


def test_a_limit_of_the_agents_own_is_not_said_to_be_raised_by_a_flag():
    assert said(stop_reason="error_max_turns")[-1] == '  go on with: holdfast task 12345678 "…"'


@pytest.mark.parametrize("reason", ["paused", "interrupted"])
def test_what_was_left_undone_is_to_be_resumed(reason):
    assert said(stop_reason=reason)[-1] == "  go on with: holdfast resume 12345678"


def test_a_run_that_never_began_cannot_be_continued():
    assert "cannot be continued" in said(stop_reason="cancelled", resumable=False)[-1]


@pytest.mark.parametrize("reason", ["paused", "interrupted"])
def test_one_that_was_discarded_is_not_said_to_go_on(reason):
    record = {"status": "cancelled", "stop_reason": reason, "resumable": False}
    assert said(**record)[-1] == "  It was discarded; start anew: holdfast run …"


def test_what_the_agent_wrote_cannot_steer_the_terminal():
    stderr = {"head": "\x1b]0;owned\x07", "truncated": False, "total_lines": 1}
    lines = said(stop_reason="process_exit", termination_info={"message": "\x1b[2J", "stderr": stderr})
    assert not any("\x1b" in line or "\x07" in line for line in lines)
