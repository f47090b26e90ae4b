"""No space left: the one who wrote is told, nothing is half written, and with space again the log goes on."""

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from holdfast.errors import StoreFull
from holdfast.log.log import Log
from holdfast.log.store import open_store
from holdfast.stream.sse import frame
from tests.event_values import final, recorded
from tests.log.author import Author
from tests.log.small_disk import NO_DISK, whole

pytestmark = pytest.mark.anyio


def on_a_small_disk(scene: str, folder: Path) -> None:
    """Plays a scene of tests/log/small_disk.py on a file system of 2 MiB."""
    if os.getuid() != 0:
        pytest.skip("only root can mount a small disk")
    disk = folder / "disk"
    disk.mkdir()
    # In a mount namespace of its own: whatever becomes of it, no mount is left behind.
    command = ["unshare", "--mount", sys.executable, "-m", "tests.log.small_disk", scene, disk]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[2])
    if ended.returncode == NO_DISK or "unshare failed" in ended.stderr:
        pytest.skip(f"no disk can be mounted here: {ended.stderr}")
    assert ended.returncode == 0, ended.stderr


def test_a_full_disk_is_told_and_the_log_goes_on_when_there_is_space_again(tmp_path: Path) -> None:
    on_a_small_disk("writing", tmp_path)


def test_a_disk_that_is_full_at_the_start_is_told_then(tmp_path: Path) -> None:
    on_a_small_disk("start", tmp_path)


async def test_one_that_does_not_fit_is_refused_alone_and_smaller_ones_go_on(tmp_path: Path) -> None:
    database = open_store(f"sqlite:///{tmp_path / 'holdfast.db'}")
    pages = 100_000

    def limit(connection: Connection) -> None:
        connection.exec_driver_sql(f"pragma max_page_count = {pages}")

    event.listen(database.writing, "begin", limit)
    log = Log(database, frame)
    small, large = [await Author(log).begin() for _ in range(3)], await Author(log).begin()
    with closing(sqlite3.connect(tmp_path / "holdfast.db")) as other_program:
        (used,) = other_program.execute("pragma page_count").fetchone()
    pages = used + 20
    too_much = recorded("agent_unparsed", text="z" * 1_000_000)
    answers = await asyncio.gather(
        small[0].write(final("a")),
        large.write(too_much),
        small[1].write(final("b")),
        small[2].write(final("c")),
        return_exceptions=True,
    )
    assert [type(answer) is StoreFull for answer in answers] == [False, True, False, False]
    await whole(log, *small, large)
    pages = 100_000
    await large.write(too_much)
    await whole(log, *small, large)
    await log.close()
