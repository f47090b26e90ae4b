"""What users can do with their webhooks and the deliveries to them."""

import secrets
from collections.abc import Sequence
from uuid import uuid4

from holdfast.errors import BadRequest, NotFound
from holdfast.log.deliveries import PENDING, DeliveryRow
from holdfast.log.log import Log
from holdfast.log.webhooks import Keep, NewWebhook, WebhookRow
from holdfast.times import now_ms, timestamp
from holdfast.webhooks import message, signing
from holdfast.webhooks.address import check_url
from holdfast.webhooks.courier import Courier
from holdfast.webhooks.lane import signed
from holdfast.webhooks.message import KINDS
from holdfast.webhooks.schedule import judged
from holdfast.webhooks.sending import Sender

# Each has a lane that is always there.
_MOST = 100
# A receiver has so long to learn of a new secret.
_OLD_SECRET_S = 24 * 3600


class Office:
    def __init__(self, log: Log, sender: Sender, courier: Courier) -> None:
        self._log = log
        self._sender = sender
        self._courier = courier

    async def create(
        self,
        user_id: str,
        *,
        url: str,
        events: Sequence[str] | None,
        secret: str | None,
        description: str,
        project_id: str | None,
        keep: Keep,
    ) -> WebhookRow:
        check_url(url)
        if secret is not None:
            signing.check_secret(secret)
        if await self._log.webhooks.count(user_id) >= _MOST:
            raise BadRequest(f"There are {_MOST} webhooks, and there can be no more; delete one first")
        new = NewWebhook(
            id=f"wh_{secrets.token_hex(12)}",
            user_id=user_id,
            url=url,
            events=_written(KINDS if events is None else events),
            secret=secret or signing.new_secret(),
            description=description,
            project_id=project_id,
        )
        webhook = await self._log.webhooks.create(new, now_ms(), keep)
        self._courier.changed()
        return webhook

    async def of(self, user_id: str) -> list[WebhookRow]:
        return await self._log.webhooks.of(user_id)

    async def find(self, user_id: str, webhook_id: str) -> WebhookRow:
        """Raises NotFound for others' and none alike."""
        # PostgreSQL refuses a text with NUL, even to look for it.
        webhook = None if "\0" in webhook_id else await self._log.webhooks.one(webhook_id)
        if webhook is None or webhook.user_id != user_id:
            raise _gone(webhook_id)
        return webhook

    async def change(
        self,
        webhook: WebhookRow,
        *,
        url: str | None,
        events: Sequence[str] | None,
        description: str | None,
        active: bool | None,
    ) -> WebhookRow:
        """What is None stays as it is."""
        if url is not None:
            check_url(url)
        given = {
            "url": url,
            "events": None if events is None else _written(events),
            "description": description,
            "active": active,
        }
        await self._log.webhooks.change(
            webhook.key, now_ms(), **{name: value for name, value in given.items() if value is not None}
        )
        self._courier.changed()
        return await self.find(webhook.user_id, webhook.id)

    async def delete(self, webhook: WebhookRow) -> None:
        await self._log.webhooks.delete(webhook.key)
        self._courier.changed()

    async def rotate(self, webhook: WebhookRow, secret: str | None, keep: Keep) -> WebhookRow:
        if secret is not None:
            signing.check_secret(secret)
        now = now_ms()
        until_ms = now + _OLD_SECRET_S * 1000
        rotated = await self._log.webhooks.rotate(webhook.key, now, secret or signing.new_secret(), until_ms, keep)
        if rotated is None:
            raise _gone(webhook.id)
        return rotated

    async def test(self, webhook: WebhookRow) -> DeliveryRow:
        """Sends a message now, once, also to a webhook that is not active."""
        at_ms = now_ms()
        delivery_id = f"msg_{uuid4().hex}"
        body = message.body(message.TEST, timestamp(at_ms), {"webhook_id": webhook.id})
        outcome = await self._sender.send(webhook.url, signed(webhook, delivery_id, body), body)
        attempt = judged(outcome, attempts=0, at_ms=at_ms, delays_s=())
        await self._log.deliveries.keep_test(webhook.key, delivery_id, message.TEST, body, attempt)
        return await self.delivery(webhook, delivery_id)

    async def delivery(self, webhook: WebhookRow, delivery_id: str) -> DeliveryRow:
        found = None if "\0" in delivery_id else await self._log.deliveries.one(webhook.key, delivery_id)
        if found is None:
            raise NotFound(f"There is no delivery {delivery_id!r} to the webhook {webhook.id}")
        return found

    async def sent(self, webhook: WebhookRow, delivery_id: str) -> tuple[DeliveryRow, str]:
        """A delivery with what is sent, to the letter."""
        found = await self.delivery(webhook, delivery_id)
        body = await self._log.deliveries.body(found)
        if body is None:
            raise NotFound(f"There is no delivery {delivery_id!r} to the webhook {webhook.id} any more")
        return found, body.decode()

    async def deliveries(
        self, webhook: WebhookRow, *, status: str | None, before: str | None, limit: int
    ) -> list[DeliveryRow]:
        last = None if before is None else await self._log.deliveries.one(webhook.key, before)
        if before is not None and last is None:
            raise BadRequest(f"before={before!r} is not a value of `next`")
        return await self._log.deliveries.of(
            webhook.key, status=status, before=None if last is None else last.key, limit=limit
        )

    async def retry(self, webhook: WebhookRow, delivery_id: str) -> DeliveryRow:
        delivery = await self.delivery(webhook, delivery_id)
        if not webhook.active:
            raise BadRequest(f"The webhook {webhook.id} is not active; activate it first")
        if delivery.status == PENDING and delivery.next_ms is None:
            raise BadRequest(f"The delivery {delivery.id} waits for an earlier one of its session; retry that one")
        await self._log.deliveries.again(delivery.key, now_ms())
        self._courier.changed()
        return await self.delivery(webhook, delivery_id)


def _gone(webhook_id: str) -> NotFound:
    return NotFound(f"There is no webhook {webhook_id!r}")


def _written(events: Sequence[str]) -> str:
    """In one order, each once."""
    return " ".join(kind for kind in KINDS if kind in events)
