"""The courier on a real log, with real receivers: how much is on its way at once, and where a new one goes on."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from holdfast.log.log import Log
from holdfast.log.outbox import Candidate, Draft, Outbox
from holdfast.log.webhooks import NewWebhook, WebhookRow
from holdfast.webhooks.courier import Courier
from holdfast.webhooks.message import KINDS, draft
from holdfast.webhooks.sending import Sender
from holdfast.webhooks.signing import new_secret
from tests.log.author import Author
from tests.processes import throughout
from tests.stores import open_log
from tests.webhooks.receiver import PATIENCE_S, Received, Receiver, Reply

pytestmark = pytest.mark.anyio


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(f"sqlite:///{tmp_path / 'holdfast.db'}") as log:
        yield log


@asynccontextmanager
async def courier_of(log: Log, delays_s: tuple[float, ...] = (0.05,) * 50) -> AsyncIterator[Courier]:
    courier = Courier(log, Sender(PATIENCE_S), delays_s=delays_s, public_url=None)
    try:
        yield courier
    finally:
        await courier.close()


async def webhook_to(log: Log, receiver: Receiver) -> WebhookRow:
    new = NewWebhook(id="wh", user_id="ann", url=receiver.url, events=" ".join(KINDS), secret=new_secret())
    return await log.webhooks.create(new, 1)


async def ended_runs(log: Log, count: int) -> None:
    for _ in range(count):
        await (await Author(log).begin()).end()


async def come(receiver: Receiver, count: int) -> list[Received]:
    return await anyio.to_thread.run_sync(receiver.wait, count)


async def become(log: Log, webhook: WebhookRow, count: int, status: str | None = None) -> None:
    """Waits until there are so many deliveries."""
    with anyio.fail_after(PATIENCE_S):
        while True:
            if len(await log.deliveries.of(webhook.key, status=status, limit=99)) >= count:
                return
            await anyio.sleep(0.01)


class Held:
    """Answers nobody until it is told to, and knows how many it kept waiting at once."""

    def __init__(self, receiver: Receiver) -> None:
        self._changed = threading.Condition()
        self._now = self.most = 0
        self.release = threading.Event()
        receiver.reply = self._reply

    def _reply(self, _: Received) -> Reply:
        with self._changed:
            self._now += 1
            self.most = max(self.most, self._now)
            self._changed.notify_all()
        self.release.wait(PATIENCE_S)
        with self._changed:
            self._now -= 1
        return Reply()

    async def keeps(self, count: int) -> None:
        """Waits until so many wait here, and sees that no more of them come."""
        await anyio.to_thread.run_sync(self._wait, count)

    def _wait(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self._now >= count, PATIENCE_S), f"no more than {self.most} came"
        throughout(0.5, lambda: self.most == count, f"more than {count} came")


async def disabled(log: Log, webhook: WebhookRow) -> WebhookRow:
    """Waits until it is not active any more."""
    with anyio.fail_after(PATIENCE_S):
        while True:
            found = await log.webhooks.one(webhook.id)
            if found is not None and not found.active:
                return found
            await anyio.sleep(0.01)


async def test_four_sessions_are_told_of_at_once_and_not_more(log: Log, receiver: Receiver) -> None:
    held = Held(receiver)
    await webhook_to(log, receiver)
    await ended_runs(log, 9)
    async with courier_of(log):
        await held.keeps(4)
        held.release.set()
        received = await come(receiver, 9)
    assert held.most == 4
    assert len({one.about for one in received}) == 9


async def test_a_receiver_that_fails_is_asked_for_one_at_a_time(log: Log, receiver: Receiver) -> None:
    receiver.reply = lambda _: Reply(500)
    webhook = await webhook_to(log, receiver)
    await ended_runs(log, 1)
    async with courier_of(log):
        await come(receiver, 3)
        held = Held(receiver)
        await ended_runs(log, 6)
        await become(log, webhook, 7)
        await held.keeps(1)  # though seven wait
        held.release.set()
        await become(log, webhook, 7, status="delivered")


async def test_the_next_courier_goes_on_where_the_last_one_stood(log: Log, receiver: Receiver) -> None:
    """What happened while there was none is told too; nothing that was told is told again."""
    webhook = await webhook_to(log, receiver)
    async with courier_of(log):
        await ended_runs(log, 2)
        # What came and is not noted is told again: a stop does not wait long for it.
        await become(log, webhook, 2, "delivered")
    await ended_runs(log, 3)
    async with courier_of(log):
        await come(receiver, 5)
        await ended_runs(log, 1)
        received = await come(receiver, 6)
    assert len({one.id for one in received}) == len(received) == 6


async def test_what_was_under_way_at_a_stop_is_sent_again_as_it_was(log: Log, receiver: Receiver) -> None:
    held = Held(receiver)
    await webhook_to(log, receiver)
    await ended_runs(log, 1)
    async with courier_of(log):
        await come(receiver, 1)
    held.release.set()
    async with courier_of(log):
        first, second = await come(receiver, 2)
    assert (first.id, first.body) == (second.id, second.body)


async def test_a_webhook_that_is_deleted_while_it_is_retried_hears_nothing_more(log: Log, receiver: Receiver) -> None:
    receiver.reply = lambda _: Reply(503)
    webhook = await webhook_to(log, receiver)
    async with courier_of(log) as courier:
        await ended_runs(log, 3)
        await come(receiver, 4)
        await log.webhooks.delete(webhook.key)
        courier.changed()
        other = NewWebhook(
            id="other", user_id="ann", url=f"{receiver.url}/2", events=webhook.events, secret=new_secret()
        )
        await log.webhooks.create(other, 2)
        courier.changed()
        receiver.reply = lambda _: Reply()
        await ended_runs(log, 1)
        paths = [one.path for one in await anyio.to_thread.run_sync(receiver.wait_for, _has_second)]
    # One may have been on its way when it was deleted, and none is begun behind what came later.
    assert "/hook" not in paths[paths.index("/hook/2") :]
    assert await log.deliveries.of(webhook.key, status="pending", limit=9) == []


def _has_second(received: list[Received]) -> bool:
    return any(one.path == "/hook/2" for one in received)


async def test_what_waited_when_a_webhook_was_switched_off_comes_when_it_is_on_again(
    log: Log, receiver: Receiver
) -> None:
    receiver.reply = lambda _: Reply(503)
    webhook = await webhook_to(log, receiver)
    async with courier_of(log) as courier:
        await ended_runs(log, 2)
        await become(log, webhook, 2)
        await come(receiver, 2)
        await log.webhooks.change(webhook.key, 2, active=False)
        courier.changed()
        await ended_runs(log, 1)
        receiver.reply = lambda _: Reply()
        await log.webhooks.change(webhook.key, 3, active=True)
        courier.changed()
        await become(log, webhook, 2, "delivered")
        await ended_runs(log, 1)
        await become(log, webhook, 3, "delivered")
    assert len(await log.deliveries.of(webhook.key, limit=9)) == 3, "what happened meanwhile is not told"


async def test_a_webhook_whose_deliveries_are_too_many_is_left_alone(
    log: Log, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Outbox.put, "__kwdefaults__", {"most_waiting": 3})
    release = threading.Event()
    receiver.reply = lambda _: (release.wait(PATIENCE_S), Reply(503))[1]
    webhook = await webhook_to(log, receiver)
    async with courier_of(log):
        try:
            await ended_runs(log, 6)
            found = await disabled(log, webhook)
        finally:
            release.set()
    assert found.disabled == "3 deliveries wait: the receiver does not take them as fast as they come"
    assert 3 <= len(await log.deliveries.of(webhook.key, limit=9)) <= 6


async def test_an_event_that_cannot_be_told_holds_up_no_other(
    log: Log, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = await Author(log).begin()

    def told(candidate: Candidate, public_url: str | None) -> Draft:
        if candidate.session_id == odd.id:
            raise ValueError("an end of a newer version")
        return draft(candidate, public_url)

    monkeypatch.setattr("holdfast.webhooks.courier.draft", told)
    await webhook_to(log, receiver)
    await odd.end()
    await ended_runs(log, 1)
    async with courier_of(log):
        [one] = await come(receiver, 1)
    assert one.about[0] != odd.id
