"""One attempt to tell a receiver something, and what came of it."""

import asyncio
import contextlib
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.request import getproxies, proxy_bypass

import httpx
import msgspec

from holdfast import __version__
from holdfast.webhooks.address import Refused, check_address, is_loopback, resolve

_RESPONSE_BYTES = 1024
# The answer is the status; who cannot show its body soon is not waited for.
_RESPONSE_S = 1.0


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    error: str | None = None
    """None: the receiver has it."""
    status: int | None = None
    response: str | None = None
    retry_after_s: float | None = None


class Sender:
    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._clients: dict[str | None, httpx.AsyncClient] = {}

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Outcome:
        """Answers within the timeout, whatever the receiver does."""
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._send(httpx.URL(url), headers, body)
        except TimeoutError:
            return Outcome(error=f"The receiver did not answer within {self._timeout_s:g} s")
        except Refused as reason:
            return Outcome(error=str(reason))
        except (httpx.HTTPError, OSError) as reason:
            return Outcome(error=f"The receiver could not be reached: {str(reason) or type(reason).__name__}")

    async def close(self) -> None:
        for client in self._clients.values():
            await client.aclose()

    async def _send(self, url: httpx.URL, headers: Mapping[str, str], body: bytes) -> Outcome:
        proxy = _proxy_of(url)
        if proxy is not None:
            # It looks the name up itself, and decides where it lets us go; what is refused here stays refused.
            check_address(url.host)
            with contextlib.suppress(OSError):
                await resolve(url.raw_host.decode("ascii"), _port(url))
            return await self._post(self._client(proxy), url, url, headers, body)
        # By the address that was looked at: a name could mean another one when it is looked up again.
        addresses = await resolve(url.raw_host.decode("ascii"), _port(url))
        for address in addresses[:-1]:
            with contextlib.suppress(httpx.ConnectError):
                return await self._post(self._client(None), url, url.copy_with(host=address), headers, body)
        return await self._post(self._client(None), url, url.copy_with(host=addresses[-1]), headers, body)

    async def _post(
        self, client: httpx.AsyncClient, url: httpx.URL, to: httpx.URL, headers: Mapping[str, str], body: bytes
    ) -> Outcome:
        own = {
            "host": url.netloc.decode("ascii"),
            "content-type": "application/json",
            "user-agent": f"holdfast/{__version__}",
            "accept-encoding": "identity",
        }
        request = client.build_request(
            "POST",
            to,
            content=body,
            headers={**own, **headers},
            extensions={"sni_hostname": url.raw_host.decode("ascii")},
        )
        response = await client.send(request, stream=True)
        try:
            text = await _beginning(response)
        finally:
            await response.aclose()
        return Outcome(
            error=_error(response.status_code),
            status=response.status_code,
            response=text,
            retry_after_s=retry_after(response.headers.get("retry-after"), datetime.now(UTC)),
        )

    def _client(self, proxy: str | None) -> httpx.AsyncClient:
        """Made when it is first needed: to load the certificates takes a while."""
        client = self._clients.get(proxy)
        if client is None:
            client = self._clients[proxy] = httpx.AsyncClient(
                proxy=proxy,
                trust_env=False,
                follow_redirects=False,
                timeout=None,  # noqa: S113 - `send` has one for all of it
                # Connections are known by their address, on which several names may live: none is used twice.
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
            )
        return client


def _port(url: httpx.URL) -> int:
    return url.port or (443 if url.scheme == "https" else 80)


async def _beginning(response: httpx.Response) -> str:
    """As much of the body as is kept; an answer counts without one."""
    found = b""
    with contextlib.suppress(TimeoutError, httpx.HTTPError):
        async with asyncio.timeout(_RESPONSE_S):
            async for chunk in response.aiter_raw():
                found += chunk[: _RESPONSE_BYTES - len(found)]
                if len(found) == _RESPONSE_BYTES:
                    break
    # PostgreSQL has no place for NUL in a text.
    return found.decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")


def _error(status: int) -> str | None:
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return f"The receiver answered {status}; a redirect is not followed"
    return f"The receiver answered {status}"


def retry_after(given: str | None, now: datetime) -> float | None:
    """How long a receiver asks to be left alone: so many seconds, or until a date."""
    if given is None:
        return None
    if given.isascii() and given.isdigit():
        return float(given[:9])
    try:
        until = parsedate_to_datetime(given)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())


def _proxy_of(url: httpx.URL) -> str | None:
    """The proxy that the environment names for a receiver; none for this machine itself."""
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if not proxy or is_loopback(url.host) or proxy_bypass(url.netloc.decode("ascii")):
        return None
    return proxy if proxy.startswith(("http://", "https://")) else None
