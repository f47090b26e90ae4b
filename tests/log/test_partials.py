"""Partials: replayed like all else, left out on request, and dropped for good some time after their run."""

import asyncio
from collections.abc import Awaitable, Callable

import anyio.from_thread
import anyio.to_thread
import pytest
from hypothesis import given, settings

from holdfast.errors import EventRefused
from holdfast.events import Recorded
from holdfast.log.log import Log
from holdfast.state import State
from tests.event_values import AT_MS, final, partial, recorded
from tests.lives import histories
from tests.log.author import Author
from tests.stores import envelopes, joined, learned, read_on, sequences

pytestmark = pytest.mark.anyio

OpenAgain = Callable[..., Awaitable[Log]]


async def run_with_partials(author: Author, *, ended_ms: int, pieces: int = 3) -> None:
    await author.begin()
    await author.write(*(partial(f"{number} ") for number in range(pieces)), final("whole"))
    await author.end(at_ms=ended_ms)


@pytest.mark.requirement("R069")
async def test_the_partials_of_a_run_that_ended_long_ago_are_dropped_and_nothing_else_is(
    log: Log, open_again: OpenAgain
) -> None:
    old, young, running = Author(log), Author(log), await Author(log).begin()
    await run_with_partials(old, ended_ms=AT_MS)
    await run_with_partials(young, ended_ms=AT_MS + 1)
    await running.write(partial("still "), partial("writing"), at_ms=0)
    assert await log.drop_partials(ended_before_ms=AT_MS + 1) == 1
    assert await log.drop_partials(ended_before_ms=AT_MS + 1) == 0
    cold = await open_again()
    for reader in (log, cold):
        for author, gone in ((old, old.partials()), (young, []), (running, [])):
            await learned(reader, author.id)
            for after in range(author.head + 1):
                blocks = await read_on(reader, author.id, after)
                assert joined(blocks) == author.frames(after, leave_out=gone)


@pytest.mark.requirement("R023", "R069")
async def test_the_numbers_of_dropped_partials_are_not_used_again(log: Log) -> None:
    author = Author(log)
    await run_with_partials(author, ended_ms=AT_MS)
    await log.drop_partials(ended_before_ms=AT_MS + 1)
    assert log.position == author.head
    await author.begin("again")
    assert sequences(await read_on(log, author.id)) == [1, 2, 6, 7, 8, 9, 10]
    row = await learned(log, author.id)
    assert row.head == 10
    assert log.position == 10


@pytest.mark.requirement("R069", "R070")
async def test_how_far_partials_were_dropped_is_known_here_and_to_the_next_server(
    log: Log, open_again: OpenAgain
) -> None:
    author, plain = Author(log), await Author(log).begin()
    await plain.end(at_ms=AT_MS)
    await run_with_partials(author, ended_ms=AT_MS)
    await run_with_partials(author, ended_ms=AT_MS + 10)
    for ended_before_ms, dropped_through in ((AT_MS, 0), (AT_MS + 1, 5), (AT_MS + 11, 13)):
        await log.drop_partials(ended_before_ms=ended_before_ms)
        cold = await open_again()
        for reader in (log, cold):
            row = await learned(reader, author.id)
            head = reader.head(author.id)
            assert head is not None
            assert (row.dropped_through, head.dropped_through) == (dropped_through, dropped_through)
    assert (await learned(log, plain.id)).dropped_through == 0


@pytest.mark.requirement("R070")
async def test_a_clock_that_was_set_back_does_not_make_a_gap_forgotten(log: Log, open_again: OpenAgain) -> None:
    author = Author(log)
    await run_with_partials(author, ended_ms=AT_MS + 10)
    await run_with_partials(author, ended_ms=AT_MS)
    await log.drop_partials(ended_before_ms=AT_MS + 1)
    await log.drop_partials(ended_before_ms=AT_MS + 11)
    assert (await learned(await open_again(), author.id)).dropped_through == 13
    head = log.head(author.id)
    assert head is not None
    assert head.dropped_through == 13


