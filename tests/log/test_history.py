"""History: the finals and everything else, in order, page by page, complete at any length. And the list of sessions."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from holdfast.log.log import Log
from holdfast.log.reader import SessionRow
from tests.event_values import AT_MS, final, partial, recorded
from tests.log.author import Author
from tests.stores import envelopes, read_on

pytestmark = pytest.mark.anyio


async def pages(log: Log, author: Author, limit: int) -> AsyncIterator[list[tuple[int, bytes]]]:
    after = 0
    while page := await log.read.history(author.key, after, limit):
        assert page[0][0] > after
        yield page
        after = page[-1][0]


async def whole(log: Log, author: Author, limit: int = 1_000) -> list[bytes]:
    return [body async for page in pages(log, author, limit) for _, body in page]


@pytest.mark.requirement("R074", "R075", "R076")
async def test_history_has_the_finals_and_everything_else_and_no_partials(log: Log) -> None:
    author = await Author(log).begin()
    await author.write(recorded("agent_start"), partial("Hm", "thinking"), final("Hm", "thinking"))
    await author.write(partial("Hel"), recorded("tool_start"), partial("lo"), recorded("tool_complete"), final("Hello"))
    await author.end()
    shown = [msgspec.json.decode(body) for body in await whole(log, author)]
    streamed = envelopes(await read_on(log, author.id))
    assert shown == [event for event in streamed if event["sequence"] not in author.partials()]
    assert [event["type"] for event in shown] == [
        *("user_message", "session_connect", "agent_start", "thinking", "tool_start", "tool_complete", "message"),
        *("session_disconnect", "agent_complete"),
    ]
    assert not any(event["data"].get("is_partial") for event in shown)


@pytest.mark.requirement("R077")
@pytest.mark.parametrize("limit", [1, 7, 500, 1_000, 5_000])
async def test_history_is_complete_at_any_length_and_in_order(log: Log, limit: int) -> None:
    author = await Author(log).begin()
    count = 40 if limit == 1 else 2_600
    await author.write(*(recorded("agent_unparsed", text=f"{number}") for number in range(count)))
    await author.write(*(partial("x") for _ in range(count)), final("x" * count))
    found = [page async for page in pages(log, author, limit)]
    assert all(len(page) == limit for page in found[:-1])
    assert [number for page in found for number, _ in page] == [*range(1, count + 3), 2 * count + 3]
    texts = [msgspec.json.decode(body)["data"].get("text") for page in found for _, body in page]
    assert texts[2:-1] == [f"{number}" for number in range(count)]


@pytest.mark.requirement("R069", "R078")
async def test_history_is_the_same_before_and_after_the_partials_are_dropped(log: Log) -> None:
    author = await Author(log).begin()
    await author.write(partial("Hel"), partial("lo"), final("Hello"))
    await author.end(at_ms=AT_MS)
    before = await whole(log, author)
    assert await log.drop_partials(ended_before_ms=AT_MS + 1) == 1
    assert await whole(log, author) == before
    # What is read from the start is now history itself.
    assert [msgspec.json.decode(body) for body in before] == envelopes(await read_on(log, author.id))


async def test_sessions_are_listed_newest_first_by_pages_and_by_what_they_are(log: Log) -> None:
    authors = [Author(log, user_id="ann" if number % 3 else "bob") for number in range(12)]
    for number, author in enumerate(authors):
        await author.begin(at_ms=AT_MS + number // 4)  # four at a time were made in the same millisecond
    await authors[5].end()
    own = [author.id for author in reversed(authors) if author.user_id == "ann"]

    listed: list[SessionRow] = []
    before: tuple[int, int] | None = None
    while page := await log.read.sessions("ann", before=before, limit=3):
        listed += page
        before = (page[-1].created_ms, page[-1].key)
    assert [row.id for row in listed] == own
    assert {row.id for row in await log.read.sessions(None)} == {author.id for author in authors}
    assert [row.id for row in await log.read.sessions("ann", statuses=("complete", "failed"))] == [authors[5].id]
    assert await log.read.sessions("ann", agents=("claude",)) == []
    assert len(await log.read.sessions("ann", agents=("claude", "demo"), limit=5)) == 5
    assert await log.read.sessions("ann", projects=("shop",)) == []
    assert await log.read.count_by_status() == {"running": 11, "complete": 1}
    assert await log.read.session("nobody") is None
