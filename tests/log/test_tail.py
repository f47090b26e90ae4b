"""The tail is a cache: what it gives is right, what it takes is bounded, and what it lacks is in the store."""

import tracemalloc
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.log.log import Log
from holdfast.log.tail import BLOCK_BYTES, Block, Tails
from tests.event_values import recorded
from tests.log.author import Author
from tests.stores import joined, learned, open_log, read_on


def frames(first: int, sizes: list[int]) -> list[bytes]:
    return [b"id: %d\ndata: %b\n\n" % (number, b"x" * size) for number, size in enumerate(sizes, first)]


def all_after(tails: Tails, session_id: str, position: int) -> bytes | None:
    """Everything that the tails have after a position; None if they have not all of it."""
    found = b""
    while True:
        blocks = tails.after(session_id, position)
        if not blocks:
            return None if blocks is None else found
        found += joined(blocks)
        position = blocks[-1].last


steps = st.lists(
    st.tuples(st.sampled_from("abc"), st.lists(st.integers(0, 200), min_size=1, max_size=5) | st.none()), max_size=40
)


@pytest.mark.requirement("R068")
@given(steps, st.integers(0, 6_000))
def test_whatever_the_tails_give_is_what_was_added_and_all_of_it_together_is_bounded(
    steps: list[tuple[str, list[int] | None]], limit: int
) -> None:
    tails = Tails(limit)
    logs: dict[str, list[bytes]] = {name: [] for name in "abc"}
    for name, sizes in steps:
        log = logs[name]
        if sizes is None:
            tails.forget(name)
        else:
            fresh = frames(len(log) + 1, sizes)
            tails.add(name, [Block(len(log), len(log) + len(fresh), b"".join(fresh))])
            log += fresh
        held = 0
        for session, written in logs.items():
            given_ = [all_after(tails, session, after) for after in range(len(written) + 1)]
            for after, found in enumerate(given_):
                assert found is None or found == b"".join(written[after:])
            held += max((len(found) for found in given_ if found is not None), default=0)
        assert held <= limit


def test_the_oldest_of_all_goes_first_and_the_newest_stays() -> None:
    tails = Tails(5 * (1_000 + 300))
    for number in range(12):
        tails.add("ab"[number % 2], [Block(number // 2, number // 2 + 1, frames(number // 2 + 1, [1_000])[0])])
    for name, held in (("a", 2), ("b", 3)):
        assert [tails.after(name, after) is not None for after in range(7)] == [False] * (6 - held) + [True] * (
            held + 1
        )


def test_one_block_over_the_bound_is_not_kept() -> None:
    tails = Tails(10_000)
    tails.add("a", [Block(0, 1, b"x" * 20_000)])
    assert tails.after("a", 0) is None


def test_a_read_is_about_a_block_however_many_small_ones_there_are() -> None:
    tails = Tails(100 * BLOCK_BYTES)
    for number in range(2_000):
        tails.add("a", [Block(number, number + 1, frames(number + 1, [1_000])[0])])
    found = tails.after("a", 0)
    assert found
    assert BLOCK_BYTES // 2 < len(joined(found)) <= BLOCK_BYTES


def test_sessions_that_come_and_go_leave_nothing_behind() -> None:
    tails = Tails(1_000_000)

    def come_and_go(count: int) -> None:
        for number in range(count):
            tails.add(f"session {number}", [Block(0, 1, b"x"), Block(1, 2, b"x")])
            tails.forget(f"session {number}")

    come_and_go(1_000)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        come_and_go(50_000)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 1_000_000


@pytest.mark.anyio
@pytest.mark.requirement("R060", "R068")
async def test_what_the_tail_no_longer_has_comes_from_the_store(
    store_url: str, open_again: Callable[..., Awaitable[Log]]
) -> None:
    async with open_log(store_url, tail_bytes=20_000) as log:
        authors = [await Author(log).begin() for _ in range(3)]
        for _ in range(20):
            for author in authors:
                await author.write(*(recorded("agent_unparsed", text="z" * 300) for _ in range(3)))
        for author in authors:
            for after in range(author.head + 1):
                assert joined(await read_on(log, author.id, after)) == author.frames(after)
            assert joined(await read_on(log, author.id)) == author.frames()
    cold = await open_again()
    for author in authors:
        await learned(cold, author.id)
        assert joined(await read_on(cold, author.id)) == author.frames()
