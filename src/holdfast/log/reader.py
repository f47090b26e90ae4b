"""Reads of the store, in threads and on connections of their own, so that no reader ever waits for the writer."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, and_, func, or_, select

from holdfast.log import schema
from holdfast.log.database import Database, store_errors
from holdfast.log.tail import BLOCK_BYTES, Block

T = TypeVar("T")
Frame = Callable[[int, bytes], bytes]

# Rows fetched at a time: a page of small events fills a few blocks, one of huge events stays bounded.
_PAGE_ROWS = 1_000
_PAGE_BYTES = 4 * BLOCK_BYTES

_s, _r, _e = schema.sessions.c, schema.runs.c, schema.events.c
# All but the text that is only searched in.
_ROW = [column for column in _s if column is not _s.search]
_FIRST_EVENTS = select(_e.body).join(
    schema.runs, and_(_e.session_key == _r.session_key, _e.sequence == _r.first_sequence)
)


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    key: int
    id: str
    user_id: str
    project_id: str | None
    agent: str
    workspace: str
    status: str
    head: int
    owner_epoch: int
    acknowledged: int
    dropped_through: int
    created_ms: int
    updated_ms: int
    state: bytes


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    secret: str
    spec: bytes
    ended_ms: int | None
    last_sequence: int | None


class RequestRow(msgspec.Struct, frozen=True, kw_only=True):
    fingerprint: str
    answer: bytes


class Reader:
    def __init__(self, database: Database, frame: Frame) -> None:
        self._database = database
        self._frame = frame
        self._threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="holdfast-reader")

    def close(self) -> None:
        self._threads.shutdown()

    async def ask(self, question: Callable[[Connection], T]) -> T:
        """What the tables beside the log are asked (webhooks.py, deliveries.py), by the same rules as all reads."""
        return await self._read(question)

    async def _read(self, read: Callable[[Connection], T]) -> T:
        def work() -> T:
            with store_errors("reading"), self._database.reading.connect() as connection:
                return read(connection)

        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def frames(self, key: int, after: int, head: int, *, settled: int | None = None) -> tuple[list[Block], int]:
        """Framed events after `after`, and the position that they reach (`head` when nothing more is there).

        Partials up to `settled` are left out. Numbers whose partials were dropped are passed over.
        """
        mark = self._database.mark
        unless = "" if settled is None else f" and (sequence > {int(settled)} or not partial)"
        sql = (
            f"select sequence, body from events where session_key = {mark} and sequence > {mark} "  # noqa: S608
            f"and sequence <= {mark}{unless} order by sequence limit {_PAGE_ROWS}"
        )

        def read(connection: Connection) -> tuple[list[Block], int]:
            rows = connection.exec_driver_sql(sql, (key, after, head))
            return self._blocks(rows, after, head)

        return await self._read(read)

    def _blocks(self, rows: Any, after: int, head: int) -> tuple[list[Block], int]:
        blocks: list[Block] = []
        frames: list[bytes] = []
        size = total = count = 0
        reached = after
        for sequence, body in rows:
            frame = self._frame(sequence, body)
            frames.append(frame)
            size += len(frame)
            count += 1
            reached = sequence
            if size >= BLOCK_BYTES:
                blocks.append(Block(after, sequence, b"".join(frames)))
                total += size
                frames, size, after = [], 0, sequence
                if total >= _PAGE_BYTES:
                    rows.close()
                    return blocks, reached
        if frames:
            blocks.append(Block(after, reached, b"".join(frames)))
        return blocks, reached if count == _PAGE_ROWS else head

    async def combined(self, user_id: str, after: int, head: int) -> tuple[list[Block], int]:
        """As `frames`, over all sessions of a user: each envelope names its session, and ids are positions."""
        mark = self._database.mark
        sql = (
            "select e.position, e.body, s.id from events e join sessions s on s.key = e.session_key "  # noqa: S608
            f"where e.position > {mark} and e.position <= {mark} and s.user_id = {mark} "
            f"order by e.position limit {_PAGE_ROWS}"
        )

        def read(connection: Connection) -> tuple[list[Block], int]:
            rows = connection.exec_driver_sql(sql, (after, head, user_id))
            named = (
                (position, bytes(body)[:-1] + b',"session_id":"%b"}' % session_id.encode())
                for position, body, session_id in rows
            )
            return self._blocks(named, after, head)

        return await self._read(read)

    async def history(self, key: int, after: int, limit: int) -> list[tuple[int, bytes]]:
        """Envelopes without the partials, in order."""
        query = (
            select(_e.sequence, _e.body)
            .where(_e.session_key == key, _e.sequence > after, _e.partial.is_(False))
            .order_by(_e.sequence)
            .limit(limit)
        )
        return await self._read(lambda connection: [(row[0], bytes(row[1])) for row in connection.execute(query)])

    async def envelopes(self, key: int, after: int) -> list[bytes]:
        """All envelopes after a position, partials too; for the few that an interrupted run left open."""
        query = select(_e.body).where(_e.session_key == key, _e.sequence > after).order_by(_e.sequence)
        return await self._read(lambda connection: [bytes(row[0]) for row in connection.execute(query)])

    async def session(self, session_id: str) -> SessionRow | None:
        query = select(*_ROW).where(_s.id == session_id)
        return await self._read(lambda connection: _session(connection.execute(query).mappings().first()))

    async def sessions(
        self,
        user_id: str | None,
        *,
        statuses: Sequence[str] = (),
        agents: Sequence[str] = (),
        projects: Sequence[str] = (),
        words: Sequence[str] = (),
        before: tuple[int, int] | None = None,
        limit: int | None = None,
    ) -> list[SessionRow]:
        """Newest first; `before` is the (created_ms, key) of the last one seen. All `words` (search.py) must occur."""
        query = select(*_ROW).order_by(_s.created_ms.desc(), _s.key.desc())
        if user_id is not None:
            query = query.where(_s.user_id == user_id)
        for column, values in ((_s.status, statuses), (_s.agent, agents), (_s.project_id, projects)):
            if values:
                query = query.where(column.in_(values))
        for word in words:
            query = query.where(_s.search.contains(word, autoescape=True))
        if before is not None:
            created_ms, key = before
            query = query.where(or_(_s.created_ms < created_ms, and_(_s.created_ms == created_ms, _s.key < key)))
        if limit is not None:
            query = query.limit(limit)
        return await self._read(lambda connection: [SessionRow(**row) for row in connection.execute(query).mappings()])

    async def projects(self, user_id: str, *, limit: int) -> list[SessionRow]:
        """The sessions of the user's projects, those in which something happened last first."""
        query = (
            select(*_ROW)
            .where(_s.user_id == user_id, _s.project_id.is_not(None))
            .order_by(_s.updated_ms.desc(), _s.key.desc())
            .limit(limit)
        )
        return await self._read(lambda connection: [SessionRow(**row) for row in connection.execute(query).mappings()])

    async def count_by_status(self) -> dict[str, int]:
        query = select(_s.status, func.count()).group_by(_s.status)
        return await self._read(lambda connection: {row[0]: row[1] for row in connection.execute(query)})

    async def run(self, key: int, number: int) -> RunRow | None:
        columns = (_r.number, _r.secret, _r.spec, _r.ended_ms, _r.last_sequence)
        query = select(*columns).where(_r.session_key == key, _r.number == number)

        def read(connection: Connection) -> RunRow | None:
            row = connection.execute(query).mappings().first()
            return None if row is None else RunRow(**row)

        return await self._read(read)

    async def first_event(self, key: int, number: int) -> bytes | None:
        """The envelope that a run began with; None if there is no such run."""
        query = _FIRST_EVENTS.where(_r.session_key == key, _r.number == number)
        body = await self._read(lambda connection: connection.execute(query).scalar())
        return None if body is None else bytes(body)

    async def first_events(self, key: int) -> list[bytes]:
        """Those of all runs, the last one first."""
        query = _FIRST_EVENTS.where(_r.session_key == key).order_by(_r.number.desc())
        return await self._read(lambda connection: [bytes(row[0]) for row in connection.execute(query)])

    async def request(self, user_id: str, idempotency_key: str) -> RequestRow | None:
        columns = schema.requests.c
        query = select(columns.fingerprint, columns.answer).where(
            columns.user_id == user_id, columns.idempotency_key == idempotency_key
        )

        def read(connection: Connection) -> RequestRow | None:
            row = connection.execute(query).mappings().first()
            return None if row is None else RequestRow(**row)

        return await self._read(read)

    async def event(self, key: int, sequence: int) -> bytes | None:
        """One event's envelope."""
        events = schema.events
        statement = select(events.c.body).where(events.c.session_key == key, events.c.sequence == sequence)
        body = await self._read(lambda connection: connection.execute(statement).scalar())
        return None if body is None else bytes(body)

    async def transcript(self, key: int, through_run: int) -> list[bytes]:
        """What the agent wanted remembered, up to and with that run."""
        transcripts = schema.transcripts
        statement = (
            select(transcripts.c.body)
            .where(transcripts.c.session_key == key, transcripts.c.run <= through_run)
            .order_by(transcripts.c.run, transcripts.c.number)
        )
        return await self._read(lambda connection: [bytes(body) for body in connection.execute(statement).scalars()])

    async def granted(self, user_id: str, project: str) -> list[str]:
        grants = schema.grants
        statement = (
            select(grants.c.rule)
            .where(grants.c.user_id == user_id, grants.c.project == project)
            .order_by(grants.c.created_ms, grants.c.rule)
        )
        return await self._read(lambda connection: list(connection.execute(statement).scalars()))

    async def has_gap(self, user_id: str, after: int) -> bool:
        """Whether partials of the user's sessions were dropped behind a position of the combined log.

        Their positions are gone with them; but what comes right behind the last one of a session is always there.
        """
        query = (
            select(_s.key)
            .join(schema.events, and_(_e.session_key == _s.key, _e.sequence == _s.dropped_through + 1))
            .where(_s.user_id == user_id, _s.dropped_through > 0, _e.position > after)
            .limit(1)
        )
        return await self._read(lambda connection: connection.execute(query).first() is not None)

    async def position(self) -> int:
        query = select(schema.log_head.c.position)
        return await self._read(lambda connection: connection.execute(query).scalar_one())


def _session(row: Any) -> SessionRow | None:
    return None if row is None else SessionRow(**row)
