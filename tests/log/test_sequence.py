"""Sequence and position are given out in the commit, without a hole, and only to the session's one writer."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import pytest
from sqlalchemy import create_engine, select

from holdfast.errors import Fenced, StoreError
from holdfast.log import schema
from holdfast.log.appends import NewSession
from holdfast.log.log import Log
from tests.event_values import final, partial, recorded
from tests.log.author import Author
from tests.stores import envelopes, joined, learned, read_on, sequences

pytestmark = pytest.mark.anyio


def positions(store_url: str) -> list[tuple[int, int, int]]:
    """Every event of the store: position, session, sequence."""
    events = schema.events.c
    engine = create_engine(store_url)
    with engine.connect() as connection:
        query = select(events.position, events.session_key, events.sequence).order_by(events.position)
        found = [tuple(row) for row in connection.execute(query)]
    engine.dispose()
    return found


@pytest.mark.requirement("R023", "R071")
async def test_a_sessions_numbers_count_from_one_without_a_gap_over_all_its_runs(log: Log) -> None:
    author = Author(log)
    for run in range(3):
        await author.begin(f"task {run}")
        await author.write(partial("Hel"), partial("lo"), final("Hello"))
        await author.end()
    shown = await read_on(log, author.id)
    assert sequences(shown) == list(range(1, author.head + 1))
    assert [event["data"]["text"] for event in envelopes(shown) if event["type"] == "user_message"] == [
        "task 0",
        "task 1",
        "task 2",
    ]
    row = await learned(log, author.id)
    assert row.head == author.head == 21


@pytest.mark.requirement("R023")
async def test_the_next_server_goes_on_where_the_last_one_stood(
    log: Log, open_again: Callable[..., Awaitable[Log]]
) -> None:
    author = await Author(log).begin()
    author.log = other = await open_again()
    assert other.position == log.position == 2
    await learned(other, author.id)
    author.epoch = await other.claim(author.key)
    await author.write(final("Hello"))
    assert sequences(await read_on(other, author.id)) == [1, 2, 3]
    assert other.position == 3


async def test_many_sessions_that_write_at_once_each_get_their_own_numbers(log: Log, store_url: str) -> None:
    authors = [Author(log) for _ in range(40)]
    await asyncio.gather(*(author.begin() for author in authors))

    async def work(author: Author) -> None:
        for number in range(10):
            await author.write(partial(f"{number} "), partial("and"))
        await author.write(final("done"))

    await asyncio.gather(*(work(author) for author in authors))
    for author in authors:
        assert joined(await read_on(log, author.id)) == author.frames()
    total = sum(author.head for author in authors)
    assert [position for position, _, _ in positions(store_url)] == list(range(1, total + 1))
    assert log.position == total


async def test_what_gathers_while_a_commit_runs_is_committed_together(log: Log) -> None:
    authors = [await Author(log).begin() for _ in range(50)]
    before = log.position
    # All are submitted before the writer can answer one: each answer names the position that its own commit reached.
    reached = {
        answer.position for answer in await asyncio.gather(*(author.write(final("Hello")) for author in authors))
    }
    assert max(reached) == before + 50
    assert len(reached) <= 10, "fifty appends that wait together need a few commits, not fifty"


@pytest.mark.requirement("R073")
async def test_the_combined_order_has_no_holes_whatever_was_refused_in_between(log: Log, store_url: str) -> None:
    first, second = await Author(log).begin(), await Author(log).begin()
    refused = [second.draft(final("no"), after=7), second.draft(final("no"), epoch=0)]
    answers = await asyncio.gather(
        first.write(partial("a")),
        log.append(refused[0]),
        log.claim(999_999),
        first.log.append(refused[1]),
        second.write(final("b")),
        return_exceptions=True,
    )
    assert [isinstance(answer, StoreError) for answer in answers] == [False, True, True, True, False]
    await second.end()
    rows = positions(store_url)
    assert [position for position, _, _ in rows] == list(range(1, len(rows) + 1)) == list(range(1, log.position + 1))
    for author in (first, second):
        assert [sequence for _, key, sequence in rows if key == author.key] == list(range(1, author.head + 1))


@pytest.mark.parametrize("changes", [{"after": 1}, {"after": 3}, {"epoch": 0}, {"epoch": 2}, {"key": 999_999}])
async def test_an_append_on_another_head_or_of_another_epoch_is_fenced_and_writes_nothing(
    log: Log, changes: dict[str, int]
) -> None:
    author, other = await Author(log).begin(), await Author(log).begin()
    wrong = author.draft(final("no"), **changes)
    refusal, _ = await asyncio.gather(log.append(wrong), other.write(final("yes")), return_exceptions=True)
    assert isinstance(refusal, Fenced)
    assert author.id in str(refusal)
    assert sequences(await read_on(log, other.id)) == [1, 2, 3]
    assert sequences(await read_on(log, author.id)) == [1, 2]
    row = await learned(log, author.id)
    assert (row.head, row.status) == (2, "running")
    assert row.state == msgspec.json.encode(author.state)
    await author.write(final("yes"))


async def test_whoever_claims_a_session_is_its_only_writer(log: Log, open_again: Callable[..., Awaitable[Log]]) -> None:
    author = await Author(log).begin()
    heir = Author(await open_again(), session_id=author.id)
    await learned(heir.log, author.id)
    heir.key, heir.state, heir.written = author.key, author.state, list(author.written)
    heir.epoch = await heir.log.claim(author.key)
    with pytest.raises(Fenced):
        await author.write(final("from the old one"))
    await heir.write(final("from the new one"))
    with pytest.raises(Fenced):
        await author.write(final("from the old one"))
    assert [event["data"]["text"] for event in envelopes(await read_on(heir.log, author.id, 2))] == ["from the new one"]


@pytest.mark.requirement("R013")
async def test_of_two_that_create_the_same_session_one_wins_and_the_other_leaves_nothing(log: Log) -> None:
    authors = [Author(log, session_id="the same") for _ in range(2)]
    bystander = Author(log)
    answers = await asyncio.gather(*(author.begin() for author in (*authors, bystander)), return_exceptions=True)
    assert [isinstance(answer, Fenced) for answer in answers].count(True) == 1
    assert not isinstance(answers[2], Exception)
    assert sequences(await read_on(log, "the same")) == [1, 2]
    with pytest.raises(Fenced, match="the same exists already"):
        await Author(log, session_id="the same").begin()
    assert log.position == 4


async def test_a_session_keeps_who_it_belongs_to_and_what_its_last_run_was_given(log: Log) -> None:
    author = Author(log)
    new = NewSession(id=author.id, user_id="ann", project_id="shop", agent="demo", workspace="/tmp")
    await author.write(recorded("user_message"), create=new)
    row = await learned(log, author.id)
    assert (row.id, row.user_id, row.project_id, row.agent, row.workspace) == (author.id, "ann", "shop", "demo", "/tmp")
    assert (row.status, row.head, row.owner_epoch, row.dropped_through) == ("pending", 1, 1, 0)
    await author.write(recorded("agent_complete"))
    await author.begin()
    run = await log.read.run(author.key, 2)
    assert run is not None
    assert (run.number, run.secret, run.spec, run.ended_ms) == (2, "secret 2", b"{}", None)
    await author.write(final("Hello"), acknowledged=5)
    assert (await learned(log, author.id)).acknowledged == 5
    await author.end(at_ms=1234)
    run = await log.read.run(author.key, 2)
    assert run is not None
    assert run.ended_ms == 1234
