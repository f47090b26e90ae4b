"""Requests that take effect once: the answers that they got are kept, and given again."""

import msgspec

from holdfast.errors import IdempotencyMismatch
from holdfast.log.appends import Request
from holdfast.log.log import Log
from holdfast.times import now_ms


class Once(msgspec.Struct, frozen=True, kw_only=True):
    """Who made the request, under which key, and what it asked for."""

    user_id: str
    key: str
    fingerprint: str

    def answered(self, answer: bytes) -> Request:
        return Request(user_id=self.user_id, key=self.key, fingerprint=self.fingerprint, answer=answer)


async def known_answer(log: Log, once: Once | None) -> bytes | None:
    """The answer that the same request has got before; raises IdempotencyMismatch if the key stood for another."""
    known = None if once is None else await log.read.request(once.user_id, once.key)
    if once is None or known is None:
        return None
    if known.fingerprint != once.fingerprint:
        raise IdempotencyMismatch(f"The Idempotency-Key {once.key!r} was used for another request")
    return known.answer


async def keep_answer(log: Log, once: Once | None, answer: bytes) -> None:
    """For requests that append nothing themselves; those that do keep their answer in the same commit."""
    if once is not None:
        await log.remember(once.answered(answer), now_ms())
