"""The event that the baselines send: the same shape and size as Holdfast's for a tool call of the bench agent."""

import json
import time
from datetime import UTC, datetime


def envelope(number: int, size: int, *, last: bool) -> dict:
    """An event with the time of its making in it; the last one says so by its type."""
    return {
        "type": "agent_complete" if last else "tool_complete",
        "data": {
            "tool_name": "bench",
            "tool_id": f"call-{number:06d}",
            "result": f"@{time.monotonic_ns()}@".ljust(size, "."),
            "duration_ms": 25,
            "is_error": False,
        },
        "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "sequence": number,
    }


def frame(number: int, event: dict) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (number, json.dumps(event, separators=(",", ":")).encode())
