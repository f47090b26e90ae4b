"""The tool that waits: for news of a session, for a request or the end, or until the time is over.

It can be called again and again with the `next_after` of the answer before: nothing is missed and nothing comes twice.
"""

import asyncio
from typing import Annotated, Literal

from msgspec import Meta

from holdfast.client import Notice, Record, Session, Unreachable
from holdfast.client.errors import refused
from holdfast.mcp.call import Call
from holdfast.mcp.entries import Entry, Kind, Widths, first
from holdfast.mcp.gathering import Gathering
from holdfast.mcp.reading import After, SessionId, take_history
from holdfast.mcp.shapes import OnWhat, Request, RunEnd, end_of, on_what, request_of
from holdfast.mcp.tool import Arguments, Result, Tool

_WIDTHS = Widths(texts=4_000, tasks=200, tools=300)
# News seldom come alone: to wait for a moment saves a call for each of them.
_SETTLE_S = 0.5
_TELL_EVERY_S = 5.0
_TOLD_CHARACTERS = 200

_STOPS: frozenset[Kind] = frozenset({"permission_request", "question", "end"})
_NEWS: frozenset[Kind] = frozenset({*_STOPS, "message", "tool_call", "tool_result", "output", "stalled"})
_ALL: frozenset[Kind] = frozenset({*_NEWS, "task", "answer", "note"})
_BRIEF: frozenset[Kind] = frozenset({*_STOPS, "message", "output"})


class WatchSession(Arguments, frozen=True, kw_only=True):
    session_id: SessionId
    after: After = 0
    wait_s: Annotated[float, Meta(ge=0, le=60, description="how long to wait for news, in seconds")] = 25.0
    until: Annotated[
        Literal["news", "done"],
        Meta(
            description="news: answer as soon as anything happens; done: only when the run ends or waits for an "
            "answer, and without its tool calls"
        ),
    ] = "news"


class Digest(Result, frozen=True, kw_only=True):
    """What happened in a session after the position, and how it stands now."""

    session_id: str
    status: str
    entries: list[Entry]
    next_after: int
    """For `after` of the next call."""
    more: bool = False
    """There is more in the log than fits here: call again at once."""
    waiting_on: OnWhat | None = None
    requests: tuple[Request, ...] = ()
    """What the agent asks; it goes on when they are answered."""
    end: RunEnd | None = None
    """Why the run ended; absent while it is under way."""
    note: str | None = None


async def watch_session(call: Call, given: WatchSession) -> Digest:
    session = call.session(given.session_id)
    record = await session.record()
    if given.after > record.head:
        detail = f"after={given.after} lies behind the log's end; the last sequence is {record.head}"
        raise refused("bad_request", 400, "Bad request", detail)
    gathering = Gathering(given.after, _WIDTHS, _ALL if given.until == "news" else _BRIEF)
    await take_history(session, gathering)
    watch = _Watch(call, given, gathering)
    if record.is_active and not gathering.is_full and not watch.is_woken_by(gathering.entries):
        await watch.follow(session)
    note = None
    requests: tuple[Request, ...] = ()
    try:
        record = await session.record()
        if not record.is_active and not gathering.is_full:
            await take_history(session, gathering)  # it has ended since: no end is told before what led to it
        if record.status == "waiting":
            waiting = await call.holdfast.permissions()
            requests = tuple(request_of(entry) for entry in waiting if entry.session_id == given.session_id)
    except Unreachable:
        if not watch.is_server_stopping:
            raise
        note = "The server stops; sessions outlive that. Call again with after=next_after once it is back."
    return _digest(record, gathering, requests, note)


def _digest(record: Record, gathering: Gathering, requests: tuple[Request, ...], note: str | None) -> Digest:
    if note is None and not gathering.entries and record.is_active:
        note = "Nothing new so far; call again with after=next_after."
    return Digest(
        session_id=record.session_id,
        status=record.status,
        entries=gathering.entries,
        next_after=gathering.position,
        more=gathering.is_full,
        waiting_on=on_what(record),
        requests=requests,
        end=end_of(record),
        note=note,
    )


class _Watch:
    """One wait, from a call to its answer."""

    def __init__(self, call: Call, given: WatchSession, gathering: Gathering) -> None:
        self._call = call
        self._wait_s = given.wait_s
        self._wakes: frozenset[Kind] = _NEWS if given.until == "news" else _STOPS
        self._gathering = gathering
        self._last = "waiting"
        self.is_server_stopping = False

    def is_woken_by(self, entries: list[Entry]) -> bool:
        return any(entry.kind in self._wakes for entry in entries)

    async def follow(self, session: Session) -> None:
        """Until there are news, the session is over, the server stops or the time is over."""

        def heard(notice: Notice) -> None:
            if notice.closing is not None:
                self.is_server_stopping = True
                events.close()

        events = session.events(self._gathering.position, partials=False, on_notice=heard)
        telling = asyncio.ensure_future(self._tell())
        try:
            async with asyncio.timeout(self._wait_s) as clock, events:
                async for batch in events.batches():
                    taken = self._gathering.take(batch)
                    if taken:
                        self._last = first(taken[-1].text, _TOLD_CHARACTERS)
                    if self._gathering.is_full:
                        return
                    if self.is_woken_by(taken):
                        self._wakes = frozenset()
                        settled = asyncio.get_running_loop().time() + _SETTLE_S
                        clock.reschedule(min(settled, clock.when() or settled))
        except TimeoutError:
            pass
        finally:
            telling.cancel()

    async def _tell(self) -> None:
        """Progress, so that a caller sees that the call is alive, and how the session goes on."""
        began = asyncio.get_running_loop().time()
        while True:
            waited = asyncio.get_running_loop().time() - began
            await self._call.tell(waited, self._wait_s, self._last)
            await asyncio.sleep(_TELL_EVERY_S)


WATCH_SESSION = Tool(
    name="watch_session",
    title="Watch a session",
    description=(
        "Waits until something happens in a session (a message, a tool call, a request, the end of its run) or wait_s "
        "is over, and tells what: call it again with after=next_after until `end` is there. `requests` is what the "
        "agent asks; it waits until that is answered. Closing the connection or not calling again never stops a run."
    ),
    arguments=WatchSession,
    result=Digest,
    run=watch_session,
    reads=True,
)
