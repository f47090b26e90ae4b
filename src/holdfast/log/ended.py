"""The terminal events of runs that have ended: what usage is counted from."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, and_, select

from holdfast.log import schema
from holdfast.log.copies import NOT_OURS

_s, _r, _e = schema.sessions.c, schema.runs.c, schema.events.c
_PAGE = 1_000


class EndedRun(NamedTuple):
    session_id: str
    project_id: str | None
    number: int
    ended_ms: int
    spec: bytes
    envelope: bytes


def ends_of(connection: Connection, session_key: int) -> list[bytes]:
    """The envelopes with which the runs of a session have ended."""
    query = (
        select(_e.body)
        .join(schema.runs, and_(_e.session_key == _r.session_key, _e.sequence == _r.last_sequence))
        .where(_r.session_key == session_key)
        .order_by(_r.number)
    )
    return [bytes(row[0]) for row in connection.execute(query)]


def ended_runs(connection: Connection, user_id: str, since_ms: int, until_ms: int) -> Iterator[EndedRun]:
    """The user's runs that ended from `since_ms` on and before `until_ms`; those that were copied ran elsewhere."""
    query = (
        select(_s.id, _s.project_id, _r.number, _r.ended_ms, _r.spec, _e.body)
        .select_from(schema.runs)
        .join(schema.sessions, _s.key == _r.session_key)
        .join(schema.events, and_(_e.session_key == _r.session_key, _e.sequence == _r.last_sequence))
        .where(_s.user_id == user_id, _r.ended_ms >= since_ms, _r.ended_ms < until_ms, _r.secret != NOT_OURS)
    )
    for row in connection.execution_options(yield_per=_PAGE).execute(query):
        yield EndedRun(row[0], row[1], row[2], row[3], bytes(row[4]), bytes(row[5]))
