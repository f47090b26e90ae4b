"""A session is the only writer of its log: what a keeper sends is written once, and every run ends exactly once."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from typing import Any

import anyio.from_thread
import anyio.to_thread
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import EventRefused, Fenced, NotFound
from holdfast.events import TERMINAL, Recorded, UserMessage
from holdfast.log.appends import NewRun, NewSession
from holdfast.log.log import Log
from holdfast.sessions.record import state_of
from holdfast.sessions.session import Session
from tests.event_values import AT_MS, final, partial, recorded, sample
from tests.lives import histories
from tests.stores import envelopes, learned, open_log, stored

pytestmark = pytest.mark.anyio


@pytest.fixture
async def log(store_url: str) -> AsyncIterator[Log]:
    async with open_log(store_url) as log:
        yield log


def a_run(number: int = 1) -> NewRun:
    return NewRun(number=number, secret="", spec=b"{}", agent="demo", workspace="/tmp")


async def started(log: Log) -> Session:
    """A session whose agent is at work."""
    new = NewSession(id=str(uuid.uuid4()), user_id="ann", project_id=None, agent="demo", workspace="/tmp")
    session = await Session.create(log, new, UserMessage(text="work"), a_run(), None)
    await session.emit(1, sample("session_connect"))
    return session


async def logged(log: Log, session: Session, after: int = 2) -> list[dict[str, Any]]:
    """What the store has, which the session's state must be the fold of."""
    row = await learned(log, session.id)
    assert state_of(row) == session.state
    assert row.acknowledged == session.acknowledged
    shown = envelopes(await stored(log, row.key, row.head))
    assert [event["sequence"] for event in shown] == list(range(1, row.head + 1))
    return shown[after:]


def types(shown: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in shown]


async def test_what_is_told_together_is_written_together_or_not_at_all(log: Log) -> None:
    new = NewSession(id=str(uuid.uuid4()), user_id="ann", project_id=None, agent="demo", workspace="/tmp")
    session = await Session.create(log, new, UserMessage(text="work"), a_run(), None)
    with pytest.raises(EventRefused):
        await session.emit(1, sample("session_connect"), sample("session_connect"))
    assert types(await logged(log, session, after=0)) == ["user_message"]
    await session.emit(1, sample("session_connect"), sample("forked"))
    assert types(await logged(log, session, after=0)) == ["user_message", "session_connect", "forked"]


def numbered(count: int) -> list[Recorded]:
    return [recorded("agent_unparsed", text=f"{number}") for number in range(1, count + 1)]


async def test_whatever_a_keeper_sends_again_is_written_once(log: Log) -> None:
    events = numbered(12)

    async def check(sends: Sequence[tuple[int, int]]) -> None:
        session = await started(log)
        for first, count in sends:
            first = min(first, session.acknowledged + 1)
            batch = events[first - 1 : first - 1 + count]
            before = session.acknowledged
            assert await session.ingest(1, first, batch) == max(before, first - 1 + len(batch))
        shown = await logged(log, session)
        assert [event["data"]["text"] for event in shown] == [f"{n}" for n in range(1, session.acknowledged + 1)]

    @settings(max_examples=25)
    @given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 12)), min_size=3, max_size=10))
    def law(sends: Sequence[tuple[int, int]]) -> None:
        anyio.from_thread.run(check, sends)

    await anyio.to_thread.run_sync(law)


async def test_the_same_batch_on_two_links_at_once_is_written_once(log: Log) -> None:
    session = await started(log)
    events = numbered(20)
    answers = await asyncio.gather(*(session.ingest(1, 1, events[:count]) for count in (20, 5, 20, 13)))
    assert max(answers) == 20
    assert [event["data"]["text"] for event in await logged(log, session)] == [f"{n}" for n in range(1, 21)]


async def test_a_gap_is_refused_and_nothing_of_the_batch_is_written(log: Log) -> None:
    session = await started(log)
    await session.ingest(1, 1, numbered(3))
    for first in (5, 99):
        with pytest.raises(NotFound, match=f"Events 4 to {first - 1} of run 1 are missing"):
            await session.ingest(1, first, numbered(2))
    for run in (0, 2):
        with pytest.raises(NotFound, match=f"is at run 1, not {run}"):
            await session.ingest(run, 4, numbered(2))
        with pytest.raises(EventRefused, match=f"is at run 1, not {run}"):
            await session.emit(run, sample("usage"))
    assert session.acknowledged == 3
    assert len(await logged(log, session)) == 3
    assert await session.ingest(1, 4, numbered(1)) == 4


