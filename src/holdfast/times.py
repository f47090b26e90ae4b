"""The one form of time: milliseconds since 1970 inside, ISO 8601 on the wire."""

import time
from datetime import UTC, datetime
from functools import lru_cache


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def timestamp(at_ms: int) -> str:
    """ISO 8601, UTC, milliseconds, Z."""
    return f"{_second(at_ms // 1000)}.{at_ms % 1000:03d}Z"


@lru_cache(maxsize=8)  # events come in bursts, and to format a second costs more than to encode an event
def _second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"
