"""/acp as a WebSocket: the whole conversation on one socket, a message a frame. Its end is the connection's end; the
work goes on, and a session can be loaded again by another."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

import msgspec
import structlog
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from holdfast.dialects import acp_rpc as rpc
from holdfast.errors import HoldfastError
from holdfast.http.acp_connections import INITIALIZE, checked, disconnect, hear, open_row
from holdfast.http.acp_feed import Feed
from holdfast.http.acp_methods import Methods, introduction
from holdfast.http.context import Context
from holdfast.log.acp import ConnectionRow

_GOING_AWAY, _FAILED, _TRY_AGAIN = 1001, 1011, 1013
# So many messages are seen to at once; further ones wait in the socket.
_AT_ONCE = 64


class _Named(msgspec.Struct, rename="camel"):
    session_id: str = ""


async def socket(websocket: WebSocket) -> None:
    context: Context = websocket.app.state.context
    user: str = websocket.scope["holdfast.user"]
    connection = await open_row(context, user, None, None, b"{}")
    try:
        await websocket.accept(headers=[(b"acp-connection-id", connection.id.encode())])
        await _Socket(websocket, context, connection).serve()
    finally:
        await disconnect(context, connection)


class _Turns:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.wanted = 0


class _Socket:
    def __init__(self, websocket: WebSocket, context: Context, connection: ConnectionRow) -> None:
        self._websocket = websocket
        self._context = context
        self._connection = connection
        self._is_introduced = False
        self._feed: Feed | None = None
        self._telling: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()
        self._turns: dict[str, _Turns] = {}
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._logger = structlog.get_logger("holdfast.acp")

    async def serve(self) -> None:
        tasks: set[asyncio.Task[None]] = set()
        try:
            while True:
                await self._room.acquire()
                frame = await self._websocket.receive()
                if frame["type"] == "websocket.disconnect":
                    return
                text = frame.get("text")
                if text is None:  # binary frames mean nothing here
                    self._room.release()
                    continue
                task = asyncio.ensure_future(self._hear(text.encode()))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
                task.add_done_callback(lambda _: self._room.release())
                # Until it is introduced nothing else can be said; each frame begins in the order of its arrival.
                await (task if not self._is_introduced else asyncio.sleep(0))
        finally:
            if self._feed is not None:
                self._feed.leave()
            under_way = tasks if self._telling is None else {*tasks, self._telling}
            if under_way:
                await asyncio.wait(under_way)

    async def _hear(self, raw: bytes) -> None:
        id_, is_reply = None, False
        try:
            if rpc.is_batch(raw):
                raise rpc.BadMessage("Messages come one at a time, not as a batch")
            message = rpc.parse(raw)
            id_, is_reply = message.request_id, message.method is None
            answer = await self._answer(message)
        except HoldfastError as error:
            if is_reply and self._is_introduced:
                # There is no answer to an answer. Who comes back and loads the session is asked again.
                await self._close(_TRY_AGAIN)
                return
            answer = rpc.refusal(id_, error)
        except Exception:  # a message's outermost boundary: a defect is logged and told, and the socket stays
            self._logger.exception("a message of a socket failed")
            answer = rpc.refusal(id_, HoldfastError())
        if answer is not None:
            await self._send(answer)

    async def _answer(self, message: rpc.Message) -> bytes | None:
        if message.method == INITIALIZE and message.request_id is not None:
            return await self._introduce(message, message.request_id)
        if not self._is_introduced:
            raise rpc.BadMessage(f"The first message is initialize, not {message.method!r}")
        async with self._turn(_session_of(message)):
            methods = Methods(self._context, self._connection)
            return await hear(self._context, self._connection, message, methods)

    @contextlib.asynccontextmanager
    async def _turn(self, session_id: str) -> AsyncGenerator[None]:
        """What is said about one session is done in the order in which it was said."""
        turns = self._turns.setdefault(session_id, _Turns())
        turns.wanted += 1
        try:
            async with turns.lock:
                yield
        finally:
            turns.wanted -= 1
            if not turns.wanted:
                del self._turns[session_id]

    async def _introduce(self, message: rpc.Message, id_: rpc.Id) -> bytes:
        agent = self._websocket.query_params.get("agent")
        client = checked(self._context, agent, message.params)
        await self._context.log.acp.introduce(self._connection.id, agent, client)
        self._connection = msgspec.structs.replace(self._connection, agent=agent, client=client)
        if not self._is_introduced:
            self._is_introduced = True
            self._feed = Feed(self._context, self._connection, None)
            self._telling = asyncio.ensure_future(self._tell(self._feed))
        return rpc.result(id_, introduction(self._context, self._connection))

    async def _tell(self, feed: Feed) -> None:
        try:
            async for batch in feed.batches():
                for out in batch:
                    await self._send(out.data)
        except (
            Exception
        ):  # the outermost boundary of this task: a defect is logged, and the client learns that it is cut
            self._logger.exception("what a socket is told failed")
            await self._close(_FAILED)
        if self._context.streams.is_closing:
            await self._close(_GOING_AWAY)

    async def _close(self, code: int) -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # it is closed already
            await self._websocket.close(code)

    async def _send(self, data: bytes) -> None:
        async with self._sending:
            if self._websocket.application_state != WebSocketState.CONNECTED:
                return
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has gone meanwhile
                await self._websocket.send_text(data.decode())


def _session_of(message: rpc.Message) -> str:
    try:
        return msgspec.json.decode(bytes(message.params) or b"{}", type=_Named).session_id
    except (msgspec.DecodeError, RecursionError):
        return ""
