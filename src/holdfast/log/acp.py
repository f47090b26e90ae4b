"""The tables of ACP clients: who is connected under which name, to which sessions, and which answers are on their way.

All that a client is told is a function of these rows and of the logs, so that any server can go on with it.
"""

import secrets
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update

from holdfast.log import schema
from holdfast.log.tables import Ask, Submit

_c, _a, _o = schema.acp_connections.c, schema.acp_sessions.c, schema.acp_answers.c
_s, _r, _e = schema.sessions.c, schema.runs.c, schema.events.c
# So many of a client's latest answers are kept: whoever asks again and again must not fill the store.
_ANSWERS_KEPT = 1_000
# How the envelopes of terminal events begin.
_ENDS = [b'{"type":"agent_complete"', b'{"type":"error"', b'{"type":"cancelled"']


class ConnectionRow(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    user_id: str
    name: str | None
    agent: str | None
    client: bytes
    position: int


class AttachedRow(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    cwd: str
    number: int = 0
    agent: str | None = None
    mode: str | None = None
    forked_from: str | None = None
    since: int = 0
    joined: int = 0
    load_answer: bytes | None = None
    until: int | None = None


class AnswerRow(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    session_id: str | None
    body: bytes


_CONNECTION = [_c[name] for name in ConnectionRow.__struct_fields__]
_ATTACHED = [_a[name] for name in AttachedRow.__struct_fields__]
_ANSWER = [_o[name] for name in AnswerRow.__struct_fields__]


class AcpRows:
    def __init__(self, submit: Submit, ask: Ask) -> None:
        self._submit = submit
        self._ask = ask

    # Connections

    async def connect(
        self, user_id: str, name: str | None, agent: str | None, client: bytes, at_ms: int, *, stale_before_ms: int
    ) -> ConnectionRow:
        """A new connection, in the place of one of the same name, unless that is just the same and has no sessions.

        Connections of the user that nobody has come back to since `stale_before_ms` are forgotten.
        """

        def job(connection: Connection) -> ConnectionRow:
            stale = select(_c.id).where(_c.user_id == user_id, _c.seen_ms < stale_before_ms)
            gone = list(connection.execute(stale).scalars())
            known = _named(connection, user_id, name)
            if known is not None:
                sessions = select(func.count()).where(_a.connection_id == known.id)
                is_same = known.client == client and known.agent == agent
                if is_same and not connection.execute(sessions).scalar_one():
                    return known
                gone.append(known.id)
            _forget(connection, gone)
            position = connection.execute(select(schema.log_head.c.position)).scalar_one()
            row = ConnectionRow(
                id=secrets.token_hex(16), user_id=user_id, name=name, agent=agent, client=client, position=position
            )
            values = {**msgspec.structs.asdict(row), "created_ms": at_ms, "seen_ms": at_ms}
            connection.execute(insert(schema.acp_connections).values(**values))
            return row

        return await self._submit(job)

    async def named(self, user_id: str, name: str) -> ConnectionRow | None:
        return await self._ask(lambda connection: _named(connection, user_id, name))

    async def connection(self, id_: str) -> ConnectionRow | None:
        query = select(*_CONNECTION).where(_c.id == id_)
        return await self._ask(lambda connection: _connection(connection.execute(query).mappings().first()))

    async def introduce(self, id_: str, agent: str | None, client: bytes) -> None:
        """What a client says of itself, if that comes after its connection."""
        statement = update(schema.acp_connections).where(_c.id == id_).values(agent=agent, client=client)
        await self._submit(lambda connection: connection.execute(statement) and None)

    async def seen(self, id_: str, at_ms: int) -> None:
        statement = update(schema.acp_connections).where(_c.id == id_).values(seen_ms=at_ms)
        await self._submit(lambda connection: connection.execute(statement) and None)

    async def disconnect(self, id_: str) -> None:
        """Forgets the connection; its sessions go on without it."""
        await self._submit(lambda connection: _forget(connection, [id_]))

    # Sessions

    async def attach(self, connection_id: str, row: AttachedRow) -> AttachedRow:
        """Takes the client in; `number` is given out here. What an earlier time at the same session has still to tell
        of what was before is told. A load that was taken in, and is asked again with the same id, is not told twice."""

        def job(connection: Connection) -> AttachedRow:
            mine = _a.connection_id == connection_id
            last = connection.execute(select(func.max(_a.number)).where(mine)).scalar() or 0
            earlier = (mine, _a.session_id == row.session_id, _a.until.is_(None))
            if row.load_answer is not None:
                same = select(*_ATTACHED).where(*earlier, _a.load_answer == row.load_answer)
                known = _attached(connection.execute(same).mappings().first())
                if known is not None:
                    return known
            connection.execute(update(schema.acp_sessions).where(*earlier).values(until=row.joined))
            made = msgspec.structs.replace(row, number=last + 1)
            values = {"connection_id": connection_id, **msgspec.structs.asdict(made)}
            connection.execute(insert(schema.acp_sessions).values(**values))
            return made

        return await self._submit(job)

    async def change(self, connection_id: str, number: int, **values: Any) -> None:
        mine = (_a.connection_id == connection_id, _a.number == number)
        statement = update(schema.acp_sessions).where(*mine).values(**values)
        await self._submit(lambda connection: connection.execute(statement) and None)

    async def choose_agent(self, session_id: str, agent: str) -> None:
        """For a session without a task, whoever of its clients gives it one."""
        statement = update(schema.acp_sessions).where(_a.session_id == session_id).values(agent=agent)
        await self._submit(lambda connection: connection.execute(statement) and None)

    async def attached(self, connection_id: str) -> list[AttachedRow]:
        query = select(*_ATTACHED).where(_a.connection_id == connection_id).order_by(_a.number)
        return await self._ask(lambda connection: [AttachedRow(**row) for row in connection.execute(query).mappings()])

    async def promised(self, user_id: str, session_id: str) -> AttachedRow | None:
        """A session of the user that has its id and, as yet, no task."""
        query = (
            select(*_ATTACHED)
            .join(schema.acp_connections, _c.id == _a.connection_id)
            .where(_c.user_id == user_id, _a.session_id == session_id)
            .limit(1)
        )
        return await self._ask(lambda connection: _attached(connection.execute(query).mappings().first()))

    # Answers

    async def answer(self, connection_id: str, request: str, session_id: str | None, body: bytes) -> None:
        """Puts an answer on its way; does nothing if the request has one."""

        def job(connection: Connection) -> None:
            mine = _o.connection_id == connection_id
            if connection.execute(select(_o.number).where(mine, _o.request == request)).first() is not None:
                return
            last = connection.execute(select(func.max(_o.number)).where(mine)).scalar() or 0
            values = {"number": last + 1, "request": request, "session_id": session_id, "body": body}
            connection.execute(insert(schema.acp_answers).values(connection_id=connection_id, **values))
            connection.execute(delete(schema.acp_answers).where(mine, _o.number <= last + 1 - _ANSWERS_KEPT))

        await self._submit(job)

    async def is_answered(self, connection_id: str, request: str) -> bool:
        query = select(_o.number).where(_o.connection_id == connection_id, _o.request == request)
        return await self._ask(lambda connection: connection.execute(query).first() is not None)

    async def answers(self, connection_id: str, after: int) -> list[AnswerRow]:
        query = (
            select(*_ANSWER).where(_o.connection_id == connection_id, _o.number > after).order_by(_o.number).limit(100)
        )
        return await self._ask(lambda connection: [AnswerRow(**row) for row in connection.execute(query).mappings()])

    # The log

    async def last_final(self, key: int, head: int) -> int:
        """The last sequence up to `head` that is no partial's, and so will never be gone."""
        query = select(func.max(_e.sequence)).where(_e.session_key == key, _e.sequence <= head, _e.partial.is_(False))
        return await self._ask(lambda connection: connection.execute(query).scalar() or 0)

    async def run_at(self, key: int, sequence: int) -> tuple[int, int]:
        """The run that a sequence is of, and where it begins; before the first one, that."""
        query = (
            select(_r.number, _r.first_sequence)
            .where(_r.session_key == key, _r.first_sequence <= max(sequence, 1))
            .order_by(_r.number.desc())
            .limit(1)
        )
        found = await self._ask(lambda connection: connection.execute(query).first())
        return (1, 1) if found is None else (found[0], found[1])

    async def ends(self, user_id: str, after: int, through: int, limit: int) -> list[tuple[int, str, bytes]]:
        """The terminal events of the user's sessions in a part of the combined log: position, session, envelope."""
        is_end = or_(*(func.substr(_e.body, 1, len(start)) == start for start in _ENDS))
        query = (
            select(_e.position, _s.id, _e.body)
            .join(schema.sessions, _s.key == _e.session_key)
            .where(and_(_e.position > after, _e.position <= through), _s.user_id == user_id, is_end)
            .order_by(_e.position)
            .limit(limit)
        )
        return await self._ask(
            lambda connection: [(row[0], row[1], bytes(row[2])) for row in connection.execute(query)]
        )


def _named(connection: Connection, user_id: str, name: str | None) -> ConnectionRow | None:
    if name is None:
        return None
    query = select(*_CONNECTION).where(_c.user_id == user_id, _c.name == name)
    return _connection(connection.execute(query).mappings().first())


def _forget(connection: Connection, ids: list[str]) -> None:
    if ids:
        connection.execute(delete(schema.acp_answers).where(_o.connection_id.in_(ids)))
        connection.execute(delete(schema.acp_sessions).where(_a.connection_id.in_(ids)))
        connection.execute(delete(schema.acp_connections).where(_c.id.in_(ids)))


def _connection(row: Any) -> ConnectionRow | None:
    return None if row is None else ConnectionRow(**row)


def _attached(row: Any) -> AttachedRow | None:
    return None if row is None else AttachedRow(**row)
