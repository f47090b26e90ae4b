"""A session: the only writer of its log.

Rule 1: whatever comes passes the life cycle's table here; what the table refuses is not written.
Rule 2: nothing stays open behind an end: tools, requests and texts are closed before the terminal event.
Rule 3: an event of a keeper is written once, however often it is sent.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence

import msgspec
import structlog

from holdfast import events
from holdfast.errors import EventRefused, Fenced, NotFound
from holdfast.events import End, Event, Recorded, UserMessage, record
from holdfast.keeper.ending import Sum
from holdfast.log.appends import Append, Grant, NewRun, NewSession, Request, Transcript
from holdfast.log.log import Log
from holdfast.log.reader import SessionRow
from holdfast.sessions.finals import finals
from holdfast.sessions.policies import project_of
from holdfast.sessions.record import state_of
from holdfast.state import State, decoded
from holdfast.times import now_ms

_encode = msgspec.json.Encoder().encode
_state = msgspec.json.Decoder(State).decode


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What never changes about a session."""

    id: str
    user_id: str
    project: str
    """Under which name its grants are kept."""


class Session:
    def __init__(self, log: Log, identity: Identity, key: int, epoch: int, state: State) -> None:
        self._log = log
        self._key = key
        self._epoch = epoch
        self._head: int = state.head
        self._lock = asyncio.Lock()
        self._over = asyncio.Event()
        self._at_work = asyncio.Event()
        # The state as last written, and whether a write has failed since: then the store may have more than that.
        self._saved: bytes = _encode(state)
        self._stale = False
        # What the agent wants remembered, to be written with the next entries.
        self._transcript: list[Transcript] = []
        self._grants: list[Grant] = []
        self.is_fenced = False
        self._logger = structlog.get_logger("holdfast.session").bind(session_id=identity.id)
        self.id = identity.id
        self.user_id = identity.user_id
        self.project = identity.project
        self.state = state
        self.acknowledged: int = 0
        self._note_over()

    @classmethod
    async def create(
        cls, log: Log, new: NewSession, task: UserMessage, begin: NewRun, request: Request | None
    ) -> "Session":
        """A new session with its first task; raises Fenced if its id exists."""
        identity = Identity(id=new.id, user_id=new.user_id, project=project_of(new.project_id, new.workspace))
        session = cls(log, identity, 0, 1, State())
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
        identity = Identity(id=row.id, user_id=row.user_id, project=project_of(row.project_id, row.workspace))
        session = cls(log, identity, row.key, epoch, state)
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

    async def until_at_work(self, run: int) -> None:
        """Returns when the run's agent has begun to work, or the run is over."""
        while self.state.runs == run and not self._at_work.is_set():
            await self._at_work.wait()

    async def begin(
        self,
        task: UserMessage,
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
            entry = record(task, at_ms)
            self.state.advance(entry)
            await self._append([entry], begin=run, create=create, request=request, acknowledged=0)

    async def emit(self, run: int, *told: Event) -> None:
        """Writes events of our own, all or none; raises EventRefused if one must not come now, or the run is another by
        now."""
        async with self._writing():
            if self.state.runs != run:
                raise EventRefused(f"The session {self.id} is at run {self.state.runs}, not {run}")
            entries: list[Recorded] = []
            for event in told:
                self._advance_into(record(event, now_ms()), entries)
            await self._append(entries)

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
                if entry.type == events.TRANSCRIPT:
                    self._transcript.append(Transcript(run=run, number=index, body=entry.data))
                else:
                    await self._take(entry, entries, before=index - 1)
            ended = run if was_active and not self.state.is_active else None
            await self._append(entries, acknowledged=last, ends_run=ended)
            return last

    async def _take(self, entry: Recorded, entries: list[Recorded], *, before: int) -> None:
        try:
            if entry.type in events.TERMINAL and self.state.is_active:
                await self._take_end(entry, entries, before=before)
            else:
                self._note_grant(self.state.advance(entry))
                entries.append(entry)
        except EventRefused as refusal:
            self._logger.warning("event refused", type=entry.type, reason=str(refusal))

    def _note_grant(self, event: Event) -> None:
        if not isinstance(event, events.PermissionResolved) or event.decision != "allow_project" or not event.rule:
            return
        # PostgreSQL has no place for NUL in a text; what no command can hold anyway need not be allowed for ever.
        if "\0" not in event.rule:
            self._grants.append(Grant(user_id=self.user_id, project=self.project, rule=event.rule))

    async def _take_end(self, end: Recorded, entries: list[Recorded], *, before: int | None) -> None:
        decoded(end)  # one that is refused must not close anything
        if self.state.open_texts:
            # The texts' pieces are read back from the log, so those of this batch must be there first.
            await self._append(entries, acknowledged=before)
            entries.clear()
            for final in await finals(self._log, self._key, self.state):
                self._advance_into(record(final, end.at_ms), entries)
        for event in self.state.closing(end.at_ms, session_id=self.id):
            self._advance_into(record(event, end.at_ms), entries)
        self._advance_into(end, entries)

    def _advance_into(self, entry: Recorded, entries: list[Recorded]) -> None:
        self.state.advance(entry)
        entries.append(entry)

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
            transcript=self._transcript,
            grants=self._grants,
        )
        try:
            committed = await self._log.append(append)
        except Fenced:
            self.is_fenced = True
            raise
        self._key, self._head, self.acknowledged = committed.key, committed.head, append.acknowledged
        self._saved = append.state
        self._transcript, self._grants = [], []
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
                self._transcript, self._grants = [], []
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
        _turn(self._over, is_set=not self.state.is_active)
        _turn(self._at_work, is_set=self.state.agent_started or not self.state.is_active)


def _turn(event: asyncio.Event, *, is_set: bool) -> None:
    if is_set:
        event.set()
    else:
        event.clear()


def sum_of(state: State) -> Sum:
    """What a run came to, as far as the log knows."""
    return Sum(
        started=state.agent_started,
        agent_session_id=state.agent_session_id,
        duration_ms=max(0, now_ms() - state.run_began_ms),
    )
