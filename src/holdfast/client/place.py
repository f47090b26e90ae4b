"""Where a reader stands in a log: lets each event pass once, in order, and notices when some are missing. Pure."""

from typing import Any, Literal, Protocol

import msgspec

from holdfast.client.events import Event, event_of
from holdfast.client.sse import Frame


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What a stream says about itself: where it stands, when it is opened, or that the server is about to stop."""

    resume: Literal["ok", "gap", "reset"] | None = None
    """`gap`: numbers after the position are no longer there; `reset`: everything comes again from the beginning."""
    after: int = 0
    head: int = 0
    """Where the log stood when the stream was opened."""
    closing: str | None = None


class Fault(Exception):
    """The connection is of no more use: events are missing in it."""


class Taken(msgspec.Struct):
    """What came of some frames, in order."""

    events: list[Event]
    notices: list[Notice]
    fault: Exception | None = None
    """Why the rest was not taken: a Fault, or ValueError or RecursionError if what came is no event."""


class Place(Protocol):
    @property
    def after(self) -> int | None:
        """The last position that was received; None before the combined stream has told where it begins."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the last run that was seen has ended: then the proper end of the stream is that of the session."""
        ...

    def take(self, frames: list[Frame]) -> Taken: ...


class SessionPlace:
    def __init__(self, session_id: str, after: int, *, partials: bool) -> None:
        self.after = after
        self._has_ended = False
        # Where the log stood when the stream was opened: before that no run's end is the session's.
        self._head = 0
        self._session_id = session_id
        self._partials = partials
        # Up to here numbers may be missing: the server has said so.
        self._sparse_to = 0

    @property
    def is_over(self) -> bool:
        return self._has_ended and self.after >= self._head

    def take(self, frames: list[Frame]) -> Taken:
        return _taken(self, frames)

    def heard(self, notice: Notice) -> None:
        if notice.resume is None:
            return
        self._head = notice.head
        self._sparse_to = notice.head if notice.resume == "gap" else 0
        if notice.resume == "reset":
            self.after, self._has_ended = notice.after, False

    def next(self, frame: Frame) -> Event | None:
        event = event_of(frame.data, self._session_id, None)
        number = event.sequence
        # Never twice, whatever stands between us and the server.
        if number <= self.after:
            return None
        if self._partials and number > self.after + 1 and number > self._sparse_to + 1:
            raise Fault(f"The events {self.after + 1} to {number - 1} did not come")
        self.after = number
        if event.is_terminal:
            self._has_ended = True
        elif event.type == "user_message":
            self._has_ended = False
        return event


class CombinedPlace:
    """The combined stream: other users' events have positions too, so that some are always missing."""

    is_over = False

    def __init__(self, after: int | None) -> None:
        self.after = after

    def take(self, frames: list[Frame]) -> Taken:
        return _taken(self, frames)

    def heard(self, notice: Notice) -> None:
        # Also if no position was given: a connection that drops before the first event goes on from where it began.
        if notice.resume == "reset" or (notice.resume is not None and self.after is None):
            self.after = notice.after

    def next(self, frame: Frame) -> Event | None:
        event = event_of(frame.data, None, int(frame.id or ""))
        if self.after is not None and event.position <= self.after:
            return None
        self.after = event.position
        return event


class _Taking(Protocol):
    def heard(self, notice: Notice) -> None: ...
    def next(self, frame: Frame) -> Event | None: ...


_notice: Any = msgspec.json.Decoder(Notice).decode


def _taken(place: _Taking, frames: list[Frame]) -> Taken:
    taken = Taken([], [])
    try:
        for frame in frames:
            if frame.event == "message":
                if (event := place.next(frame)) is not None:
                    taken.events.append(event)
            elif frame.event == "stream":
                notice = _notice(frame.data)
                place.heard(notice)
                taken.notices.append(notice)
    except (Fault, ValueError, RecursionError) as fault:
        taken.fault = fault
    return taken
