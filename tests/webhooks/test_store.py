"""Cursors and deliveries in the store, on SQLite and on PostgreSQL."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from holdfast.events import envelope
from holdfast.log.appends import NewSession
from holdfast.log.copies import CopiedRun, Copy
from holdfast.log.deliveries import DELIVERED, FAILED, PENDING, Attempt
from holdfast.log.log import Log
from holdfast.log.outbox import Draft, Put
from holdfast.log.webhooks import NewWebhook, WebhookRow
from holdfast.webhooks.message import KINDS, TOLD, draft
from tests.event_values import final, recorded
from tests.log.author import Author
from tests.stores import open_log

pytestmark = pytest.mark.anyio

TYPES = tuple(TOLD)
LATER = 2**62


@pytest.fixture
async def log(store_url: str) -> AsyncIterator[Log]:
    async with open_log(store_url) as log:
        yield log


async def webhook_of(log: Log, name: str = "one", user_id: str = "ann", **fields: str) -> WebhookRow:
    given = {"url": "http://h/", "events": " ".join(KINDS), "secret": "whsec_x", **fields}
    return await log.webhooks.create(NewWebhook(id=name, user_id=user_id, **given), 1)


async def collected(log: Log, after: int) -> tuple[list[Draft], int]:
    found, reached, is_head = await log.outbox.candidates(TYPES, after)
    assert is_head
    return [draft(candidate, None) for candidate in found], reached


async def due(log: Log, webhook: WebhookRow) -> list[int]:
    """The sequences of those that may be sent."""
    keys = [key for key, _ in await log.deliveries.upcoming(webhook.key, 100)]
    rows = [await log.deliveries.to_send(key, LATER) for key in keys]
    return [row[0].sequence or 0 for row in rows if row is not None]


async def end(log: Log, webhook: WebhookRow, status: str = DELIVERED) -> None:
    """The first one that is due comes to its end."""
    [(key, _), *_] = await log.deliveries.upcoming(webhook.key, 1)
    found = await log.deliveries.to_send(key, LATER)
    assert found is not None
    await log.deliveries.record(found[0], Attempt(at_ms=50, status=status))


async def test_of_all_events_those_that_are_told_are_found_with_their_run_and_its_task(log: Log) -> None:
    author = await Author(log).begin("First")
    await author.write(final('{"type":"error",'), recorded("permission_request"), recorded("permission_resolved"))
    await author.write(recorded("stalled"))
    await author.end()
    await author.begin("Second")
    await author.end()
    found, reached, is_head = await log.outbox.candidates(TYPES, 0)
    assert (reached, is_head) == (log.position, True)
    told = [(one.sequence, one.run, one.task) for one in found]
    assert told == [(4, 1, "First"), (6, 1, "First"), (8, 1, "First"), (12, 2, "Second")]
    drafts = [draft(one, "https://holdfast.example") for one in found]
    assert [one.type for one in drafts] == ["permission.requested", "run.stalled", "run.ended", "run.ended"]
    assert msgspec.json.decode(drafts[-1].body)["data"]["url"] == f"https://holdfast.example/sessions/{author.id}"
    assert [one.sequence for one in (await log.outbox.candidates(TYPES, found[2].position))[0]] == [12]


async def test_a_long_log_is_gone_through_in_pages_without_a_hole(log: Log) -> None:
    author = await Author(log).begin()
    for _ in range(60):
        await author.write(recorded("stalled"), final("x"), recorded("stalled"))
    seen: list[int] = []
    after, is_head = 0, False
    while not is_head:
        found, after, is_head = await log.outbox.candidates(TYPES, after)
        assert len(found) <= 100
        seen += [one.sequence for one in found]
    assert seen == [number for number, one in enumerate(author.written, 1) if one.type == "stalled"]
    assert len(seen) == 120


async def test_deliveries_are_made_once_for_each_that_wants_them(log: Log) -> None:
    early = await Author(log).begin()
    await early.end()
    webhook = await webhook_of(log)
    other = await webhook_of(log, "two", user_id="bob")
    ends = await webhook_of(log, "three", events="run.ended")
    author = await Author(log).begin()
    await author.write(recorded("stalled"))
    await author.end()
    drafts, reached = await collected(log, 0)
    assert len(drafts) == 3
    assert await log.outbox.put(drafts, reached, 5) == [Put(webhook.id, None), Put(ends.id, None)]
    assert await log.outbox.put(drafts, reached, 6) == [], "the cursors stand behind them"
    made = await log.deliveries.of(webhook.key, limit=10)
    assert [(one.type, one.sequence) for one in made] == [("run.ended", 5), ("run.stalled", 3)]
    assert [one.type for one in await log.deliveries.of(ends.key, limit=10)] == ["run.ended"]
    assert await log.deliveries.of(other.key, limit=10) == []
    assert {row.position for row in await log.webhooks.active()} == {reached}


async def test_of_each_session_one_may_be_sent_at_a_time_in_order(log: Log) -> None:
    webhook = await webhook_of(log)
    one, two = await Author(log).begin(), await Author(log).begin()
    for author in (one, two):
        await author.write(recorded("stalled"))
        await author.write(recorded("stalled"))
        await author.end()
    await log.outbox.put(*await collected(log, 0), 5)
    assert await due(log, webhook) == [3, 3]
    await end(log, webhook)
    assert await due(log, webhook) == [3, 4], "the other session waits for its own"
    await end(log, webhook, FAILED)
    assert sorted(await due(log, webhook)) == [4, 4], "given up counts as over"
    for _ in range(4):
        await end(log, webhook)
    assert await due(log, webhook) == []
    rows = await log.deliveries.of(webhook.key, limit=10)
    assert [row.status for row in rows].count(DELIVERED) == 5
    [failed] = [row for row in rows if row.status == FAILED]
    await one.begin()
    await one.end()
    await two.begin()
    await two.end()
    await log.deliveries.again(failed.key, 60)
    await log.outbox.put(*await collected(log, 0), 70)
    retried = one if failed.session_id == one.id else two
    assert sorted(await due(log, webhook)) == [3, 10], f"the next of {retried.id} waits for the one that is retried"


async def test_an_attempt_that_failed_is_due_again_later_and_the_webhook_is_failing(log: Log) -> None:
    webhook = await webhook_of(log)
    await (await Author(log).begin()).end()
    await log.outbox.put(*await collected(log, 0), 5)
    [(key, at_ms)] = await log.deliveries.upcoming(webhook.key, 9)
    assert at_ms == 5
    found = await log.deliveries.to_send(key, LATER)
    assert found is not None
    failed = Attempt(at_ms=10, status=PENDING, next_ms=99, response_status=500, error="no", response="x")
    await log.deliveries.record(found[0], failed)
    await log.deliveries.record(found[0], msgspec.structs.replace(failed, at_ms=20))
    assert await log.deliveries.upcoming(webhook.key, 9) == [(key, 99)]
    assert await log.deliveries.to_send(key, 98) is None, "it was seen before that attempt, and is due only later"
    row = await log.webhooks.one("one")
    assert row is not None
    assert row.failing_since_ms == 10, "since the first of them"
    await log.deliveries.record(found[0], Attempt(at_ms=30, status=FAILED, disables="gone"))
    row = await log.webhooks.one("one")
    assert row is not None
    assert (row.active, row.disabled) == (False, "gone")
    await log.deliveries.forget(ended_before_ms=30)
    assert len(await log.deliveries.of(webhook.key, limit=9)) == 1
    await log.deliveries.forget(ended_before_ms=31)
    assert await log.deliveries.of(webhook.key, limit=9) == []


async def test_what_was_copied_from_elsewhere_is_no_news(log: Log) -> None:
    author = await Author(log).begin()
    await author.end()
    new = NewSession(id="copy", user_id="ann", project_id=None, agent="demo", workspace="/tmp")
    run = CopiedRun(number=1, spec=b"{}", first_sequence=1, last_sequence=author.head, ended_ms=1)
    written = [(number, envelope(entry, number)) for number, entry in enumerate(author.written, 1)]
    state = msgspec.json.encode(author.state)
    copy = Copy(session=new, envelopes=written, runs=[run], status="complete", state=state, created_ms=1, updated_ms=1)
    await log.copy_in(copy, None)
    found, reached, _ = await log.outbox.candidates(TYPES, 0)
    assert [one.session_id for one in found] == [author.id]
    assert reached == log.position == 2 * author.head


async def test_a_webhook_for_which_too_many_wait_gets_no_more_and_says_why(log: Log) -> None:
    full, other = await webhook_of(log), await webhook_of(log, "two")
    author = await Author(log).begin()
    await author.write(recorded("stalled"), recorded("stalled"), recorded("stalled"))
    await log.outbox.put(*await collected(log, 0), 5)
    for _ in range(3):
        await end(log, other)
    reached = log.position
    await author.end()
    [first, second] = await log.outbox.put(*await collected(log, reached), 9, most_waiting=4)
    assert (first.webhook_id, second) == (full.id, Put(other.id, None)), "what has ended does not count"
    assert first.disables == "4 deliveries wait: the receiver does not take them as fast as they come"
    assert [webhook.id for webhook in await log.webhooks.active()] == [other.id]
    disabled = await log.webhooks.one(full.id)
    assert disabled is not None
    assert (disabled.disabled, disabled.updated_ms) == (first.disables, 9)
    assert len(await log.deliveries.of(full.key, limit=9)) == 4, "those are kept: they go when it is active again"


async def test_a_deleted_webhook_leaves_nothing_and_is_told_nothing(log: Log) -> None:
    webhook = await webhook_of(log)
    await (await Author(log).begin()).end()
    await log.outbox.put(*await collected(log, 0), 5)
    [(key, _)] = await log.deliveries.upcoming(webhook.key, 9)
    found = await log.deliveries.to_send(key, LATER)
    assert found is not None
    await log.webhooks.delete(webhook.key)
    await log.deliveries.record(found[0], Attempt(at_ms=10, status=DELIVERED))
    assert await log.deliveries.of(webhook.key, limit=9) == []
    assert await log.webhooks.active() == []
    # SQLite gives the number out again.
    new = await webhook_of(log, "two")
    assert await log.deliveries.of(new.key, limit=9) == []
