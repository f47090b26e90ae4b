"""Durable appends a second: through the log alone, and end to end from an agent's writes to the last commit."""

import asyncio
import tempfile
import time
import uuid

import uvloop

from bench.crowd import Crowd
from bench.result import Row
from bench.servers import Holdfast
from holdfast.events import Recorded
from holdfast.log.appends import Append, NewSession
from holdfast.log.log import Log
from holdfast.log.store import open_store

DATA = b'{"tool_name":"bench","tool_id":"call-000001","result":"%b","duration_ms":25,"is_error":false}' % (b"." * 60)
EVENT = Recorded("tool_complete", DATA, 1_760_000_000_000)


def run(*, quick: bool) -> tuple[list[Row], dict]:
    events = 20_000 if quick else 100_000
    raw = {
        "one session, 1 event an append": uvloop.run(append(sessions=1, together=1, events=events // 20)),
        "200 sessions, 1 event an append": uvloop.run(append(sessions=200, together=1, events=events)),
        "one session, 100 events an append": uvloop.run(append(sessions=1, together=100, events=events)),
        "200 sessions, 100 events an append": uvloop.run(append(sessions=200, together=100, events=events * 2)),
    }
    rows = []
    for name, one in raw.items():
        rows.append(Row("appends", f"log: {name}", one["per_second"], "events/s"))
        rows.append(Row("appends", f"log: {name}, CPU for an event", one["cpu_us"], "µs"))
    raw["end to end"] = whole = end_to_end(events)
    rows.append(Row("appends", "agent, keeper, server, store, one reader", whole["per_second"], "events/s"))
    return rows, raw


async def append(*, sessions: int, together: int, events: int) -> dict[str, float]:
    """So many writers, each of which waits for its commit before it goes on."""
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        log = Log(open_store(f"sqlite:///{folder}/log.db"), lambda n, body: b"id: %d\ndata: %b\n\n" % (n, body))
        await log.open()
        each = events // sessions // together
        keys = [await begin(log) for _ in range(sessions)]
        began, cpu = time.monotonic(), time.process_time()
        await asyncio.gather(*(write(log, name, key, each, together) for name, key in keys))
        took, cpu = time.monotonic() - began, time.process_time() - cpu
        await log.close()
    written = sessions * each * together
    return {"per_second": written / took, "cpu_us": cpu / written * 1e6, "events": written}


async def begin(log: Log) -> tuple[str, int]:
    name = str(uuid.uuid4())
    new = NewSession(id=name, user_id="local", project_id=None, agent="bench", workspace="/")
    return name, (await log.append(order(name, 0, 0, 1, create=new))).key


async def write(log: Log, name: str, key: int, count: int, together: int) -> None:
    head = 1
    for _ in range(count):
        head = (await log.append(order(name, key, head, together))).head


def order(name: str, key: int, after: int, count: int, create: NewSession | None = None) -> Append:
    return Append(
        session_id=name,
        key=key,
        epoch=1,
        after=after,
        entries=[EVENT] * count,
        status="running",
        state=b"{}",
        at_ms=1_760_000_000_000,
        over=False,
        settled=0,
        create=create,
    )


def end_to_end(events: int) -> dict[str, float]:
    with Holdfast() as holdfast:
        emission = holdfast.prepare(f"burst={events} size=60")
        with Crowd(holdfast.port, [{"path": emission.path, "readers": 1}]) as crowd:
            began = time.monotonic_ns()
            emission.go()
            stream = crowd.report()["streams"][0]
    return {"per_second": stream["delivered"] / ((stream["last_read"] - began) / 1e9), **stream}
