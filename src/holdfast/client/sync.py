"""The same client for programs without an event loop: the same names, without `await`.

    with Holdfast() as holdfast:
        session = holdfast.run("Say hello", agent="demo")
        for event in session.events():
            ...

It is the asynchronous one, on an event loop in a thread of its own; it may be used by several threads. Ctrl-C ends
whatever is waited for, and leaving a loop closes its connection.
"""

import functools
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from holdfast.client import holdfast as asynchronous
from holdfast.client import session as one
from holdfast.client import stream as streams
from holdfast.client.background import Background, Call
from holdfast.client.events import Event
from holdfast.client.follow import QUIET_S, StreamInfo, StreamState
from holdfast.client.place import Notice

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")
P = ParamSpec("P")

OnState = Callable[[StreamState, StreamInfo], None]
OnNotice = Callable[[Notice], None]


class _Face(Generic[A]):
    """What stands before an asynchronous object; whoever holds one keeps its client open."""

    def __init__(self, inner: A, background: Background, holdfast: "Holdfast | None") -> None:
        self._inner = inner
        self._background = background
        self._holdfast = holdfast

    def __repr__(self) -> str:
        return repr(self._inner)

    def _session(self, session: one.Session) -> "Session":
        return Session(session, self._background, self._holdfast)

    @staticmethod
    def blocking(
        method: Callable[Concatenate[B, P], Coroutine[Any, Any, T]],
    ) -> "Callable[Concatenate[_Face[B], P], T]":
        """The method for who waits."""

        @functools.wraps(method)
        def call(face: _Face[B], /, *args: P.args, **kwargs: P.kwargs) -> T:
            return face._background.wait(lambda: method(face._inner, *args, **kwargs))

        return call

    @staticmethod
    def starting(
        method: Callable[Concatenate[B, P], Coroutine[Any, Any, one.Session]],
    ) -> "Callable[Concatenate[_Face[B], P], Session]":
        """The method for who waits for a session."""

        @functools.wraps(method)
        def call(face: _Face[B], /, *args: P.args, **kwargs: P.kwargs) -> "Session":
            return face._session(face._background.wait(lambda: method(face._inner, *args, **kwargs)))

        return call

    @staticmethod
    def iterating(
        method: Callable[Concatenate[B, P], AsyncIterator[T]],
    ) -> "Callable[Concatenate[_Face[B], P], Iterator[T]]":
        """The method for who waits for one after the other."""

        @functools.wraps(method)
        def call(face: _Face[B], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            found = method(face._inner, *args, **kwargs)
            while (item := face._background.wait(lambda: _next(found))) is not None:
                yield item

        return call


async def _next(iterator: AsyncIterator[T]) -> T | None:
    return await anext(iterator, None)


class EventStream:
    """One reader of a log; see holdfast.client.EventStream. Listeners are called in the thread that reads."""

    def __init__(
        self,
        open_stream: Callable[[OnState, OnNotice], streams.EventStream],
        on_state: OnState | None,
        on_notice: OnNotice | None,
        background: Background,
        holdfast: "Holdfast | None",
    ) -> None:
        self._calls: SimpleQueue[Call] = SimpleQueue()
        self._on_state = on_state
        self._on_notice = on_notice
        self._background = background
        self._holdfast = holdfast
        self._inner = open_stream(self._told_state, self._told_notice)

    @property
    def state(self) -> StreamState:
        return self._inner.state

    @property
    def position(self) -> int | None:
        """The last event that was handed out, for `after`; before there was one, where the stream began."""
        return self._inner.position

    def __iter__(self) -> Iterator[Event]:
        """Event by event."""
        for batch in self._read():
            for event in batch:
                if self._inner.is_closed:
                    return
                self._inner.went_to(event.position)
                yield event

    def batches(self) -> Iterator[list[Event]]:
        """All events that came together, at least one."""
        for batch in self._read():
            self._inner.went_to(batch[-1].position)
            yield batch

    def close(self) -> None:
        """Ends the loop and the connection, also from another thread. Does nothing if it is not being read."""
        self._background.wait(self._inner.aclose)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _read(self) -> Iterator[list[Event]]:
        reading = self._inner.batches(is_handing_out=False)
        try:
            while (batch := self._background.wait(lambda: _next(reading), self._calls)) is not None:
                yield batch
        finally:
            self._background.finish(reading.aclose, self._calls)

    def _told_state(self, state: StreamState, info: StreamInfo) -> None:
        if (listener := self._on_state) is not None:
            self._calls.put(lambda: listener(state, info))

    def _told_notice(self, notice: Notice) -> None:
        if (listener := self._on_notice) is not None:
            self._calls.put(lambda: listener(notice))


class Session(_Face[one.Session]):
    """One session; see holdfast.client.Session."""

    @property
    def id(self) -> str:
        return self._inner.id

    record = _Face.blocking(one.Session.record)
    task = _Face.blocking(one.Session.task)
    resume = _Face.blocking(one.Session.resume)
    fork = _Face.starting(one.Session.fork)
    cancel = _Face.blocking(one.Session.cancel)
    pause = _Face.blocking(one.Session.pause)
    discard = _Face.blocking(one.Session.discard)
    profile = _Face.blocking(one.Session.profile)
    answer = _Face.blocking(one.Session.answer)
    history = _Face.blocking(one.Session.history)
    all_history = _Face.iterating(one.Session.all_history)
    files = _Face.blocking(one.Session.files)
    file = _Face.blocking(one.Session.file)
    file_text = _Face.blocking(one.Session.file_text)
    export = _Face.blocking(one.Session.export)
    end = _Face.blocking(one.Session.end)

    def events(
        self,
        after: int = 0,
        *,
        partials: bool = True,
        give_up_after: float | None = None,
        on_state: OnState | None = None,
        on_notice: OnNotice | None = None,
        quiet_s: float = QUIET_S,
    ) -> EventStream:
        """The events, live, until the session is over; dropped connections are opened again by themselves."""

        def open_stream(tell_state: OnState, tell_notice: OnNotice) -> streams.EventStream:
            return self._inner.events(
                after,
                partials=partials,
                give_up_after=give_up_after,
                on_state=tell_state,
                on_notice=tell_notice,
                quiet_s=quiet_s,
            )

        return EventStream(open_stream, on_state, on_notice, self._background, self._holdfast)


class Holdfast(_Face[asynchronous.Holdfast]):
    """A server; see holdfast.client.Holdfast. `with` (or `close`) closes all its connections."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        user_agent: str = "holdfast-python",
        credential_option: str = "token=",
    ) -> None:
        inner = asynchronous.Holdfast(url, token, user_agent=user_agent, credential_option=credential_option)
        super().__init__(inner, Background(), None)
        # Also when it is forgotten, and at the end of the program.
        self._finalizer = weakref.finalize(self, _shut, inner, self._background)

    @property
    def url(self) -> str:
        return self._inner.url

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return self._inner.is_local

    def close(self) -> None:
        """Ends its streams and closes its connections."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    run = _Face.starting(asynchronous.Holdfast.run)
    find = _Face.starting(asynchronous.Holdfast.find)
    sessions = _Face.blocking(asynchronous.Holdfast.sessions)
    all_sessions = _Face.iterating(asynchronous.Holdfast.all_sessions)
    import_session = _Face.starting(asynchronous.Holdfast.import_session)
    usage = _Face.blocking(asynchronous.Holdfast.usage)
    recoverable = _Face.blocking(asynchronous.Holdfast.recoverable)
    permissions = _Face.blocking(asynchronous.Holdfast.permissions)
    agents = _Face.blocking(asynchronous.Holdfast.agents)
    agent = _Face.blocking(asynchronous.Holdfast.agent)
    check_agent = _Face.blocking(asynchronous.Holdfast.check_agent)
    health = _Face.blocking(asynchronous.Holdfast.health)
    profiles = _Face.blocking(asynchronous.Holdfast.profiles)
    projects = _Face.blocking(asynchronous.Holdfast.projects)
    folders = _Face.blocking(asynchronous.Holdfast.folders)
    me = _Face.blocking(asynchronous.Holdfast.me)
    request = _Face.blocking(asynchronous.Holdfast.request)

    def session(self, session_id: str) -> Session:
        """Asks nothing of the server yet."""
        return self._session(self._inner.session(session_id))

    def _session(self, session: one.Session) -> Session:
        return Session(session, self._background, self)

    def events(
        self,
        after: int | None = None,
        *,
        give_up_after: float | None = None,
        on_state: OnState | None = None,
        on_notice: OnNotice | None = None,
        quiet_s: float = QUIET_S,
    ) -> EventStream:
        """All of the caller's sessions in one stream, from now on or after a position; it never ends by itself."""

        def open_stream(tell_state: OnState, tell_notice: OnNotice) -> streams.EventStream:
            return self._inner.events(
                after, give_up_after=give_up_after, on_state=tell_state, on_notice=tell_notice, quiet_s=quiet_s
            )

        return EventStream(open_stream, on_state, on_notice, self._background, self)


def _shut(inner: asynchronous.Holdfast, background: Background) -> None:
    background.close(inner.aclose)
