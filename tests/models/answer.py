"""Sends what is played, and notes how it ended."""

import asyncio
import json

from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from tests.models.actions import Fail
from tests.models.failures import status_of
from tests.models.play import Dropped, Failed, Player
from tests.models.received import Log, Received
from tests.models.writing import Writer, new_id


class Answer:
    """An answer that notices when its client leaves, also while it waits and has nothing to send."""

    def __init__(self, log: Log, entry: Received, player: Player, writer: Writer, *, is_streamed: bool) -> None:
        self._log = log
        self._entry = entry
        self._player = player
        self._writer = writer
        self._is_streamed = is_streamed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def leave() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        answering = asyncio.create_task(self._send_stream(send) if self._is_streamed else self._send_whole(send))
        leaving = asyncio.create_task(leave())
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not answering.done():
            answering.cancel()
            self._log.end(self._entry, "left")
            return
        try:
            answering.result()
        except Failed as failed:
            self._log.end(self._entry, "failed", failed.failure.status)
            await self._refuse(failed.failure)(scope, receive, send)
        except Dropped:
            self._log.end(self._entry, "dropped")
            # The server breaks the connection of an application that fails in the middle of its answer.
            raise
        else:
            self._log.end(self._entry, "broken" if self._player.broken else "complete")

    def _headers(self, content_type: str) -> list[tuple[bytes, bytes]]:
        headers = {"content-type": content_type, "request-id": new_id("req_"), **self._player.headers}
        return [(name.encode(), value.encode()) for name, value in headers.items()]

    async def _send_stream(self, send: Send) -> None:
        is_begun = False
        start = {"type": "http.response.start", "status": 200, "headers": self._headers("text/event-stream")}
        async for data in self._player.play():
            if not is_begun:
                is_begun = True
                await send(start)
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_whole(self, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self._headers("application/json")}
        try:
            async for _ in self._player.play():
                pass
        except Dropped:
            await send(start)
            await send({"type": "http.response.body", "body": b'{"id":', "more_body": True})
            raise
        if broken := self._player.broken:
            # There is no middle of an answer that comes at once.
            raise Failed(Fail(status=status_of(broken.type), type=broken.type, message=broken.message))
        player = self._player
        body = json.dumps(self._writer.whole(player.blocks, player.stop, player.usage)).encode()
        await send(start)
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _refuse(self, failure: Fail) -> Response:
        body = self._writer.problem(failure.type, failure.message)
        return JSONResponse(body, status_code=failure.status, headers={"request-id": new_id("req_"), **failure.headers})
