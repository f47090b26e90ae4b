"""All that one ACP client is told: of its sessions' logs, of the ends of all sessions, and answers on their way.

It is the same loop as every reader's, over several logs: read what comes after my places; nothing there → wait until
something has moved.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import NamedTuple

import msgspec

from holdfast.dialects import acp_ends, acp_place
from holdfast.dialects.acp_params import abilities
from holdfast.dialects.acp_place import Places, Received
from holdfast.dialects.acp_telling import Listening, Open, Telling
from holdfast.ends import End
from holdfast.entry import Entry, read
from holdfast.http.acp_lines import Lines
from holdfast.http.context import Context
from holdfast.log.acp import AttachedRow, ConnectionRow
from holdfast.sessions.record import state_of
from holdfast.stream.listener import entries
from holdfast.stream.source import SessionSource
from holdfast.times import now_ms

# Ends of sessions are looked for no oftener than this: each commit of anybody might have brought one.
_ENDS_EVERY_S = 0.2
_PAGE = 200
_SEEN_EVERY_MS = 24 * 3600 * 1000


class Out(NamedTuple):
    """One message, and the id that says that it and all before it have come."""

    id: str
    data: bytes


class Part(msgspec.Struct, frozen=True):
    """Which part of it one stream carries: everything, or what belongs to one session, or to none."""

    everything: bool = True
    session_id: str | None = None

    def has(self, session_id: str | None) -> bool:
        return self.everything or self.session_id == session_id


class _Followed:
    """One session's log on its way to the client."""

    def __init__(self, row: AttachedRow, source: SessionSource, telling: Telling, after: int) -> None:
        self.row = row
        self.source = source
        self.telling = telling
        self.position = after

    @property
    def is_over(self) -> bool:
        return self.row.until is not None and self.position >= self.row.until


