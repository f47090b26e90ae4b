"""What a turn of Claude Code came to: from its result, from its refusal to start, or from its death. Pure.

Subtype, `is_error`, terminal reason and API status are read together: "success" alone says nothing, since a failed
API call is a "success" with `is_error`.
"""

from typing import Any

import msgspec

from holdfast.agents.interface import Outcome
from holdfast.agents.process import AgentProcess
from holdfast.agents.stderr import plain
from holdfast.agents.values import as_list
from holdfast.ends import StopReason

_SUBTYPES: dict[str, StopReason] = {
    "error_max_turns": "error_max_turns",
    "error_max_budget_usd": "error_max_budget_usd",
    "error_max_structured_output_retries": "error_max_structured_output_retries",
}
_TERMINAL: dict[str, StopReason] = {
    "max_turns": "error_max_turns",
    "budget_exhausted": "error_max_budget_usd",
    "structured_output_retry_exhausted": "error_max_structured_output_retries",
    "aborted_streaming": "cancelled",
    "aborted_tools": "cancelled",
}
_LIMITS: dict[StopReason, str] = {"error_max_turns": "max_turns", "error_max_budget_usd": "max_budget_usd"}
# The CLI's word for what the API refused -> our error type, and what a user can do about it.
_API_ERRORS: dict[str, tuple[str, str]] = {
    "authentication_failed": ("auth_failed", "Check the API key, or log in again; `holdfast agents` says how."),
    "oauth_org_not_allowed": ("auth_failed", "Log in with an account of an organization that may use Claude Code."),
    "account_on_hold": ("auth_failed", "The account is on hold; its owner must sort that out first."),
    "verification_required": ("auth_failed", "The account must be verified first."),
    "cloud_credential_error": ("auth_failed", "Check the cloud provider's credentials of the server."),
    "billing_error": ("billing_error", "Add credit to the account, then resume."),
    "rate_limit": ("rate_limit", "Wait until the limit resets, then resume."),
    "overloaded": ("overloaded", "The API is overloaded; resume in a while."),
    "model_not_found": ("model_not_found", "Choose another model."),
    "server_error": ("server_error", "The API failed; resume in a while."),
    "connection_failed": ("connection_failed", "Check the network and ANTHROPIC_BASE_URL, then resume."),
    "usage_limit_reached": ("rate_limit", "Wait until the limit resets, then resume."),
    "invalid_request": ("invalid_request", "The API refused the request."),
    "max_output_tokens": ("max_output_tokens", "Ask for a shorter answer, or in steps."),
}
_REFUSED = "Put the task differently, or choose another model."
_CUT_OFF = "The model's answer was cut off at its longest. Ask it to go on, or for less at a time."
_TOO_LONG = {
    "prompt_too_long": "Start a new session, or fork from an earlier run.",
    "blocking_limit": "Start a new session, or fork from an earlier run.",
    "image_error": "Use a smaller image.",
}
_STATUSES: dict[int, str] = {
    401: "authentication_failed",
    403: "authentication_failed",
    404: "model_not_found",
    429: "rate_limit",
    500: "server_error",
    502: "server_error",
    503: "server_error",
    529: "overloaded",
}


class Facts(msgspec.Struct, kw_only=True):
    """What the conversation has told beside its result."""

    error: str | None = None
    """The last API error, in the CLI's word."""
    error_text: str | None = None
    """What the CLI said about it."""
    model: str | None = None
    cost_usd: float | None = None
    stop_reason: str | None = None


