"""Secrets and signatures after the Standard Webhooks scheme; no error and no log shows a secret."""

import base64
import binascii
import hashlib
import hmac
import secrets
from collections.abc import Sequence

from holdfast.errors import BadRequest

_PREFIX = "whsec_"
_LEAST_BYTES, _MOST_BYTES = 24, 64
_NEW_BYTES = 32
_HINT_CHARACTERS = 4


def new_secret() -> str:
    return _PREFIX + base64.b64encode(secrets.token_bytes(_NEW_BYTES)).decode()


def check_secret(given: str) -> None:
    """Raises BadRequest for what is no secret of the scheme."""
    try:
        key = _key(given) if given.startswith(_PREFIX) else b""
    except (binascii.Error, ValueError):
        key = b""
    if not _LEAST_BYTES <= len(key) <= _MOST_BYTES:
        raise BadRequest(
            f"The secret must be {_PREFIX} and the Base64 of {_LEAST_BYTES} to {_MOST_BYTES} bytes; "
            "what was given is not"
        )


def hint(secret: str) -> str:
    """Enough to tell one secret from another, and no more."""
    return f"{_PREFIX}…{secret.rstrip('=')[-_HINT_CHARACTERS:]}"


def headers(message_id: str, at_s: int, body: bytes, with_secrets: Sequence[str]) -> dict[str, str]:
    """One signature for each secret, so that a receiver may know the new one or still the old one."""
    signed = b"%b.%d.%b" % (message_id.encode(), at_s, body)
    signatures = (hmac.new(_key(secret), signed, hashlib.sha256).digest() for secret in with_secrets)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(at_s),
        "webhook-signature": " ".join(f"v1,{base64.b64encode(signature).decode()}" for signature in signatures),
    }


def _key(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
