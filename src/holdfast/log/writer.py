"""The one writer: a thread that commits whatever has gathered while the last commit ran.

Rule 1: sequence and position are given out here, in the commit, and nowhere else.
Rule 2: an append whose head or epoch no longer holds is refused alone; the others of its batch go on.
Rule 3: an answer is given only after the commit, or after its failure.
"""

import contextlib
import threading
from collections.abc import Callable
from hashlib import sha256
from queue import SimpleQueue
from typing import Any

import msgspec
import structlog
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from holdfast.errors import Fenced, HoldfastError, StoreError, StoreFull
from holdfast.events import envelope
from holdfast.log import schema
from holdfast.log.appends import Append, Committed, Grant, NewRun, Request
from holdfast.log.database import Database, EventRow, store_errors
from holdfast.log.search import searched
from holdfast.log.tail import BLOCK_BYTES, Block

# A batch is bounded so that one flood does not make everybody wait for a giant commit.
_BATCH_EVENTS = 20_000

Frame = Callable[[int, bytes], bytes]


Job = Callable[[Connection], Any]
# What each piece of work came to: Committed, a job's value, or the HoldfastError that it met.
Answers = list[tuple[object, Any]]


class Writer:
    """`deliver` is called in the writer's thread with all answers of a batch, once it is committed."""

    def __init__(
        self,
        database: Database,
        frame: Frame,
        deliver: Callable[[Answers], None],
    ) -> None:
        self._database = database
        self._frame = frame
        self._deliver = deliver
        self._queue: SimpleQueue[tuple[object, Append | Job] | None] = SimpleQueue()
        self._log = structlog.get_logger("holdfast.log")
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._work, name="holdfast-writer", daemon=True)
        self._thread.start()

    def submit(self, ticket: object, work: "Append | Job") -> None:
        self._queue.put((ticket, work))

    def close(self) -> None:
        """Commits what has been submitted, then ends the thread."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        open_ = True
        while open_:
            batch: list[tuple[object, Append | Job]] = []
            count = 0
            item = self._queue.get()
            while True:
                if item is None:
                    open_ = False
                    break
                batch.append(item)
                count += len(item[1].entries) if isinstance(item[1], Append) else 1
                if count >= _BATCH_EVENTS or self._queue.empty():
                    break
                item = self._queue.get()
            if batch:
                self._deliver(self._commit(batch))
        self._disconnect()

    def _connect(self) -> Connection:
        """The writer's own connection, held for good: to take one from a pool costs more than a small commit."""
        if self._connection is None:
            self._connection = self._database.writing.connect()
        return self._connection

    def _disconnect(self) -> None:
        """After a failure: whatever state the connection is in, the next commit begins on a fresh one."""
        if self._connection is not None:
            with contextlib.suppress(SQLAlchemyError):
                self._connection.close()
            self._connection = None

    def _commit(self, batch: list[tuple[object, Append | Job]]) -> Answers:
        try:
            return self._transact(batch)
        except HoldfastError as error:
            self._disconnect()
            if len(batch) == 1 or _is_of_the_store(error):
                return [(ticket, error) for ticket, _ in batch]
        except Exception as error:  # the thread must outlive any defect: without it nothing is ever written
            self._log.exception("commit failed")
            self._disconnect()
            if len(batch) == 1:
                return [(batch[0][0], StoreError(f"The store did not work: {error!r}"))]
        # One of them could not be written: each for itself, so that only that one hears of it.
        return [answer for single in batch for answer in self._commit([single])]

    def _transact(self, batch: list[tuple[object, Append | Job]]) -> Answers:
        answers: Answers = []
        rows: list[tuple[int, int, bool, bytes]] = []
        with store_errors("writing"), contextlib.ExitStack() as stack:
            connection = self._connect()
            stack.enter_context(connection.begin())
            for ticket, work in batch:
                try:
                    answers.append((ticket, self._apply(connection, work, rows)))
                except Fenced as error:
                    answers.append((ticket, error))
            if rows:
                self._insert(connection, rows, answers)
        return answers

    def _insert(
        self,
        connection: Connection,
        rows: list[tuple[int, int, bool, bytes]],
        answers: Answers,
    ) -> None:
        moved = connection.exec_driver_sql(
            f"update log_head set position = position + {self._database.mark} where id = 1 returning position",  # noqa: S608
            (len(rows),),
        ).scalar_one()
        position = moved - len(rows)
        numbered: list[EventRow] = []
        for row in rows:
            position += 1
            numbered.append((position, *row))
        self._database.insert_events(connection, numbered)
        for _, answer in answers:
            if isinstance(answer, Committed):
                answer.position = moved

    def _apply(self, connection: Connection, work: "Append | Job", rows: list[tuple[int, int, bool, bytes]]) -> Any:
        if not isinstance(work, Append):
            return work(connection)
        return self._append(connection, work, rows)

    def _append(self, connection: Connection, append: Append, rows: list[tuple[int, int, bool, bytes]]) -> Committed:
        head = append.after + len(append.entries)
        key = self._create(connection, append, head) if append.create else self._move(connection, append, head)
        if append.request is not None:
            insert_request(connection, append.request, append.at_ms)
        if append.begin is not None:
            if append.create is None:
                self._rename(connection, key, append, append.begin)
            connection.execute(
                insert(schema.runs).values(
                    session_key=key,
                    number=append.begin.number,
                    secret=append.begin.secret,
                    spec=append.begin.spec,
                    first_sequence=append.after + 1,
                )
            )
        if append.ends_run is not None:
            runs = schema.runs
            connection.execute(
                update(runs)
                .where(runs.c.session_key == key, runs.c.number == append.ends_run)
                .values(ended_ms=append.at_ms, last_sequence=head)
            )
        if append.transcript:
            values = [{"session_key": key, **msgspec.structs.asdict(piece)} for piece in append.transcript]
            connection.execute(insert(schema.transcripts), values)
        for grant in append.grants:
            insert_grant(connection, grant, append.at_ms)
        return Committed(append.session_id, key, head, append.over, append.settled, self._encode(append, key, rows))

    def _create(self, connection: Connection, append: Append, head: int) -> int:
        new = append.create
        assert new is not None
        if connection.execute(select(schema.sessions.c.key).where(schema.sessions.c.id == new.id)).first():
            raise Fenced(f"The session {new.id} exists already")
        return connection.execute(
            insert(schema.sessions)
            .values(
                id=new.id,
                user_id=new.user_id,
                project_id=new.project_id,
                agent=new.agent,
                workspace=new.workspace,
                status=append.status,
                head=head,
                owner_epoch=append.epoch,
                acknowledged=append.acknowledged,
                created_ms=append.at_ms,
                updated_ms=append.at_ms,
                state=append.state,
                search=searched(append.state, new.project_id, new.agent, new.workspace, new.id),
            )
            .returning(schema.sessions.c.key)
        ).scalar_one()

    def _rename(self, connection: Connection, key: int, append: Append, run: NewRun) -> None:
        """What a new run may change of a session besides its state: its agent, its workspace, what it is found by."""
        sessions = schema.sessions
        project_id = connection.execute(select(sessions.c.project_id).where(sessions.c.key == key)).scalar_one()
        search = searched(append.state, project_id, run.agent, run.workspace, append.session_id)
        connection.execute(
            update(sessions)
            .where(sessions.c.key == key)
            .values(agent=run.agent, workspace=run.workspace, search=search)
        )

    def _move(self, connection: Connection, append: Append, head: int) -> int:
        mark = self._database.mark
        moved = connection.exec_driver_sql(
            f"update sessions set head = {mark}, status = {mark}, state = {mark}, acknowledged = {mark}, "  # noqa: S608
            f"updated_ms = {mark} "
            f"where key = {mark} and head = {mark} and owner_epoch = {mark}",
            (
                *(head, append.status, append.state, append.acknowledged, append.at_ms),
                *(append.key, append.after, append.epoch),
            ),
        )
        if moved.rowcount != 1:
            raise Fenced(f"The session {append.session_id} has another writer, or its head is not {append.after}")
        return append.key

    def _encode(self, append: Append, key: int, rows: list[tuple[int, int, bool, bytes]]) -> list[Block]:
        blocks: list[Block] = []
        frames: list[bytes] = []
        size = 0
        after = sequence = append.after
        for entry in append.entries:
            sequence += 1
            body = envelope(entry, sequence)
            rows.append((key, sequence, entry.partial, body))
            frame = self._frame(sequence, body)
            frames.append(frame)
            size += len(frame)
            if size >= BLOCK_BYTES:
                blocks.append(Block(after, sequence, b"".join(frames)))
                frames, size, after = [], 0, sequence
        if frames:
            blocks.append(Block(after, sequence, b"".join(frames)))
        return blocks


def _is_of_the_store(error: HoldfastError) -> bool:
    """Locked or out of reach: it would meet each of a batch alike, and each after the same long wait."""
    cause = error.__cause__
    return isinstance(cause, OperationalError) and not cause.connection_invalidated and not isinstance(error, StoreFull)


def insert_request(connection: Connection, request: Request, at_ms: int) -> None:
    connection.execute(
        insert(schema.requests).values(
            user_id=request.user_id,
            idempotency_key=request.key,
            fingerprint=request.fingerprint,
            answer=request.answer,
            created_ms=at_ms,
        )
    )


def insert_grant(connection: Connection, grant: Grant, at_ms: int) -> None:
    """Does nothing if it was granted before."""
    grants = schema.grants
    digest = sha256(msgspec.json.encode(grant)).hexdigest()
    if connection.execute(select(grants.c.digest).where(grants.c.digest == digest)).first() is None:
        connection.execute(insert(grants).values(digest=digest, **msgspec.structs.asdict(grant), created_ms=at_ms))
