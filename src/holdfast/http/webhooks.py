"""/api/v1/webhooks: who is told of what happens, with which secret, and what came of it."""

from typing import Annotated, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from holdfast.errors import BadRequest
from holdfast.http.context import context_of, json_response, user_of
from holdfast.http.requests import NoBody, ProjectId, once_of, only, read_body, whole_number
from holdfast.log.deliveries import STATUSES, DeliveryRow
from holdfast.log.webhooks import Keep, WebhookRow
from holdfast.sessions.once import Once, known_answer
from holdfast.times import timestamp
from holdfast.webhooks.message import Kind
from holdfast.webhooks.signing import hint

Kinds = Annotated[list[Kind], msgspec.Meta(min_length=1)]
# Without NUL: PostgreSQL has no place for it in a text.
Description = Annotated[str, msgspec.Meta(max_length=500, pattern=r"^[^\x00]*$")]


class WebhookBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str
    events: Kinds | None = None
    secret: str | None = None
    description: Description = ""
    project_id: ProjectId | None = None


class WebhookChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    url: str | None = None
    events: Kinds | None = None
    description: Description | None = None
    active: bool | None = None


class RotateBody(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    secret: str | None = None


class Webhook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    url: str
    events: list[str]
    active: bool
    secret_hint: str
    created_at: str
    updated_at: str
    description: str = ""
    project_id: str | None = None
    disabled: str | None = None
    """Why it is not active, if that was nobody's wish."""
    failing_since: str | None = None
    secret: str | None = None
    """Only in the answers that gave it out."""
    old_secret_until: str | None = None


class WebhookList(msgspec.Struct, frozen=True, kw_only=True):
    webhooks: list[Webhook]


class Delivery(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    type: str
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    created_at: str
    session_id: str | None = None
    sequence: int | None = None
    next_attempt_at: str | None = None
    """Absent while an earlier delivery of the session is to be made first."""
    attempted_at: str | None = None
    response_status: int | None = None
    error: str | None = None
    response: str | None = None
    """The beginning of what the receiver said."""
    body: str | None = None
    """What is sent, to the letter; only where one delivery is asked for."""


class DeliveryList(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    deliveries: list[Delivery]
    next: str | None = None


async def webhooks(request: Request) -> Response:
    return await (_create(request) if request.method == "POST" else _list(request))


async def webhook(request: Request) -> Response:
    act = {"POST": _change, "DELETE": _delete}.get(request.method, _show)
    return await act(request)


async def _create(request: Request) -> Response:
    body, raw = await read_body(request, WebhookBody)
    once = once_of(request, raw)
    known = await known_answer(context_of(request).log, once)
    if known is not None:
        return Response(known, 201, media_type="application/json")
    made = await context_of(request).webhooks.create(
        user_of(request),
        url=body.url,
        events=body.events,
        secret=body.secret,
        description=body.description,
        project_id=body.project_id,
        keep=_keep(once),
    )
    return json_response(_told(made, secret=made.secret), 201)


async def _list(request: Request) -> Response:
    only(request)
    rows = await context_of(request).webhooks.of(user_of(request))
    return json_response(WebhookList(webhooks=[_told(row) for row in rows]))


async def _show(request: Request) -> Response:
    only(request)
    return json_response(_told(await _row_of(request)))


async def _change(request: Request) -> Response:
    row = await _row_of(request)
    body, _ = await read_body(request, WebhookChange)
    changed = await context_of(request).webhooks.change(
        row, url=body.url, events=body.events, description=body.description, active=body.active
    )
    return json_response(_told(changed))


async def _delete(request: Request) -> Response:
    only(request)
    await context_of(request).webhooks.delete(await _row_of(request))
    return Response(status_code=204)


async def rotate(request: Request) -> Response:
    row = await _row_of(request)
    body, raw = await read_body(request, RotateBody)
    once = once_of(request, raw)
    known = await known_answer(context_of(request).log, once)
    if known is not None:
        return Response(known, media_type="application/json")
    rotated = await context_of(request).webhooks.rotate(row, body.secret, _keep(once))
    return json_response(_told(rotated, secret=rotated.secret))


def _keep(once: Once | None) -> Keep:
    """A secret is told once, to whom asked for it; who asks again because the answer was lost gets that one."""
    return lambda row: None if once is None else once.answered(msgspec.json.encode(_told(row, secret=row.secret)))


async def test(request: Request) -> Response:
    row = await _row_of(request)
    await read_body(request, NoBody)
    return json_response(_delivery(await context_of(request).webhooks.test(row)))


async def deliveries(request: Request) -> Response:
    only(request, "status", "limit", "before")
    row = await _row_of(request)
    status = request.query_params.get("status")
    if status is not None and status not in STATUSES:
        raise BadRequest(f"{status!r} is no status of a delivery; there are: {', '.join(STATUSES)}")
    limit = whole_number(request, "limit", 50, least=1, most=200)
    rows = await context_of(request).webhooks.deliveries(
        row, status=status, before=request.query_params.get("before"), limit=limit + 1
    )
    page = rows[:limit]
    return json_response(
        DeliveryList(deliveries=[_delivery(found) for found in page], next=page[-1].id if len(rows) > limit else None)
    )


async def delivery(request: Request) -> Response:
    only(request)
    row = await _row_of(request)
    found, body = await context_of(request).webhooks.sent(row, request.path_params["delivery_id"])
    return json_response(_delivery(found, body=body))


async def retry(request: Request) -> Response:
    row = await _row_of(request)
    await read_body(request, NoBody)
    again = await context_of(request).webhooks.retry(row, request.path_params["delivery_id"])
    return json_response(_delivery(again))


async def _row_of(request: Request) -> WebhookRow:
    return await context_of(request).webhooks.find(user_of(request), request.path_params["webhook_id"])


def _told(row: WebhookRow, *, secret: str | None = None) -> Webhook:
    return Webhook(
        id=row.id,
        url=row.url,
        events=row.events.split(" "),
        active=row.active,
        secret_hint=hint(row.secret),
        created_at=timestamp(row.created_ms),
        updated_at=timestamp(row.updated_ms),
        description=row.description,
        project_id=row.project_id,
        disabled=row.disabled,
        failing_since=_time(row.failing_since_ms),
        secret=secret,
        old_secret_until=_time(row.old_until_ms),
    )


def _delivery(row: DeliveryRow, *, body: str | None = None) -> Delivery:
    return Delivery(
        id=row.id,
        type=row.type,
        status=row.status,  # pyright: ignore[reportArgumentType]
        attempts=row.attempts,
        created_at=timestamp(row.created_ms),
        session_id=row.session_id,
        sequence=row.sequence,
        next_attempt_at=_time(row.next_ms),
        attempted_at=_time(row.attempted_ms),
        response_status=row.response_status,
        error=row.error,
        response=row.response,
        body=body,
    )


def _time(at_ms: int | None) -> str | None:
    return None if at_ms is None else timestamp(at_ms)


ROUTES = [
    Route("/api/v1/webhooks", webhooks, methods=["GET", "POST"]),
    Route("/api/v1/webhooks/{webhook_id}", webhook, methods=["GET", "POST", "DELETE"]),
    Route("/api/v1/webhooks/{webhook_id}/rotate", rotate, methods=["POST"]),
    Route("/api/v1/webhooks/{webhook_id}/test", test, methods=["POST"]),
    Route("/api/v1/webhooks/{webhook_id}/deliveries", deliveries),
    Route("/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}", delivery),
    Route("/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry", retry, methods=["POST"]),
]
