"""The end of a run as ACP clients hear of it: the answer to their prompt, and a notification to everybody. Pure."""

from typing import Any

import msgspec

from holdfast.dialects import acp_rpc as rpc
from holdfast.ends import AgentComplete, End, StopReason
from holdfast.events import Cancelled, Error

ENDED = "_sandboxagent/session/ended"

# What the protocol has a word for; all else is an error.
_STOP_REASONS: dict[StopReason, str] = {
    "success": "end_turn",
    "max_tokens": "max_tokens",
    "error_max_turns": "max_turn_requests",
    "refusal": "refusal",
    "cancelled": "cancelled",
    "paused": "cancelled",
    "interrupted": "cancelled",
}
_SUM = ("num_turns", "duration_ms", "total_cost_usd", "usage", "model", "limit", "api_status")


def answer(request: rpc.Id, end: End) -> bytes:
    """The answer to the prompt that the run came from."""
    stop_reason = _STOP_REASONS.get(end.stop_reason)
    if stop_reason is not None:
        return rpc.result(request, {"stopReason": stop_reason, "_meta": _told(end)})
    code = rpc.AUTH if end.stop_reason == "auth_failed" else rpc.INTERNAL
    return rpc.failure(request, code, _message(end), {"code": end.stop_reason, **_told(end)})


def ended(session_id: str, end: End) -> bytes:
    """What every client of the user hears, whether it takes part in the session or not."""
    info = msgspec.to_builtins(end.termination_info)
    data = {**info, "stop_reason": end.stop_reason}
    if isinstance(end, Cancelled | Error) and end.resumable is not None:
        data["resumable"] = end.resumable
    return rpc.notification(ENDED, {"session_id": session_id, "data": data})


def _told(end: End) -> dict[str, Any]:
    told: dict[str, Any] = {
        "stop_reason": end.stop_reason,
        "termination_info": msgspec.to_builtins(end.termination_info),
    }
    if end.agent_stop_reason is not None:
        told["agent_stop_reason"] = end.agent_stop_reason
    return told | {name: value for name in _SUM if (value := getattr(end, name)) is not None}


def _message(end: End) -> str:
    if isinstance(end, AgentComplete | Error | Cancelled) and end.message:
        return end.message
    return f"The run ended: {end.stop_reason}"
