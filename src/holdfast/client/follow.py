"""Follows a log through lost connections and restarts: each event once, in order.

Position is all there is to it: whatever breaks, the next connection asks for what comes after the last event that was
received, and 204 says that nothing will.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Literal

import msgspec

from holdfast.client.api import Api, Query, delays
from holdfast.client.connection import Connection, Dropped
from holdfast.client.errors import Refused, StreamLost, foreign, is_passing
from holdfast.client.events import Event
from holdfast.client.place import Fault, Notice, Place
from holdfast.errors import HoldfastError

StreamState = Literal["idle", "starting", "streaming", "reconnecting", "done", "error"]

# The server breathes every 15 s by default; three breaths missed and the connection is taken for dead.
QUIET_S = 45.0
# Between two tries at most, unless the server asks for something else.
RETRY_S = 3.0


class StreamInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What goes with a state."""

    attempt: int = 0
    """How many times the stream has been lost since something new came, this time included; 0 while all is well."""
    delay_s: float = 0.0
    """How long it takes until it is opened again."""
    error: Exception | None = None
    """What broke the stream."""


class Listeners(msgspec.Struct, frozen=True, kw_only=True):
    """Who hears what becomes of a stream; they are called while somebody waits for its events."""

    on_state: Callable[[StreamState, StreamInfo], None] | None = None
    on_notice: Callable[[Notice], None] | None = None


class Follow:
    """One reader of one stream, from its beginning to its end."""

    def __init__(
        self,
        api: Api,
        path: str,
        query: Query,
        place: Place,
        listeners: Listeners,
        *,
        give_up_after: float | None,
        quiet_s: float,
    ) -> None:
        self._api = api
        self._path = path
        self._query = query
        self._place = place
        self._listeners = listeners
        self._give_up_after = give_up_after
        self._quiet_s = quiet_s
        self._retry_s = RETRY_S
        self._has_opened = False
        self._delays = delays(RETRY_S)
        self._attempt = 0
        self._lost_at: float | None = None
        self._lost_before: float | None = None
        self._opened_after: int | None = None
        self._is_stopping = False
        self._fault: Exception | None = None
        self._connection: Connection | None = None
        self._closed = asyncio.Event()
        self.state: StreamState = "idle"

    @property
    def after(self) -> int | None:
        """The last position that was received."""
        return self._place.after

    @property
    def is_closed(self) -> bool:
        return self._closed.is_set()

    def abandon(self) -> None:
        """Nobody will ask for events any more; the connection goes with `aclose`. For any thread."""
        self._closed.set()

    def close(self) -> None:
        """Whoever waits for events gets none any more, at once; the connection goes with `aclose`."""
        self.abandon()
        if self._connection is not None:
            self._connection.interrupt()

    async def aclose(self) -> None:
        self.close()
        await self._disconnect()
        if self.state not in ("idle", "done", "error"):
            self._tell("idle")

    async def next(self) -> list[Event] | None:
        """The events that came together next, at least one; None if nothing more will come, or it was closed.

        Raises Refused for what another try would not change, and StreamLost.
        """
        if self.state == "idle" and not self.is_closed:
            self._tell("starting")
        try:
            while not self.is_closed:
                try:
                    events = await self._read(self._connection or await self._connect())
                except (Dropped, Refused) as trouble:
                    await self._disconnect()
                    if not self.is_closed:
                        await self._pause(trouble)
                    continue
                if events is None:
                    self._tell("done")
                    return None
                if events:
                    return events
        except HoldfastError as error:
            self._tell("error", StreamInfo(attempt=self._attempt, error=error))
            raise
        return None

    async def _connect(self) -> Connection:
        connection = self._connection = Connection(self._api, quiet_s=self._quiet_s)
        self._opened_after = self._place.after
        self._is_stopping = False
        await connection.open(self._path, self._query, self._place.after)
        if self.is_closed:
            # Meanwhile, by somebody who could not close what was not open yet.
            await connection.aclose()
            raise Dropped("the stream was closed")
        self._lost_before, self._lost_at = self._lost_at, None
        self._has_opened = True
        if not connection.is_empty:
            self._tell("streaming")
        return connection

    async def _read(self, connection: Connection) -> list[Event] | None:
        """What the next bytes bring, which may be nothing; None if nothing more will come."""
        if self._fault is not None:
            raise self._faulty(self._fault)
        if connection.is_empty:
            return None
        frames = await connection.read()
        if frames is None:
            if self._place.is_over and connection.has_marked_end and not self._is_stopping:
                return None
            raise Dropped("the server ended the stream")
        if connection.retry_s is not None:
            self._retry_s = max(0.1, connection.retry_s)
        taken = self._place.take(frames)
        # What came before it is good.
        self._fault = taken.fault
        for notice in taken.notices:
            self._is_stopping = self._is_stopping or notice.closing is not None
            if self._listeners.on_notice is not None:
                self._listeners.on_notice(notice)
        return taken.events

    def _faulty(self, fault: Exception) -> Exception:
        self._fault = None
        # A log that has a hole can be opened, for ever: what brings nothing new does not start the time anew.
        if self._place.after == self._opened_after:
            self._lost_at = self._lost_before
        return Dropped(str(fault)) if isinstance(fault, Fault) else foreign(self._api.url, 200)

    def _is_between(self, trouble: Refused) -> bool:
        """Whether something answers in the place of a server that was there: a hotel's page, a proxy's excuse."""
        return trouble.code == "foreign" and self._has_opened

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.aclose()

    async def _pause(self, trouble: Dropped | Refused) -> None:
        """Waits until the next attempt, or until it is closed. Raises the trouble itself if none would help."""
        if isinstance(trouble, Refused) and not is_passing(trouble) and not self._is_between(trouble):
            raise trouble
        now = time.monotonic()
        if self._place.after != self._opened_after:
            # It went on, so this trouble is a new one.
            self._attempt, self._delays = 0, delays(self._retry_s)
        self._attempt += 1
        self._lost_at = self._lost_at or now
        delay = next(self._delays)
        if self._give_up_after is not None and delay:
            left = self._lost_at + self._give_up_after - now
            if left <= 0:
                message = f"{self._api.url} has not answered for {now - self._lost_at:.0f} s; gave up."
                raise StreamLost(message, self._place.after) from trouble
            delay = min(delay, left)
        self._tell("reconnecting", StreamInfo(attempt=self._attempt, delay_s=delay, error=trouble))
        try:
            async with asyncio.timeout(delay):
                await self._closed.wait()
        except TimeoutError:
            pass

    def _tell(self, state: StreamState, info: StreamInfo | None = None) -> None:
        self.state = state
        if self._listeners.on_state is not None:
            self._listeners.on_state(state, info or StreamInfo())
