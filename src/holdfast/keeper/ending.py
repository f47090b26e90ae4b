"""From how a turn ended to the run's terminal event: pure."""

from typing import Literal

from holdfast import events
from holdfast.agents.interface import Outcome
from holdfast.events import End, Stderr, StopReason, TerminationInfo

Stopped = Literal["cancelled", "interrupted", "timeout"]

_COMPLETE: dict[StopReason, Literal["COMPLETE", "FAILED", "CANCELLED"]] = {
    "success": "COMPLETE",
    "cancelled": "CANCELLED",
}


def ended(
    outcome: Outcome, *, stderr: Stderr | None, agent_session_id: str | None, duration_ms: int, turns: int
) -> End:
    """The end that the agent brought about itself, by answering, by failing or by dying."""
    if outcome.error_type is None:
        return events.AgentComplete(
            status=_COMPLETE.get(outcome.stop_reason, "FAILED"),
            stop_reason=outcome.stop_reason,
            agent_stop_reason=outcome.agent_stop_reason,
            agent_session_id=agent_session_id,
            termination_info=TerminationInfo(reason="completed", terminated_by="agent"),
            num_turns=turns,
            duration_ms=duration_ms,
            total_cost_usd=outcome.total_cost_usd,
            usage=outcome.usage,
        )
    message = outcome.message or "the agent failed without a message"
    return events.Error(
        message=message,
        error_type=outcome.error_type,
        stop_reason=outcome.stop_reason,
        agent_stop_reason=outcome.agent_stop_reason,
        agent_session_id=agent_session_id,
        synthetic=True,
        termination_info=TerminationInfo(
            reason="error",
            terminated_by=outcome.by,
            message=message,
            exit_code=outcome.exit_code,
            signal=outcome.signal,
            stderr=stderr,
        ),
        num_turns=turns,
        duration_ms=duration_ms,
        total_cost_usd=outcome.total_cost_usd,
        usage=outcome.usage,
    )


def stopped(
    why: Stopped,
    *,
    started: bool,
    timeout_s: float | None,
    stderr: Stderr | None,
    agent_session_id: str | None,
    duration_ms: int,
    cost_usd: float | None = None,
) -> End:
    """The end that we brought about: a user cancelled, the server went down, time was up."""
    terminated = TerminationInfo(reason="terminated", terminated_by="daemon")
    if why == "cancelled":
        return events.Cancelled(
            message="Task was cancelled",
            resumable=started,
            stop_reason="cancelled",
            agent_session_id=agent_session_id,
            synthetic=True,
            termination_info=terminated,
            num_turns=1 if started else 0,
            duration_ms=duration_ms,
            total_cost_usd=cost_usd,
        )
    if why == "interrupted":
        return interrupted(
            "The server was stopped, and the agent with it.",
            started=started,
            agent_session_id=agent_session_id,
            duration_ms=duration_ms,
            termination_info=terminated,
            cost_usd=cost_usd,
        )
    message = f"the run did not end within {timeout_s:g} s" if timeout_s is not None else "the run took too long"
    return events.Error(
        message=message,
        error_type="timeout",
        stop_reason="timeout",
        agent_session_id=agent_session_id,
        synthetic=True,
        termination_info=TerminationInfo(reason="error", terminated_by="daemon", message=message, stderr=stderr),
        num_turns=1 if started else 0,
        duration_ms=duration_ms,
        total_cost_usd=cost_usd,
    )


def interrupted(
    message: str,
    *,
    started: bool,
    agent_session_id: str | None,
    duration_ms: int | None,
    termination_info: TerminationInfo | None = None,
    cost_usd: float | None = None,
) -> End:
    """The end of a run whose keeper or server could not see it through."""
    return events.Error(
        message=message,
        error_type="interrupted",
        stop_reason="interrupted",
        resumable=started,
        agent_session_id=agent_session_id,
        synthetic=True,
        termination_info=termination_info or TerminationInfo(reason="error", terminated_by="daemon", message=message),
        num_turns=1 if started else 0,
        duration_ms=duration_ms,
        total_cost_usd=cost_usd,
    )
