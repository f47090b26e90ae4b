"""Requests to one server: addresses, credential, answers decoded, errors translated, POSTs that are repeated safely."""

import asyncio
import contextlib
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import httpx
import msgspec

from holdfast import __version__
from holdfast.client.address import Address, is_loopback
from holdfast.client.errors import Refused, Unreachable, foreign, refusal
from holdfast.errors import ConfigError

T = TypeVar("T")
Query = Mapping[str, str | int | bool | Sequence[str] | None]

ROOT = "/api/v1"
# A cancel takes up to 3 s by contract; everything else answers at once.
TIMEOUT_S = 30.0
CONNECT_S = 5.0
# To ask an agent what it can do, it is started; it has 20 s to answer, and others may be asked before it.
CHECK_TIMEOUT_S = 120.0
# A file has up to 100 MiB; what counts is that something comes.
DOWNLOAD_TIMEOUT = httpx.Timeout(TIMEOUT_S, connect=CONNECT_S)
# Attachments come in the body: an uplink gets the time that it needs, at 50 kB/s.
BYTES_PER_S = 50_000
# How long a request whose connection broke is repeated: time enough for a service to be restarted.
REPEAT_S = 15.0
# Streams take one each, and last; they must not wait for each other.
LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)


def delays(cap: float) -> Iterator[float]:
    """How long to wait before each further try: not at all at first, then twice as long each time."""
    yield 0.0
    delay = 0.1
    while True:
        yield min(delay, cap)
        delay = min(delay * 2, cap)


class Api:
    """One server, one credential."""

    def __init__(self, address: Address, user_agent: str) -> None:
        self.url = address.url
        self.is_local = is_loopback(address.url)
        self._token_hint = address.token_hint
        headers = {"User-Agent": f"{user_agent}/{__version__}", "Accept": "application/json"}
        if address.token:
            headers["Authorization"] = f"Bearer {address.token}"
        try:
            # A proxy from the environment is for the world outside, not for this machine. Certificates are loaded
            # only for who has any: that takes longer than most requests.
            self._http = httpx.AsyncClient(
                headers=headers,
                trust_env=not self.is_local,
                verify=address.url.startswith("https:"),
                limits=LIMITS,
            )
        except UnicodeEncodeError as cause:
            raise ConfigError("The token has characters that no header can carry.") from cause

    async def aclose(self) -> None:
        await self._http.aclose()

    async def ask(self, kind: type[T], path: str, query: Query | None = None) -> T:
        return self._decoded(await self._send("GET", path, query, None, None, TIMEOUT_S), kind)

    async def order(
        self, kind: type[T], path: str, body: Any, key: str | None = None, timeout_s: float = TIMEOUT_S
    ) -> T:
        return self._decoded(await self._send("POST", path, None, body, key, timeout_s), kind)

    async def request(
        self, method: str, path: str, query: Query | None, body: Any, key: str | None, timeout_s: float
    ) -> Any:
        """Whatever JSON the route answers; None if the answer has no body."""
        response = await self._send(method, path, query, body, key, timeout_s)
        return None if response.is_success and not response.content else self._decoded(response, Any)

    async def download(self, path: str, query: Query) -> httpx.Response:
        """What is no JSON, whole."""
        request = self._http.build_request("GET", self._at(path), params=_given(query), timeout=DOWNLOAD_TIMEOUT)
        response = await self._once(request)
        if not response.is_success:
            raise self._refusal(response)
        return response

    async def open_stream(self, path: str, query: Query, after: int | None) -> httpx.Response:
        """A stream after this position; None asks for what happens now. Whoever reads it minds the time.

        Raises httpx.TransportError itself, since who follows goes on, and Refused.
        """
        headers = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
        if after is not None:
            headers["Last-Event-ID"] = str(after)
        timeout = httpx.Timeout(None, connect=CONNECT_S)
        request = self._http.build_request(
            "GET", self._at(path), params=_given(query), headers=headers, timeout=timeout
        )
        response = await self._http.send(request, stream=True)
        is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        if response.status_code == 204 or (response.status_code == 200 and is_stream):
            return response
        try:
            await response.aread()
        finally:
            await response.aclose()
        raise foreign(self.url, 200) if response.is_success else self._refusal(response)

    async def _send(
        self, method: str, path: str, query: Query | None, body: Any, key: str | None, timeout_s: float
    ) -> httpx.Response:
        """Repeats a request whose connection breaks: by its key the server does a POST once only. Bytes go as they are.

        Where nobody listens it fails at once, unless the request may have arrived before.
        """
        headers: dict[str, str] = {}
        content = None
        if method == "POST":
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        if method == "POST" or body is not None:
            is_file = isinstance(body, bytes)
            headers["Content-Type"] = "application/jsonl" if is_file else "application/json"
            content = body if is_file else b"{}" if body is None else msgspec.json.encode(body)
        timeout_s += len(content or b"") / BYTES_PER_S
        request = self._http.build_request(
            method,
            self._at(path),
            params=_given(query or {}),
            content=content,
            headers=headers,
            timeout=httpx.Timeout(timeout_s, connect=CONNECT_S),
        )
        give_up_at = time.monotonic() + REPEAT_S
        may_have_arrived = False
        for delay in delays(1.0):
            await asyncio.sleep(delay)
            is_last = time.monotonic() > give_up_at
            try:
                response = await self._once(request)
            except Unreachable as unreachable:
                never_connected = isinstance(unreachable.__cause__, httpx.ConnectError | httpx.ConnectTimeout)
                was_slow = isinstance(unreachable.__cause__, httpx.ReadTimeout)
                may_repeat = method == "POST" or (method == "GET" and not was_slow)
                if is_last or not may_repeat or (never_connected and not may_have_arrived):
                    raise
            else:
                # 503: the server stops or waits for its store; nothing was written.
                if response.status_code != 503 or method != "POST" or is_last:
                    return response
            may_have_arrived = method == "POST"
        raise AssertionError("delays never end")

    async def _once(self, request: httpx.Request) -> httpx.Response:
        try:
            return await self._http.send(request)
        except httpx.TransportError as cause:
            raise self.unreachable(cause) from cause

    def unreachable(self, cause: httpx.TransportError) -> Unreachable:
        if isinstance(cause, httpx.ReadTimeout):
            return Unreachable(f"The server at {self.url} took the request but did not answer it in time.")
        hint = "; start one with `holdfast serve`" if self.is_local else ""
        return Unreachable(f"No Holdfast server answers at {self.url}{hint}.")

    def _at(self, path: str) -> str:
        return f"{self.url}{ROOT}{path}"

    def _decoded(self, response: httpx.Response, kind: Any) -> Any:
        if response.is_success:
            with contextlib.suppress(ValueError, RecursionError):
                return msgspec.json.decode(response.content, type=kind)
            raise foreign(self.url, response.status_code)
        raise self._refusal(response)

    def _refusal(self, response: httpx.Response) -> Refused:
        return refusal(self.url, response.status_code, response.content, self._token_hint)


def _given(query: Query) -> dict[str, Any]:
    return {name: value for name, value in query.items() if value is not None}
