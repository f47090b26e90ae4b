"""The log as the rest of Holdfast sees it: append, read after a position, be woken when a head has moved.

Rule 1: there is no live path. A wake-up carries no data; whoever is woken reads.
Rule 2: all state here is a cache of the store. It lives on the event loop and is touched by no other thread.
"""

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, case, delete, select, update

from holdfast.errors import HoldfastError
from holdfast.log import schema
from holdfast.log.acp import AcpRows
from holdfast.log.appends import Append, Committed, Request
from holdfast.log.copies import Copy
from holdfast.log.copies import write as write_copy
from holdfast.log.database import Database
from holdfast.log.deliveries import Deliveries
from holdfast.log.managed import ManagedSessions
from holdfast.log.outbox import Outbox
from holdfast.log.reader import Reader, SessionRow
from holdfast.log.tail import Block, Tails
from holdfast.log.webhooks import Webhooks
from holdfast.log.writer import Answers, Frame, Job, Writer, insert_request

_TAIL_BYTES = 16 * 1024 * 1024


class Head(NamedTuple):
    """Where a session's log stands: its key, last sequence, whether anything more is to come by itself."""

    key: int
    sequence: int
    over: bool
    dropped_through: int
    settled: int


class Log:
    def __init__(self, database: Database, frame: Frame, *, tail_bytes: int = _TAIL_BYTES) -> None:
        self._loop = asyncio.get_running_loop()
        self._database = database
        self._writer = Writer(database, frame, self._deliver)
        self._tails = Tails(tail_bytes)
        self._heads: dict[str, Head] = {}
        self._watchers: dict[str | None, set[Callable[[], None]]] = {}
        self.position = 0
        self.read = Reader(database, frame)
        self.managed = ManagedSessions(self._submit, self.read.ask)
        self.webhooks = Webhooks(self._submit, self.read.ask)
        self.outbox = Outbox(self._submit, self.read.ask)
        self.deliveries = Deliveries(self._submit, self.read.ask)
        self.acp = AcpRows(self._submit, self.read.ask)

    async def open(self) -> None:
        """Finds out where the combined log stands."""
        self.position = await self.read.position()

    async def close(self) -> None:
        await asyncio.to_thread(self._writer.close)
        await asyncio.to_thread(self.read.close)
        self._database.writing.dispose()
        self._database.reading.dispose()

    # Writing

    async def append(self, append: Append) -> Committed:
        """Commits all entries, or raises Fenced if the head or the epoch moved, StoreError if it cannot be written."""
        return await self._submit(append)

    async def copy_in(self, copy: Copy, request: Request | None) -> None:
        """Writes a session that ran elsewhere; raises Fenced if there is one with its id."""

        def job(connection: Connection) -> Committed:
            committed = write_copy(connection, self._database, copy)
            if request is not None:
                insert_request(connection, request, copy.updated_ms)
            return committed

        await self._submit(job)

    async def claim(self, key: int) -> int:
        """Makes the caller the session's only writer: from now on appends of earlier epochs are refused."""
        sessions = schema.sessions
        statement = (
            update(sessions)
            .where(sessions.c.key == key)
            .values(owner_epoch=sessions.c.owner_epoch + 1)
            .returning(sessions.c.owner_epoch)
        )
        return await self._submit(lambda connection: connection.execute(statement).scalar_one())

    async def remember(self, request: Request, at_ms: int) -> None:
        """Keeps the answer to a request that appended nothing itself; the first one stays."""
        requests = schema.requests

        def job(connection: Connection) -> None:
            known = select(requests.c.fingerprint).where(
                requests.c.user_id == request.user_id, requests.c.idempotency_key == request.key
            )
            if connection.execute(known).first() is None:
                insert_request(connection, request, at_ms)

        await self._submit(job)

    async def drop_partials(self, *, ended_before_ms: int, limit: int = 20) -> int:
        """Drops the partials of runs that ended long enough ago; answers how many runs that were."""

        def job(connection: Connection) -> tuple[int, list[tuple[str, int]]]:
            return _drop_partials(connection, ended_before_ms, limit)

        runs, dropped = await self._submit(job)
        for session_id, through in dropped:
            self._tails.forget(session_id)
            head = self._heads.get(session_id)
            if head is not None and through > head.dropped_through:
                self._heads[session_id] = head._replace(dropped_through=through)
        return runs

    async def forget_requests(self, *, before_ms: int) -> None:
        statement = delete(schema.requests).where(schema.requests.c.created_ms < before_ms)
        await self._submit(lambda connection: connection.execute(statement) and None)

    async def _submit(self, work: "Append | Job") -> Any:
        future: asyncio.Future[Any] = self._loop.create_future()
        self._writer.submit(future, work)
        # The work is done even if the one who waits for it is cancelled; shield keeps the answer's place.
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            # Whoever looks at the store next, to see what came of it, must find it done.
            await asyncio.wait((future,))
            raise

    def _deliver(self, answers: Answers) -> None:
        self._loop.call_soon_threadsafe(self._delivered, answers)

    def _delivered(self, answers: Answers) -> None:
        woken: set[str | None] = set()
        for ticket, answer in answers:
            future: asyncio.Future[Any] = ticket  # pyright: ignore[reportAssignmentType]
            if isinstance(answer, Committed):
                self._take(answer)
                woken.add(answer.session_id)
            if isinstance(answer, HoldfastError):
                future.set_exception(answer)
                future.exception()  # seen, even if nobody waits any more
            else:
                future.set_result(answer)
        if woken:
            woken.add(None)
        for topic in woken:
            for wake in tuple(self._watchers.get(topic, ())):
                wake()

    def _take(self, committed: Committed) -> None:
        self._tails.add(committed.session_id, committed.blocks)
        self.position = max(self.position, committed.position)
        before = self._heads.get(committed.session_id)
        self._heads[committed.session_id] = (
            Head(committed.key, committed.head, committed.over, committed.dropped_through, committed.settled)
            if before is None
            else before._replace(sequence=committed.head, over=committed.over, settled=committed.settled)
        )

    # Reading

    def head(self, session_id: str) -> Head | None:
        """Where the session stands, if that is known here; `learn` tells it."""
        return self._heads.get(session_id)

    def learn(self, row: SessionRow, *, over: bool, settled: int) -> Head:
        """Takes in what the store says of a session that nobody has written to or read since the start."""
        known = self._heads.get(row.id)
        if known is not None:
            return known
        head = Head(row.key, row.head, over, row.dropped_through, settled)
        self._heads[row.id] = head
        return head

    async def after(self, session_id: str, position: int, *, skip_settled: bool = False) -> tuple[list[Block], int]:
        """Some blocks after `position` and the position that they reach; nothing only at the head."""
        head = self._heads[session_id]
        if position >= head.sequence:
            return [], position
        if not skip_settled:
            cached = self._tails.after(session_id, position)
            if cached:
                return cached, cached[-1].last
        settled = head.settled if skip_settled else None
        return await self.read.frames(head.key, position, head.sequence, settled=settled)

    async def combined_after(self, user_id: str, position: int) -> tuple[list[Block], int]:
        if position >= self.position:
            return [], position
        return await self.read.combined(user_id, position, self.position)

    def watch(self, topic: str | None, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls `wake` on the loop after each commit to the session (None: to any); answers how to stop that."""
        self._watchers.setdefault(topic, set()).add(wake)

        def unwatch() -> None:
            watchers = self._watchers.get(topic)
            if watchers is not None:
                watchers.discard(wake)
                if not watchers:
                    del self._watchers[topic]

        return unwatch


def _drop_partials(connection: Connection, ended_before_ms: int, limit: int) -> tuple[int, list[tuple[str, int]]]:
    """How many runs were due, and of those that had partials the session and the last number that is gone."""
    runs, events, sessions = schema.runs, schema.events, schema.sessions
    due = connection.execute(
        select(runs.c.session_key, runs.c.number, runs.c.first_sequence, runs.c.last_sequence)
        .where(runs.c.partials_dropped.is_(False), runs.c.ended_ms < ended_before_ms)
        .limit(limit)
    ).all()
    dropped: list[tuple[str, int]] = []
    for key, number, first, last in due:
        partials = (
            events.c.session_key == key,
            events.c.sequence.between(first, last),
            events.c.partial.is_(True),
        )
        through = connection.execute(
            select(events.c.sequence).where(*partials).order_by(events.c.sequence.desc()).limit(1)
        ).scalar()
        connection.execute(delete(events).where(*partials))
        connection.execute(
            update(runs).where(runs.c.session_key == key, runs.c.number == number).values(partials_dropped=True)
        )
        if through is not None:
            # Runs are dropped in the order of their clock times, which a clock that is set back puts wrong.
            furthest = case((sessions.c.dropped_through < through, through), else_=sessions.c.dropped_through)
            session_id = connection.execute(
                update(sessions).where(sessions.c.key == key).values(dropped_through=furthest).returning(sessions.c.id)
            ).scalar_one()
            dropped.append((session_id, through))
    return len(due), dropped
