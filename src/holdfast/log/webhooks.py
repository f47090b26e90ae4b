"""The table of webhooks: who is to be told of what, and up to where of the log that has been seen to."""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from holdfast.log import schema
from holdfast.log.appends import Request
from holdfast.log.tables import Ask, Submit
from holdfast.log.writer import insert_request

_w, _d = schema.webhooks.c, schema.deliveries.c


class NewWebhook(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    user_id: str
    url: str
    events: str
    secret: str
    description: str = ""
    project_id: str | None = None

    def __repr__(self) -> str:
        return f"NewWebhook(id={self.id!r}, …)"


class WebhookRow(NewWebhook, frozen=True, kw_only=True):
    key: int
    active: bool
    disabled: str | None
    old_secret: str | None
    old_until_ms: int | None
    position: int
    failing_since_ms: int | None
    created_ms: int
    updated_ms: int

    def __repr__(self) -> str:
        # Its secrets and its URL, which may be a secret too, must not end up in a log.
        return f"WebhookRow(id={self.id!r}, …)"

    def wants(self, kind: str, user_id: str, project_id: str | None) -> bool:
        return self.user_id == user_id and self.project_id in (None, project_id) and kind in self.events.split(" ")


# The answer to the request that asked for it, if that may come again: kept in the same commit.
Keep = Callable[[WebhookRow], Request | None]


def _keep_nothing(_: WebhookRow) -> Request | None:
    return None


class Webhooks:
    def __init__(self, submit: Submit, ask: Ask) -> None:
        self._submit = submit
        self._ask = ask

    async def create(self, new: NewWebhook, at_ms: int, keep: Keep = _keep_nothing) -> WebhookRow:
        """It begins where the log stands: what lies before is not told."""

        def job(connection: Connection) -> WebhookRow:
            values = msgspec.structs.asdict(new)
            statement = (
                insert(schema.webhooks)
                .values(**values, active=True, position=_head(connection), created_ms=at_ms, updated_ms=at_ms)
                .returning(*_w)
            )
            return _kept(connection, WebhookRow(**connection.execute(statement).mappings().one()), at_ms, keep)

        return await self._submit(job)

    async def rotate(self, key: int, at_ms: int, secret: str, old_until_ms: int, keep: Keep) -> WebhookRow | None:
        """None if it is gone."""
        values = {"old_secret": _w.secret, "secret": secret, "old_until_ms": old_until_ms, "updated_ms": at_ms}
        statement = update(schema.webhooks).where(_w.key == key).values(**values).returning(*_w)

        def job(connection: Connection) -> WebhookRow | None:
            row = _row(connection.execute(statement).mappings().first())
            return None if row is None else _kept(connection, row, at_ms, keep)

        return await self._submit(job)

    async def change(self, key: int, at_ms: int, **values: Any) -> None:
        """Does nothing if it is gone. One that becomes active again begins anew where the log stands."""

        def job(connection: Connection) -> None:
            was_active = connection.execute(select(_w.active).where(_w.key == key)).scalar()
            if values.get("active") and was_active is False:
                values.update(position=_head(connection), disabled=None)
            connection.execute(update(schema.webhooks).where(_w.key == key).values(**values, updated_ms=at_ms))

        await self._submit(job)

    async def delete(self, key: int) -> None:
        """With all its deliveries."""

        def job(connection: Connection) -> None:
            connection.execute(delete(schema.deliveries).where(_d.webhook_key == key))
            connection.execute(delete(schema.webhooks).where(_w.key == key))

        await self._submit(job)

    async def one(self, webhook_id: str) -> WebhookRow | None:
        query = select(*_w).where(_w.id == webhook_id)
        return await self._ask(lambda connection: _row(connection.execute(query).mappings().first()))

    async def of(self, user_id: str) -> list[WebhookRow]:
        """The newest first."""
        query = select(*_w).where(_w.user_id == user_id).order_by(_w.key.desc())
        return await self._ask(lambda connection: [WebhookRow(**row) for row in connection.execute(query).mappings()])

    async def count(self, user_id: str) -> int:
        query = select(func.count()).where(_w.user_id == user_id)
        return await self._ask(lambda connection: connection.execute(query).scalar_one())

    async def active(self) -> list[WebhookRow]:
        query = select(*_w).where(_w.active.is_(True)).order_by(_w.key)
        return await self._ask(lambda connection: [WebhookRow(**row) for row in connection.execute(query).mappings()])


def _kept(connection: Connection, row: WebhookRow, at_ms: int, keep: Keep) -> WebhookRow:
    request = keep(row)
    if request is not None:
        insert_request(connection, request, at_ms)
    return row


def _head(connection: Connection) -> int:
    return connection.execute(select(schema.log_head.c.position)).scalar_one()


def _row(row: Any) -> WebhookRow | None:
    return None if row is None else WebhookRow(**row)
