"""From how a turn ended to its terminal event: every end says why, by whom, and nothing that does not belong there."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.agents.interface import Outcome
from holdfast.events import AgentComplete, Cancelled, Error, Stderr, StopReason
from holdfast.keeper.ending import Sum, ended, interrupted, limited, stopped
from holdfast.keeper.limits import Reached

STDERR = Stderr(head="Traceback", truncated=False, total_lines=1)


def wire(event):
    return msgspec.json.decode(msgspec.json.encode(event))


def sum_of(*, started=True, stderr=STDERR, **more):
    return Sum(
        started=started,
        agent_session_id="s-1" if started else None,
        duration_ms=1500,
        stderr=stderr,
        **more,
    )


def end_of(outcome, *, stderr=STDERR):
    return ended(outcome, sum_of(stderr=stderr, turns=1))


def stop(why, *, started=True):
    return stopped(why, sum_of(started=started, cost_usd=0.5))


@pytest.mark.requirement("R038", "R087", "R116")
@pytest.mark.parametrize(
    ("reason", "word", "status"),
    [
        ("success", "end_turn", "COMPLETE"),
        ("max_tokens", "max_tokens", "FAILED"),
        ("error_max_turns", "max_turn_requests", "FAILED"),
        ("refusal", "refusal", "FAILED"),
        ("cancelled", "cancelled", "CANCELLED"),
    ],
)
def test_an_agent_that_answered_is_complete_with_what_its_word_says(reason, word, status):
    outcome = Outcome(stop_reason=reason, agent_stop_reason=word, usage={"totalTokens": 5}, total_cost_usd=0.25)
    event = end_of(outcome)
    assert isinstance(event, AgentComplete)
    assert wire(event) == {
        "status": status,
        "stop_reason": reason,
        "agent_stop_reason": word,
        "agent_session_id": "s-1",
        "termination_info": {"reason": "completed", "terminated_by": "agent"},
        "num_turns": 1,
        "duration_ms": 1500,
        "total_cost_usd": 0.25,
        "usage": {"totalTokens": 5},
    }


@pytest.mark.requirement("R039", "R114", "R118", "R119")
def test_an_exit_carries_its_code_its_stderr_and_who_did_it():
    outcome = Outcome(
        stop_reason="process_exit",
        error_type="process_exit",
        message="agent exited with status: code 3",
        exit_code=3,
        total_cost_usd=0.25,
    )
    event = end_of(outcome)
    assert isinstance(event, Error)
    assert wire(event) == {
        "message": "agent exited with status: code 3",
        "error_type": "process_exit",
        "stop_reason": "process_exit",
        "agent_session_id": "s-1",
        "synthetic": True,
        "termination_info": {
            "reason": "error",
            "terminated_by": "agent",
            "message": "agent exited with status: code 3",
            "exit_code": 3,
            "stderr": {"head": "Traceback", "truncated": False, "total_lines": 1},
        },
        "num_turns": 1,
        "duration_ms": 1500,
        "total_cost_usd": 0.25,
    }


@pytest.mark.requirement("R121")
def test_exit_code_zero_is_told_and_a_signal_has_no_code():
    zero = end_of(Outcome(stop_reason="process_exit", error_type="process_exit", message="m", exit_code=0))
    killed = end_of(Outcome(stop_reason="process_exit", error_type="process_exit", message="m", signal="SIGKILL"))
    assert wire(zero)["termination_info"]["exit_code"] == 0
    assert "signal" not in wire(zero)["termination_info"]
    assert wire(killed)["termination_info"]["signal"] == "SIGKILL"
    assert "exit_code" not in wire(killed)["termination_info"]


@pytest.mark.requirement("R120")
def test_what_we_had_to_state_ourselves_is_by_the_daemon():
    outcome = Outcome(stop_reason="start_failed", error_type="start_failed", message="m", by="daemon")
    event = ended(outcome, Sum(started=False, duration_ms=5))
    assert wire(event)["termination_info"] == {"reason": "error", "terminated_by": "daemon", "message": "m"}
    assert "agent_session_id" not in wire(event)
    assert event.num_turns == 0


@pytest.mark.requirement("R040", "R093", "R116", "R118")
@pytest.mark.parametrize("started", [True, False])
def test_a_cancelled_run_says_so_and_whether_it_can_be_continued(started):
    event = stop("cancelled", started=started)
    assert isinstance(event, Cancelled)
    assert wire(event) == {
        "message": "Task was cancelled",
        "resumable": started,
        "stop_reason": "cancelled",
        "synthetic": True,
        "termination_info": {"reason": "terminated", "terminated_by": "daemon"},
        "num_turns": int(started),
        "duration_ms": 1500,
        "total_cost_usd": 0.5,
        **({"agent_session_id": "s-1"} if started else {}),
    }


@pytest.mark.parametrize("started", [True, False])
def test_a_paused_run_is_a_cancelled_one_that_says_why(started):
    event = stop("paused", started=started)
    assert isinstance(event, Cancelled)
    assert wire(event) == {
        "message": "Task was paused",
        "reason": "paused",
        "resumable": started,
        "stop_reason": "paused",
        "synthetic": True,
        "termination_info": {"reason": "terminated", "terminated_by": "daemon"},
        "num_turns": int(started),
        "duration_ms": 1500,
        "total_cost_usd": 0.5,
        **({"agent_session_id": "s-1"} if started else {}),
    }


TOO_LONG = Reached(stop_reason="timeout", limit="timeout_s", message="the run did not end within 2.5 s")


@pytest.mark.requirement("R086", "R106", "R120", "R187")
def test_a_run_that_reached_a_limit_names_it_and_shows_its_costs_and_stderr():
    event = limited(TOO_LONG, sum_of(turns=3, cost_usd=0.5), pause=False)
    assert isinstance(event, Error)
    assert wire(event) == {
        "message": "the run did not end within 2.5 s",
        "error_type": "timeout",
        "stop_reason": "timeout",
        "limit": "timeout_s",
        "agent_session_id": "s-1",
        "synthetic": True,
        "termination_info": {
            "reason": "error",
            "terminated_by": "daemon",
            "message": "the run did not end within 2.5 s",
            "stderr": {"head": "Traceback", "truncated": False, "total_lines": 1},
        },
        "num_turns": 3,
        "duration_ms": 1500,
        "total_cost_usd": 0.5,
    }


@pytest.mark.requirement("R187")
def test_a_run_that_waits_for_a_higher_limit_is_paused_and_names_it():
    event = limited(TOO_LONG, sum_of(turns=3, cost_usd=0.5), pause=True)
    assert isinstance(event, Cancelled)
    assert wire(event) == {
        "message": "the run did not end within 2.5 s",
        "reason": "paused",
        "resumable": True,
        "stop_reason": "paused",
        "agent_stop_reason": "timeout",
        "limit": "timeout_s",
        "agent_session_id": "s-1",
        "synthetic": True,
        "termination_info": {"reason": "terminated", "terminated_by": "daemon"},
        "num_turns": 3,
        "duration_ms": 1500,
        "total_cost_usd": 0.5,
    }


@pytest.mark.requirement("R187")
def test_a_run_whose_agent_never_started_has_nothing_to_wait_for():
    event = limited(TOO_LONG, sum_of(started=False), pause=True)
    assert isinstance(event, Error)
    assert (event.stop_reason, event.limit, event.num_turns) == ("timeout", "timeout_s", 0)


@pytest.mark.requirement("R136", "R145")
@pytest.mark.parametrize("started", [True, False])
def test_an_interrupted_run_can_be_continued_if_its_agent_had_started(started):
    for event in (stop("interrupted", started=started), interrupted("gone", sum_of(started=started))):
        assert isinstance(event, Error)
        assert (event.error_type, event.stop_reason, event.resumable) == ("interrupted", "interrupted", started)
        assert event.synthetic
    assert stop("interrupted").termination_info.reason == "terminated"
    assert interrupted("gone", sum_of()).termination_info.reason == "error"


OUTCOMES = st.builds(
    Outcome,
    stop_reason=st.sampled_from(get_args(StopReason)),
    agent_stop_reason=st.none() | st.text(),
    error_type=st.none() | st.sampled_from(["process_exit", "agent_error"]),
    message=st.none() | st.text(),
    by=st.sampled_from(["agent", "daemon"]),
    exit_code=st.none() | st.integers(0, 255),
    signal=st.none() | st.just("SIGTERM"),
    usage=st.none() | st.just({"totalTokens": 1}),
    total_cost_usd=st.none() | st.floats(0, 10),
    model=st.none() | st.text(),
    api_status=st.none() | st.integers(400, 599),
    limit=st.none() | st.just("max_turns"),
    agent_position=st.none() | st.text(),
)


def nulls(value):
    if isinstance(value, dict):
        return any(item is None or nulls(item) for item in value.values())
    return False


@pytest.mark.requirement("R105", "R106", "R115", "R116")
@settings(deadline=None)
@given(OUTCOMES, st.none() | st.just(STDERR))
def test_no_end_has_nulls_and_only_errors_have_a_message_a_code_and_stderr(outcome, stderr):
    event = end_of(outcome, stderr=stderr)
    told = wire(event)
    assert not nulls(told)
    assert told["stop_reason"] == outcome.stop_reason
    assert told["duration_ms"] == 1500
    assert told["num_turns"] == 1
    for name in ("agent_stop_reason", "usage", "total_cost_usd", "model", "api_status", "limit", "agent_position"):
        assert told.get(name) == getattr(outcome, name)
    info = told["termination_info"]
    if info["reason"] == "error":
        assert info["message"] == told["message"]
        assert ("stderr" in info) == (stderr is not None)
    else:
        assert set(info) == {"reason", "terminated_by"}
    assert (outcome.error_type is None) == isinstance(event, AgentComplete)
