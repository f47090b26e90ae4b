"""An event loop that does not wait: when nothing is ready, the next timer's time has come."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class _Selector(selectors.DefaultSelector):
    skipped = 0.0

    def select(self, timeout=None):
        ready = super().select(0)
        if not ready and timeout is not None and timeout > 0:
            self.skipped += timeout
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self):
        self._pace = _Selector()
        super().__init__(self._pace)

    def time(self):
        return super().time() + self._pace.skipped


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(coroutine)
