"""Finds the server to talk to and the token for it."""

import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path

import httpx

from holdfast import __version__
from holdfast.cli.client import Client
from holdfast.config import Settings, load
from holdfast.errors import ConfigError


def connect(url: str | None, token: str | None, environ: Mapping[str, str] = os.environ) -> Client:
    """A client for the given server, or for the one that the settings describe.

    The token comes from the flag, HOLDFAST_TOKEN, holdfast.toml or the data folder, in this order.
    """
    url = url or environ.get("HOLDFAST_URL") or None
    token = token or environ.get("HOLDFAST_TOKEN") or None
    hint = "the token is that of --token or HOLDFAST_TOKEN; without one, that of the data folder (HOLDFAST_DATA) counts"
    if not token:
        hint = "this machine's token does not go to another machine; --token or HOLDFAST_TOKEN give one"
    if url is None:
        settings = load({}, environ, None)
        url = address(settings)
        if not token:
            token, hint = _own_token(settings)
    elif not token and is_loopback(url):
        # The token of this machine's server must not go to another machine because of a --url.
        token, hint = _own_token(load({}, environ, None))
    return open_client(url, token, hint)


def _own_token(settings: Settings) -> tuple[str | None, str]:
    """The token of this machine's server, and for who is not let in: where it was looked for, and how to give one."""
    ways = "--token or HOLDFAST_TOKEN give another, HOLDFAST_DATA another data folder"
    if settings.token:
        return settings.token, f"the token is that of the settings; {ways}"
    token = read_token(settings.data)
    return token, f"{'the token is that in' if token else 'there is no token in'} {settings.data / 'token'}; {ways}"


def open_client(url: str, token: str | None, token_hint: str = "") -> Client:
    local = is_loopback(url)
    headers = {"User-Agent": f"holdfast-cli/{__version__}", "Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        # A proxy from the environment is for the world outside, not for this machine.
        http = httpx.Client(headers=headers, trust_env=not local)
    except UnicodeEncodeError as cause:
        raise ConfigError("The token has characters that no header can carry.") from cause
    return Client(url.rstrip("/"), http, is_local=local, token_hint=token_hint)


def address(settings: Settings) -> str:
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


def read_token(data: Path) -> str | None:
    """The token that the server made at its first start; None if there is none for us to read."""
    try:
        return (data / "token").read_text(encoding="utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None
