"""Follows a session's events through lost connections and restarts: each event once, in order.

Position is all there is to it: the last sequence that was handed out. Whatever breaks, the next connection asks for
what comes after it, and 204 says that nothing will.
"""

import time
from collections.abc import Callable, Generator, Iterator
from typing import Any, Literal

import httpx
import msgspec

from holdfast.cli.client import Client, Refused, Unreachable, delays
from holdfast.cli.sse import Frame, Parser

Notice = Literal["lost", "back", "reset"]


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    type: str
    data: dict[str, Any]
    timestamp: str
    sequence: int


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """An event, decoded and as the bytes that the server sent."""

    type: str
    data: dict[str, Any]
    timestamp: str
    sequence: int
    raw: bytes


class _Place(msgspec.Struct, frozen=True, kw_only=True):
    """What the stream says about itself (the frame `stream`)."""

    resume: str = "ok"


class Follower:
    """One reader of one session. `notify` hears of a lost connection once, not at every try."""

    def __init__(
        self,
        client: Client,
        session_id: str,
        *,
        after: int,
        partials: bool,
        give_up_after: float | None,
        notify: Callable[[Notice], None],
    ) -> None:
        self._client = client
        self._session_id = session_id
        self._after = after
        self._partials = partials
        self._give_up_after = give_up_after
        self._notify = notify
        self._retry_s = 3.0
        self._lost_at: float | None = None
        self._was_told = False

    def batches(self) -> Iterator[list[Event]]:
        """The events as they arrive, those of one read together; ends when the session is over."""
        while True:
            for tries, delay in enumerate(delays(self._retry_s)):
                if delay:
                    self._wait(delay, tries)
                before = self._after
                is_over = yield from self._connection()
                if is_over:
                    return
                if self._after != before:
                    break  # it went on, so the next trouble is a new one
                self._lost_at = self._lost_at or time.monotonic()

    def _connection(self) -> Generator[list[Event], None, bool]:
        """One connection until it breaks; answers whether the session is over."""
        try:
            with self._client.events(self._session_id, after=self._after, partials=self._partials) as response:
                if response.status_code == 204:
                    return True
                if response.status_code != 200:
                    response.read()
                    raise self._client.refusal(response)
                parser = Parser()
                for chunk in response.iter_bytes():
                    if batch := list(self._events(parser.feed(chunk))):
                        yield batch
                    self._retry_s = max(0.1, (parser.retry_ms or 3000) / 1000)
        except httpx.TransportError:
            pass
        except msgspec.DecodeError as cause:
            raise self._client.foreign(200) from cause
        except Refused as refusal:
            if refusal.http_status < 500:
                raise
        return False

    def _events(self, frames: list[Frame]) -> Iterator[Event]:
        for frame in frames:
            if frame.event == "stream":
                self._came_back(msgspec.json.decode(frame.data, type=_Place))
            elif frame.event == "message":
                envelope = msgspec.json.decode(frame.data, type=Envelope)
                # Never twice, whatever stands between us and the server.
                if envelope.sequence > self._after:
                    self._after = envelope.sequence
                    yield Event(**msgspec.structs.asdict(envelope), raw=frame.data)

    def _came_back(self, place: _Place) -> None:
        if self._was_told:
            self._notify("back")
        self._lost_at, self._was_told = None, False
        if place.resume == "reset":
            # The log ends before our position, so it is another one: it comes again from its beginning.
            self._after = 0
            self._notify("reset")

    def _wait(self, delay: float, tries: int) -> None:
        now = time.monotonic()
        lost_at = self._lost_at or now
        if self._give_up_after is not None and now - lost_at >= self._give_up_after:
            raise Unreachable(f"{self._client.url} has not answered for {now - lost_at:.0f} s; gave up.")
        if not self._was_told and tries > 1:
            self._was_told = True
            self._notify("lost")
        time.sleep(delay)
