"""Why a run ended, in words that clients branch on, and the terminal events that say so."""

from typing import Any, Literal

import msgspec

from holdfast.event import Event

StopReason = Literal[
    "success",
    "error_max_turns",
    "error_max_budget_usd",
    "error_during_execution",
    "error_max_structured_output_retries",
    "cancelled",
    "paused",
    "refusal",
    "max_tokens",
    "timeout",
    "idle_timeout",
    "max_output",
    "max_memory",
    "process_exit",
    "start_failed",
    "auth_failed",
    "interrupted",
]


class Stderr(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    head: str
    truncated: bool
    total_lines: int
    tail: str | None = None


class TerminationInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a run ended. `message`, `exit_code`, `signal` and `stderr` are there only for reason `error`."""

    reason: Literal["completed", "error", "terminated"]
    terminated_by: Literal["agent", "daemon"]
    message: str | None = None
    exit_code: int | None = None
    signal: str | None = None
    stderr: Stderr | None = None


class End(Event, frozen=True, kw_only=True):
    """What every terminal event carries."""

    stop_reason: StopReason
    termination_info: TerminationInfo
    agent_stop_reason: str | None = None
    agent_session_id: str | None = None
    synthetic: bool = False
    num_turns: int | None = None
    duration_ms: int | None = None
    total_cost_usd: float | None = None
    usage: Any = None
    model: str | None = None
    limit: str | None = None
    api_status: int | None = None
    agent_position: str | None = None
    """Where the agent's own session stood, in its words: a fork may begin there."""


class AgentComplete(End, frozen=True, kw_only=True):
    status: Literal["COMPLETE", "FAILED", "ERROR", "CANCELLED"]
    message: str | None = None


class Error(End, frozen=True, kw_only=True):
    message: str
    error_type: str
    resumable: bool | None = None


class Cancelled(End, frozen=True, kw_only=True):
    message: str
    resumable: bool
    reason: str | None = None