OPEN = [
    *(
        partial("Hm", "thinking"),
        partial("Hel"),
        partial("of a ", parent_id="sub"),
        recorded("tool_start", tool_id="a"),
    ),
    *(partial("lo"), recorded("permission_request", request_id="r"), partial("m", "thinking"), recorded("tool_start")),
    *(partial("subagent", parent_id="sub"), recorded("question", request_id="q"), partial(", you")),
]


@pytest.mark.requirement("R036", "R044", "R063", "R083")
@pytest.mark.parametrize("by", ["the keeper", "the keeper, in one batch", "the server"])
async def test_whatever_is_open_is_closed_before_the_end(log: Log, by: str) -> None:
    session = await started(log)
    if by == "the keeper, in one batch":
        await session.ingest(1, 1, [*OPEN, recorded("error")])
    else:
        await session.ingest(1, 1, OPEN)
        if by == "the keeper":
            await session.ingest(1, len(OPEN) + 1, [recorded("error")])
        else:
            assert await session.end(1, lambda _: sample("error"))  # type: ignore[arg-type, return-value]
    shown = (await logged(log, session))[len(OPEN) :]
    assert types(shown[-2:]) == ["session_disconnect", "error"]
    closing = shown[:-2]
    finals = {
        (event["type"], event["data"].get("parent_id")): event["data"]
        for event in closing
        if event["type"] in ("message", "thinking")
    }
    assert {key: data["text"] for key, data in finals.items()} == {
        ("thinking", None): "Hmm",
        ("message", None): "Hello, you",
        ("message", "sub"): "of a subagent",
    }
    assert all(data["full_text"] == data["text"] and data["is_partial"] is False for data in finals.values())
    tools = [event["data"] for event in closing if event["type"] == "tool_complete"]
    assert [(tool["tool_id"], tool["is_error"], tool["outcome"]) for tool in tools] == [
        ("a", True, "unknown"),
        ("t", True, "unknown"),
    ]
    resolved = [event["data"] for event in closing if event["type"] == "permission_resolved"]
    assert [(one["request_id"], one["by"]) for one in resolved] == [("r", "daemon"), ("q", "daemon")]
    assert len(closing) == 7


@pytest.mark.requirement("R036", "R083", "R084")
async def test_whatever_a_keeper_sends_the_log_keeps_the_laws_and_every_run_ends_once(log: Log) -> None:
    async def check(history: list[Recorded], cuts: list[int]) -> None:
        session = await started(log)
        events = [entry for entry in history if entry.type != "user_message"]
        first = 1
        for cut in [*sorted(cut for cut in cuts if cut < len(events)), len(events)]:
            if cut >= first:
                await session.ingest(1, first, events[first - 1 : cut])
                first = cut + 1
        ended = await session.end(1, lambda _: sample("cancelled"))  # type: ignore[arg-type, return-value]
        shown = await logged(log, session)
        assert ended == (not any(entry.type in TERMINAL for entry in events))
        assert [event["type"] in TERMINAL for event in shown] == [False] * (len(shown) - 1) + [True]
        begun = [event["data"]["tool_id"] for event in shown if event["type"] == "tool_start"]
        done = [event["data"]["tool_id"] for event in shown if event["type"] == "tool_complete"]
        assert sorted(begun) == sorted(done)
        assert session.state.open_texts == session.state.open_tools == {}

    @settings(max_examples=20)
    @given(histories, st.lists(st.integers(1, 40), max_size=4))
    def law(history: list[Recorded], cuts: list[int]) -> None:
        anyio.from_thread.run(check, history, cuts)

    await anyio.to_thread.run_sync(law)


@pytest.mark.requirement("R084", "R117")
async def test_of_all_ends_that_race_exactly_one_is_written(log: Log) -> None:
    async def race(number: int) -> list[str]:
        session = await started(log)
        await session.ingest(1, 1, [partial("Hel"), recorded("tool_start")])
        rivals = [
            session.end(1, lambda _: sample("cancelled")),  # type: ignore[arg-type, return-value]
            session.ingest(1, 3, [partial("lo"), recorded("agent_complete")]),
            session.end(1, lambda _: sample("error")),  # type: ignore[arg-type, return-value]
            session.ingest(1, 3, [partial("lo"), recorded("agent_complete")]),
        ]
        answers = await asyncio.gather(*rivals[number % 4 :], *rivals[: number % 4])
        shown = await logged(log, session)
        ends = [event["type"] for event in shown if event["type"] in TERMINAL]
        assert len(ends) == 1
        assert types(shown)[-1] == ends[0]
        assert answers.count(True) == (0 if ends == ["agent_complete"] else 1)
        assert session.acknowledged == 4
        async with asyncio.timeout(20):
            await session.until_over()
        return ends

    won = await asyncio.gather(*(race(number) for number in range(16)))
    assert {end for (end,) in won} == TERMINAL, "each of them was first at least once"


