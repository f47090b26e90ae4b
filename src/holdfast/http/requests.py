"""Bodies and queries as typed values: what does not fit is refused by name."""

import hashlib
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from holdfast.errors import BadRequest, BodyTooLarge
from holdfast.http.misfits import explained
from holdfast.sessions.attachments import Attachments
from holdfast.sessions.once import Once
from holdfast.sessions.orders import RunConfig

T = TypeVar("T")

# Attachments come in the body, a third longer than they are.
_BODY_BYTES = 32 * 1024 * 1024
_KEY_CHARACTERS = 200

# Beyond every head, and still a number that a column holds.
_BEYOND = 10**18

TaskText = Annotated[
    str, msgspec.Meta(min_length=1, max_length=1_000_000, pattern=r"\S", description="what the agent is to do")
]

# Without NUL: PostgreSQL has no place for it in a text.
ProjectId = Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=r"^[^\x00]+$")]


class StartConfig(RunConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent: Annotated[str, msgspec.Meta(min_length=1)] | None = None
    project_id: ProjectId | None = None
    workspace: str | None = None


class RunBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    task: TaskText
    config: StartConfig = StartConfig()
    attachments: Attachments | None = None


class TaskBody(RunConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    task: TaskText
    attachments: Attachments | None = None


class ResumeBody(RunConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    how: Literal["continue", "rerun"] = "continue"


class ForkBody(RunConfig, frozen=True, kw_only=True, forbid_unknown_fields=True):
    task: TaskText
    run: Annotated[int, msgspec.Meta(ge=1)] | None = None
    attachments: Attachments | None = None


class AnswerBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    decision: Literal["allow_once", "allow_session", "allow_project", "deny"] | None = None
    """May be left out where there are answers."""
    message: Annotated[str, msgspec.Meta(max_length=100_000)] | None = None
    input: dict[str, Any] | None = None
    answers: dict[str, Any] | None = None


class ProfileBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    profile: str


class NoBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For requests that say everything in their path."""


async def read_bytes(request: Request, most: int = _BODY_BYTES) -> bytes:
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise BodyTooLarge(f"The body is larger than {most} bytes")
    except ClientDisconnect as reason:
        raise BadRequest("The client left before its request was complete") from reason
    return bytes(body)


async def read_body(request: Request, kind: type[T]) -> tuple[T, bytes]:
    """The body as a value and as it came; an empty one counts as {}."""
    raw = await read_bytes(request) or b"{}"
    try:
        return msgspec.json.decode(raw, type=kind), raw
    except msgspec.ValidationError as error:
        raise BadRequest(explained(str(error), raw, kind)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRequest(f"The body is not JSON: {error}") from error
    except RecursionError as error:
        raise BadRequest("The body does not fit: it is nested too deep") from error


def key_of(request: Request) -> str | None:
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= _KEY_CHARACTERS:
        raise BadRequest(f"An Idempotency-Key has 1 to {_KEY_CHARACTERS} characters, not {len(key)}")
    return key


def once_of(request: Request, body: bytes) -> Once | None:
    key = key_of(request)
    if key is None:
        return None
    asked = b"\n".join((request.method.encode(), request.url.path.encode(), _canonical(body)))
    return Once(user_id=request.scope["holdfast.user"], key=key, fingerprint=hashlib.sha256(asked).hexdigest())


def _canonical(body: bytes) -> bytes:
    """The same request may be written with other spaces, or its fields in another order."""
    value: Any = msgspec.json.decode(body)
    return msgspec.json.encode(value, order="deterministic")


def whole_number(request: Request, name: str, default: int, *, least: int, most: int) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    # isascii: int() also takes digits of other scripts, which no client means.
    # The length: int() refuses what has thousands of digits.
    if not (text.isascii() and text.isdigit() and len(text) < 20) or not least <= int(text) <= most:
        raise BadRequest(f"{name} must be a whole number from {least} to {most}, not {text!r}")
    return int(text)


def position(text: str | None) -> int | None:
    """A stream's position; None if there is none, or what is given is no number."""
    if text is None or not text.isascii() or not text.isdigit():
        return None
    # By its length: int() refuses what has thousands of digits.
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) <= 18 else _BEYOND


def only(request: Request, *known: str) -> None:
    """Refuses query parameters that nobody reads: a typo must not pass for a filter."""
    for name, value in request.query_params.multi_items():
        if "\0" in value:
            raise BadRequest(f"The query parameter {name!r} has a NUL in it, which no name has")
        if name not in known and name not in ("token", "ticket"):
            raise BadRequest(f"The query parameter {name!r} is not known here; known are: {', '.join(known) or 'none'}")
