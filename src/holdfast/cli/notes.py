"""What happens beside the agent's work, in a few words each: pure."""

from typing import Any

from holdfast.cli.text import one_line, span


def words_of(kind: str, data: dict[str, Any]) -> str | None:
    """None for an event that has nothing for a person, or is of a later version."""
    match kind:
        case "agent_retry":
            why = one_line(data.get("message") or data.get("status") or "")
            wait = span(data["delay_ms"] / 1000)
            return f"retry {data['attempt']} in {wait}{': ' + why if why else ''}"
        case "recovered" | "discarded":
            return data["message"]
        case "rate_limit":
            resets = f", resets at {data['resets_at']}" if data.get("resets_at") else ""
            return f"rate limit {data.get('limit_type') or ''}: {data['status']}{resets}"
        case "compacted":
            return "the agent has summed up its conversation so far"
        case "stalled":
            on = " ".join(data[key] for key in ("tool_name", "detail") if data.get(key)) or data["waiting_on"]
            return f"nothing has happened for {span(data['idle_ms'] / 1000)}; waiting on {one_line(on, 120)}"
        case "forked":
            return f"forked from {data['from_session_id']}, run {data['from_run']}"
        case "agent_unparsed":
            return f"the agent said something that cannot be parsed: {one_line(data['text'], 120)}"
        case "hook_triggered":
            return f"hook {data['hook_event']}: {data['decision']} {data['message']}"
        case "profile_switch":
            return f"profile {data['profile_name']}"
        case _:
            return None
