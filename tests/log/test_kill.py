"""kill -9 in the middle of writing: nothing is corrupt, nothing acknowledged is lost, nothing is there twice."""

import multiprocessing
import os
import random
import sqlite3
from contextlib import closing
from datetime import datetime
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine, make_url, text

from holdfast.events import Recorded, envelope
from holdfast.log.log import Log
from holdfast.sessions.record import state_of
from tests.event_values import recorded
from tests.lives import fold
from tests.log import appender
from tests.processes import eventually
from tests.stores import envelopes, learned, open_log, stored

pytestmark = pytest.mark.anyio

KILLS = int(os.environ.get("HOLDFAST_KILLS", "20"))
SESSIONS = ["one", "two", "three", "four"]


@pytest.mark.requirement("R023", "R081", "R137")
@pytest.mark.timeout(60 + 5 * KILLS)
async def test_whatever_is_killed_nothing_that_was_acknowledged_is_lost_and_nothing_is_there_twice(
    store_url: str,
) -> None:
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.log.appender"])
    chance = random.Random(7)
    acknowledged: dict[str, int] = dict.fromkeys(SESSIONS, 0)
    for kill in range(KILLS):
        hears, told = processes.Pipe(duplex=False)
        process = processes.Process(target=appender.append_for_ever, args=(store_url, SESSIONS, told))
        process.start()
        told.close()
        try:
            # The moment is counted in commits that were heard of, some of them none: while it is still starting.
            for _ in range(chance.choice((0, 1, 2, 5, 20, 60, 150))):
                assert hears.poll(30), "the appender has stopped"
                heard(hears.recv_bytes(), acknowledged)
        finally:
            process.kill()
            process.join(10)
        assert process.exitcode == -9
        # What it had told when it died was committed too.
        while True:
            try:
                heard(hears.recv_bytes(), acknowledged)
            except (EOFError, OSError):
                break
        hears.close()
        process.close()
        until_nobody_works_for_the_dead(store_url)
        if kill % 5 == 4 or kill == KILLS - 1:
            await check(store_url, acknowledged)
    assert all(acknowledged.values())


def until_nobody_works_for_the_dead(store_url: str) -> None:
    """PostgreSQL works in processes of its own: the last commit that it was asked for may come a while after the kill,
    between two looks at the store."""
    if store_url.startswith("sqlite"):
        return
    others = text(
        "select count(*) from pg_stat_activity where datname = current_database() "
        "and backend_type = 'client backend' and pid <> pg_backend_pid()"
    )
    engine = create_engine(store_url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        eventually(lambda: connection.execute(others).scalar_one() == 0, what="what was asked for is done")
    engine.dispose()


def heard(message: bytes, acknowledged: dict[str, int]) -> None:
    session_id, index = message.decode().split()
    assert acknowledged[session_id] < int(index), "an acknowledgement went back"
    acknowledged[session_id] = int(index)


async def check(store_url: str, acknowledged: dict[str, int]) -> None:
    path = make_url(store_url).database if store_url.startswith("sqlite") else None
    if path:
        with closing(sqlite3.connect(path)) as store:
            assert store.execute("pragma integrity_check").fetchall() == [("ok",)]
    async with open_log(store_url) as log:
        written = 0
        for session_id, index in acknowledged.items():
            if index:
                written += await check_session(log, session_id, index)
        # A session that was made and whose making nobody was told of may be there too.
        assert log.position >= written
        rows = await log.read.sessions(None)
        assert log.position == sum(row.head for row in rows)


async def check_session(log: Log, session_id: str, index: int) -> int:
    row = await learned(log, session_id)
    assert row.acknowledged >= index
    shown = envelopes(await stored(log, row.key, row.head))
    assert [each["sequence"] for each in shown] == list(range(1, row.head + 1))
    # Every event of the keeper once and in order, no more and no fewer than the store says that it has.
    expected = [appender.event(number) for number in range(1, row.acknowledged + 1)]
    begin = [recorded("user_message", text="work"), recorded("session_connect")]
    assert [each["data"] for each in shown[1:]] == [msgspec.json.decode(entry.data) for entry in (begin[1], *expected)]
    assert shown[0]["type"] == begin[0].type
    state = state_of(row)
    assert fold(Recorded(each["type"], msgspec.json.encode(each["data"]), at_ms(each)) for each in shown) == state
    assert envelope(expected[0], 3) == msgspec.json.encode(shown[2])
    return row.head


def at_ms(shown: dict[str, Any]) -> int:
    return round(datetime.fromisoformat(shown["timestamp"]).timestamp() * 1000)
