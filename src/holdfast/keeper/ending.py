"""From how a turn ended to the run's terminal event: pure."""

from typing import Any, Literal

import msgspec

from holdfast import events
from holdfast.agents.interface import Outcome
from holdfast.ends import Stderr, StopReason, TerminationInfo
from holdfast.events import End
from holdfast.keeper.limits import Reached

Stopped = Literal["cancelled", "paused", "interrupted"]

_COMPLETE: dict[StopReason, Literal["COMPLETE", "FAILED", "CANCELLED"]] = {
    "success": "COMPLETE",
    "cancelled": "CANCELLED",
}
_TERMINATED = TerminationInfo(reason="terminated", terminated_by="daemon")


class Sum(msgspec.Struct, frozen=True, kw_only=True):
    """What a run came to, however it ended."""

    started: bool
    """Whether the agent had begun to work."""
    agent_session_id: str | None = None
    duration_ms: int | None = None
    turns: int | None = None
    cost_usd: float | None = None
    stderr: Stderr | None = None

    def fields(self) -> dict[str, Any]:
        return {
            "agent_session_id": self.agent_session_id,
            "num_turns": self.turns if self.turns is not None else int(self.started),
            "duration_ms": self.duration_ms,
            "total_cost_usd": self.cost_usd,
        }


def ended(outcome: Outcome, sum_: Sum) -> End:
    """The end that the agent brought about itself, by answering, by failing or by dying."""
    said: dict[str, Any] = {
        **sum_.fields(),
        "agent_stop_reason": outcome.agent_stop_reason,
        "usage": outcome.usage,
        "model": outcome.model,
        "api_status": outcome.api_status,
        "limit": outcome.limit,
        "agent_position": outcome.agent_position,
    }
    if outcome.total_cost_usd is not None:
        said["total_cost_usd"] = outcome.total_cost_usd
    if outcome.error_type is None:
        return events.AgentComplete(
            status=_COMPLETE.get(outcome.stop_reason, "FAILED"),
            stop_reason=outcome.stop_reason,
            termination_info=TerminationInfo(reason="completed", terminated_by="agent"),
            message=outcome.message,
            **said,
        )
    message = outcome.message or "the agent failed without a message"
    return events.Error(
        message=message,
        error_type=outcome.error_type,
        stop_reason=outcome.stop_reason,
        synthetic=True,
        termination_info=TerminationInfo(
            reason="error",
            terminated_by=outcome.by,
            message=message,
            exit_code=outcome.exit_code,
            signal=outcome.signal,
            stderr=sum_.stderr,
        ),
        **said,
    )


def stopped(why: Stopped, sum_: Sum) -> End:
    """The end that we brought about: a user cancelled or paused, or the server went down."""
    if why == "interrupted":
        return interrupted("The server was stopped, and the agent with it.", sum_, termination_info=_TERMINATED)
    return _stopped(why, "Task was cancelled" if why == "cancelled" else "Task was paused", sum_)


def limited(reached: Reached, sum_: Sum, *, pause: bool) -> End:
    """A limit was reached: the run ends, or waits for somebody to raise it."""
    if pause and sum_.started:
        return _stopped("paused", reached.message, sum_, limit=reached.limit, agent_stop_reason=reached.stop_reason)
    return events.Error(
        message=reached.message,
        error_type=reached.stop_reason,
        stop_reason=reached.stop_reason,
        limit=reached.limit,
        synthetic=True,
        termination_info=TerminationInfo(
            reason="error", terminated_by="daemon", message=reached.message, stderr=sum_.stderr
        ),
        **sum_.fields(),
    )


def _stopped(why: Literal["cancelled", "paused"], message: str, sum_: Sum, **more: Any) -> End:
    return events.Cancelled(
        message=message,
        reason="paused" if why == "paused" else None,
        resumable=sum_.started,
        stop_reason=why,
        synthetic=True,
        termination_info=_TERMINATED,
        **more,
        **sum_.fields(),
    )


def interrupted(message: str, sum_: Sum, *, termination_info: TerminationInfo | None = None) -> End:
    """The end of a run whose keeper or server could not see it through."""
    return events.Error(
        message=message,
        error_type="interrupted",
        stop_reason="interrupted",
        resumable=sum_.started,
        synthetic=True,
        termination_info=termination_info or TerminationInfo(reason="error", terminated_by="daemon", message=message),
        **sum_.fields(),
    )
