"""Reading: what comes after n is the rest, for every n, and it is the same bytes from memory and from the store."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import anyio.from_thread
import anyio.to_thread
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.events import TYPES, Event, Recorded, record
from holdfast.log.log import Log
from holdfast.log.tail import BLOCK_BYTES, Block
from tests.event_values import AT_MS, final, partial, recorded, sample, values
from tests.lives import fold
from tests.log.author import Author
from tests.stores import envelopes, joined, learned, open_log, read_on, sequences

pytestmark = pytest.mark.anyio

OpenAgain = Callable[..., Awaitable[Log]]


def at_once(reading: Coroutine[Any, Any, tuple[list[Block], int]]) -> tuple[list[Block], int]:
    """The answer of a read that does not suspend, which only one from memory can do."""
    try:
        reading.send(None)
    except StopIteration as done:
        return done.value
    reading.close()
    raise AssertionError("the blocks were not in memory")


async def varied(author: Author) -> Author:
    """A log with one of everything, appended in pieces of all sizes, some of them larger than a block."""
    await author.begin("Über 'alles' \n\nid: 7\ndata: {}\n\n – \x00 \u2028 🪝")
    pieces: list[list[Recorded]] = [
        [recorded("agent_start")],
        [partial(f"{number} ") for number in range(30)],
        [partial("x" * (BLOCK_BYTES - 150 + number)) for number in range(0, 100, 20)],
        [final("y" * 3 * BLOCK_BYTES)],
        [recorded("tool_start", tool_input={"text": "\n\nid: 3\n"}), recorded("tool_complete", result="\r\n\r\n")],
        [recorded("agent_unparsed", text="z" * 2_000) for _ in range(100)],
        # Texts that look like every frame's own first line.
        [recorded("agent_unparsed", text="\n\n".join(f"id: {number}\n" for number in range(300))) for _ in range(9)],
    ]
    for piece in pieces:
        await author.write(*piece)
    await author.end()
    return author


@pytest.mark.requirement("R057", "R058", "R068")
async def test_after_every_number_come_exactly_the_rest_from_memory_and_from_the_store_alike(
    log: Log, open_again: OpenAgain
) -> None:
    author = await varied(Author(log))
    cold = await open_again()
    row = await learned(cold, author.id)
    for after in range(author.head + 1):
        rest = author.frames(after)
        assert joined(await read_on(cold, author.id, after)) == rest
        position, warm = after, []
        while position < author.head:
            blocks, position = at_once(log.after(author.id, position))
            warm += blocks
        assert joined(warm) == rest
        assert at_once(log.after(author.id, author.head + after)) == ([], author.head + after)
        for blocks in (warm, (await cold.read.frames(row.key, after, author.head))[0]):
            assert [block.after for block in blocks] == [after, *(block.last for block in blocks)][: len(blocks)]
            # A block ends with the frame that fills it.
            assert all(block.payload.rfind(b"\n\nid: ") < BLOCK_BYTES for block in blocks)


any_work = st.sampled_from(["message", "thinking", "usage", "agent_unparsed", "agent_update", "todo_update"])
any_appends = st.lists(st.lists(any_work.flatmap(lambda name: values(TYPES[name])), max_size=4), max_size=4)


@pytest.mark.requirement("R057", "R023")
async def test_however_a_log_is_appended_its_readers_get_what_was_written(log: Log) -> None:
    async def check(appends: list[list[Event]]) -> None:
        author = await Author(log).begin()
        for append in appends:
            await author.write(*(record(event, AT_MS) for event in append))
        row = await learned(log, author.id)
        for after in range(author.head + 2):
            assert joined(await read_on(log, author.id, after)) == author.frames(after)
            stored, _ = await log.read.frames(row.key, after, row.head)
            assert joined(stored) == author.frames(after)
            # What came before the head moved is a prefix: a reader that was there earlier is in no other history.
            earlier, _ = await log.read.frames(row.key, 0, after)
            assert author.frames().startswith(joined(earlier))

    @settings(max_examples=20)
    @given(any_appends)
    def law(appends: list[list[Event]]) -> None:
        anyio.from_thread.run(check, appends)

    await anyio.to_thread.run_sync(law)


async def test_the_stored_state_is_the_fold_of_the_stored_log(log: Log) -> None:
    author = await varied(Author(log))
    await author.begin("again")
    await author.write(recorded("todo_update", todos=[]), recorded("tool_start"), partial("Hel"))
    row = await learned(log, author.id)
    again: list[Recorded] = []
    for event in envelopes(await read_on(log, author.id)):
        again.append(Recorded(event["type"], msgspec.json.encode(event["data"]), AT_MS))
    assert msgspec.json.encode(fold(again)) == row.state
    assert fold(again).status == row.status
    assert fold(again).head == row.head == author.head


@pytest.mark.requirement("R077")
async def test_a_page_of_a_long_log_is_bounded_and_the_next_one_goes_on(log: Log, open_again: OpenAgain) -> None:
    author = await Author(log).begin()
    await author.write(*(partial(f"{number}") for number in range(2_500)), final("large"))
    await author.write(*(recorded("agent_unparsed", text="z" * 100_000) for _ in range(40)))
    cold = await open_again()
    row = await learned(cold, author.id)
    after, pages = 0, 0
    read: list[Block] = []
    while after < author.head:
        blocks, reached = await cold.read.frames(row.key, after, row.head)
        assert after < reached <= row.head
        assert len(sequences(blocks)) <= 1_000
        assert len(joined(blocks)) < 500_000
        read += blocks
        after, pages = reached, pages + 1
    assert joined(read) == author.frames()
    assert pages > 10


async def test_a_reader_is_woken_after_each_commit_to_its_session_and_finds_it(log: Log) -> None:
    author, other = await Author(log).begin(), await Author(log).begin()
    seen: list[int] = []
    combined: list[int] = []

    def look() -> None:
        head = log.head(author.id)
        assert head is not None
        blocks, _ = at_once(log.after(author.id, head.sequence - 1))
        seen.append(sequences(blocks)[-1])

    unwatch = log.watch(author.id, look)
    unwatch_all = log.watch(None, lambda: combined.append(log.position))
    await author.write(final("one"))
    await other.write(final("not yours"))
    await author.write(final("two"))
    unwatch()
    unwatch_all()
    unwatch()
    await author.write(final("three"))
    assert seen == [3, 4]
    assert combined == [5, 6, 7]


@pytest.mark.requirement("R021", "R073")
async def test_the_combined_log_has_all_of_a_users_sessions_and_no_other_in_one_order(log: Log) -> None:
    mine = [Author(log, user_id="ann") for _ in range(3)]
    theirs = [Author(log, user_id="bob") for _ in range(2)]
    await asyncio.gather(*(author.begin() for author in (*mine, *theirs)))
    for _ in range(5):
        await asyncio.gather(*(author.write(partial("a"), final("a")) for author in (*mine, *theirs)))
    found: list[tuple[int, dict[str, Any]]] = []
    position = 0
    while position < log.position:
        blocks, reached = await log.combined_after("ann", position)
        for part in joined(blocks).split(b"\n\n")[:-1]:
            id_, _, body = part.partition(b"\ndata: ")
            found.append((int(id_.removeprefix(b"id: ")), msgspec.json.decode(body)))
        position = reached
    assert [number for number, _ in found] == sorted({number for number, _ in found})
    for author in mine:
        own = [event for _, event in found if event["session_id"] == author.id]
        assert [event["sequence"] for event in own] == list(range(1, author.head + 1))
        assert all(list(event) == ["type", "data", "timestamp", "sequence", "session_id"] for event in own)
    assert len(found) == sum(author.head for author in mine)
    for after in {0, 1, *(number for number, _ in found)}:
        blocks, _ = await log.combined_after("ann", after)
        ids = [int(part.split(b"\n")[0][4:]) for part in joined(blocks).split(b"\n\n")[:-1]]
        assert ids == [number for number, _ in found if number > after]


@pytest.mark.requirement("R068", "R073")
async def test_a_page_of_the_combined_log_is_bounded_too(log: Log) -> None:
    author = await Author(log).begin()
    await author.write(*(recorded("agent_unparsed", text="z" * 100_000) for _ in range(60)))
    blocks, reached = await log.combined_after("ann", 0)
    assert len(joined(blocks)) < 500_000
    assert reached < log.position


async def test_an_event_without_a_text_of_its_own_is_kept_as_it_came(log: Log) -> None:
    author = await Author(log).begin()
    update = {"mode": [1, 2.5, None, True, "\x00\u2028"], "": {}}
    await author.write(record(sample("agent_update", update=update), AT_MS))
    (event,) = envelopes(await read_on(log, author.id, 2))
    assert event["data"]["update"] == update
    assert event["timestamp"] == "2026-01-05T12:34:56.789Z"


async def test_a_tail_of_no_bytes_makes_no_difference_to_what_is_read(store_url: str) -> None:
    async with open_log(store_url, tail_bytes=0) as log:
        author = await varied(Author(log))
        for after in range(0, author.head, 7):
            assert joined(await read_on(log, author.id, after)) == author.frames(after)
