"""Points where the model waits for a test. A hold that was released stays open: whoever comes later passes."""

import asyncio
from collections.abc import Callable


class Holds:
    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._released: dict[str, asyncio.Event] = {}
        self.reached: dict[str, int] = {}
        """How often each was come to."""

    async def wait(self, id_: str) -> None:
        self.reached[id_] = self.reached.get(id_, 0) + 1
        self._changed()
        await self._event(id_).wait()

    def release(self, id_: str) -> None:
        self._event(id_).set()

    def _event(self, id_: str) -> asyncio.Event:
        return self._released.setdefault(id_, asyncio.Event())
