"""When the store does not work: a clear error for the one who wrote, nothing half written, and the log goes on."""

import asyncio
import time
from collections.abc import Callable

import pytest

from holdfast.errors import Fenced, StoreError, StoreFull
from holdfast.events import Recorded
from holdfast.log import database
from holdfast.log.log import Log
from tests.event_values import final
from tests.log.author import Author
from tests.stores import joined, learned, locked, open_log, read_on, unreachable

pytestmark = pytest.mark.anyio

PATIENCE_S = 0.5


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks are waited for as ever, only not for as long."""
    monkeypatch.setattr(database, "LOCK_PATIENCE_S", PATIENCE_S)


async def test_a_locked_store_is_told_to_everyone_who_waits_within_the_patience_and_the_log_goes_on(
    impatient: None, store_url: str
) -> None:
    async with open_log(store_url) as log:
        authors = [await Author(log).begin() for _ in range(40)]
        with locked(store_url):
            began = time.monotonic()
            answers = await asyncio.gather(
                *(author.write(final("no")) for author in authors), log.claim(authors[0].key), return_exceptions=True
            )
            waited = time.monotonic() - began
            assert all(type(answer) is StoreError for answer in answers)
            # Each for himself would be forty times the patience. A few batches may have to wait, not each writer.
            assert PATIENCE_S * 0.9 < waited < PATIENCE_S * 20
            # Readers do not wait for the writer.
            for author in authors:
                assert (await learned(log, author.id)).head == 2
                assert joined(await read_on(log, author.id)) == author.frames()
        await asyncio.gather(*(author.write(final("yes")) for author in authors))
        for author in authors:
            assert joined(await read_on(log, author.id)) == author.frames()
            assert (await learned(log, author.id)).head == 3
        assert log.position == 120


async def test_a_lock_that_is_soon_given_back_is_waited_for(log: Log, store_url: str) -> None:
    author = await Author(log).begin()
    with locked(store_url):
        writing = asyncio.ensure_future(author.write(final("Hello")))
        done, _ = await asyncio.wait((writing,), timeout=0.3)
        assert not done
    await writing
    assert (await learned(log, author.id)).head == 3


async def test_the_patience_is_a_few_seconds() -> None:
    assert 1 <= database.LOCK_PATIENCE_S <= 5


async def test_a_job_that_fails_fails_alone_and_the_writer_lives_on(log: Log) -> None:
    authors = [await Author(log).begin() for _ in range(3)]
    async with asyncio.timeout(20):
        answers = await asyncio.gather(
            authors[0].write(final("a")),
            log.claim(999_999),
            authors[1].write(final("b")),
            log.append(authors[2].draft(Recorded("usage", b"{}", at_ms=10**17))),  # a time that no calendar has
            log.append(authors[2].draft(final("c"), epoch=9)),
            authors[2].write(final("c")),
            return_exceptions=True,
        )
    failed = [type(answer) if isinstance(answer, Exception) else None for answer in answers]
    assert failed == [None, StoreError, None, StoreError, Fenced, None]
    for author in authors:
        assert joined(await read_on(log, author.id)) == author.frames()
        await author.write(final("and on"))
    assert log.position == 12


async def test_one_who_no_longer_waits_does_not_stop_the_others(log: Log) -> None:
    author, other = await Author(log).begin(), await Author(log).begin()
    waiting = asyncio.ensure_future(log.append(author.draft(final("committed all the same"))))
    refused = asyncio.ensure_future(log.append(other.draft(final("no"), epoch=7)))
    await asyncio.sleep(0)  # both are submitted now
    waiting.cancel()
    refused.cancel()
    await other.write(final("Hello"))
    assert (await learned(log, author.id)).head == 3
    assert joined(await read_on(log, other.id)) == other.frames()


async def test_what_was_submitted_before_the_log_is_closed_is_committed(store_url: str) -> None:
    async with open_log(store_url) as log:
        authors = [await Author(log).begin() for _ in range(5)]
        writing = [asyncio.ensure_future(author.write(final("Hello"))) for author in authors]
        await asyncio.sleep(0)
    await asyncio.gather(*writing)
    async with open_log(store_url) as log:
        for author in authors:
            assert (await learned(log, author.id)).head == 3


async def test_a_database_that_goes_away_and_comes_back_is_written_again(postgres: Callable[[], str]) -> None:
    url = postgres()
    async with open_log(url) as log:
        author = await Author(log).begin()
        with unreachable(url):
            for _ in range(2):
                with pytest.raises(StoreError):
                    await author.write(final("no"))
                with pytest.raises(StoreError):
                    await log.read.session(author.id)
        await author.write(final("yes"))
        assert (await learned(log, author.id)).head == 3
        assert joined(await read_on(log, author.id)) == author.frames()


def test_every_failure_of_the_store_says_whose_fault_it_is() -> None:
    assert (StoreError.status, StoreError.code) == (503, "store_unavailable")
    assert (StoreFull.status, StoreFull.code) == (507, "store_full")