async def test_what_is_refused_never_reaches_the_log_and_is_not_waited_for(log: Log) -> None:
    session = await started(log)
    sent = [
        recorded("tool_complete"),
        partial("Hel"),
        Recorded("telepathy", b"{}", AT_MS),
        recorded("session_connect"),
        Recorded("message", b'{"text":"\xff","is_partial":true}', AT_MS),
        final("Hello"),
        recorded("permission_resolved"),
    ]
    assert await session.ingest(1, 1, sent) == 7
    assert types(await logged(log, session)) == ["message", "message"]
    assert await session.ingest(1, 8, [recorded("tool_complete")]) == 8
    for event in (sample("user_message"), sample("tool_complete")):
        with pytest.raises(EventRefused):
            await session.emit(1, event)
    assert len(await logged(log, session)) == 2


@pytest.mark.requirement("R036")
async def test_an_end_that_is_refused_closes_nothing(log: Log) -> None:
    session = await started(log)
    bad = Recorded(
        "error", recorded("error").data.replace(b'"stop_reason":"process_exit"', b'"stop_reason":"?"'), AT_MS
    )
    sent = [partial("Hel"), recorded("tool_start"), bad, partial("lo"), recorded("tool_complete"), final("Hello")]
    assert await session.ingest(1, 1, sent) == 6
    assert types(await logged(log, session)) == ["message", "tool_start", "message", "tool_complete", "message"]
    assert session.is_active


@pytest.mark.requirement("R083")
async def test_what_comes_after_an_end_is_taken_from_the_keeper_and_not_written(log: Log) -> None:
    session = await started(log)
    assert await session.end(1, lambda _: sample("cancelled"))  # type: ignore[arg-type, return-value]
    assert not await session.end(1, lambda _: sample("error"))  # type: ignore[arg-type, return-value]
    assert await session.ingest(1, 1, [final("late"), recorded("agent_complete")]) == 2
    assert types(await logged(log, session)) == ["session_disconnect", "cancelled"]


@pytest.mark.requirement("R004", "R085")
async def test_the_next_run_counts_its_keepers_events_anew(log: Log) -> None:
    session = await started(log)
    await session.ingest(1, 1, [*numbered(3), recorded("agent_complete")])
    await session.begin(UserMessage(text="more"), a_run(2), None)
    assert (session.run, session.acknowledged, session.is_active) == (2, 0, True)
    assert not await session.end(1, lambda _: sample("error"))  # type: ignore[arg-type, return-value]
    with pytest.raises(NotFound):
        await session.ingest(1, 5, numbered(1))
    with pytest.raises(EventRefused):
        await session.begin(UserMessage(text="too soon"), a_run(3), None)
    await session.emit(2, sample("session_connect"))
    assert await session.ingest(2, 1, numbered(2)) == 2
    assert len(await logged(log, session)) == 9


@pytest.mark.requirement("R137", "R143")
async def test_the_next_owner_goes_on_and_the_one_before_can_write_no_more(log: Log) -> None:
    old = await started(log)
    await old.ingest(1, 1, [*numbered(3), partial("Hel")])
    new = await Session.load(log, await learned(log, old.id))
    assert new.acknowledged == 4
    assert new.state == old.state
    for attempt in (
        old.ingest(1, 5, [partial("no")]),
        old.end(1, lambda _: sample("error")),  # type: ignore[arg-type, return-value]
        old.emit(1, sample("usage")),
    ):
        with pytest.raises(Fenced):
            await attempt
    assert old.is_fenced
    assert await new.ingest(1, 4, [partial("Hel"), partial("lo"), recorded("agent_complete")]) == 6
    shown = await logged(log, new)
    assert types(shown[3:]) == ["message", "message", "message", "session_disconnect", "agent_complete"]
    assert shown[-3]["data"]["full_text"] == "Hello"
