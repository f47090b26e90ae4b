"""Finds the server to talk to and the token for it."""

import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path

import httpx
import msgspec

from holdfast.config import Settings, load
from holdfast.errors import ConfigError


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """Where a server is, and what it is told about who asks."""

    url: str
    token: str | None
    token_hint: str
    """For who is not let in: where the token came from, and how to give another."""

    def __repr__(self) -> str:
        return f"Address(url={self.url!r}, …)"


def locate(
    url: str | None, token: str | None, environ: Mapping[str, str] = os.environ, *, credential_option: str = "token="
) -> Address:
    """The given server, or the one that the settings describe.

    The token is the given one, else that of HOLDFAST_TOKEN, of holdfast.toml or of the data folder, in this order.
    Raises ConfigError if a setting is wrong or the URL is none.
    """
    url = url or environ.get("HOLDFAST_URL") or None
    token = token or environ.get("HOLDFAST_TOKEN") or None
    ways = f"{credential_option} or HOLDFAST_TOKEN"
    hint = f"the token is that of {ways}; without one, that of the data folder (HOLDFAST_DATA) counts"
    if not token:
        hint = f"this machine's token does not go to another machine; {ways} give one"
    if url is None:
        settings = load({}, environ, None)
        url = url_of(settings)
        if not token:
            token, hint = _own_token(settings, ways)
    elif is_loopback(url) and not token:
        # The token of this machine's server must not go to another machine because of a URL.
        token, hint = _own_token(load({}, environ, None), ways)
    return Address(url=url.rstrip("/"), token=token, token_hint=hint)


def _own_token(settings: Settings, ways: str) -> tuple[str | None, str]:
    ways = f"{ways} give another, HOLDFAST_DATA another data folder"
    if settings.token:
        return settings.token, f"the token is that of the settings; {ways}"
    token = _read_token(settings.data)
    return token, f"{'the token is that in' if token else 'there is no token in'} {settings.data / 'token'}; {ways}"


def url_of(settings: Settings) -> str:
    """Where this machine reaches a server with these settings; one that binds to all is on loopback too."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(settings.host, settings.host)  # noqa: S104
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def is_loopback(url: str) -> bool:
    """Whether the address is on this machine. Raises ConfigError if it is no address of a server at all."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as cause:
        raise ConfigError(f"{url!r} is not a URL: {cause}.") from cause
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ConfigError(f"The server's URL must look like http://host:port; it says {url!r}.")
    try:
        return ipaddress.ip_address(parsed.host).is_loopback
    except ValueError:
        return parsed.host == "localhost"


def _read_token(data: Path) -> str | None:
    """The token that the server made at its first start; None if there is none for us to read."""
    try:
        return (data / "token").read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None
