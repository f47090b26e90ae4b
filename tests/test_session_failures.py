"""When the store does not take what a session writes: the session is as the store has it, and trying again works."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import pytest

from holdfast.errors import StoreError
from holdfast.events import UserMessage
from holdfast.log import database
from holdfast.log.log import Log
from holdfast.sessions.session import Session
from tests.event_values import partial, recorded, sample
from tests.stores import locked, open_log, unreachable
from tests.test_session_writer import a_run, logged, numbered, started, types

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks are waited for as ever, only not for as long."""
    monkeypatch.setattr(database, "LOCK_PATIENCE_S", 0.2)


ENDED = ["message", "message", "tool_complete", "session_disconnect", "agent_complete"]
ENDING = [partial("lo"), recorded("agent_complete")]


async def at_work(log: Log) -> Session:
    session = await started(log)
    await session.ingest(1, 1, [*numbered(2), recorded("tool_start"), partial("Hel")])
    return session


async def over(log: Log) -> Session:
    session = await at_work(log)
    await session.ingest(1, 5, ENDING)
    return session


@pytest.mark.parametrize(
    ("before", "act", "comes"),
    [
        (at_work, lambda session: session.ingest(1, 4, [partial("Hel"), partial("lo")]), ["message"]),
        (
            at_work,
            lambda session: session.ingest(1, 5, ENDING),
            ENDED,
        ),
        (
            at_work,
            lambda session: session.end(1, lambda _: sample("cancelled")),
            ["message", "tool_complete", "session_disconnect", "cancelled"],
        ),
        (at_work, lambda session: session.emit(1, sample("usage")), ["usage"]),
        (over, lambda session: session.begin(UserMessage(text="more"), a_run(2), None), ["user_message"]),
    ],
    ids=["ingest", "ingest of an end", "end", "emit", "begin"],
)
@pytest.mark.requirement("R084", "R137")
async def test_what_could_not_be_written_has_not_happened_and_happens_once_when_it_is_tried_again(
    store_url: str, before: Callable[[Log], Any], act: Callable[[Session], Any], comes: list[str]
) -> None:
    async with open_log(store_url) as log:
        session: Session = await before(log)
        was = await logged(log, session)
        active, run, acknowledged = session.is_active, session.run, session.acknowledged
        with locked(store_url):
            for _ in range(2):
                with pytest.raises(StoreError):
                    await act(session)
                assert (session.is_active, session.run, session.acknowledged) == (active, run, acknowledged)
                assert await logged(log, session) == was
        await act(session)
        shown = await logged(log, session)
        assert shown[: len(was)] == was
        assert types(shown[len(was) :]) == comes


@pytest.mark.requirement("R137")
async def test_a_store_that_cannot_even_be_read_changes_nothing_either(postgres: Callable[[], str]) -> None:
    url = postgres()
    async with open_log(url) as log:
        session = await at_work(log)
        was = await logged(log, session)
        with unreachable(url):
            for _ in range(2):
                with pytest.raises(StoreError):
                    await session.ingest(1, 5, ENDING)
                assert session.is_active
                assert session.acknowledged == 4
        await session.ingest(1, 5, ENDING)
        shown = await logged(log, session)
        assert shown[: len(was)] == was
        assert types(shown[len(was) :]) == [
            "message",
            "message",
            "tool_complete",
            "session_disconnect",
            "agent_complete",
        ]


async def test_a_session_that_could_not_be_created_can_be_created_then(store_url: str) -> None:
    async with open_log(store_url) as log:
        with locked(store_url), pytest.raises(StoreError):
            await started(log)
        assert await log.read.sessions(None) == []
        assert await logged(log, await started(log)) == []


@pytest.mark.parametrize("lands", [True, False])
async def test_a_writer_that_is_cancelled_in_the_middle_leaves_a_session_that_goes_on(
    store_url: str, lands: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOCK_PATIENCE_S", 30 if lands else 2)
    async with open_log(store_url) as log:
        session = await at_work(log)
        with locked(store_url):
            writing = asyncio.ensure_future(session.ingest(1, 5, [*numbered(3)]))
            done, _ = await asyncio.wait((writing,), timeout=0.05)
            assert not done
            writing.cancel()
            if not lands:
                await asyncio.wait((writing,))
        with pytest.raises(asyncio.CancelledError):
            await writing
        # Nobody was told whether it was written; sent again, it is there once.
        assert await session.ingest(1, 5, numbered(3)) == 7
        assert [event["data"].get("text") for event in (await logged(log, session))[4:]] == ["1", "2", "3"]
        assert not session.is_fenced


@pytest.mark.requirement("R036", "R084")
async def test_an_end_whose_texts_were_written_and_which_was_not_comes_once_when_it_is_sent_again(
    store_url: str,
) -> None:
    async with open_log(store_url) as log:
        session = await at_work(log)
        with contextlib.ExitStack() as stack:
            # The batch needs two commits; the store is locked as soon as the first of them is there.
            unwatch = log.watch(session.id, lambda: stack.enter_context(locked(store_url)))
            with pytest.raises(StoreError):
                await session.ingest(1, 5, ENDING)
            unwatch()
            assert session.is_active
            assert types((await logged(log, session))[4:]) == ENDED[:1]
        assert session.acknowledged == 5
        assert await session.ingest(1, 5, ENDING) == 6
        shown = await logged(log, session)
        assert types(shown[4:]) == ENDED
        assert shown[5]["data"]["full_text"] == "Hello"
