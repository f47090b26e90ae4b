"""How a run ended, in the words of Anthropic's sessions API: the error, why the session is idle, what was used."""

from typing import Any, NamedTuple

from holdfast.events import AgentComplete, AgentRetry, Cancelled, End, Error

# A run that failed leaves the session as it was: it may get its next message.
_EXHAUSTED: dict[str, Any] = {"type": "exhausted"}
_STDERR_LINES = 20

_BY_STATUS = {429: "model_rate_limited_error", 503: "model_overloaded_error", 529: "model_overloaded_error"}
_BY_TYPE = {
    "rate_limit": "model_rate_limited_error",
    "overloaded": "model_overloaded_error",
    "billing_error": "billing_error",
    "server_error": "model_request_failed_error",
    "connection_failed": "model_request_failed_error",
    "model_not_found": "model_request_failed_error",
    "prompt_too_long": "model_request_failed_error",
    "auth_failed": "model_request_failed_error",
}
_BY_REASON = {
    "error_max_turns": "tool_use_limit_reached_error",
    "auth_failed": "model_request_failed_error",
    "max_tokens": "model_request_failed_error",
}
# Agents count tokens under these names.
_TOKENS = {
    "input_tokens": ("input_tokens", "inputTokens"),
    "output_tokens": ("output_tokens", "outputTokens"),
    "cache_read_input_tokens": ("cache_read_input_tokens", "cachedReadTokens"),
}


class Outcome(NamedTuple):
    """Without a stop reason the session takes no more messages."""

    stop_reason: dict[str, Any] | None
    error: dict[str, Any] | None = None
    stop_details: dict[str, Any] | None = None


def ended(end: End) -> Outcome:
    if "max_budget_usd" in (end.limit, end.stop_reason.removeprefix("error_")):
        return Outcome({"type": "budget_reached"})
    if isinstance(end, Cancelled):
        # One that was cancelled before its agent had started cannot go on.
        return Outcome({"type": "end_turn"} if end.resumable or end.stop_reason != "cancelled" else None)
    if end.stop_reason == "success":
        return Outcome({"type": "end_turn"})
    if end.stop_reason == "refusal":
        details = {"type": "refusal", "category": None, "explanation": _message(end)}
        return Outcome({"type": "refusal"}, None, details)
    error = {"type": _kind(end), "message": _told(end), "retry_status": _EXHAUSTED}
    return Outcome({"type": "retries_exhausted"}, error)


def retried(retry: AgentRetry) -> dict[str, Any]:
    said = retry.message or "the model's service failed"
    return {
        "type": _BY_STATUS.get(retry.status or 0, "model_request_failed_error"),
        "message": f"{said}; attempt {retry.attempt + 1} begins in {retry.delay_ms} ms",
        "retry_status": {"type": "retrying"},
    }


def _kind(end: End) -> str:
    by_reason = _BY_REASON.get(end.stop_reason)
    if by_reason is not None:
        return by_reason
    if isinstance(end, Error) and end.error_type in _BY_TYPE:
        return _BY_TYPE[end.error_type]
    return _BY_STATUS.get(end.api_status or 0, "unknown_error")


def _message(end: End) -> str | None:
    return end.message if isinstance(end, Error | AgentComplete | Cancelled) else None


def _told(end: End) -> str:
    """Why, with the last of what the agent wrote to stderr."""
    message = _message(end) or end.termination_info.message or f"The run ended: {end.stop_reason}"
    stderr = end.termination_info.stderr
    if stderr is None:
        return message
    lines = (stderr.tail or stderr.head).splitlines()[-_STDERR_LINES:]
    return "\n".join((message, *lines))


class Totals:
    """What all runs so far have used, as far as their agents said."""

    def __init__(self) -> None:
        self._sums: dict[str, int] = {}

    def take(self, end: End) -> bool:
        """Whether the end said anything about that."""
        said = False
        for name, spellings in _TOKENS.items():
            for spelling in spellings:
                count: Any = end.usage.get(spelling) if isinstance(end.usage, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
                if isinstance(count, int) and not isinstance(count, bool):
                    self._sums[name] = self._sums.get(name, 0) + count
                    said = True
        return said

    def shown(self) -> dict[str, int]:
        return dict(self._sums)
