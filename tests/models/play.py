"""Plays the actions of a step as one answer: the order, the pauses and the faults, in the words of a writer."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator

from tests.models.actions import (
    Break,
    Call,
    Drop,
    End,
    Fail,
    Headers,
    Hold,
    Say,
    Shell,
    Spend,
    Step,
    Stop,
    Structured,
    Think,
    Todos,
    Wait,
    Write,
)
from tests.models.conversation import Tool
from tests.models.holds import Holds
from tests.models.tools import NoSuchTool, resolve
from tests.models.writing import Block, Kind, Writer, new_id


class Failed(Exception):
    """The answer is an HTTP error."""

    def __init__(self, failure: Fail) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Dropped(Exception):
    """The connection breaks here."""


class Player:
    """Nothing is sent before the first block, so that a step can wait, or fail, before the answer begins.

    A block is closed by what follows it; a connection that breaks leaves it open, as in life.
    """

    def __init__(self, step: Step, writer: Writer, tools: list[Tool], holds: Holds) -> None:
        self._step = step
        self._writer = writer
        self._tools = tools
        self._holds = holds
        self._id = new_id("")
        self._is_begun = False
        self._open: Block | None = None
        self.blocks: list[Block] = []
        self.broken: Break | None = None
        self.headers = {
            name: value for action in step if isinstance(action, Headers) for name, value in action.headers.items()
        }
        self.usage = next((action for action in step if isinstance(action, Spend)), Spend())

    @property
    def stop(self) -> Stop:
        for action in self._step:
            if isinstance(action, End):
                return action.reason
        return "tools" if any(block.kind == "tool" for block in self.blocks) else "end"

    async def play(self) -> AsyncIterator[bytes]:
        """The bytes of the stream. Raises Failed or Dropped."""
        for action in self._step:
            async for data in self._act(action):
                yield data
            if self.broken:
                return
        yield self._begin() + self._close() + self._writer.ended(self.blocks, self.stop, self.usage)

    async def _act(self, action) -> AsyncIterator[bytes]:
        match action:
            case Say():
                blocks = self._block("text", "", _split(action.text, action.pieces), action.delay, action.hold)
            case Think():
                blocks = self._block("thinking", "", _split(action.text, action.pieces), action.delay, action.hold)
            case Call() | Shell() | Write() | Todos() | Structured():
                blocks = self._call(action)
            case Hold(id=id_):
                if self._is_begun:
                    yield self._close()
                await self._holds.wait(id_)
                return
            case Wait(seconds=seconds):
                await asyncio.sleep(seconds)
                return
            case Fail():
                raise Failed(action)
            case Drop():
                raise Dropped
            case Break():
                self.broken = action
                yield self._begin() + self._writer.broken(action.type, action.message)
                return
            case _:
                return
        async for data in blocks:
            yield data

    def _call(self, action) -> AsyncIterator[bytes]:
        try:
            name, given = resolve(action, self._tools)
        except NoSuchTool as absent:
            text = json.dumps(action.value) if isinstance(action, Structured) else str(absent)
            return self._block("text", "", [text], 0, "")
        is_freeform = isinstance(given, str)
        pieces = _split(given if is_freeform else json.dumps(given), 2)
        return self._block("tool", name, pieces, 0, getattr(action, "hold", ""), is_freeform=is_freeform)

    async def _block(
        self, kind: Kind, name: str, pieces: list[str], delay: float, hold: str, *, is_freeform: bool = False
    ) -> AsyncIterator[bytes]:
        block = Block(kind, len(self.blocks), self._id, name, is_freeform=is_freeform)
        before = self._begin() + self._close()
        self.blocks.append(block)
        self._open = block
        yield before + self._writer.opened(block)
        for number, piece in enumerate(pieces):
            block.text += piece
            yield self._writer.added(block, piece)
            if hold and number == 0:
                await self._holds.wait(hold)
            await asyncio.sleep(delay)

    def _begin(self) -> bytes:
        if self._is_begun:
            return b""
        self._is_begun = True
        return self._writer.begin(self.usage)

    def _close(self) -> bytes:
        block, self._open = self._open, None
        return self._writer.closed(block) if block else b""


def _split(text: str, pieces: int) -> list[str]:
    return list(_cut(text, max(1, -(-len(text) // max(1, pieces)))))


def _cut(text: str, size: int) -> Iterator[str]:
    for begin in range(0, len(text), size):
        yield text[begin : begin + size]