def classified(result: dict[str, Any], facts: Facts) -> Outcome:
    subtype, terminal = str(result.get("subtype") or "unknown"), result.get("terminal_reason")
    word = str(result.get("stop_reason") or facts.stop_reason or terminal or subtype)
    usage = result.get("usage")
    common: dict[str, Any] = {
        "agent_stop_reason": str(terminal or subtype),
        "usage": usage if isinstance(usage, dict) else None,
        "total_cost_usd": facts.cost_usd,
        "model": facts.model,
        "api_status": _number(result.get("api_error_status")),
    }
    known = _SUBTYPES.get(subtype) or _TERMINAL.get(str(terminal))
    if known == "cancelled":
        return Outcome(stop_reason="cancelled", **common)
    if known is not None:
        return Outcome(
            stop_reason=known, error_type=known, message=_limit_text(result, known), limit=_LIMITS.get(known), **common
        )
    if word == "refusal":
        common["agent_stop_reason"] = "refusal"
        said = facts.error_text or "The model refused the request."
        return Outcome(stop_reason="refusal", message=f"{said} — {_REFUSED}", **common)
    if result.get("is_error") and facts.error == "max_output_tokens":
        # The CLI has asked it to go on several times, and calls it an error of the API in the end.
        common["agent_stop_reason"] = facts.error
        return Outcome(stop_reason="max_tokens", message=_advised(_text(result), facts.error), **common)
    if str(terminal) in _TOO_LONG:
        return _failed(str(terminal), _text(result) or str(terminal), _TOO_LONG[str(terminal)], common)
    if result.get("is_error") or terminal in ("api_error", "model_error"):
        return _api_failed(result, facts, common)
    if subtype != "success":
        return _failed("agent_error", _text(result) or subtype, "", common)
    if terminal in ("malformed_tool_use_exhausted", "turn_setup_failed", "rapid_refill_breaker"):
        return _failed(str(terminal), _text(result) or str(terminal), "", common)
    if word == "max_tokens":
        return Outcome(stop_reason="max_tokens", message=_CUT_OFF, **common)
    return Outcome(stop_reason="success", **common)


def _api_failed(result: dict[str, Any], facts: Facts, common: dict[str, Any]) -> Outcome:
    status = common["api_status"]
    text = _text(result) or "the API refused the request"
    if "credit balance" in text.lower():
        kind = "billing_error"
    elif "not logged in" in text.lower():
        kind = "authentication_failed"
    else:
        # The CLI calls every failure of the server one; an overload is worth telling apart.
        vague = facts.error in (None, "unknown", "invalid_request", "server_error")
        kind = (_STATUSES.get(status) if vague and status is not None else None) or facts.error or "unknown"
    error_type, advice = _API_ERRORS.get(kind, ("api_error", ""))
    if status is None and kind in ("unknown", "server_error") and _is_about_connection(text):
        error_type, advice = _API_ERRORS["connection_failed"]
    return _failed(error_type, text, advice, common)


def _is_about_connection(text: str) -> bool:
    return "connection" in text.lower() or "timed out" in text.lower()


def _failed(error_type: str, text: str, advice: str, common: dict[str, Any]) -> Outcome:
    reason: StopReason = "auth_failed" if error_type == "auth_failed" else "error_during_execution"
    message = f"{text} — {advice}" if advice else text
    return Outcome(stop_reason=reason, error_type=error_type, message=message, **common)


def _advised(text: str, kind: str) -> str:
    return f"{text} — {_API_ERRORS[kind][1]}"


def _limit_text(result: dict[str, Any], reason: StopReason) -> str:
    text = _text(result) or reason
    advice = {
        "error_max_turns": "Raise max_turns and resume to let it go on.",
        "error_max_budget_usd": "Raise max_budget_usd and resume to let it go on.",
    }.get(reason)
    return f"{text}. {advice}" if advice else text


def _text(result: dict[str, Any]) -> str:
    lines = [str(line) for line in as_list(result.get("errors"))]
    text = "; ".join(line for line in lines if line.strip()) or str(result.get("result") or "")
    return plain(text).strip()


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def start_failed(message: str) -> Outcome:
    return Outcome(stop_reason="start_failed", error_type="start_failed", message=message, by="daemon")


def refused(result: dict[str, Any]) -> Outcome:
    """The CLI said at its start, in a result, why it will not work."""
    return start_failed(f"Claude Code refused to start: {_text(result) or result.get('subtype')}")


def gone(process: AgentProcess, *, started: bool, last_lines: str, facts: Facts) -> Outcome:
    """The process ended before its result."""
    exit_ = process.exit
    if exit_ is None:
        pipe = "output" if process.stdout_closed.is_set() else "input"
        message = f"Claude Code closed its {pipe} but did not exit"
        return Outcome(
            stop_reason="error_during_execution",
            error_type="protocol_error",
            message=message,
            by="daemon",
            total_cost_usd=facts.cost_usd,
        )
    message = f"agent exited with status: {exit_}"
    if not started and last_lines:
        message = f"{message} ({last_lines})"
    return Outcome(
        stop_reason="process_exit" if started else "start_failed",
        error_type="process_exit",
        message=message,
        exit_code=exit_.code,
        signal=exit_.signal,
        total_cost_usd=facts.cost_usd,
        model=facts.model,
    )


def auth_failed(text: str, status: int | None) -> Outcome:
    message = _advised(text, "authentication_failed")
    return Outcome(stop_reason="auth_failed", error_type="auth_failed", message=message, api_status=status)
