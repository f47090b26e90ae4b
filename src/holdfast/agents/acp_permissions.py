"""The permission requests of an ACP agent: each is answered exactly once, by a person, by its expiry or by the end."""

import asyncio
import os
from collections.abc import Callable

import msgspec

from holdfast import events
from holdfast.agents import acp_wire as wire
from holdfast.agents.acp_events import Update, bounded
from holdfast.agents.stderr import plain
from holdfast.events import Event

# The other way to say the same, for agents that do not offer every kind.
_SAME_DIRECTION = {
    "allow_once": ("allow_once", "allow_always"),
    "allow_always": ("allow_always", "allow_once"),
    "reject_once": ("reject_once", "reject_always"),
    "reject_always": ("reject_always", "reject_once"),
}
DECISIONS = frozenset(_SAME_DIRECTION)


class Option(msgspec.Struct, frozen=True):
    optionId: str  # noqa: N815 - the protocol's names
    name: str = ""
    kind: str = ""


class Asked(msgspec.Struct, frozen=True):
    toolCall: Update  # noqa: N815
    options: list[Option] = []


class _Open(msgspec.Struct):
    rpc_id: int | str
    options: list[Option]
    expiry: asyncio.TimerHandle


class Permissions:
    def __init__(
        self,
        emit: Callable[[Event], None],
        write: Callable[[bytes], None],
        *,
        now_ms: Callable[[], int],
        ttl_s: float,
    ) -> None:
        self._emit = emit
        self._write = write
        self._now_ms = now_ms
        self._ttl_s = ttl_s
        self._open: dict[str, _Open] = {}

    def parse(self, params: msgspec.Raw) -> Asked:
        """Raises msgspec.DecodeError for what is no permission request."""
        return msgspec.json.decode(params, type=Asked)

    def ask(self, rpc_id: int | str, asked: Asked, tool_name: str) -> None:
        request_id = os.urandom(16).hex()
        expiry = asyncio.get_running_loop().call_later(self._ttl_s, self._expire, request_id)
        self._open[request_id] = _Open(rpc_id, asked.options, expiry)
        self._emit(
            events.PermissionRequest(
                request_id=request_id,
                tool_name=tool_name,
                tool_input={} if asked.toolCall.rawInput is None else bounded(asked.toolCall.rawInput),
                tool_id=asked.toolCall.toolCallId or None,
                options=[
                    events.PermissionOption(kind=option.kind, name=plain(option.name)) for option in asked.options
                ],
                expires_at=events.timestamp(self._now_ms() + int(self._ttl_s * 1000)),
            )
        )

    def answer(self, request_id: str, decision: str, by: str) -> bool:
        """False if the request is not open (any more)."""
        asked = self._open.pop(request_id, None)
        if asked is None:
            return False
        asked.expiry.cancel()
        option = _choose(asked.options, decision)
        outcome = {"outcome": "selected", "optionId": option.optionId} if option else {"outcome": "cancelled"}
        self._write(wire.result(asked.rpc_id, {"outcome": outcome}))
        self._emit(
            events.PermissionResolved(request_id=request_id, decision=option.kind if option else "cancelled", by=by)
        )
        return True

    def _expire(self, request_id: str) -> None:
        self.answer(request_id, "reject_once", "expiry")

    def cancel_all(self) -> None:
        """The turn is being cancelled: the protocol wants every open request answered so."""
        for request_id in list(self._open):
            self.answer(request_id, "cancelled", "daemon")


def _choose(options: list[Option], decision: str) -> Option | None:
    for kind in _SAME_DIRECTION.get(decision, ()):
        for option in options:
            if option.kind == kind:
                return option
    return None
