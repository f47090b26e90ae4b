"""No space left: the one who wrote is told, nothing is half written, and with space again the log goes on."""

import asyncio
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from holdfast.errors import StoreError, StoreFull
from holdfast.log.log import Log
from holdfast.log.store import open_store
from holdfast.stream.sse import frame
from tests.event_values import final, recorded
from tests.log.author import Author
from tests.stores import joined, learned, open_log, stored

pytestmark = pytest.mark.anyio

needs_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can mount a small disk")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 2 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.decode()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def make_larger(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=32m", folder], check=True)


async def whole(log: Log, *authors: Author) -> None:
    """The store has exactly what was acknowledged."""
    for author in authors:
        row = await learned(log, author.id)
        assert row.head == author.head
        assert joined(await stored(log, row.key, 10**9)) == author.frames()


async def fill(author: Author) -> int:
    """Writes until there is no space; answers how often it could."""
    for count in range(1_000):
        try:
            await author.write(recorded("agent_unparsed", text="z" * 20_000))
        except StoreFull:
            return count
    raise AssertionError("the disk never filled up")


@needs_root
async def test_a_full_disk_is_told_and_the_log_goes_on_when_there_is_space_again(small_disk: Path) -> None:
    url = f"sqlite:///{small_disk / 'holdfast.db'}"
    async with open_log(url) as log:
        author, other = await Author(log).begin(), await Author(log).begin()
        assert await fill(author) > 5
        # It stays so, for everyone, and reading goes on, on connections that are opened only now too.
        answers = await asyncio.gather(
            *(each.write(recorded("agent_unparsed", text="z" * 20_000)) for each in (author, other)),
            *(learned(log, author.id) for _ in range(8)),
            return_exceptions=True,
        )
        assert [type(answer) for answer in answers[:2]] == [StoreFull, StoreFull]
        assert "No space left" in str(answers[0])
        assert not any(isinstance(answer, Exception) for answer in answers[2:])
        make_larger(small_disk)
        await asyncio.gather(author.write(final("again")), other.write(final("again")))
        await whole(log, author, other)
    with closing(sqlite3.connect(small_disk / "holdfast.db")) as other_program:
        assert other_program.execute("pragma integrity_check").fetchall() == [("ok",)]
    async with open_log(url) as log:
        await whole(log, author, other)


@needs_root
async def test_a_disk_that_is_full_at_the_start_is_told_then(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    with suppress(OSError):
        ballast.write_bytes(bytes(4 * 1024 * 1024))
    with pytest.raises(StoreError):
        async with open_log(f"sqlite:///{small_disk / 'holdfast.db'}"):
            pass
    ballast.unlink()
    async with open_log(f"sqlite:///{small_disk / 'holdfast.db'}") as log:
        await Author(log).begin()


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
