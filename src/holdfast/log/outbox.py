"""From the log to deliveries: which events somebody may want to be told of, and the cursors that say how far that went.

Rule: deliveries come to be in the transaction that moves their webhook's cursor, so none is lost and none made twice.
"""

import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, LargeBinary, func, insert, or_, select, update

from holdfast.log import schema
from holdfast.log.deliveries import PENDING
from holdfast.log.webhooks import Ask, Submit, WebhookRow

# So much is read at a time: a request to allow a large edit is as large as the edit.
_PAGE_ROWS = 100
_PAGE_BYTES = 4 * 1024 * 1024
# So many may wait for a receiver. One that takes them more slowly than they come would fill the store.
MOST_WAITING = 10_000

_s, _r, _e = schema.sessions.c, schema.runs.c, schema.events.c
_w, _d = schema.webhooks.c, schema.deliveries.c


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """An event of which somebody may want to be told, with the session that it belongs to."""

    position: int
    session_key: int
    sequence: int
    body: bytes
    session_id: str
    user_id: str
    project_id: str | None
    agent: str
    run: int
    task: str


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be told of an event, to whomever wants to know."""

    position: int
    session_key: int
    session_id: str
    sequence: int
    user_id: str
    project_id: str | None
    type: str
    body: bytes


class Put(NamedTuple):
    """A webhook that got deliveries."""

    webhook_id: str
    disables: str | None
    """Why it gets no more."""


class Outbox:
    def __init__(self, submit: Submit, ask: Ask) -> None:
        self._submit = submit
        self._ask = ask

    async def candidates(self, types: Sequence[str], after: int) -> tuple[list[Candidate], int, bool]:
        """Events of these types after a position, the position that they reach, and whether that is the head."""
        beginnings = [b'{"type":"%b",' % kind.encode() for kind in types]
        one_of = or_(*(func.substr(_e.body, 1, len(start), type_=LargeBinary) == start for start in beginnings))
        columns = (_e.position, _e.session_key, _e.sequence, _e.body, _s.id, _s.user_id, _s.project_id, _s.agent)

        def read(connection: Connection) -> tuple[list[Candidate], int, bool]:
            head = connection.execute(select(schema.log_head.c.position)).scalar_one()
            query = (
                select(*columns)
                .join(schema.sessions, _s.key == _e.session_key)
                .where(_e.position > after, _e.position <= head, _e.partial.is_(False), one_of)
                .order_by(_e.position)
                .limit(_PAGE_ROWS)
            )
            rows: list[Any] = []
            size = 0
            result = connection.execute(query)
            for row in result:
                rows.append(row)
                size += len(row.body)
                if size >= _PAGE_BYTES:
                    break
            result.close()
            found = [found for row in rows if (found := _candidate(connection, row)) is not None]
            if size < _PAGE_BYTES and len(rows) < _PAGE_ROWS:
                return found, max(head, after), True
            return found, rows[-1].position, False

        return await self._ask(read)

    async def put(
        self, drafts: Sequence[Draft], through: int, at_ms: int, *, most_waiting: int = MOST_WAITING
    ) -> list[Put]:
        """Makes the deliveries of all active webhooks up to a position, and moves their cursors there.

        One for which too many wait already is disabled. Answers those that got some.
        """

        def job(connection: Connection) -> list[Put]:
            query = select(*_w).where(_w.active.is_(True), _w.position < through)
            got: list[Put] = []
            for row in connection.execute(query).mappings().all():
                webhook = WebhookRow(**row)
                wanted = [
                    draft
                    for draft in drafts
                    if draft.position > webhook.position and webhook.wants(draft.type, draft.user_id, draft.project_id)
                ]
                for draft in wanted:
                    _insert(connection, webhook.key, draft, at_ms)
                values: dict[str, Any] = {"position": through}
                if wanted:
                    disables = _overflow(connection, webhook.key, most_waiting)
                    got.append(Put(webhook.id, disables))
                    if disables is not None:
                        values |= {"active": False, "disabled": disables, "updated_ms": at_ms}
                connection.execute(update(schema.webhooks).where(_w.key == webhook.key).values(**values))
            return got

        return await self._submit(job)


class _Said(msgspec.Struct):
    text: str = ""
    resume: str | None = None


class _UserMessage(msgspec.Struct):
    data: _Said


_user_message = msgspec.json.Decoder(_UserMessage).decode


class _Spec(msgspec.Struct):
    agent: str | None = None


_spec = msgspec.json.Decoder(_Spec).decode


def _candidate(connection: Connection, row: Any) -> Candidate | None:
    """None if the event was copied from elsewhere: it happened there, and is no news here."""
    # Of the run, not of the session: that may be a run further already.
    query = (
        select(_r.number, _r.secret, _r.spec)
        .where(_r.session_key == row.session_key, _r.first_sequence <= row.sequence)
        .order_by(_r.number.desc())
        .limit(1)
    )
    number, secret, spec = connection.execute(query).one()
    if not secret:
        return None
    return Candidate(
        position=row.position,
        session_key=row.session_key,
        sequence=row.sequence,
        body=bytes(row.body),
        session_id=row.id,
        user_id=row.user_id,
        project_id=row.project_id,
        agent=_spec(spec).agent or row.agent,
        run=number,
        task=_task(connection, row.session_key, number),
    )


def _task(connection: Connection, session_key: int, run: int) -> str:
    """What a run was to do; one that goes on has the task of the one before."""
    query = (
        select(_e.body)
        .join(schema.runs, (_e.session_key == _r.session_key) & (_e.sequence == _r.first_sequence))
        .where(_r.session_key == session_key, _r.number <= run)
        .order_by(_r.number.desc())
    )
    result = connection.execute(query)
    for (body,) in result:
        said = _user_message(body).data
        if said.resume != "continue":
            result.close()
            return said.text
    return ""


def _insert(connection: Connection, webhook_key: int, draft: Draft, at_ms: int) -> None:
    others = select(_d.key).where(
        _d.webhook_key == webhook_key, _d.session_key == draft.session_key, _d.status == PENDING
    )
    must_wait = connection.execute(others.limit(1)).first() is not None
    connection.execute(
        insert(schema.deliveries).values(
            id=f"msg_{uuid.uuid4().hex}",
            webhook_key=webhook_key,
            position=draft.position,
            session_key=draft.session_key,
            session_id=draft.session_id,
            sequence=draft.sequence,
            type=draft.type,
            body=draft.body,
            status=PENDING,
            attempts=0,
            next_ms=None if must_wait else at_ms,
            created_ms=at_ms,
        )
    )


def _overflow(connection: Connection, webhook_key: int, most: int) -> str | None:
    """Why a webhook must not get more; None if it may."""
    waiting = select(_d.key).where(_d.webhook_key == webhook_key, _d.ended_ms.is_(None)).limit(most)
    count = connection.execute(select(func.count()).select_from(waiting.subquery())).scalar_one()
    return f"{most} deliveries wait: the receiver does not take them as fast as they come" if count >= most else None
