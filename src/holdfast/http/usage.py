"""/api/v1/usage: what the caller's runs have cost."""

from datetime import UTC, datetime

import msgspec
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from holdfast.errors import BadRequest
from holdfast.http.context import context_of, json_response, user_of
from holdfast.http.requests import only
from holdfast.log.ended import ended_runs
from holdfast.sessions.usage import WAYS, By, UsageSum, added_up
from holdfast.times import now_ms, timestamp

# Of the year 9999: behind it there is no way to write a time.
_LAST_MS = 253_402_300_799_999


class UsageReport(msgspec.Struct, frozen=True, kw_only=True):
    since: str
    until: str
    total: UsageSum
    parts: list[UsageSum]


async def usage(request: Request) -> Response:
    only(request, "by", "since", "until")
    given = request.query_params.get("by")
    by: By | None = next((way for way in WAYS if way == given), None)
    if by is None and given is not None:
        raise BadRequest(f"by={given!r} is none of: {', '.join(WAYS)}")
    since, until = _time(request, "since", 0), _time(request, "until", now_ms() + 1)
    user = user_of(request)

    def ask(connection: Connection) -> tuple[UsageSum, list[UsageSum]]:
        return added_up(ended_runs(connection, user, since, until), by)

    total, parts = await context_of(request).log.read.ask(ask)
    return json_response(UsageReport(since=timestamp(since), until=timestamp(until), total=total, parts=parts))


def _time(request: Request, name: str, default: int) -> int:
    """A time or a day, in UTC unless it says otherwise."""
    text = request.query_params.get(name)
    if text is None:
        return default
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return min(max(round(moment.timestamp() * 1000), 0), _LAST_MS)
    except (ValueError, OverflowError) as error:
        raise BadRequest(f"{name}={text!r} is not a time like 2026-01-05 or 2026-01-05T12:34:56Z") from error
