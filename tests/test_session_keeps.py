"""What a session keeps beside its events: what its agent wants to remember, and what people have allowed for good."""

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from holdfast.events import TRANSCRIPT, Recorded, UserMessage
from holdfast.log.log import Log
from tests.event_values import AT_MS, partial, recorded
from tests.stores import learned, open_log
from tests.test_session_writer import a_run, logged, started, types

pytestmark = pytest.mark.anyio


@pytest.fixture
async def log(store_url: str) -> AsyncIterator[Log]:
    async with open_log(store_url) as log:
        yield log


async def test_what_an_agent_wants_remembered_is_kept_once_and_is_no_event(log: Log) -> None:
    session = await started(log)
    pieces = [Recorded(TRANSCRIPT, body, AT_MS) for body in (b"one", b"\xff two", b"three")]
    sent = [partial("Hel"), pieces[0], partial("lo"), pieces[1], recorded("agent_complete"), pieces[2]]
    await session.ingest(1, 1, sent[:2])
    # The batch needs two commits, since its texts must be closed before its end.
    await session.ingest(1, 2, sent[1:])
    await session.ingest(1, 1, sent)
    row = await learned(log, session.id)
    assert await log.read.transcript(row.key, 1) == [b"one", b"\xff two", b"three"]
    assert types(await logged(log, session)) == [
        "message",
        "message",
        "message",
        "session_disconnect",
        "agent_complete",
    ]
    await session.begin(UserMessage(text="more"), a_run(2), None)
    await session.ingest(2, 1, [Recorded(TRANSCRIPT, b"four", AT_MS)])
    assert await log.read.transcript(row.key, 1) == [b"one", b"\xff two", b"three"]
    assert await log.read.transcript(row.key, 2) == [b"one", b"\xff two", b"three", b"four"]


def answered(request_id: str, **fields: Any) -> list[Recorded]:
    return [
        recorded("permission_request", request_id=request_id),
        recorded("permission_resolved", request_id=request_id, **fields),
    ]


async def test_what_is_allowed_for_the_project_is_kept_for_its_other_sessions_and_nothing_else_is(log: Log) -> None:
    session = await started(log)
    sent = [
        *answered("a", decision="allow_once"),
        *answered("b", decision="allow_session", rule="Bash(make)"),
        *answered("c", decision="allow_project", rule="Bash(ls)"),
        *answered("d", decision="allow_project", rule="Bash(ls)"),
    ]
    await session.ingest(1, 1, sent)
    assert await log.read.granted("ann", session.project) == ["Bash(ls)"]
    assert session.state.granted == ["Bash(make)", "Bash(ls)"]
    other = await started(log)  # of the same folder, and of no project
    assert other.project == session.project
    await other.ingest(1, 1, answered("a", decision="allow_project", rule="Bash(ls)"))
    assert await log.read.granted("ann", other.project) == ["Bash(ls)"]
    assert await log.read.granted("bob", other.project) == []
    assert await log.read.granted("ann", "folder:/") == []


async def test_a_rule_that_no_column_can_hold_does_not_hold_up_the_log(log: Log) -> None:
    session = await started(log)
    script = f"Bash({random.Random(7).randbytes(50_000).hex()})"
    sent = [
        *answered("a", decision="allow_project", rule="Bash(a\0b)"),
        *answered("b", decision="allow_project", rule=script),
        recorded("agent_complete"),
    ]
    assert await session.ingest(1, 1, sent) == 5
    assert types(await logged(log, session))[-1] == "agent_complete"
    assert await log.read.granted("ann", session.project) == [script]
