"""Only so many agents start at the same time; the next ones wait their turn, in the order in which they came."""

import asyncio


class Places:
    def __init__(self, count: int) -> None:
        self._count = count
        self._free = asyncio.Semaphore(count)
        self._taken = 0
        self._coming: set[asyncio.Task[None]] = set()

    @property
    def has_room(self) -> bool:
        """Whether one more would have a place at once, beside those that have one and those that are on their way."""
        return self._taken + len(self._coming) < self._count

    def expect(self, launch: "asyncio.Task[None]") -> None:
        """It will want a place, though it has to see to other things first."""
        self._coming.add(launch)
        launch.add_done_callback(self._coming.discard)

    async def take(self) -> None:
        await self._free.acquire()
        self._taken += 1

    def leave(self) -> None:
        self._taken -= 1
        self._free.release()