async def test_dropping_goes_on_until_no_run_is_due(log: Log) -> None:
    authors = [Author(log) for _ in range(7)]
    # Runs without a partial, too: they must not hide those that come after them.
    await asyncio.gather(
        *(run_with_partials(author, ended_ms=AT_MS, pieces=index // 4) for index, author in enumerate(authors))
    )
    rounds = 0
    while await log.drop_partials(ended_before_ms=AT_MS + 1, limit=2):
        rounds += 1
        assert rounds < 10
    for author in authors:
        assert joined(await read_on(log, author.id)) == author.frames(leave_out=author.partials())


@pytest.mark.requirement("R069")
async def test_a_reader_that_stands_among_dropped_partials_gets_the_rest(log: Log) -> None:
    author = Author(log)
    await author.begin()
    await author.write(*(partial(f"{number} ") for number in range(2_000)))
    await author.write(final("whole"))
    await author.end(at_ms=AT_MS)
    blocks, standing = await log.after(author.id, 0)
    assert sequences(blocks)[-1] == standing
    await log.drop_partials(ended_before_ms=AT_MS + 1)
    assert sequences(await read_on(log, author.id, standing)) == [2_003, 2_004, 2_005]


@pytest.mark.requirement("R069")
async def test_ten_thousand_deltas_come_back_as_the_same_text(log: Log, open_again: OpenAgain) -> None:
    author = await Author(log).begin()
    pieces = [f"{number}é " for number in range(10_000)]
    for first in range(0, 10_000, 500):
        await author.write(*(partial(piece) for piece in pieces[first : first + 500]))
    await author.write(final("".join(pieces)))
    cold = await open_again()
    await learned(cold, author.id)
    for reader in (log, cold):
        shown = [event["data"] for event in envelopes(await read_on(reader, author.id, 2))]
        assert "".join(event["text"] for event in shown[:-1]) == "".join(pieces) == shown[-1]["full_text"]


def left_out(written: list[Recorded]) -> set[int]:
    """The partials that a reader without partials need not see: their final, and that of all before, is there."""
    state = State()
    for entry in written:
        state.advance(entry)
    return {number for number, entry in enumerate(written, 1) if entry.partial and number <= state.settled}


@pytest.mark.requirement("R069")
async def test_without_partials_exactly_those_are_left_out_whose_final_is_committed(log: Log) -> None:
    author = await Author(log).begin()
    script = [
        ([partial("Hm", "thinking"), partial("m", "thinking")], []),
        ([final("Hmm", "thinking")], [3, 4]),
        ([partial("Hel"), recorded("usage"), partial("lo")], [3, 4]),
        ([recorded("agent_unparsed")], [3, 4]),
        ([final("Hello"), partial("And")], [3, 4, 6, 8]),
        ([final("And")], [3, 4, 6, 8, 11]),
    ]
    for entries, gone in script:
        await author.write(*entries)
        for after in range(author.head + 1):
            blocks = await read_on(log, author.id, after, skip_settled=True)
            assert joined(blocks) == author.frames(after, leave_out=gone)
            assert joined(await read_on(log, author.id, after)) == author.frames(after)


@pytest.mark.requirement("R069")
async def test_whatever_a_session_does_no_partial_is_left_out_before_its_final_is_there(log: Log) -> None:
    async def check(history: list[Recorded]) -> None:
        author = await Author(log).begin()
        for entry in history:
            try:
                author.draft(entry)
            except EventRefused:
                continue
            await author.write(entry)
            gone = left_out(author.written)
            blocks = await read_on(log, author.id, skip_settled=True)
            assert joined(blocks) == author.frames(leave_out=gone)
            for number in gone:
                text = author.written[number - 1].decode()
                same = [later.decode() for later in author.written[number:]]
                assert any(type(e) is type(text) and not e.is_partial and e.parent_id == text.parent_id for e in same)

    @settings(max_examples=15)
    @given(histories)
    def law(history: list[Recorded]) -> None:
        anyio.from_thread.run(check, history)

    await anyio.to_thread.run_sync(law)


@pytest.mark.requirement("R070")
async def test_a_gap_in_the_combined_log_is_known_to_whom_it_concerns_and_to_nobody_else(log: Log) -> None:
    author, stranger = Author(log), await Author(log, user_id="bob").begin()
    await run_with_partials(author, ended_ms=AT_MS)
    await stranger.write(partial("still there"))
    for user_id in ("ann", "bob"):
        assert not await log.read.has_gap(user_id, 0)
    await log.drop_partials(ended_before_ms=AT_MS + 1)
    # 1 and 2 are the stranger's, 5 to 7 were the partials, 8 is their final.
    assert [await log.read.has_gap("ann", after) for after in (0, 4, 6, 8, log.position)] == [*[True] * 3, False, False]
    assert not await log.read.has_gap("bob", 0)