class Feed:
    def __init__(
        self, context: Context, connection: ConnectionRow, last_id: str | None, part: Part | None = None
    ) -> None:
        self._context = context
        self._lines: Lines = context.acp
        self._connection = connection
        self._part = part or Part()
        given = acp_place.read(connection.id, last_id)
        position = context.log.position
        self._ends = given.ends if given.ends is not None and given.ends <= position else connection.position
        self._answers = given.answers
        self._given = given.sessions
        self._places: dict[int, Received] = dict(given.sessions)
        self._rows: dict[int, AttachedRow] = {}
        self._followed: dict[int, _Followed] = {}
        self._unwatch: dict[str, Callable[[], None]] = {}
        self._moved = asyncio.Event()
        self._rows_changed = self._ends_due = True
        self._ends_timer: asyncio.TimerHandle | None = None
        self._seen_ms = 0
        self.is_gone = False

    @property
    def id(self) -> str:
        """Where the client stands when it has got all that was handed out."""
        ends = self._ends if self._part.has(None) else None
        return acp_place.write(self._connection.id, Places(ends=ends, answers=self._answers, sessions=self._places))

    def leave(self) -> None:
        self.is_gone = True
        self._moved.set()

    async def batches(self) -> AsyncGenerator[list[Out]]:
        """Messages, those that are there together; an empty list each time that nothing came for a heartbeat.

        Ends when the connection is closed, when the server closes its streams and all is told, and once this one has
        left.
        """
        loop = asyncio.get_running_loop()
        spoke_at = loop.time()
        streams, log = self._context.streams, self._context.log
        self._unwatch[""] = self._lines.watch(self._connection.id, self._change)
        if self._part.has(None):
            self._unwatch["*"] = log.watch(None, self._notice_ends)
        with streams.present(self._moved.set):
            try:
                while not self.is_gone and not streams.is_late:
                    await self._be_seen()
                    self._moved.clear()
                    is_last = streams.is_closing
                    self._ends_due = self._ends_due or is_last  # there is no time to wait for several of them
                    found = await self._next()
                    if found is None:
                        return
                    if found:
                        yield found
                        spoke_at = loop.time()
                        await asyncio.sleep(0)  # one that catches up from memory must not keep the loop to itself
                        continue
                    if is_last:
                        return
                    try:
                        async with asyncio.timeout_at(spoke_at + streams.heartbeat_s):
                            await self._moved.wait()
                    except TimeoutError:
                        yield []
                        spoke_at = loop.time()
            finally:
                for unwatch in self._unwatch.values():
                    unwatch()
                if self._ends_timer is not None:
                    self._ends_timer.cancel()

    async def _be_seen(self) -> None:
        """Whoever listens has not gone away, however long it is since it came."""
        if now_ms() - self._seen_ms > _SEEN_EVERY_MS:
            self._seen_ms = now_ms()
            await self._context.log.acp.seen(self._connection.id, self._seen_ms)

    def _change(self) -> None:
        self._rows_changed = True
        self._moved.set()

    def _notice_ends(self) -> None:
        if self._ends_timer is None:
            self._ends_timer = asyncio.get_running_loop().call_later(_ENDS_EVERY_S, self._look_for_ends)

    def _look_for_ends(self) -> None:
        self._ends_timer = None
        self._ends_due = True
        self._moved.set()

    async def _next(self) -> list[Out] | None:
        """Some messages; none if there are none now, None if there will be none any more."""
        found: list[Out] = []
        if self._rows_changed:
            self._rows_changed = False
            if not await self._read_rows():
                return None
            found += await self._read_answers()
        for number, row in self._rows.items():
            followed = self._followed.get(number) or await self._follow(row)
            if followed is not None:
                found += await self._read_log(followed)
        if self._ends_due and self._part.has(None):
            found += await self._read_ends()
        return found

    # Rows

    async def _read_rows(self) -> bool:
        rows = self._context.log.acp
        if await rows.connection(self._connection.id) is None:
            return False
        self._rows = {
            row.number: row for row in await rows.attached(self._connection.id) if self._part.has(row.session_id)
        }
        self._followed = {number: self._followed[number] for number in self._followed.keys() & self._rows.keys()}
        self._places = {number: self._places[number] for number in self._places.keys() & self._rows.keys()}
        for number, followed in self._followed.items():
            followed.row = self._rows[number]
        return True

    async def _read_answers(self) -> list[Out]:
        found: list[Out] = []
        while page := await self._context.log.acp.answers(self._connection.id, self._answers):
            for answer in page:
                self._answers = answer.number
                if self._part.has(answer.session_id):
                    found.append(Out(self.id, answer.body))
        return found

    # Logs

    async def _follow(self, row: AttachedRow) -> _Followed | None:
        """None as long as the session has no task."""
        log = self._context.log
        if row.session_id not in self._unwatch:
            self._unwatch[row.session_id] = log.watch(row.session_id, self._moved.set)
        elif log.head(row.session_id) is None:
            return None  # it was looked for, and nothing has been committed since
        session = await log.read.session(row.session_id)
        if session is None:
            return None
        state = state_of(session)
        head = log.learn(session, over=not state.is_active, settled=state.settled)
        given = self._given.get(row.number)
        if given is not None and given.place.sequence > head.sequence:
            given = None  # of another log
            del self._places[row.number]
        run, first = await log.acp.run_at(session.key, given.place.sequence if given is not None else row.since)
        listening = Listening(
            session_id=row.session_id,
            connection_id=self._connection.id,
            abilities=abilities(self._connection.client),
            since=row.since,
            joined=row.joined,
            load_answer=row.load_answer,
        )
        telling = Telling(
            listening,
            given,
            run=run,
            still_open=Open(session.head, frozenset(state.open_requests)),
            answered=self._lines.answered(self._connection.id),
        )
        source = SessionSource(log, row.session_id, settled=head.settled)
        followed = self._followed[row.number] = _Followed(row, source, telling, first - 1)
        return followed

    async def _read_log(self, followed: _Followed) -> list[Out]:
        found: list[Out] = []
        while not found and not followed.is_over:
            blocks, reached = await followed.source.after(followed.position)
            if reached <= followed.position:
                break
            followed.position = reached
            for block in blocks:
                for entry in entries(block):
                    if followed.row.until is None or entry.sequence <= followed.row.until:
                        found += self._tell(followed, entry)
        return found

    def _tell(self, followed: _Followed, entry: Entry) -> Iterator[Out]:
        if isinstance(entry.data, End):
            self._ends_due = True  # at once: the session's next run may be about to begin
        for received, data in followed.telling.tell(entry):
            self._places[followed.row.number] = received
            yield Out(self.id, data)

    # Ends

    async def _read_ends(self) -> list[Out]:
        log = self._context.log
        self._ends_due = False
        found: list[Out] = []
        through = log.position
        while self._ends < through:
            page = await log.acp.ends(self._connection.user_id, self._ends, through, _PAGE)
            for position, session_id, body in page:
                entry = read(body)
                assert isinstance(entry.data, End)
                if self._is_behind(session_id, entry.sequence):
                    self._ends_due = True
                    return found
                self._ends = position
                found.append(Out(self.id, acp_ends.ended(session_id, entry.data)))
            if len(page) < _PAGE:
                self._ends = through
        return found

    def _is_behind(self, session_id: str, sequence: int) -> bool:
        """Whether this client has yet to hear what came before: nobody is told of an end before the rest."""
        return any(
            followed.row.session_id == session_id and not followed.is_over and followed.position < sequence
            for followed in self._followed.values()
        )
