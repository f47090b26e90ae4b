"""Times as people give them: a day, a time, or how long ago. Pure."""

import re
from datetime import UTC, datetime, timedelta

from holdfast.errors import ConfigError

_AGO = re.compile(r"(\d{1,6})\s*(s|m|min|h|d|w)")
_UNITS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86_400, "w": 604_800}


def moment(option: str, given: str, now: datetime) -> datetime:
    """The moment that is meant; without a zone it is a time of this machine's clock. Raises ConfigError."""
    if ago := _AGO.fullmatch(given.strip()):
        try:
            return now - timedelta(seconds=int(ago[1]) * _UNITS[ago[2]])
        except OverflowError as cause:
            raise ConfigError(f"{option} says {given!r}, which is longer ago than the calendar goes back.") from cause
    try:
        return datetime.fromisoformat(given.strip()).astimezone(UTC)
    except (ValueError, OverflowError) as cause:
        raise ConfigError(
            f"{option} says {given!r}, which is no time like 2026-01-05, 2026-01-05T12:30 or 90min, 2h, 7d (ago)."
        ) from cause
