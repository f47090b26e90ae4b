"""A session: the only writer of its log.

Rule 1: whatever comes passes the life cycle's table here; what the table refuses is not written.
Rule 2: nothing stays open behind an end: tools, requests and texts are closed before the terminal event.
Rule 3: an event of a keeper is written once, however often it is sent.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

import msgspec
import structlog

from holdfast import events
from holdfast.agents.acp_events import bounded
from holdfast.errors import EventRefused, Fenced, NotFound
from holdfast.events import End, Event, Recorded, record
from holdfast.log.log import Log
from holdfast.log.reader import SessionRow
from holdfast.log.writer import Append, NewRun, NewSession, Request
from holdfast.sessions.record import state_of
from holdfast.state import State, decoded

_encode = msgspec.json.Encoder().encode
_state = msgspec.json.Decoder(State).decode


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class _Envelope(msgspec.Struct):
    type: str
    data: msgspec.Raw
    sequence: int


_envelope = msgspec.json.Decoder(_Envelope).decode


class Session:
    def __init__(self, log: Log, session_id: str, user_id: str, key: int, epoch: int, state: State) -> None:
        self._log = log
        self._key = key
        self._epoch = epoch
        self._head: int = state.head
        self._lock = asyncio.Lock()
        self._over = asyncio.Event()
        # The state as last written, and whether a write has failed since: then the store may have more than that.
        self._saved: bytes = _encode(state)
        self._stale = False
        self.is_fenced = False
        self._logger = structlog.get_logger("holdfast.session").bind(session_id=session_id)
        self.id = session_id
        self.user_id = user_id
        self.state = state
        self.acknowledged: int = 0
        self._note_over()

    @classmethod
    async def create(cls, log: Log, new: NewSession, task: str, begin: NewRun, request: Request | None) -> "Session":
        """A new session with its first task; raises Fenced if its id exists."""
        session = cls(log, new.id, new.user_id, 0, 1, State())
        await session.begin(task, begin, request, create=new)
        return session

    @classmethod
    async def load(cls, log: Log, row: SessionRow) -> "Session":
        """Takes over a session that the store knows: from now on we are its writer."""
        epoch = await log.claim(row.key)
        fresh = await log.read.session(row.id)
        assert fresh is not None
        state = state_of(fresh)
        log.learn(fresh, over=not state.is_active, settled=state.settled)
        session = cls(log, row.id, row.user_id, row.key, epoch, state)
        session.acknowledged = fresh.acknowledged
        return session

    @property
    def run(self) -> int:
        return self.state.runs

    @property
    def is_active(self) -> bool:
        return self.state.is_active

    async def until_over(self) -> None:
        await self._over.wait()

    async def written(self) -> None:
        """Returns when the store has all that the state says."""
        async with self._writing():
            pass

    async def begin(
        self,
        task: str,
        run: NewRun,
        request: Request | None,
        *,
        create: NewSession | None = None,
        refuse: Callable[[], None] | None = None,
    ) -> None:
        """The next run: its task goes into the log. `refuse` may raise, under the lock, if it must not be."""
        async with self._writing():
            if refuse is not None:
                refuse()
            at_ms = now_ms()
            entry = record(events.UserMessage(text=task), at_ms)
            self.state.advance(entry)
            await self._append([entry], begin=run, create=create, request=request, acknowledged=0)

    async def emit(self, run: int, event: Event) -> None:
        """Writes one event of our own; raises EventRefused if it must not come now, or the run is another by now."""
        async with self._writing():
            if self.state.runs != run:
                raise EventRefused(f"The session {self.id} is at run {self.state.runs}, not {run}")
            entry = record(event, now_ms())
            self.state.advance(entry)
            await self._append([entry])

    async def end(self, run: int, make: Callable[[State], End]) -> bool:
        """States the end of a run that did not state its own; false if it has ended already."""
        async with self._writing():
            if not self.state.is_active or self.state.runs != run:
                return False
            entries: list[Recorded] = []
            await self._take_end(record(make(self.state), now_ms()), entries, before=None)
            await self._append(entries, ends_run=run)
            return True

    async def ingest(self, run: int, first: int, recorded: Sequence[Recorded]) -> int:
        """Writes a keeper's events and answers the index up to which they are safe now."""
        async with self._writing():
            if run != self.state.runs:
                raise NotFound(f"The session {self.id} is at run {self.state.runs}, not {run}")
            if first > self.acknowledged + 1:
                raise NotFound(f"Events {self.acknowledged + 1} to {first - 1} of run {run} are missing")
            last = first + len(recorded) - 1
            if last <= self.acknowledged:
                return self.acknowledged
            fresh = recorded[self.acknowledged + 1 - first :]
            was_active = self.state.is_active
            entries: list[Recorded] = []
            for index, entry in enumerate(fresh, self.acknowledged + 1):
                await self._take(entry, entries, before=index - 1)
            ended = run if was_active and not self.state.is_active else None
            await self._append(entries, acknowledged=last, ends_run=ended)
            return last

    async def _take(self, entry: Recorded, entries: list[Recorded], *, before: int) -> None:
        try:
            if entry.type in events.TERMINAL and self.state.is_active:
                await self._take_end(entry, entries, before=before)
            else:
                self.state.advance(entry)
                entries.append(entry)
        except EventRefused as refusal:
            self._logger.warning("event refused", type=entry.type, reason=str(refusal))

    async def _take_end(self, end: Recorded, entries: list[Recorded], *, before: int | None) -> None:
        decoded(end)  # one that is refused must not close anything
        if self.state.open_texts:
            # The texts' pieces are read back from the log, so those of this batch must be there first.
            await self._append(entries, acknowledged=before)
            entries.clear()
            for final in await self._finals():
                self._advance_into(record(final, end.at_ms), entries)
        for event in self.state.closing(end.at_ms, session_id=self.id):
            self._advance_into(record(event, end.at_ms), entries)
        self._advance_into(end, entries)

    def _advance_into(self, entry: Recorded, entries: list[Recorded]) -> None:
        self.state.advance(entry)
        entries.append(entry)

    async def _finals(self) -> list[Event]:
        """The finals of texts whose writer died in the middle: what was seen of them, no more."""
        texts: dict[tuple[str, str | None], list[str]] = {}
        for body in await self._log.read.envelopes(self._key, self.state.settled):
            envelope = _envelope(body)
            if envelope.type not in ("message", "thinking"):
                continue
            text: Any = msgspec.json.decode(envelope.data, type=events.TYPES[envelope.type])
            open_since = self.state.open_texts.get(f"{envelope.type} {text.parent_id or ''}")
            if text.is_partial and open_since is not None and envelope.sequence >= open_since:
                texts.setdefault((envelope.type, text.parent_id), []).append(text.text)
        finals: list[Event] = []
        for (kind, parent_id), pieces in texts.items():
            whole = bounded("".join(pieces))
            make = events.Message if kind == "message" else events.Thinking
            finals.append(make(text=whole, full_text=whole, is_partial=False, parent_id=parent_id))
        return finals

    async def _append(
        self,
        entries: Sequence[Recorded],
        *,
        create: NewSession | None = None,
        begin: NewRun | None = None,
        request: Request | None = None,
        acknowledged: int | None = None,
        ends_run: int | None = None,
    ) -> None:
        assert self.state.status is not None
        append = Append(
            session_id=self.id,
            key=self._key,
            epoch=self._epoch,
            after=self._head,
            entries=list(entries),
            status=self.state.status,
            state=_encode(self.state),
            at_ms=now_ms(),
            over=not self.state.is_active,
            settled=self.state.settled,
            create=create,
            begin=begin,
            request=request,
            acknowledged=self.acknowledged if acknowledged is None else acknowledged,
            ends_run=ends_run,
        )
        try:
            committed = await self._log.append(append)
        except Fenced:
            self.is_fenced = True
            raise
        self._key, self._head, self.acknowledged = committed.key, committed.head, append.acknowledged
        self._saved = append.state
        self._note_over()

    @contextlib.asynccontextmanager
    async def _writing(self) -> AsyncGenerator[None]:
        """One writer at a time, on a state that the store agrees with; what was not written has not happened."""
        async with self._lock:
            if self._stale:
                await self._reload()
            try:
                yield
            except BaseException:
                self.state = _state(self._saved)
                self._stale = True
                raise

    async def _reload(self) -> None:
        row = await self._log.read.session(self.id)
        if row is not None:
            self.state, self._saved = state_of(row), row.state
            self._head = row.head
            self.acknowledged = row.acknowledged
            self._note_over()
        self._stale = False

    def _note_over(self) -> None:
        if self.state.is_active:
            self._over.clear()
        else:
            self._over.set()
