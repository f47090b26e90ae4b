"""A program that fills a real, small disk with a log: run in a mount namespace of its own, so the disk ends with it."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

from holdfast.errors import StoreError, StoreFull
from holdfast.log.log import Log
from tests.event_values import final, recorded
from tests.log.author import Author
from tests.stores import joined, learned, open_log, stored

NO_DISK = 77


async def full_while_writing(disk: Path) -> None:
    url = f"sqlite:///{disk / 'holdfast.db'}"
    async with open_log(url) as log:
        author, other = await Author(log).begin(), await Author(log).begin()
        assert await fill(author) > 5
        # It stays so, for everyone, and reading goes on, on connections that are opened only now too.
        answers = await asyncio.gather(
            *(each.write(recorded("agent_unparsed", text="z" * 20_000)) for each in (author, other)),
            *(learned(log, author.id) for _ in range(8)),
            return_exceptions=True,
        )
        assert [type(answer) for answer in answers[:2]] == [StoreFull, StoreFull], answers
        assert "No space left" in str(answers[0]), answers
        assert not any(isinstance(answer, Exception) for answer in answers[2:]), answers
        make_larger(disk)
        await asyncio.gather(author.write(final("again")), other.write(final("again")))
        await whole(log, author, other)
    with closing(sqlite3.connect(disk / "holdfast.db")) as other_program:
        assert other_program.execute("pragma integrity_check").fetchall() == [("ok",)]
    async with open_log(url) as log:
        await whole(log, author, other)


def make_larger(disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=32m", disk], check=True)


async def full_at_the_start(disk: Path) -> None:
    ballast = disk / "ballast"
    with suppress(OSError):
        ballast.write_bytes(bytes(4 * 1024 * 1024))
    try:
        async with open_log(f"sqlite:///{disk / 'holdfast.db'}"):
            raise AssertionError("a store was opened where there is no space for one")
    except StoreError:
        pass
    ballast.unlink()
    async with open_log(f"sqlite:///{disk / 'holdfast.db'}") as log:
        await Author(log).begin()


async def fill(author: Author) -> int:
    """Writes until there is no space; answers how often it could."""
    for count in range(1_000):
        try:
            await author.write(recorded("agent_unparsed", text="z" * 20_000))
        except StoreFull:
            return count
    raise AssertionError("the disk never filled up")


async def whole(log: Log, *authors: Author) -> None:
    """The store has exactly what was acknowledged."""
    for author in authors:
        row = await learned(log, author.id)
        assert row.head == author.head
        assert joined(await stored(log, row.key, 10**9)) == author.frames()


def main(scene: str, disk: Path) -> int:
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], check=False)
    if mounted.returncode:
        return NO_DISK
    asyncio.run({"writing": full_while_writing, "start": full_at_the_start}[scene](disk))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
