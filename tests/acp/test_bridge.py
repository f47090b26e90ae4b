"""What `holdfast acp` does with a server that has hiccups: a message is repeated until it is taken."""

import asyncio
import json
from typing import Any

import pytest

from holdfast.cli.acp_bridge import Bridge
from holdfast.client.address import Address

pytestmark = pytest.mark.anyio

LIST = b'{"jsonrpc":"2.0","id":1,"method":"session/list"}'
DONE = {"jsonrpc": "2.0", "id": 1, "result": {}}
STOPPING = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "…", "data": {"code": "shutting_down"}}}
BUSY = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32600, "message": "…", "data": {"code": "session_busy"}}}
CUT = None


class Hiccups:
    """A server on a real socket that gives each POST the next of its answers; streams stay empty."""

    def __init__(self, *answers: tuple[int, object] | None) -> None:
        self._answers = list(answers)
        self.posts: list[bytes] = []
        self.is_asked, self.is_over = asyncio.Event(), asyncio.Event()
        self._conversations: set[asyncio.Task[None]] = set()

    def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._conversations.add(asyncio.ensure_future(self._converse(reader, writer)))

    async def end(self) -> None:
        self.is_over.set()
        await asyncio.gather(*self._conversations)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._answered(reader, writer)
        except asyncio.IncompleteReadError:
            pass  # a stream that was given up before it was asked for
        finally:
            # Also if the test is over before it has begun: what stays open is told to a later one.
            writer.close()

    async def _answered(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = head.partition("content-length: ")[2].partition("\r")[0]
        body = await reader.readexactly(int(length or 0))
        answer: tuple[int, object] | None = (204, None)
        if head.startswith("post"):
            self.posts.append(body)
            self.is_asked.set()
            answer = await self.answer(body)
        if answer is not None:
            status, value = answer
            said = b"" if value is None else json.dumps(value).encode()
            writer.write(
                b"HTTP/1.1 %d x\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % (status, len(said)) + said
            )
            await writer.drain()

    async def answer(self, _: bytes) -> tuple[int, object] | None:
        return self._answers.pop(0)


async def carried(server: Hiccups, *says: bytes, is_gone: bool = False) -> list[Any]:
    """What the editor gets that says one thing, or these, and closes."""
    listening = await asyncio.start_server(server.meet, "127.0.0.1")
    port = listening.sockets[0].getsockname()[1]
    written: list[Any] = []
    address = Address(url=f"http://127.0.0.1:{port}", token=None, token_hint="")
    bridge = Bridge(address, "x", None, write=lambda message: written.append(json.loads(message)))
    said: asyncio.Queue[bytes | None] = asyncio.Queue()
    for line in says or (LIST,):
        said.put_nowait(line)
    said.put_nowait(None)
    async with asyncio.timeout(30):
        running = asyncio.ensure_future(bridge.run(said))
        if is_gone:
            await server.is_asked.wait()
            bridge.leave()
        await running
        await server.end()
    listening.close()
    return written


async def test_a_message_is_repeated_until_it_is_taken() -> None:
    server = Hiccups(CUT, (503, {"detail": "not now"}), (200, STOPPING), (502, None), (200, DONE))
    assert await carried(server) == [DONE]
    assert len(server.posts) == 5
    assert len(set(server.posts)) == 1


async def test_what_is_refused_is_not_repeated() -> None:
    assert await carried(Hiccups((200, BUSY))) == [BUSY]
    [told] = await carried(Hiccups((404, {"detail": "There is no connection 'x'"})))
    assert told == {"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "There is no connection 'x'"}}


async def test_an_answer_that_nobody_can_take_yet_holds_up_nothing_else() -> None:
    class Busy(Hiccups):
        async def answer(self, body: bytes) -> tuple[int, object] | None:
            if b"method" in body:
                return 200, DONE
            is_asked = any(b"method" in post for post in self.posts)
            return (202, None) if is_asked else (503, {"detail": "The agent did not take the answer"})

    server = Busy()
    reply = b'{"jsonrpc":"2.0","id":"holdfast:s:r","result":{}}'
    assert await carried(server, reply, LIST) == [DONE]
    assert server.posts.count(LIST) == 1
    assert server.posts[-1] == reply, "it is repeated until it is taken, also behind the editor's last word"


async def test_an_editor_that_is_gone_is_not_waited_for_by_a_server_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.cli.acp_bridge._FAREWELL_S", 0.3)

    class Hanging(Hiccups):
        async def answer(self, _: bytes) -> tuple[int, object] | None:
            await self.is_over.wait()
            return None

    began = asyncio.get_running_loop().time()
    assert await carried(Hanging(), is_gone=True) == []
    assert asyncio.get_running_loop().time() - began < 10
