"""One connection of a stream: opened once, read until it ends or breaks, and given up if nothing is heard of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

import httpx

from holdfast.client.api import Api, Query
from holdfast.client.sse import Frame, Parser

T = TypeVar("T")


class Dropped(Exception):
    """The connection is of no more use; another one may be."""


class Connection:
    """What nobody asks for is not read: a slow reader slows the server down, and costs no memory."""

    def __init__(self, api: Api, *, quiet_s: float) -> None:
        self._api = api
        self._quiet_s = quiet_s
        self._wait: asyncio.Timeout | None = None
        self._response: httpx.Response | None = None
        self._chunks: AsyncIterator[bytes] | None = None
        self._parser = Parser()

    @property
    def retry_s(self) -> float | None:
        """What the server asks for between two tries."""
        return None if self._parser.retry_ms is None else self._parser.retry_ms / 1000

    @property
    def has_marked_end(self) -> bool:
        """Whether its end, when it comes, is one that the server has meant: in the chunked coding it says so."""
        return self._response is not None and self._response.headers.get("transfer-encoding") == "chunked"

    @property
    def is_empty(self) -> bool:
        """Whether the server has said that there is nothing more to read."""
        return self._response is not None and self._response.status_code == 204

    async def open(self, path: str, query: Query, after: int | None) -> None:
        """Raises Dropped, and Refused."""
        self._response = await self._heard(lambda: self._api.open_stream(path, query, after))
        self._chunks = self._response.aiter_raw()

    async def read(self) -> list[Frame] | None:
        """The frames that the next bytes complete; None when the server has ended the stream. Raises Dropped."""
        chunks = self._chunks
        assert chunks is not None, "it has to be opened first"
        try:
            return self._parser.feed(await self._heard(lambda: anext(chunks)))
        except StopAsyncIteration:
            return None

    def interrupt(self) -> None:
        """Whoever waits for it gets Dropped, at once."""
        if self._wait is not None:
            self._wait.reschedule(asyncio.get_running_loop().time())

    async def aclose(self) -> None:
        if self._response is not None:
            with suppress(httpx.TransportError):
                await self._response.aclose()

    async def _heard(self, coming: Callable[[], Awaitable[T]]) -> T:
        try:
            async with asyncio.timeout(self._quiet_s) as self._wait:
                return await coming()
        except TimeoutError as cause:
            raise Dropped(f"nothing was heard for {self._quiet_s:g} s") from cause
        except httpx.TransportError as cause:
            raise Dropped(str(cause) or type(cause).__name__) from cause
        finally:
            self._wait = None
