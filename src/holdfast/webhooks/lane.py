"""One webhook's deliveries on their way: each webhook has a lane of its own, so a receiver holds up nobody else.

Rule: nothing is known here that is not in the store. What is under way when the server dies is sent again.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import structlog

from holdfast.errors import HoldfastError
from holdfast.log.deliveries import DELIVERED, FAILED, Attempt, DeliveryRow
from holdfast.log.log import Log
from holdfast.log.webhooks import WebhookRow
from holdfast.times import now_ms
from holdfast.webhooks import signing
from holdfast.webhooks.schedule import judged
from holdfast.webhooks.sending import Outcome, Sender

# So many sessions are told of at the same time; only one while the receiver does not work.
_WIDTH = 4
_STORE_TROUBLE_S = 1.0


class Lane:
    def __init__(
        self, log: Log, sender: Sender, webhook: WebhookRow, delays_s: Sequence[float], disabled: Callable[[], None]
    ) -> None:
        """`disabled` is called when the receiver has said that it wants nothing more."""
        self._log = log
        self._sender = sender
        self._delays_s = delays_s
        self._disabled = disabled
        self._id, self._key = webhook.id, webhook.key
        self._is_failing = webhook.failing_since_ms is not None
        self._logger = structlog.get_logger("holdfast.webhooks").bind(webhook=webhook.id)
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._wake = asyncio.Event()
        self._running = asyncio.ensure_future(self._run())

    def wake(self) -> None:
        """Something may be due that was not."""
        self._wake.set()

    async def close(self, patience_s: float) -> None:
        """Begins nothing more, and lets what is under way come to its end for a moment."""
        self._running.cancel()
        await asyncio.wait((self._running,))
        under_way = list(self._under_way.values())
        if under_way:
            _, late = await asyncio.wait(under_way, timeout=patience_s)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)

    async def _run(self) -> None:
        while True:
            self._wake.clear()
            try:
                wait_s = await self._begin_due()
            except HoldfastError as error:
                self._logger.warning("deliveries cannot be read; trying again", reason=str(error))
                wait_s = _STORE_TROUBLE_S
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._wake.wait()

    async def _begin_due(self) -> float | None:
        """Begins what is due and has room; answers when the next one will be, if that is known."""
        width = 1 if self._is_failing else _WIDTH
        now = now_ms()
        for key, next_ms in await self._log.deliveries.upcoming(self._key, len(self._under_way) + width + 1):
            if key in self._under_way:
                continue
            if len(self._under_way) >= width:
                return None  # whatever ends wakes this lane
            if next_ms > now:
                return (next_ms - now) / 1000
            self._under_way[key] = asyncio.ensure_future(self._deliver(key))
        return None

    async def _deliver(self, key: int) -> None:
        try:
            webhook = await self._log.webhooks.one(self._id)
            found = await self._log.deliveries.to_send(key, now_ms())
            if webhook is None or not webhook.active or found is None:
                # This lane is about to be closed, or what it had read of the delivery is past; no circle until then.
                await asyncio.sleep(_STORE_TROUBLE_S)
                return
            delivery, body = found
            outcome = await self._attempt(webhook, delivery, body)
            attempt = judged(outcome, attempts=delivery.attempts, at_ms=now_ms(), delays_s=self._delays_s)
            await self._record(delivery, attempt)
        except HoldfastError as error:
            self._logger.warning("a delivery cannot be read; trying again", reason=str(error))
            await asyncio.sleep(_STORE_TROUBLE_S)
        finally:
            del self._under_way[key]
            self._wake.set()

    async def _attempt(self, webhook: WebhookRow, delivery: DeliveryRow, body: bytes) -> Outcome:
        headers = signed(webhook, delivery.id, body)
        try:
            return await self._sender.send(webhook.url, headers, body)
        except Exception:  # a defect that one delivery meets must not send it in a circle, nor hold up the others
            self._logger.exception("a delivery met a defect", delivery=delivery.id)
            return Outcome(error="Holdfast failed; its log tells more")

    async def _record(self, delivery: DeliveryRow, attempt: Attempt) -> None:
        """Until it is in the store: what is not recorded is sent again."""
        while True:
            try:
                await self._log.deliveries.record(delivery, attempt)
                break
            except HoldfastError as error:
                self._logger.warning("a delivery cannot be recorded; trying again", reason=str(error))
                await asyncio.sleep(_STORE_TROUBLE_S)
        self._is_failing = attempt.status != DELIVERED
        if attempt.status == FAILED:
            self._logger.warning("a delivery was given up", delivery=delivery.id, reason=attempt.error)
        if attempt.disables is not None:
            self._logger.warning("a webhook was disabled", reason=attempt.disables)
            self._disabled()


def signed(webhook: WebhookRow, message_id: str, body: bytes) -> dict[str, str]:
    """The headers of a message that is sent now."""
    now = now_ms()
    secrets = [webhook.secret]
    if webhook.old_secret is not None and now < (webhook.old_until_ms or 0):
        secrets.append(webhook.old_secret)
    return signing.headers(message_id, now // 1000, body, secrets)
