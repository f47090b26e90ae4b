"""A program that writes to several sessions as fast as it can, until it is killed."""

import asyncio
from collections.abc import Iterable
from multiprocessing.connection import Connection

from holdfast.events import Recorded, UserMessage
from holdfast.log.appends import NewRun, NewSession
from holdfast.sessions.session import Session
from tests.event_values import final, partial, recorded
from tests.stores import open_log

# How the events of a run go on, by their index: a text in pieces, its final, a tool, and again.
ROUND = 8


def event(index: int) -> Recorded:
    """The event that a keeper sends under an index; its text says which one it is."""
    match index % ROUND:
        case 0 | 1 | 2 | 3:
            return partial(f"{index} ")
        case 4:
            return final(f"{index} ")
        case 5:
            return recorded("tool_start", tool_id=f"{index}")
        case 6:
            return recorded("tool_complete", tool_id=f"{index - 1}", result=f"{index}")
        case _:
            return recorded("agent_unparsed", text=f"{index} ")


def append_for_ever(url: str, session_ids: Iterable[str], told: Connection) -> None:
    """Tells, after each commit, which session has how many of its keeper's events."""
    asyncio.run(_append_for_ever(url, list(session_ids), told))


async def _append_for_ever(url: str, session_ids: list[str], told: Connection) -> None:
    async with open_log(url) as log:

        async def write(session_id: str, size: int) -> None:
            row = await log.read.session(session_id)
            if row is None:
                new = NewSession(id=session_id, user_id="ann", project_id=None, agent="demo", workspace="/tmp")
                run = NewRun(number=1, secret="", spec=b"{}", agent="demo", workspace="/tmp")
                session = await Session.create(log, new, UserMessage(text="work"), run, None)
                row = await log.read.session(session_id)
                assert row is not None
            session = await Session.load(log, row)
            if session.state.status == "pending":
                await session.emit(1, recorded("session_connect").decode())
            while True:
                first = session.acknowledged + 1
                # The first one is sent again, as by a keeper that has not heard of the acknowledgement.
                again = max(1, first - 1)
                batch = [event(index) for index in range(again, first + size)]
                told.send_bytes(f"{session_id} {await session.ingest(1, again, batch)}".encode())

        async with asyncio.TaskGroup() as tasks:
            for number, session_id in enumerate(session_ids):
                tasks.create_task(write(session_id, 1 + 7 * number))
