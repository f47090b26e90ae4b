"""The table of sessions as Anthropic's sessions API has them, and the list of those together with all others."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, null, or_, select, union_all

from holdfast.errors import Conflict
from holdfast.log import schema
from holdfast.log.reader import SessionRow
from holdfast.log.tables import Ask, Submit

_s, _m = schema.sessions.c, schema.managed_sessions.c
_SESSION = [_s[name] for name in SessionRow.__struct_fields__]
_IS_ITS_ROW = and_(_s.id == _m.id, _s.user_id == _m.user_id)

COMPARISONS: dict[str, Callable[[Any, int], Any]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}


class ManagedRow(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    user_id: str
    agent: str
    model: str | None = None
    title: str | None = None
    metadata: str = "{}"
    """A JSON object of texts."""
    created_ms: int
    updated_ms: int
    archived_ms: int | None = None
    deleted_ms: int | None = None


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A session of the list: one that has begun, one that has a row here, or both."""

    id: str
    created_ms: int
    session: SessionRow | None
    managed: ManagedRow | None


class ManagedSessions:
    """A row counts for its own user only: one may stand under the id of a project whose session became another's."""

    def __init__(self, submit: Submit, ask: Ask) -> None:
        self._submit = submit
        self._ask = ask

    async def create(self, row: ManagedRow) -> None:
        """Raises Conflict if there is one of that id; one that was deleted makes room."""

        def job(connection: Connection) -> None:
            known = connection.execute(select(_m.deleted_ms).where(_m.id == row.id)).first()
            if known is not None and known[0] is None:
                raise Conflict(f"There is a session {row.id} already")
            connection.execute(delete(schema.managed_sessions).where(_m.id == row.id))
            connection.execute(insert(schema.managed_sessions).values(**msgspec.structs.asdict(row)))

        await self._submit(job)

    async def change(self, row: ManagedRow, change: Callable[[ManagedRow], dict[str, Any]]) -> ManagedRow:
        """Changes the row as it stands by then, or makes it from the one given; `change` says what, and may raise."""

        def job(connection: Connection) -> ManagedRow:
            before = _of_user(connection, row.id, row.user_id) or row
            after = msgspec.structs.replace(before, **change(before))
            connection.execute(delete(schema.managed_sessions).where(_m.id == row.id))
            connection.execute(insert(schema.managed_sessions).values(**msgspec.structs.asdict(after)))
            return after

        return await self._submit(job)

    async def one(self, session_id: str, user_id: str) -> ManagedRow | None:
        return await self._ask(lambda connection: _of_user(connection, session_id, user_id))

    async def remove(self, session_id: str) -> None:
        """Takes the row of a session away, unless it has begun."""
        begun = select(_s.key).where(_s.id == session_id).exists()
        statement = delete(schema.managed_sessions).where(_m.id == session_id, ~begun)
        await self._submit(lambda connection: connection.execute(statement) and None)

    async def page(
        self,
        user_id: str,
        *,
        agent: str | None = None,
        created: Sequence[tuple[str, int]] = (),
        archived: bool = False,
        ascending: bool = False,
        behind: tuple[int, str] | None = None,
        limit: int,
    ) -> list[Listed]:
        """The user's sessions by age; `created` are comparisons ("gt", "gte", "lt", "lte") with a time in ms, `behind`
        the (created_ms, id) of the last one seen."""
        begun = (
            select(_s.id, func.coalesce(_m.created_ms, _s.created_ms).label("created_ms"), _m.archived_ms, _s.agent)
            .select_from(schema.sessions.outerjoin(schema.managed_sessions, _IS_ITS_ROW))
            .where(_s.user_id == user_id, _m.deleted_ms.is_(null()))
        )
        fresh = select(_m.id, _m.created_ms, _m.archived_ms, _m.agent).where(
            _m.user_id == user_id,
            _m.deleted_ms.is_(null()),
            ~select(_s.key).where(_s.id == _m.id).exists(),
        )
        every = union_all(begun, fresh).subquery().c
        query = select(every.id, every.created_ms)
        if agent is not None:
            query = query.where(every.agent == agent)
        if not archived:
            query = query.where(every.archived_ms.is_(null()))
        for comparison, at_ms in created:
            query = query.where(COMPARISONS[comparison](every.created_ms, at_ms))
        if behind is not None:
            at_ms, id_ = behind
            is_beyond, is_next = (
                (every.created_ms > at_ms, every.id > id_) if ascending else (every.created_ms < at_ms, every.id < id_)
            )
            query = query.where(or_(is_beyond, and_(every.created_ms == at_ms, is_next)))
        order = (every.created_ms.asc(), every.id.asc()) if ascending else (every.created_ms.desc(), every.id.desc())
        query = query.order_by(*order).limit(limit)
        return await self._ask(lambda connection: _listed(connection, user_id, query))


def _of_user(connection: Connection, session_id: str, user_id: str) -> ManagedRow | None:
    query = select(*_m).where(_m.id == session_id, _m.user_id == user_id)
    row = connection.execute(query).mappings().first()
    return None if row is None else ManagedRow(**row)


def _listed(connection: Connection, user_id: str, query: Any) -> list[Listed]:
    found: list[tuple[str, int]] = [tuple(row) for row in connection.execute(query)]
    ids = [id_ for id_, _ in found]
    begun = connection.execute(select(*_SESSION).where(_s.id.in_(ids))).mappings()
    sessions = {row["id"]: SessionRow(**row) for row in begun}
    rows = connection.execute(select(*_m).where(_m.id.in_(ids), _m.user_id == user_id)).mappings()
    managed = {row["id"]: ManagedRow(**row) for row in rows}
    return [
        Listed(id=id_, created_ms=created_ms, session=sessions.get(id_), managed=managed.get(id_))
        for id_, created_ms in found
    ]
