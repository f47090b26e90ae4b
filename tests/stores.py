"""Real logs on real stores, opened and closed as a server does it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from holdfast.log.log import Log
from holdfast.log.reader import SessionRow
from holdfast.log.store import open_store
from holdfast.log.tail import Block
from holdfast.sessions.record import state_of
from holdfast.stream.sse import frame


@asynccontextmanager
async def open_log(url: str, **options: Any) -> AsyncIterator[Log]:
    log = Log(await asyncio.to_thread(open_store, url), frame, **options)
    try:
        await log.open()
        yield log
    finally:
        await log.close()


async def learned(log: Log, session_id: str) -> SessionRow:
    """The session's row; from now on the log may be read."""
    row = await log.read.session(session_id)
    assert row is not None
    state = state_of(row)
    log.learn(row, over=not state.is_active, settled=state.settled)
    return row


async def read_on(log: Log, session_id: str, after: int = 0, **options: Any) -> list[Block]:
    """All blocks after a position, read as a stream reads them: until it stands at the head."""
    found: list[Block] = []
    while True:
        blocks, reached = await log.after(session_id, after, **options)
        if reached == after:
            return found
        found += blocks
        after = reached


def joined(blocks: list[Block]) -> bytes:
    return b"".join(block.payload for block in blocks)


def envelopes(blocks: list[Block]) -> list[dict[str, Any]]:
    """The events of some blocks; each frame's id must be its envelope's sequence."""
    found: list[dict[str, Any]] = []
    for part in joined(blocks).split(b"\n\n")[:-1]:
        id_, _, data = part.partition(b"\ndata: ")
        event = msgspec.json.decode(data)
        assert id_ == b"id: %d" % event["sequence"]
        found.append(event)
    return found


def sequences(blocks: list[Block]) -> list[int]:
    return [event["sequence"] for event in envelopes(blocks)]
