"""Carries ACP messages between an editor and a server: each line to a POST, in order, and a stream back to lines.

Rule 1: a message is repeated until the server has taken it; by its id the server does it once.
Rule 2: what came is remembered by its id, so that a stream that broke goes on behind it.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx
import msgspec

from holdfast import __version__
from holdfast.cli.output import say
from holdfast.client.address import Address, is_loopback
from holdfast.client.sse import Frame, Parser
from holdfast.errors import ConfigError

_PARSE_ERROR, _NO_REQUEST, _INTERNAL, _NOT_LET_IN = -32700, -32600, -32603, -32000
# A cancel takes up to 3 s by contract, a start up to 10.
_POST = httpx.Timeout(60.0, connect=5.0)
# The server breathes every 15 s by default; three breaths missed and the connection is taken for dead.
_STREAM = httpx.Timeout(10.0, connect=5.0, read=45.0)
_AGAIN = frozenset({502, 503, 504})
# Said by a server that is about to be replaced.
_LATER = "shutting_down"
_START_ONE = "`holdfast serve` starts one; --url or HOLDFAST_URL name another."
# After so long the one in front of the screen is told what is being waited for; a server that was never there is not.
_PATIENCE_S = 5.0
# An editor that leaves does not wait longer for what it said last.
_FAREWELL_S = 5.0


class _Sent(msgspec.Struct):
    """What matters here of a message."""

    method: str | None = None
    id: Any = msgspec.UNSET


class _Data(msgspec.Struct):
    code: str = ""


class _Error(msgspec.Struct):
    data: _Data | None = None


class _Answer(msgspec.Struct):
    error: _Error | None = None


class Bridge:
    def __init__(self, address: Address, name: str, agent: str | None, *, write: Callable[[bytes], None]) -> None:
        self._server = address.url
        self._url = f"{address.url}/v1/acp/{name}"
        self._query = {} if agent is None else {"agent": agent}
        self._hint = address.token_hint
        self._write = write
        self._last_id: str | None = None
        self._is_connected = asyncio.Event()
        self._talking: asyncio.Task[None] | None = None
        local = is_loopback(address.url)
        headers = {"User-Agent": f"holdfast-acp/{__version__}"}
        if address.token:
            headers["Authorization"] = f"Bearer {address.token}"
        try:
            # A proxy from the environment is for the world outside, not for this machine.
            self._http = httpx.AsyncClient(
                headers=headers, trust_env=not local, verify=address.url.startswith("https:"), timeout=_POST
            )
        except UnicodeEncodeError as cause:
            raise ConfigError("The token has characters that no header can carry.") from cause

    async def run(self, said: asyncio.Queue[bytes | None]) -> None:
        """Until there is nothing more to be said; None in the queue is the editor's end."""
        talking, listening = asyncio.ensure_future(self._talk(said)), asyncio.ensure_future(self._listen())
        self._talking = talking
        try:
            # Listening ends only when nobody reads what it writes.
            await asyncio.wait((talking, listening), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (talking, listening):
                task.cancel()
            outcomes = await asyncio.gather(talking, listening, return_exceptions=True)
            with contextlib.suppress(httpx.HTTPError, TimeoutError):
                # The server may forget this connection. The work goes on.
                async with asyncio.timeout(_FAREWELL_S):
                    await self._http.delete(self._url)
            await self._http.aclose()
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    def leave(self) -> None:
        """The editor is gone: what it said last is still tried for a while."""
        if self._talking is not None:
            asyncio.get_running_loop().call_later(_FAREWELL_S, self._talking.cancel)

    async def _talk(self, said: asyncio.Queue[bytes | None]) -> None:
        async with asyncio.TaskGroup() as replies:
            await self._talk_on(said, replies)

    async def _talk_on(self, said: asyncio.Queue[bytes | None], replies: asyncio.TaskGroup) -> None:
        while (line := await said.get()) is not None:
            message = line.strip()
            if not message:
                continue
            try:
                sent = msgspec.json.decode(message, type=_Sent)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                is_json = isinstance(error, msgspec.ValidationError)
                self._fail(None, _NO_REQUEST if is_json else _PARSE_ERROR, f"This is no message of JSON-RPC: {error}")
                continue
            if sent.method is None:
                # The editor's answer to a question. An agent that cannot take it now must not keep the rest waiting.
                replies.create_task(self._post(message, sent))
            elif await self._post(message, sent):
                self._is_connected.set()

    async def _post(self, message: bytes, sent: _Sent) -> bool:
        """Whether the server has taken it."""
        query = self._query if sent.method == "initialize" else {}
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        loop = asyncio.get_running_loop()
        began = loop.time()
        async for _ in _tries("the server"):
            try:
                answer = await self._http.post(self._url, content=message, params=query, headers=headers)
            except httpx.TransportError as error:
                if self._is_connected.is_set() or loop.time() - began < _PATIENCE_S:
                    continue
                self._tell(sent, _INTERNAL, f"No Holdfast server answers at {self._server} ({error}). {_START_ONE}")
                return False
            if answer.status_code in _AGAIN or _is_for_later(answer):
                continue
            if answer.status_code == 200 and answer.content:
                self._write(answer.content)
            if not answer.is_success:
                self._refused(answer, sent)
            return answer.is_success
        return False

    def _refused(self, answer: httpx.Response, sent: _Sent) -> None:
        try:
            detail = str(msgspec.json.decode(answer.content)["detail"])
        except (msgspec.DecodeError, KeyError, TypeError):
            detail = f"The server answered {answer.status_code}."
        code = _INTERNAL
        if answer.status_code == 401:
            code, detail = _NOT_LET_IN, f"{detail} ({self._hint})"
        self._tell(sent, code, detail)

    def _tell(self, sent: _Sent, code: int, detail: str) -> None:
        """Why a message was not taken."""
        say(f"holdfast acp: {detail}")
        if sent.method is not None and sent.id is not msgspec.UNSET:
            self._fail(sent.id, code, detail)

    def _fail(self, id_: Any, code: int, message: str) -> None:
        error = {"code": code, "message": message}
        self._write(msgspec.json.encode({"jsonrpc": "2.0", "id": id_, "error": error}))

    async def _listen(self) -> None:
        # A connection begins with its first message.
        await self._is_connected.wait()
        while True:
            async for _ in _tries("the server's stream"):
                with contextlib.suppress(httpx.TransportError):
                    if await self._read_stream():
                        break

    async def _read_stream(self) -> bool:
        """Whether anything came."""
        headers = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
        if self._last_id is not None:
            headers["Last-Event-ID"] = self._last_id
        is_heard = False
        async with self._http.stream("GET", self._url, headers=headers, timeout=_STREAM) as response:
            if response.status_code != 200:
                return False
            parser = Parser()
            try:
                async for chunk in response.aiter_raw():
                    is_heard = True
                    for frame in parser.feed(chunk):
                        self._take(frame)
            except httpx.TransportError:
                if not is_heard:
                    raise
        return is_heard

    def _take(self, frame: Frame) -> None:
        if frame.event == "message":
            self._write(frame.data)
        self._last_id = frame.id or self._last_id


def _is_for_later(answer: httpx.Response) -> bool:
    try:
        error = msgspec.json.decode(answer.content or b"{}", type=_Answer).error
    except msgspec.DecodeError:
        return False
    return error is not None and error.data is not None and error.data.code == _LATER


async def _tries(what: str) -> AsyncGenerator[None]:
    """Once now, then again and again; tells a person when it takes long."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    is_told = False
    yield
    delay = 0.05
    while True:
        await asyncio.sleep(delay)
        delay = min(delay * 2, 1.0)
        if not is_told and loop.time() - began > _PATIENCE_S:
            is_told = True
            say(f"holdfast acp: waiting for {what} to come back …")
        yield
