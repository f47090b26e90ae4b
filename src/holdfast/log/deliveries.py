"""The table of deliveries: what is to be told to which webhook, and what came of it.

Rule: of a session's deliveries to a webhook only the first that has not ended has a time to be sent; its end, in the
same transaction, gives the next one its time.
"""

from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select, update

from holdfast.log import schema
from holdfast.log.webhooks import Ask, Submit

PENDING, DELIVERED, FAILED = STATUSES = ("pending", "delivered", "failed")

_w, _d = schema.webhooks.c, schema.deliveries.c
_ROW = [column for column in _d if column is not _d.body]


class DeliveryRow(msgspec.Struct, frozen=True, kw_only=True):
    """All but what is sent."""

    key: int
    id: str
    webhook_key: int
    position: int | None
    session_key: int | None
    session_id: str | None
    sequence: int | None
    type: str
    status: str
    attempts: int
    next_ms: int | None
    attempted_ms: int | None
    ended_ms: int | None
    response_status: int | None
    error: str | None
    response: str | None
    created_ms: int


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """What came of sending: one with `next_ms` is tried again then, any other has ended."""

    at_ms: int
    status: str
    next_ms: int | None = None
    response_status: int | None = None
    error: str | None = None
    response: str | None = None
    disables: str | None = None
    """Why nothing more is to be sent to this webhook."""


class Deliveries:
    def __init__(self, submit: Submit, ask: Ask) -> None:
        self._submit = submit
        self._ask = ask

    async def upcoming(self, webhook_key: int, limit: int) -> list[tuple[int, int]]:
        """Key and time of those that are to be sent next, the earliest first."""
        query = (
            select(_d.key, _d.next_ms)
            .where(_d.webhook_key == webhook_key, _d.next_ms.is_not(None))
            .order_by(_d.next_ms, _d.key)
            .limit(limit)
        )
        return await self._ask(lambda connection: [(row[0], row[1]) for row in connection.execute(query)])

    async def to_send(self, key: int, now: int) -> tuple[DeliveryRow, bytes] | None:
        """A delivery with what is sent; None if it is gone, or not to be sent any more, or only later."""
        query = select(*_ROW, _d.body).where(_d.key == key, _d.next_ms <= now)

        def read(connection: Connection) -> tuple[DeliveryRow, bytes] | None:
            row = connection.execute(query).mappings().first()
            if row is None:
                return None
            fields = dict(row)
            body = bytes(fields.pop("body"))
            return DeliveryRow(**fields), body

        return await self._ask(read)

    async def record(self, delivery: DeliveryRow, attempt: Attempt) -> None:
        """Keeps what came of an attempt, and lets the session's next delivery go if this one has ended.

        Does nothing if the delivery is gone.
        """

        def job(connection: Connection) -> None:
            ended_ms = None if attempt.next_ms is not None else attempt.at_ms
            known = connection.execute(
                update(schema.deliveries)
                .where(_d.id == delivery.id)  # the number of one that is gone may be given again
                .values(
                    status=attempt.status,
                    attempts=_d.attempts + 1,
                    next_ms=attempt.next_ms,
                    attempted_ms=attempt.at_ms,
                    ended_ms=ended_ms,
                    response_status=attempt.response_status,
                    error=attempt.error,
                    response=attempt.response,
                )
            )
            if known.rowcount != 1:
                return
            _note_health(connection, delivery.webhook_key, attempt)
            if ended_ms is not None and delivery.session_key is not None:
                _let_next_go(connection, delivery.webhook_key, delivery.session_key, attempt.at_ms)

        await self._submit(job)

    async def keep_test(self, webhook_key: int, delivery_id: str, kind: str, body: bytes, attempt: Attempt) -> None:
        """A delivery that belongs to no event and has been made already."""
        values: dict[str, Any] = {
            "id": delivery_id,
            "webhook_key": webhook_key,
            "type": kind,
            "body": body,
            "status": attempt.status,
            "attempts": 1,
            "attempted_ms": attempt.at_ms,
            "ended_ms": attempt.at_ms,
            "response_status": attempt.response_status,
            "error": attempt.error,
            "response": attempt.response,
            "created_ms": attempt.at_ms,
        }

        def job(connection: Connection) -> None:
            if connection.execute(select(_w.key).where(_w.key == webhook_key)).first() is not None:
                connection.execute(insert(schema.deliveries).values(**values))

        await self._submit(job)

    async def again(self, key: int, at_ms: int) -> None:
        """To be sent now, whatever came of it before. Does nothing to one that waits for another of its session."""
        statement = (
            update(schema.deliveries)
            .where(_d.key == key, or_(_d.status != PENDING, _d.next_ms.is_not(None)))
            .values(status=PENDING, next_ms=at_ms, ended_ms=None)
        )
        await self._submit(lambda connection: connection.execute(statement) and None)

    async def one(self, webhook_key: int, delivery_id: str) -> DeliveryRow | None:
        query = select(*_ROW).where(_d.webhook_key == webhook_key, _d.id == delivery_id)

        def read(connection: Connection) -> DeliveryRow | None:
            row = connection.execute(query).mappings().first()
            return None if row is None else DeliveryRow(**row)

        return await self._ask(read)

    async def body(self, delivery: DeliveryRow) -> bytes | None:
        """What is sent; None if the delivery is gone."""
        query = select(_d.body).where(_d.id == delivery.id)  # the number of one that is gone may be given again

        def read(connection: Connection) -> bytes | None:
            found = connection.execute(query).scalar()
            return None if found is None else bytes(found)

        return await self._ask(read)

    async def of(
        self, webhook_key: int, *, status: str | None = None, before: int | None = None, limit: int
    ) -> list[DeliveryRow]:
        """The newest first; `before` is the key of the last one seen."""
        query = select(*_ROW).where(_d.webhook_key == webhook_key).order_by(_d.key.desc()).limit(limit)
        if status is not None:
            query = query.where(_d.status == status)
        if before is not None:
            query = query.where(_d.key < before)
        return await self._ask(lambda connection: [DeliveryRow(**row) for row in connection.execute(query).mappings()])

    async def forget(self, *, ended_before_ms: int) -> None:
        statement = delete(schema.deliveries).where(_d.ended_ms < ended_before_ms)
        await self._submit(lambda connection: connection.execute(statement) and None)


def _let_next_go(connection: Connection, webhook_key: int, session_key: int, at_ms: int) -> None:
    """Does nothing if one that was retried by hand is still to be sent: it goes first."""
    mine = (_d.webhook_key == webhook_key, _d.session_key == session_key, _d.status == PENDING)
    if connection.execute(select(_d.key).where(*mine, _d.next_ms.is_not(None)).limit(1)).first() is not None:
        return
    first = connection.execute(select(func.min(_d.key)).where(*mine)).scalar()
    if first is not None:
        connection.execute(update(schema.deliveries).where(_d.key == first).values(next_ms=at_ms))


def _note_health(connection: Connection, webhook_key: int, attempt: Attempt) -> None:
    values: dict[str, Any] = {"failing_since_ms": None}
    if attempt.status != DELIVERED:
        values = {"failing_since_ms": func.coalesce(_w.failing_since_ms, attempt.at_ms)}
    if attempt.disables is not None:
        values |= {"active": False, "disabled": attempt.disables, "updated_ms": attempt.at_ms}
    connection.execute(update(schema.webhooks).where(_w.key == webhook_key).values(**values))
