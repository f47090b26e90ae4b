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
    if url is None:
        settings = load({}, environ, None)
        url = address(settings)
        token = token or settings.token or read_token(settings.data)
    elif not token and is_loopback(url):
        # The token of this machine's server must not go to another machine because of a --url.
        settings = load({}, environ, None)
        token = settings.token or read_token(settings.data)
    return open_client(url, token)


def open_client(url: str, token: str | None) -> Client:
    local = is_loopback(url)
    headers = {"User-Agent": f"holdfast-cli/{__version__}", "Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        # A proxy from the environment is for the world outside, not for this machine.
        http = httpx.Client(headers=headers, trust_env=not local)
    except UnicodeEncodeError as cause:
        raise ConfigError("The token has characters that no header can carry.") from cause
    return Client(url.rstrip("/"), http, is_local=local)


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
