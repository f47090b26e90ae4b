"""Event streams that resume by themselves, as async iterables: event by event, or all that came together."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from types import TracebackType
from typing import Generic, Self, TypeVar

from holdfast.client.events import Event
from holdfast.client.follow import Follow, StreamState

T = TypeVar("T")


class EventStream:
    """One reader of a log.

    It connects when it is iterated and lives until the loop is left; iterated again, it goes on behind the last event
    that was handed out. Dropped connections are opened again without the loop noticing. `async with` (or `aclose`)
    closes the connection before the next line is run; a loop that is left without it closes its connection as soon as
    the event loop comes round.
    """

    def __init__(self, begin: Callable[[int | None], Follow], under_way: set[Follow], after: int | None) -> None:
        self._begin = begin
        self._under_way = under_way
        self._position = after
        self._follow: Follow | None = None

    @property
    def state(self) -> StreamState:
        return self._follow.state if self._follow else "idle"

    @property
    def position(self) -> int | None:
        """The last event that was handed out, for `after`; before there was one, where the stream began."""
        if self._position is None and self._follow:
            return self._follow.after
        return self._position

    def __aiter__(self) -> AsyncIterator[Event]:
        """Event by event."""
        follow = self._enter()
        return Reading(self._events(follow), follow)

    def batches(self, *, is_handing_out: bool = True) -> "Reading[list[Event]]":
        """All events that came together, at least one: where thousands come in a second, it costs less.

        Whoever hands them out one by one says so, and where each time (`went_to`).
        """
        follow = self._enter()
        return Reading(self._batches(follow, is_handing_out=is_handing_out), follow)

    def went_to(self, position: int) -> None:
        self._position = position

    @property
    def is_closed(self) -> bool:
        """Whether nobody reads it, or whoever does is to leave."""
        return self._follow is None or self._follow.is_closed

    def close(self) -> None:
        """Ends the loop, whoever runs it; the connection is closed when that loop is left."""
        if self._follow:
            self._follow.close()

    async def aclose(self) -> None:
        """Ends the loop and the connection. Does nothing if it is not being read."""
        if self._follow:
            await self._leave(self._follow)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _events(self, follow: Follow) -> AsyncGenerator[Event, None]:
        try:
            while (batch := await follow.next()) is not None:
                for event in batch:
                    if follow.is_closed:
                        return
                    self._position = event.position
                    yield event
        finally:
            await self._leave(follow)

    async def _batches(self, follow: Follow, *, is_handing_out: bool) -> AsyncGenerator[list[Event], None]:
        try:
            while (batch := await follow.next()) is not None:
                if is_handing_out:
                    self._position = batch[-1].position
                yield batch
        finally:
            await self._leave(follow)

    def _enter(self) -> Follow:
        if self._follow and not self._follow.is_closed:
            raise RuntimeError("This stream is being read already; make another one.")
        self._follow = self._begin(self.position)
        self._under_way.add(self._follow)
        return self._follow

    async def _leave(self, follow: Follow) -> None:
        self._under_way.discard(follow)
        await follow.aclose()


class Reading(Generic[T]):
    """A loop over a stream. When it is dropped the stream counts as left at once, so that it can be read again; the
    generator in it, and with it the connection, is closed by the event loop."""

    def __init__(self, generator: AsyncGenerator[T, None], follow: Follow) -> None:
        self._generator = generator
        self._follow = follow
        self._is_running = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        self._is_running = True
        try:
            return await anext(self._generator)
        finally:
            self._is_running = False

    async def aclose(self) -> None:
        await self._follow.aclose()
        # One that runs, in another task, ends by itself: there is nothing more to read.
        if not self._is_running:
            await self._generator.aclose()

    def __del__(self) -> None:
        if hasattr(self, "_follow"):  # Ctrl-C may fall into the making of one, which is dropped all the same
            self._follow.abandon()
