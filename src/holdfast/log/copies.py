"""Writes the log of a session that ran elsewhere, as it was there: the same numbers, the same times."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, insert, select, update

from holdfast.errors import Fenced
from holdfast.log import schema
from holdfast.log.appends import Committed, NewSession
from holdfast.log.database import Database
from holdfast.log.search import searched

# Instead of a keeper's secret: the run was another server's.
NOT_OURS = ""


class CopiedRun(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    spec: bytes
    first_sequence: int
    last_sequence: int
    ended_ms: int


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """A whole log without partials. It is over: no keeper will ever add to its runs."""

    session: NewSession
    envelopes: Sequence[tuple[int, bytes]]
    runs: Sequence[CopiedRun]
    status: str
    state: bytes
    created_ms: int
    updated_ms: int

    @property
    def head(self) -> int:
        return self.envelopes[-1][0]

    @property
    def dropped_through(self) -> int:
        """The highest number that is not there: where partials were, once."""
        expected = self.head
        for sequence, _ in reversed(self.envelopes):
            if sequence != expected:
                return expected
            expected -= 1
        return expected


def write(connection: Connection, database: Database, copy: Copy) -> Committed:
    """Raises Fenced if there is a session with that id."""
    sessions, new = schema.sessions, copy.session
    if connection.execute(select(sessions.c.key).where(sessions.c.id == new.id)).first():
        raise Fenced(f"The session {new.id} exists already")
    key = connection.execute(
        insert(sessions)
        .values(
            **msgspec.structs.asdict(new),
            status=copy.status,
            head=copy.head,
            owner_epoch=1,
            acknowledged=0,
            dropped_through=copy.dropped_through,
            created_ms=copy.created_ms,
            updated_ms=copy.updated_ms,
            state=copy.state,
            search=searched(copy.state, new.project_id, new.agent, new.workspace, new.id),
        )
        .returning(sessions.c.key)
    ).scalar_one()
    runs = [
        {"session_key": key, "secret": NOT_OURS, "partials_dropped": True, **msgspec.structs.asdict(run)}
        for run in copy.runs
    ]
    connection.execute(insert(schema.runs), runs)
    heads, count = schema.log_head, len(copy.envelopes)
    position = connection.execute(
        update(heads).where(heads.c.id == 1).values(position=heads.c.position + count).returning(heads.c.position)
    ).scalar_one()
    rows = [
        (number, key, sequence, False, body)
        for number, (sequence, body) in enumerate(copy.envelopes, start=position - count + 1)
    ]
    database.insert_events(connection, rows)
    return Committed(new.id, key, copy.head, True, copy.head, [], position, copy.dropped_through)
