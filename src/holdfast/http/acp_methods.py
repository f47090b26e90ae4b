"""The methods of the Agent Client Protocol, and what is answered to them, and when."""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import structlog

from holdfast import __version__
from holdfast.dialects import acp_rpc as rpc
from holdfast.errors import HoldfastError
from holdfast.http.acp_asked import Asked
from holdfast.http.acp_opening import Opening
from holdfast.http.acp_sessions import Own
from holdfast.http.acp_working import Working
from holdfast.http.context import Context
from holdfast.log.acp import ConnectionRow
from holdfast.sessions.once import Once, keep_answer, known_answer

PROTOCOL_VERSION = 1
_KEPT = frozenset(
    {
        *("session/new", "session/load", "session/resume", "session/fork", "session/close"),
        *("session/set_mode", "session/set_config_option"),
    }
)


def introduction(context: Context, connection: ConnectionRow) -> dict[str, Any]:
    """The answer to `initialize`."""
    name = connection.agent or context.settings.default_agent
    sessions: dict[str, Any] = {"list": {}, "resume": {}, "close": {}}
    if context.agents.get(name).kind == "claude":
        sessions["fork"] = {}
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "agentInfo": {"name": "holdfast", "title": f"Holdfast ({name})", "version": __version__},
        "agentCapabilities": {
            "loadSession": True,
            "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
            "mcpCapabilities": {"http": False, "sse": False},
            "sessionCapabilities": sessions,
        },
        "authMethods": [],
        "_meta": {"connectionId": connection.id},
    }


class Methods:
    """Those of one connection, beside `initialize`. Each answers with a value, or with None: then the answer comes by
    the client's stream."""

    def __init__(self, context: Context, connection: ConnectionRow, *, answers_in_order: bool = True) -> None:
        """`answers_in_order`: what a load is answered comes by the stream, behind the history that it asked for."""
        own = Own(context, connection)
        opening = Opening(context, connection, own, answers_in_order=answers_in_order)
        working = Working(context, connection, own)
        self._context = context
        self._connection = connection
        self._logger = structlog.get_logger("holdfast.acp")
        self._methods: dict[str, Callable[[Asked], Awaitable[dict[str, Any] | None]]] = {
            "authenticate": self._authenticate,
            "logout": self._authenticate,
            "session/new": opening.new,
            "session/load": opening.load,
            "session/resume": opening.resume,
            "session/fork": opening.fork,
            "session/list": opening.list,
            "session/close": opening.close,
            "session/set_config_option": opening.set_config_option,
            "session/prompt": lambda asked: working.prompt(asked, self._once(asked)),
            "session/cancel": working.cancel,
            "session/set_mode": working.set_mode,
            "$/cancel_request": working.cancel_request,
        }

    async def call(self, asked: Asked) -> dict[str, Any] | None:
        """Raises HoldfastError."""
        method = self._methods.get(asked.method)
        if method is None:
            raise rpc.UnknownMethod(f"There is no method {asked.method!r} here")
        return await method(asked)

    async def answer(self, asked: Asked) -> bytes | None:
        """The answer to a request, errors too; None if it comes by the stream."""
        assert asked.id is not None
        log = self._context.log
        # A prompt is kept with its run, in the same commit; what only looks need not be kept.
        once = self._once(asked) if asked.method in _KEPT else None
        try:
            known = await known_answer(log, once)
            if known is None:
                value = await self.call(asked)
                known = b"" if value is None else rpc.result(asked.id, value)
                await keep_answer(log, once, known)
        except HoldfastError as error:
            return rpc.refusal(asked.id, error)
        return known or None

    async def notice(self, asked: Asked) -> None:
        """A notification: there is nobody to tell that it could not be done."""
        try:
            await self.call(asked)
        except HoldfastError as error:
            self._logger.info("a notification had no effect", method=asked.method, reason=str(error))

    def _once(self, asked: Asked) -> Once:
        """A request that comes again, because its answer was lost, takes effect once."""
        said = b"\n".join((asked.method.encode(), bytes(asked.params)))
        # Clients may choose ids as long as they like.
        id_ = hashlib.sha256(msgspec.json.encode(asked.id)).hexdigest()
        key = f"acp {self._connection.id} {id_}"
        return Once(user_id=self._connection.user_id, key=key, fingerprint=hashlib.sha256(said).hexdigest())

    async def _authenticate(self, _asked: Asked) -> dict[str, Any]:
        """Who got here has shown a token; agents log in by their own means."""
        return {}
