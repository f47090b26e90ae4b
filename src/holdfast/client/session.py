"""One session: what it is, what it may be told, and its events."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, Unpack
from urllib.parse import quote

import msgspec

from holdfast.client.api import Api, delays
from holdfast.client.errors import Refused, StreamLost, Unreachable, foreign, is_passing
from holdfast.client.events import End, end_of, event_of
from holdfast.client.follow import QUIET_S, RETRY_S, Follow, Listeners, StreamInfo, StreamState
from holdfast.client.orders import Decision, GivenAttachment, RunConfig, attached, body_of
from holdfast.client.place import Notice, SessionPlace
from holdfast.client.records import FileList, FileText, History, Record, Started
from holdfast.client.stream import EventStream

T = TypeVar("T")


class _Page(msgspec.Struct):
    events: list[msgspec.Raw]
    head: int
    next_after: int | None = None


class Session:
    """Asks nothing of the server until one of its methods does."""

    def __init__(self, api: Api, under_way: set[Follow], session_id: str) -> None:
        self.id = session_id
        self._api = api
        self._under_way = under_way
        self._path = f"/sessions/{quote(session_id, safe='')}"

    def __repr__(self) -> str:
        return f"Session({self.id!r})"

    async def record(self) -> Record:
        return await self._api.ask(Record, self._path)

    async def task(
        self,
        task: str,
        *,
        attachments: Sequence[GivenAttachment | Path] = (),
        idempotency_key: str | None = None,
        **config: Unpack[RunConfig],
    ) -> Started:
        """The session's next task, once its run has ended."""
        body = body_of(task=task, attachments=attached(attachments), **config)
        return await self._api.order(Started, f"{self._path}/task", body, idempotency_key)

    async def resume(
        self,
        how: Literal["continue", "rerun"] = "continue",
        *,
        idempotency_key: str | None = None,
        **config: Unpack[RunConfig],
    ) -> Started:
        """Goes on with what was paused, cancelled or interrupted, failed or reached a limit."""
        return await self._api.order(Started, f"{self._path}/resume", body_of(how=how, **config), idempotency_key)

    async def fork(
        self,
        task: str,
        *,
        run: int | None = None,
        attachments: Sequence[GivenAttachment | Path] = (),
        idempotency_key: str | None = None,
        **config: Unpack[RunConfig],
    ) -> "Session":
        """A new session that begins where this one stands, or stood after one of its runs."""
        body = body_of(task=task, run=run, attachments=attached(attachments), **config)
        started = await self._api.order(Started, f"{self._path}/fork", body, idempotency_key)
        return Session(self._api, self._under_way, started.session_id)

    async def cancel(self, *, idempotency_key: str | None = None) -> Record:
        """Ends the run; changes nothing if it has ended."""
        return await self._api.order(Record, f"{self._path}/cancel", None, idempotency_key)

    async def pause(self, *, idempotency_key: str | None = None) -> Record:
        """Ends the run so that it can go on later."""
        return await self._api.order(Record, f"{self._path}/pause", None, idempotency_key)

    async def discard(self, *, idempotency_key: str | None = None) -> Record:
        """Gives up what a paused or interrupted session could still go on with."""
        return await self._api.order(Record, f"{self._path}/discard", None, idempotency_key)

    async def profile(self, name: str, *, idempotency_key: str | None = None) -> Record:
        """Lets the run go on under another permission profile, and the next ones with it."""
        return await self._api.order(Record, f"{self._path}/profile", {"profile": name}, idempotency_key)

    async def answer(
        self,
        request_id: str,
        decision: Decision | None = None,
        *,
        answers: Mapping[str, Any] | None = None,
        message: str | None = None,
        input: Mapping[str, Any] | None = None,  # noqa: A002 - the name that it has on the wire
        idempotency_key: str | None = None,
    ) -> Record:
        """Answers a permission request or a question; the first answer wins, later ones raise AlreadyAnswered."""
        body = body_of(decision=decision, answers=answers, message=message, input=input)
        path = f"{self._path}/permissions/{quote(request_id, safe='')}/answer"
        return await self._api.order(Record, path, body, idempotency_key)

    async def history(self, after: int = 0, limit: int = 500) -> History:
        """One page of the events without partials."""
        page = await self._api.ask(_Page, f"{self._path}/events/history", {"after": after, "limit": limit})
        events = [event_of(bytes(raw), self.id, None) for raw in page.events]
        return History(events=events, head=page.head, next_after=page.next_after)

    async def all_history(self, after: int = 0) -> AsyncIterator[History]:
        """All pages, one after the other; live events go on after the last one's `head`."""
        position: int | None = after
        while position is not None:
            page = await self.history(position, 1000)
            yield page
            position = page.next_after

    async def files(self, run: int | None = None) -> FileList:
        """The files of the workspace that have changed since the session began, or this run; the latest first."""
        return await self._api.ask(FileList, f"{self._path}/files", {"run": run})

    async def file(self, path: str) -> bytes:
        """A file of the workspace, whole."""
        return (await self._api.download(f"{self._path}/files/content", {"path": path})).content

    async def file_text(self, path: str) -> FileText:
        """The beginning of a file that is a text; raises NotText for another."""
        response = await self._api.download(f"{self._path}/files/content", {"path": path, "as": "text"})
        is_cut = response.headers.get("x-holdfast-truncated") == "true"
        return FileText(text=response.content.decode(), truncated=is_cut)

    async def export(self) -> bytes:
        """The session as a file (JSON Lines), for `Holdfast.import_session`."""
        return (await self._api.download(f"{self._path}/export", {})).content

    def events(
        self,
        after: int = 0,
        *,
        partials: bool = True,
        give_up_after: float | None = None,
        on_state: Callable[[StreamState, StreamInfo], None] | None = None,
        on_notice: Callable[[Notice], None] | None = None,
        quiet_s: float = QUIET_S,
    ) -> EventStream:
        """The events, live, until the session is over; dropped connections are opened again by themselves.

        partials=False leaves out the pieces of texts that are complete. give_up_after is how many seconds a server may
        be away before StreamLost is raised; without it there is no limit. A connection from which nothing is heard for
        quiet_s counts as dropped.
        """
        listeners = Listeners(on_state=on_state, on_notice=on_notice)

        def begin(position: int | None) -> Follow:
            return Follow(
                self._api,
                f"{self._path}/events",
                {} if partials else {"partials": "false"},
                SessionPlace(self.id, position or 0, partials=partials),
                listeners,
                give_up_after=give_up_after,
                quiet_s=quiet_s,
            )

        return EventStream(begin, self._under_way, after)

    async def end(self, *, give_up_after: float | None = None) -> End:
        """Waits until the run that is under way has ended, and tells why; of a session that is over, why its last one
        did. A server that is away is waited for, like in `events`."""
        while True:
            found = await self._patiently(self._last_end_or_head, give_up_after)
            if isinstance(found, End):
                return found
            async with self.events(found, partials=False, give_up_after=give_up_after) as events:
                async for event in events:
                    if event.is_terminal:
                        return end_of(event)

    async def _last_end_or_head(self) -> End | int:
        """Why the last run ended; while one is under way, the position after which its end will come."""
        record = await self.record()
        if record.is_active:
            return record.head
        # It is the last event but for a few, since nothing of its run follows it.
        width = 20
        while True:
            after = max(0, record.head - width)
            ends = [event async for page in self.all_history(after) for event in page.events if event.is_terminal]
            if ends:
                return end_of(ends[-1])
            if after == 0:
                raise foreign(self._api.url, 200)
            width *= 10

    async def _patiently(self, ask: Callable[[], Awaitable[T]], give_up_after: float | None) -> T:
        """Asks again for as long as the server is away."""
        began = time.monotonic()
        for delay in delays(RETRY_S):
            try:
                return await ask()
            except (Unreachable, Refused) as trouble:
                if isinstance(trouble, Refused) and not is_passing(trouble):
                    raise
                waited = time.monotonic() - began
                if give_up_after is not None and waited >= give_up_after:
                    message = f"{self._api.url} has not answered for {waited:.0f} s; gave up."
                    raise StreamLost(message, None) from trouble
            await asyncio.sleep(delay)
        raise AssertionError("delays never end")
