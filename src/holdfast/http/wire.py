"""uvicorn's HTTP protocol, with one addition: a stream may write ready-made bytes to the connection itself.

An ASGI server takes a dictionary through a coroutine for every piece that it sends. With a thousand readers of one
session that costs more than the sending; so an event stream gets at its transport, by way of the scope.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

WIRE = "holdfast.wire"


class Wire:
    def __init__(self, transport: asyncio.Transport, flow: FlowControl) -> None:
        self._transport = transport
        self._flow = flow
        self._stopped: Callable[[], None] | None = None
        self.is_lost = False
        self.write = transport.write

    @property
    def is_full(self) -> bool:
        return self._flow.write_paused

    async def drained(self) -> None:
        if self._flow.write_paused:
            await self._flow.drain()

    def when_stopped(self, call: Callable[[], None] | None) -> None:
        self._stopped = call

    def stop(self) -> None:
        if self._stopped is not None:
            self._stopped()


class WireProtocol(HttpToolsProtocol):
    wire: Wire

    def connection_made(self, transport: asyncio.Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        super().connection_made(transport)
        self.wire = Wire(transport, self.flow)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.wire.is_lost = True
        self.wire.stop()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.wire.stop()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        extensions: dict[str, Any] = {WIRE: self.wire}
        self.scope["extensions"] = extensions
