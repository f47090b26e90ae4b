"""What requests in the manner of Anthropic's sessions API have in common: whose session, which page, which times."""

import base64
import binascii
from collections.abc import Sequence
from datetime import UTC, datetime

from starlette.requests import Request

from holdfast.errors import BadRequest, NotFound
from holdfast.http.context import context_of, user_of
from holdfast.log.managed import COMPARISONS, Listed

# What filters by time are called in a query.
CREATED = tuple(f"created_at[{comparison}]" for comparison in COMPARISONS)


async def listed_of(request: Request) -> Listed:
    """The session that the path names, begun or not, if it is the caller's; raises NotFound for all others alike."""
    session_id: str = request.path_params["session_id"]
    # PostgreSQL refuses a text with NUL, even to look for it; no session has one in its id.
    listed = None if "\0" in session_id else await _listed(request, session_id)
    if listed is None or (listed.managed is not None and listed.managed.deleted_ms is not None):
        raise NotFound(f"There is no session {session_id!r}")
    return listed


async def _listed(request: Request, session_id: str) -> Listed | None:
    log, user = context_of(request).log, user_of(request)
    session = await log.read.session(session_id)
    if session is not None and session.user_id != user:
        return None
    managed = await log.managed.one(session_id, user)
    made = managed or session
    return made and Listed(id=session_id, created_ms=made.created_ms, session=session, managed=managed)


def several(request: Request, name: str) -> list[str]:
    """The values of a parameter that may be given several times; the SDKs write `name[]`."""
    return [*request.query_params.getlist(name), *request.query_params.getlist(f"{name}[]")]


def one_of(request: Request, name: str, *choices: str) -> str:
    """The parameter's value, by default the first of the choices."""
    value = request.query_params.get(name, choices[0])
    if value not in choices:
        raise BadRequest(f"{name} must be {' or '.join(choices)}, not {value!r}")
    return value


def created(request: Request) -> list[tuple[str, int]]:
    """The comparisons with a time in milliseconds that the query asks for."""
    asked = zip(COMPARISONS, CREATED, strict=True)
    return [
        (comparison, _ms(name, request.query_params[name]))
        for comparison, name in asked
        if name in request.query_params
    ]


def in_time(moment: str, times: Sequence[tuple[str, int]]) -> bool:
    """Whether a time of ours fits all comparisons."""
    at_ms = round(datetime.fromisoformat(moment).timestamp() * 1000) if times else 0
    return all(COMPARISONS[comparison](at_ms, limit) for comparison, limit in times)


def _ms(name: str, text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise BadRequest(f"{name} must be a time like 2026-01-05T12:34:56Z, not {text!r}") from error


def cursor(*parts: object) -> str:
    return base64.urlsafe_b64encode(".".join(map(str, parts)).encode()).decode().rstrip("=")


def parts_of_cursor(request: Request) -> tuple[int, str] | None:
    text = request.query_params.get("page")
    if not text:
        return None
    try:
        number, _, rest = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii").partition(".")
        if not 0 <= int(number) < 2**63 or "\0" in rest:  # no column holds more
            raise ValueError(text)
        return int(number), rest
    except (ValueError, binascii.Error) as reason:
        raise BadRequest(f"page={text!r} is not a value of `next_page`") from reason
