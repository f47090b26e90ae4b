"""Writes sessions' logs through the log's own interface: everything that a session decides is decided by the test."""

import uuid
from collections.abc import Iterable
from typing import Any

import msgspec

from holdfast.events import Recorded, envelope
from holdfast.log.appends import Append, Committed, NewRun, NewSession
from holdfast.log.log import Log
from holdfast.state import State
from holdfast.stream.sse import frame
from tests.event_values import AT_MS, recorded


class Author:
    """One session: knows what it has written, and so what every reader must get."""

    def __init__(self, log: Log, *, user_id: str = "ann", session_id: str | None = None) -> None:
        self.log = log
        self.id = session_id or str(uuid.uuid4())
        self.user_id = user_id
        self.key = 0
        self.epoch = 1
        self.state = State()
        self.written: list[Recorded] = []

    @property
    def head(self) -> int:
        return len(self.written)

    def draft(self, *entries: Recorded, **changes: Any) -> Append:
        """What would be appended; nothing has happened yet."""
        state = msgspec.json.decode(msgspec.json.encode(self.state), type=State)
        for entry in entries:
            state.advance(entry)
        append = Append(
            session_id=self.id,
            key=self.key,
            epoch=self.epoch,
            after=self.head,
            entries=list(entries),
            status=state.status or "pending",
            state=msgspec.json.encode(state),
            at_ms=AT_MS,
            over=not state.is_active,
            settled=state.settled,
            ends_run=state.runs if self.state.is_active and not state.is_active else None,
        )
        for name, value in changes.items():
            setattr(append, name, value)
        return append

    async def write(self, *entries: Recorded, **changes: Any) -> Committed:
        committed = await self.log.append(self.draft(*entries, **changes))
        for entry in entries:
            self.state.advance(entry)
            self.written.append(entry)
        self.key = committed.key
        return committed

    async def begin(self, task: str = "Add a test", **changes: Any) -> "Author":
        """The next run: its task, and an agent that is there. Creates the session if it is not there yet."""
        number = self.state.runs + 1
        begin = NewRun(number=number, secret=f"secret {number}", spec=b"{}", agent="demo", workspace="/tmp")
        new = NewSession(id=self.id, user_id=self.user_id, project_id=None, agent="demo", workspace="/tmp")
        create = None if self.written else new
        await self.write(recorded("user_message", text=task), begin=begin, create=create, **changes)
        await self.write(recorded("session_connect"))
        return self

    async def end(self, **changes: Any) -> None:
        await self.write(recorded("session_disconnect"), recorded("agent_complete"), **changes)

    def frames(self, after: int = 0, *, leave_out: Iterable[int] = ()) -> bytes:
        """What a reader must get after a position, byte for byte."""
        numbered = enumerate(self.written[after:], after + 1)
        gone = set(leave_out)
        return b"".join(frame(number, envelope(entry, number)) for number, entry in numbered if number not in gone)

    def partials(self) -> list[int]:
        return [number for number, entry in enumerate(self.written, 1) if entry.partial]
