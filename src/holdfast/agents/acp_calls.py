"""Our requests to an ACP agent: each gets its answer, or learns that none will come that could be read."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from holdfast.agents import acp_wire as wire
from holdfast.agents.stderr import plain
from holdfast.agents.values import as_object, preview


class AgentGone(Exception):
    """The process has exited, or closed the pipe that we talk through."""


class NotAcp(Exception):
    """What the agent answered is no ACP."""


class CannotStart(Exception):
    """The turn cannot begin as the task wants it; the message says why, and what would do."""


class Refused(Exception):
    """The agent answered a request with an error."""

    def __init__(self, method: str, error: wire.RpcError) -> None:
        super().__init__(method, error)
        self.method = method
        self.error = error


class Calls:
    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._waiting: dict[int, tuple[str, asyncio.Future[wire.Rpc]]] = {}
        self._next_id = 0
        self._why: Exception | None = None

    async def call(self, method: str, params: object) -> dict[str, Any]:
        """Raises Refused for an error, NotAcp for what cannot be read, AgentGone if nothing can come any more."""
        if self._why is not None:
            raise self._why
        id_ = self._next_id
        self._next_id += 1
        future: asyncio.Future[wire.Rpc] = asyncio.get_running_loop().create_future()
        self._waiting[id_] = (method, future)
        self._write(wire.request(id_, method, params))
        answer = await future
        del self._waiting[id_]
        if answer.error is not None:
            raise Refused(method, answer.error)
        try:
            return as_object(msgspec.json.decode(answer.result) if answer.result else None)
        except wire.UNDECODABLE as error:
            raise _unreadable(method, wire.shown(bytes(answer.result))) from error

    @property
    def waiting(self) -> str | None:
        """The method whose answer has been waited for longest."""
        return next((method for method, _ in self._waiting.values()), None)

    def answered(self, message: wire.Rpc) -> bool:
        """Hands an answer to whoever waits for it; false if nobody does."""
        call = self._waiting.get(message.id) if isinstance(message.id, int) else None
        if call is None or call[1].done():
            return False
        call[1].set_result(message)
        return True

    def spoilt(self, id_: int, text: str) -> None:
        """The answer has come, and cannot be read: no other will come. Does nothing if nobody waits for it."""
        call = self._waiting.get(id_)
        if call is not None and not call[1].done():
            call[1].set_exception(_unreadable(call[0], text))

    def fail(self, why: Exception | None = None) -> None:
        """The agent is gone, or we cannot go on with it; what is called from now on fails too."""
        self._why = why or AgentGone()
        for _, future in self._waiting.values():
            if not future.done():
                future.set_exception(self._why)


def _unreadable(method: str, text: str) -> NotAcp:
    return NotAcp(f"the agent's answer to {method} cannot be read: {preview(plain(text))}")
