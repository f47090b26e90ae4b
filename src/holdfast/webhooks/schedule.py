"""What follows from an attempt: delivered, to be tried again later, or given up; pure."""

from collections.abc import Sequence

from msgspec.structs import replace

from holdfast.log.deliveries import DELIVERED, FAILED, PENDING, Attempt
from holdfast.webhooks.sending import Outcome

GONE = 410
# A receiver that asks for more is asked again all the same.
_MOST_PATIENCE_S = 24 * 3600.0


def judged(outcome: Outcome, *, attempts: int, at_ms: int, delays_s: Sequence[float]) -> Attempt:
    """`attempts` were made before this one; `delays_s` lie between the attempts."""
    attempt = Attempt(
        at_ms=at_ms,
        status=FAILED,
        response_status=outcome.status,
        error=outcome.error,
        response=outcome.response,
    )
    if outcome.error is None:
        return replace(attempt, status=DELIVERED)
    if outcome.status == GONE:
        return replace(attempt, disables="The receiver answered 410: it is gone for good")
    if attempts >= len(delays_s):
        return attempt
    wait_s = max(delays_s[attempts], min(outcome.retry_after_s or 0.0, _MOST_PATIENCE_S))
    return replace(attempt, status=PENDING, next_ms=at_ms + int(wait_s * 1000))
