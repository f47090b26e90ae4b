"""Real logs on real stores, opened and closed as a server does it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import msgspec
from sqlalchemy import create_engine, make_url, text

from holdfast.log.log import Log
from holdfast.log.reader import SessionRow
from holdfast.log.store import open_store
from holdfast.log.tail import Block
from holdfast.sessions.record import state_of
from holdfast.stream.sse import frame
from tests.processes import eventually


@asynccontextmanager
async def open_log(url: str, **options: Any) -> AsyncIterator[Log]:
    log = Log(await asyncio.to_thread(open_store, url), frame, **options)
    try:
        await log.open()
        yield log
    finally:
        await log.close()


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Another program keeps the store from being written for a while."""
    engine = create_engine(url)
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.connection.driver_connection.isolation_level = None  # type: ignore[union-attr]
            connection.exec_driver_sql("begin immediate")
        else:
            connection.execute(text("lock table sessions, log_head in exclusive mode"))
        yield
        connection.exec_driver_sql("rollback")
    engine.dispose()


@contextmanager
def unreachable(url: str) -> Iterator[None]:
    """A PostgreSQL database that can be neither read nor written for a while."""
    name = make_url(url).database
    admin = create_engine(make_url(url).set(database="postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"alter database {name} allow_connections false"))
        there = f"from pg_stat_activity where datname = '{name}' and backend_type = 'client backend'"
        # What it answers says little: one that was leaving by itself could not be ended any more.
        connection.execute(text(f"select pg_terminate_backend(pid, 5000) {there}"))
        eventually(lambda: not connection.execute(text(f"select pid {there}")).all(), what="nobody is connected")
        yield
        connection.execute(text(f"alter database {name} allow_connections true"))
    admin.dispose()


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


async def stored(log: Log, key: int, head: int) -> list[Block]:
    """All blocks of a session up to a head, from the store and not from memory."""
    found: list[Block] = []
    after = 0
    while after < head:
        blocks, after = await log.read.frames(key, after, head)
        found += blocks
    return found


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
