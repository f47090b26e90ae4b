"""What an ACP agent's turn came to, from how it answered, refused or died: pure."""

from typing import Any

from holdfast.agents.acp_wire import AUTH_REQUIRED, RpcError
from holdfast.agents.interface import Outcome
from holdfast.agents.process import AgentProcess
from holdfast.agents.stderr import plain
from holdfast.events import StopReason

_STOP_REASONS: dict[str, StopReason] = {
    "end_turn": "success",
    "max_tokens": "max_tokens",
    "max_turn_requests": "error_max_turns",
    "refusal": "refusal",
    "cancelled": "cancelled",
}


def answered(answer: dict[str, Any], *, cost_usd: float | None) -> Outcome:
    """The agent answered its prompt, which does not yet mean that all went well."""
    word = str(answer.get("stopReason"))
    reason = _STOP_REASONS.get(word)
    if reason is None:
        return Outcome(
            stop_reason="error_during_execution",
            agent_stop_reason=word,
            error_type="unknown_stop_reason",
            message=f"the agent ended its turn with the unknown stop reason {word!r}",
            total_cost_usd=cost_usd,
        )
    return Outcome(stop_reason=reason, agent_stop_reason=word, usage=answer.get("usage"), total_cost_usd=cost_usd)


def refused(method: str, error: RpcError, *, at_start: bool, cost_usd: float | None = None) -> Outcome:
    """The agent answered one of our requests with an error."""
    text = plain(error.message) or "no message"
    told = f"{method}: {text} (code {error.code})"
    if error.code == AUTH_REQUIRED:
        return Outcome(stop_reason="auth_failed", error_type="auth_failed", message=told)
    if at_start:
        return start_failed(f"the agent refused {told}")
    return Outcome(
        stop_reason="error_during_execution", error_type="agent_error", message=text, total_cost_usd=cost_usd
    )


def start_failed(message: str) -> Outcome:
    return Outcome(stop_reason="start_failed", error_type="start_failed", message=message, by="daemon")


def protocol_error(message: str, *, cost_usd: float | None = None) -> Outcome:
    return Outcome(
        stop_reason="error_during_execution",
        error_type="protocol_error",
        message=message,
        by="daemon",
        total_cost_usd=cost_usd,
    )


def gone(process: AgentProcess, *, cost_usd: float | None) -> Outcome:
    """The conversation broke off before the prompt was answered."""
    exit_ = process.exit
    if exit_ is None:
        pipe = "output" if process.stdout_closed.is_set() else "input"
        return protocol_error(f"the agent closed its {pipe} but did not exit", cost_usd=cost_usd)
    return Outcome(
        stop_reason="process_exit",
        error_type="process_exit",
        message=f"agent exited with status: {exit_}",
        exit_code=exit_.code,
        signal=exit_.signal,
        total_cost_usd=cost_usd,
    )
