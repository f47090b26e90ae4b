"""Keeps the board up to date: reads what there is, then follows the combined stream, through restarts of the server."""

import asyncio
from collections.abc import Callable

import msgspec

from holdfast.cli.dashboard.board import Board
from holdfast.client import Event, Holdfast, Notice, Refused, StreamInfo, StreamState, Unreachable
from holdfast.errors import NotFound
from holdfast.state import ACTIVE

# Of those that have ended the newest; nobody looks through more on a screen, and ls has them.
MOST_ENDED = 1_000
RETRY_S = 1.0


class Feed:
    """`on_events` hears what came and `on_state` how the connection stands; both in the loop of the screen."""

    def __init__(
        self,
        holdfast: Holdfast,
        board: Board,
        *,
        on_events: Callable[[list[Event]], None],
        on_state: Callable[[StreamState], None],
        on_load: Callable[[], None],
    ) -> None:
        self._holdfast = holdfast
        self._board = board
        self._on_events = on_events
        self._on_state = on_state
        self._on_load = on_load

    async def run(self) -> None:
        """For ever. Raises Refused if the server will never answer otherwise."""
        self._on_state("starting")
        while True:
            try:
                position = await self._load()
                self._on_load()
                await self._follow(position)
            except (Unreachable, Refused) as trouble:
                if isinstance(trouble, Refused) and trouble.status < 500:
                    raise
                self._on_state("reconnecting")
                await asyncio.sleep(RETRY_S)

    async def _load(self) -> int:
        """All sessions under way and the newest others; answers where the stream goes on."""
        page = await self._holdfast.sessions(limit=200)
        # The first page's: what is committed while the others are read comes with the stream.
        position = page.position
        records = {record.session_id: record for record in page.sessions}
        while page.next is not None and len(records) < MOST_ENDED:
            page = await self._holdfast.sessions(limit=200, before=page.next)
            records |= {record.session_id: record for record in page.sessions}
        if page.next is not None:
            async for record in self._holdfast.all_sessions(status=sorted(ACTIVE)):
                records[record.session_id] = record
        self._board.load(records.values())
        await self._load_requests()
        return position

    async def _load_requests(self) -> None:
        for waiting in await self._holdfast.permissions():
            self._board.ask(waiting.session_id, waiting.type, msgspec.to_builtins(waiting.request))

    async def _follow(self, position: int) -> None:
        """Until the log turns out to be another one."""

        def told(state: StreamState, info: StreamInfo) -> None:
            self._on_state(state)

        def noticed(notice: Notice) -> None:
            if notice.resume == "reset":
                stream.close()

        stream = self._holdfast.events(position, on_state=told, on_notice=noticed)
        async with stream:
            async for batch in stream.batches():
                for event in batch:
                    await self._take(event)
                self._on_events(batch)

    async def _take(self, event: Event) -> None:
        row = self._board.get(event.session_id)
        if row is not None:
            row.take(event)
            return
        # A new one, or an old one that is told something: its record says the rest, and what of it has come already.
        try:
            row = self._board.put(await self._holdfast.session(event.session_id).record())
        except NotFound:
            return
        row.take(event)
        if row.status == "waiting":
            await self._load_requests()
