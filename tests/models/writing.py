"""How an answer gets its wire form: what the three APIs have in common."""

import json
import uuid
from typing import Any, Literal, Protocol

import msgspec

from tests.models.actions import Spend, Stop

Kind = Literal["text", "thinking", "tool"]


class Block(msgspec.Struct):
    """A part of an answer, as far as it was given."""

    kind: Kind
    index: int
    answer: str
    """The id of the answer, the same for all its blocks."""
    name: str = ""
    text: str = ""
    """For a tool: its arguments as JSON; for one that is freeform: its text."""
    is_freeform: bool = False

    @property
    def id(self) -> str:
        return f"{self.answer}-{self.index}"


class Writer(Protocol):
    """One answer of one API; each method gives the bytes for the stream."""

    def begin(self, usage: Spend) -> bytes: ...

    def opened(self, block: Block) -> bytes: ...

    def added(self, block: Block, piece: str) -> bytes: ...

    def closed(self, block: Block) -> bytes: ...

    def broken(self, type_: str, message: str) -> bytes: ...

    def ended(self, blocks: list[Block], stop: Stop, usage: Spend) -> bytes: ...

    def whole(self, blocks: list[Block], stop: Stop, usage: Spend) -> dict[str, Any]:
        """The answer to a request that wants no stream."""
        ...

    def problem(self, type_: str, message: str) -> dict[str, Any]:
        """The body of an HTTP error."""
        ...


def new_id(prefix: str) -> str:
    return prefix + uuid.uuid4().hex[:20]


def frame(event: str, **data: Any) -> bytes:
    return f"event: {event}\ndata: {json.dumps({'type': event, **data})}\n\n".encode()
