"""What the scripted API was asked, for the tests to look at."""

import asyncio
from typing import Any

import msgspec

from tests.models.conversation import Message

# A request of Claude Code has 100 kB.
_BODIES_KEPT = 200
_TEXT_SHOWN = 2_000


class Received(msgspec.Struct, kw_only=True):
    """One request. `ended` is None while it is answered; then complete, failed, broken, dropped or left."""

    number: int
    api: str
    method: str
    path: str
    query: str = ""
    headers: dict[str, str] = {}
    script: str = ""
    arguments: dict[str, str] = {}
    step: int = 0
    model: str = ""
    is_streamed: bool = False
    system_chars: int = 0
    tools: list[str] = []
    messages: list[Message] = []
    status: int = 200
    ended: str | None = None


class Log:
    """Whoever waits for a change is woken by any; the version says whether there was one since."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.version = 0
        self._bodies: dict[int, bytes] = {}
        self._change = asyncio.Event()

    def add(self, body: bytes, **known: Any) -> Received:
        entry = Received(number=len(self.requests) + 1, **known)
        self.requests.append(entry)
        self._bodies[entry.number] = body
        self._bodies.pop(entry.number - _BODIES_KEPT, None)
        self.changed()
        return entry

    def end(self, entry: Received, how: str, status: int = 200) -> None:
        entry.ended = how
        entry.status = status
        self.changed()

    def body(self, number: int) -> bytes | None:
        return self._bodies.get(number)

    def changed(self) -> None:
        self.version += 1
        change, self._change = self._change, asyncio.Event()
        change.set()

    async def wait(self, version: int, seconds: float) -> None:
        """Until there is something newer than this version, or the time is up."""
        if self.version <= version:
            try:
                await asyncio.wait_for(self._change.wait(), seconds)
            except TimeoutError:
                return


def shown(messages: list[Message]) -> list[Message]:
    """The messages without their bulk."""
    return [
        msgspec.structs.replace(message, text=message.text[:_TEXT_SHOWN], thinking=message.thinking[:_TEXT_SHOWN])
        for message in messages
    ]
