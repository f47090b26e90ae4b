"""The errors that a model API answers with: what belongs to a status, and the headers of a usage limit."""

import json
import time

from tests.models.actions import Fail
from tests.models.marker import Marker

_KNOWN = {
    400: ("invalid_request_error", "The request is not valid."),
    401: ("authentication_error", "invalid x-api-key"),
    403: ("permission_error", "Your key may not do this."),
    404: ("not_found_error", "model: there is no such model"),
    413: ("request_too_large", "Request exceeds the maximum size"),
    429: ("rate_limit_error", "This request would exceed your rate limit."),
    500: ("api_error", "Internal server error"),
    529: ("overloaded_error", "Overloaded"),
}


def failure(marker: Marker) -> Fail:
    """The error that `[[do:error …]]` asks for; what it does not say follows from the status."""
    given = marker.arguments
    status = marker.count("status", 500)
    type_, message = _KNOWN.get(status, ("api_error", f"Status {status}"))
    headers: dict[str, str] = json.loads(given.get("headers", "{}"))
    if "retry_after" in given:
        headers["retry-after"] = given["retry_after"]
    if "limit" in given:
        headers |= limit_headers(given["limit"], "rejected", marker.count("reset", 3600))
        headers.setdefault("retry-after", given.get("reset", "3600"))
    return Fail(status=status, type=given.get("type", type_), message=given.get("message", message), headers=headers)


def status_of(type_: str) -> int:
    return next((status for status, (known, _) in _KNOWN.items() if known == type_), 500)


def credit_too_low() -> Fail:
    text = "Your credit balance is too low to access the Anthropic API."
    return Fail(status=400, type="invalid_request_error", message=text)


def prompt_too_long() -> Fail:
    text = "prompt is too long: 210000 tokens > 200000 maximum"
    return Fail(status=400, type="invalid_request_error", message=text)


def limit_headers(limit: str, status: str, reset_s: int, used: float = 1.0) -> dict[str, str]:
    """What an account with a usage limit is told with each answer; limit is five_hour or seven_day."""
    reset = str(int(time.time()) + reset_s)
    short = {"five_hour": "5h", "seven_day": "7d"}.get(limit, limit)
    unified = "anthropic-ratelimit-unified"
    return {
        f"{unified}-status": status,
        f"{unified}-reset": reset,
        f"{unified}-representative-claim": limit,
        f"{unified}-overage-status": "rejected",
        f"{unified}-overage-disabled-reason": "org_level_disabled",
        f"{unified}-{short}-status": status,
        f"{unified}-{short}-reset": reset,
        f"{unified}-{short}-utilization": str(used),
        f"{unified}-{short}-surpassed-threshold": "0.9",
    }
