"""A session as a file, and back: JSON Lines, first what it is, then its events without partials.

Rule 1: what comes in is judged by the same table as what agents say (state.py); a file that no Holdfast can have
written is refused with the number of the line.
Rule 2: a copy says that it is one: its last event is `imported`. What its agent remembered is not in the file.
"""

import asyncio
from collections.abc import Iterator
from datetime import datetime
from typing import Literal

import msgspec

from holdfast.config import Settings
from holdfast.errors import BadRequest, EventRefused, Fenced
from holdfast.events import TERMINAL, Imported, Recorded, UserMessage, envelope, is_partial, record
from holdfast.log.appends import NewSession
from holdfast.log.copies import CopiedRun, Copy
from holdfast.log.log import Log
from holdfast.sessions.ids import deterministic_session_id, random_session_id
from holdfast.sessions.once import Once, known_answer
from holdfast.sessions.orders import Order, session_folder
from holdfast.sessions.record import Record
from holdfast.state import State, decoded
from holdfast.times import now_ms, timestamp

FORMAT = 1


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    holdfast: Literal[1]
    exported_at: str
    session: "ExportedSession"


class ExportedSession(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What of a record the events do not say."""

    session_id: str
    agent: str
    created_at: str
    project_id: str | None = None


class _Line(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    type: str
    data: msgspec.Raw
    timestamp: str
    sequence: int


def heading(session: Record) -> bytes:
    given = ExportedSession(
        session_id=session.session_id,
        agent=session.agent,
        created_at=session.created_at,
        project_id=session.project_id,
    )
    return msgspec.json.encode(Heading(holdfast=FORMAT, exported_at=timestamp(now_ms()), session=given)) + b"\n"


async def take_in(log: Log, settings: Settings, user_id: str, text: bytes, once: Once | None) -> bytes:
    """Writes the session of a file into the log, under its own id if that is free, else under a new one; answers what
    the client gets to hear."""
    known = await known_answer(log, once)
    if known is not None:
        return known
    given, entries = await asyncio.to_thread(_parsed, text)
    session_id, project_id = given.session.session_id, given.session.project_id
    while True:
        if await log.read.session(session_id) is not None:
            # A project has one session, and it is not this one.
            session_id, project_id = random_session_id(), None
        # The workspace that the file's session had is on another machine.
        workspace = str(session_folder(settings, session_id) / "workspace")
        new = NewSession(
            id=session_id, user_id=user_id, project_id=project_id, agent=given.session.agent, workspace=workspace
        )
        copy = await asyncio.to_thread(_copy, new, given, entries)
        answer = msgspec.json.encode({"session_id": session_id, "status": copy.status})
        try:
            await log.copy_in(copy, None if once is None else once.answered(answer))
        except Fenced:
            continue  # somebody was faster with that id
        return answer


def _parsed(text: bytes) -> tuple[Heading, list[tuple[int, Recorded]]]:
    lines = text.splitlines()
    if not lines:
        raise BadRequest("The file is empty; the first line of an exported session says what it is")
    try:
        given = msgspec.json.decode(lines[0], type=Heading)
        _milliseconds(given.exported_at)
        _milliseconds(given.session.created_at)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"Line 1 is not the first line of an exported session: {error}") from error
    _check_names(given.session)
    return given, list(_entries(lines))


def _check_names(session: ExportedSession) -> None:
    for name, value, most in (
        ("session_id", session.session_id, 100),
        ("agent", session.agent, 200),
        ("project_id", "-" if session.project_id is None else session.project_id, 500),
    ):
        # They become names in a store and of folders.
        if not 1 <= len(value) <= most or not value.isprintable() or (name == "session_id" and not _is_plain(value)):
            raise BadRequest(f"Line 1: {value[:100]!r} cannot be the {name} of a session")
    project_id = session.project_id
    if project_id is not None and session.session_id != deterministic_session_id(project_id):
        # A project has one session, whose id follows from its own.
        raise BadRequest(f"Line 1: the session {session.session_id} is not that of the project {project_id[:100]!r}")


def _is_plain(value: str) -> bool:
    return value.isascii() and value.replace("-", "").replace("_", "").isalnum()


def _entries(lines: list[bytes]) -> Iterator[tuple[int, Recorded]]:
    last = 0
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        try:
            given = msgspec.json.decode(line, type=_Line)
            raw = Recorded(given.type, bytes(given.data), _milliseconds(given.timestamp))
            event = decoded(raw)
        except (ValueError, RecursionError, EventRefused) as error:
            raise BadRequest(f"Line {number} is no event: {error}") from error
        if not last < given.sequence < 2**62:
            raise BadRequest(f"Line {number}: the sequence {given.sequence} does not come after {last}")
        if is_partial(event):
            raise BadRequest(f"Line {number} is a partial; a file has finals only")
        last = given.sequence
        # Encoded anew: what is stored is what our types say, and nothing beside it.
        yield given.sequence, record(event, raw.at_ms)


def _milliseconds(text: str) -> int:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or not 1970 <= moment.year <= 9000:
        raise ValueError(f"{text!r} is no time in UTC")
    return round(moment.timestamp() * 1000)


def _copy(new: NewSession, given: Heading, entries: list[tuple[int, Recorded]]) -> Copy:
    state = State()
    envelopes: list[tuple[int, bytes]] = []
    runs: list[CopiedRun] = []
    first = 0
    for sequence, recorded in entries:
        # The numbers of dropped partials are not in the file, and still are nobody else's.
        state.head = sequence - 1
        try:
            event = state.advance(recorded)
        except EventRefused as error:
            raise BadRequest(f"The event {sequence} cannot be where it is: {error}") from error
        envelopes.append((sequence, envelope(recorded, sequence)))
        if isinstance(event, UserMessage):
            first = sequence
        elif recorded.type in TERMINAL:
            runs.append(
                CopiedRun(
                    number=state.runs,
                    spec=_order(new, state.task),
                    first_sequence=first,
                    last_sequence=sequence,
                    ended_ms=recorded.at_ms,
                )
            )
    if not envelopes or state.is_active:
        what = f"is {state.status}" if envelopes else "has no events"
        raise BadRequest(f"The session in the file {what}; one can be imported when its last run has ended")
    at_ms = now_ms()
    last = record(
        Imported(from_session_id=given.session.session_id, exported_at=given.exported_at, by=new.user_id), at_ms
    )
    state.advance(last)
    envelopes.append((state.head, envelope(last, state.head)))
    assert state.status is not None
    return Copy(
        session=new,
        envelopes=envelopes,
        runs=runs,
        status=state.status,
        state=msgspec.json.encode(state),
        created_ms=_milliseconds(given.session.created_at),
        updated_ms=at_ms,
    )


def _order(new: NewSession, task: str) -> bytes:
    """What its next run goes on from."""
    return msgspec.json.encode(Order(agent=new.agent, workspace=new.workspace, text=task, shown=task))
