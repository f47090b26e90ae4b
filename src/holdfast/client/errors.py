"""What can go wrong between a client and a server; callers catch the class or branch on `code`.

    HoldfastError                       holdfast.errors: the root of the server's tree and of this one
    ├── Refused                         the server answered with an error; `problem` is all that it said
    │   └── (SessionBusy, NotFound, …)  each code of the protocol is also the class of holdfast.errors that has it
    └── Unreachable                     no answer came
        └── StreamLost                  a stream could not be opened again in the time that was set

So `except SessionBusy` catches what it says, and `except Refused` whatever a server refuses. A code that is newer than
this client is a plain Refused with that `code`. Two codes are the client's own: `foreign`, for what speaks HTTP but is
no Holdfast server, and `ambiguous_id`, for the beginning of an id that several sessions have.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from holdfast import errors
from holdfast.errors import HoldfastError


class Refused(HoldfastError):
    """The server answered with an error."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        title = str(problem.get("title") or "The server refused the request")
        self.detail = str(problem.get("detail") or title)
        super().__init__(self.detail)
        self.problem = dict(problem)
        # The tree says these per class; what a newer server refuses with has no class here.
        vars(self).update(code=problem["code"], status=problem["status"], title=title)


class Unreachable(HoldfastError):
    """No server answers."""

    code = "unreachable"
    status = 0
    title = "No server answers"


class StreamLost(Unreachable):
    """A stream could not be opened again; whoever follows anew with `after=position` misses nothing."""

    code = "stream_lost"
    title = "The stream is lost"

    def __init__(self, message: str, position: int | None) -> None:
        super().__init__(message)
        self.position = position
        """The last one that was received; None if the combined stream had not begun."""


def _leaves(root: type[HoldfastError]) -> dict[str, type[Refused]]:
    """For each code below the root its class that is a Refused as well."""
    found: dict[str, type[Refused]] = {}
    for kind in root.__subclasses__():
        if kind.__module__ == errors.__name__:
            found[kind.code] = type(kind.__name__, (Refused, kind), {"__doc__": kind.__doc__})
            found |= _leaves(kind)
    return found


_LEAVES = _leaves(HoldfastError)
# Those that say "not now"; every other 4xx will say the same again.
_PASSING = frozenset({408, 425, 429})


def refused(code: str, status: int, title: str, detail: str) -> Refused:
    """An error that the client itself states, in the shape of the server's."""
    return refused_by({"title": title, "status": status, "code": code, "detail": detail})


def refused_by(problem: Mapping[str, Any]) -> Refused:
    return _LEAVES.get(problem["code"], Refused)(problem)


def is_passing(error: Refused) -> bool:
    """Whether the same may be answered otherwise later."""
    return error.status >= 500 or error.status in _PASSING


def foreign(url: str, status: int) -> Refused:
    """What is at the address speaks HTTP but not our protocol; an error of a proxy stays one (5xx)."""
    detail = f"{url} does not answer like a Holdfast server (HTTP {status})."
    return refused("foreign", max(400, status), "Foreign answer", detail)


def refusal(url: str, status: int, body: bytes, token_hint: str) -> Refused:
    """The error in an answer, whatever stands behind the address."""
    try:
        problem = msgspec.json.decode(body, type=dict[str, Any])
    except (ValueError, RecursionError):
        return foreign(url, status)
    if not isinstance(problem.get("code"), str):
        return foreign(url, status)
    if status == errors.Unauthorized.status and token_hint:
        problem["detail"] = f"{str(problem.get('detail', '')).rstrip('.')}; {token_hint}."
    return refused_by({**problem, "status": status})
