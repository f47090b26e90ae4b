"""JSON-RPC 2.0 over a wire: hands requests and notifications to their methods, and asks the client."""

from __future__ import annotations

import json

from holdfast.demo.wire import Wire

TYPE_CHECKING = False  # what type checkers look for; importing it from `typing` would cost 5 ms
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    Params = dict[str, Any]
    Method = Callable[[Params], Params | None]

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_FOUND = -32002

# ASCII only, so that a lone surrogate in a prompt ("\ud800" is valid JSON) can be said back.
encode = json.JSONEncoder(separators=(",", ":")).encode


class RpcError(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Connection:
    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._methods: Mapping[str, Method] = {}
        self._next_id = 0  # from 0, as most agents do: a client that takes 0 for "no id" shall notice it here
        self._answers: dict[int, dict[str, Any] | None] = {}

    def serve(self, methods: Mapping[str, Method]) -> NoReturn:
        """Answers until the client is gone, which is an exception (ClientGone)."""
        self._methods = methods
        while True:
            self.listen(None)

    def listen(self, until: float | None) -> bool:
        """Handles one message; False if none came by `until`."""
        line = self.wire.next_line(until)
        if line is None:
            return False
        if line.strip():
            self._handle(line)
        return True

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: dict[str, Any]) -> int:
        """Asks the client; whoever asked listens until `answer` has something."""
        number = self._next_id
        self._next_id += 1
        self._answers[number] = None
        self._send({"id": number, "method": method, "params": params})
        return number

    def answer(self, number: int) -> dict[str, Any] | None:
        """The whole response to request `number`, or None as long as there is none."""
        if self._answers[number] is None:
            return None
        return self._answers.pop(number)

    def give_up(self, number: int) -> None:
        """From now on an answer to request `number` is one to an unknown id."""
        self._answers.pop(number, None)

    def _handle(self, line: bytes) -> None:
        try:
            message: Any = json.loads(line)
        except (ValueError, RecursionError) as error:
            self._fail(None, PARSE_ERROR, f"this line is no JSON: {error}")
            return
        if isinstance(message, dict):
            self._dispatch(message)  # pyright: ignore[reportUnknownArgumentType]
        else:
            self._fail(None, INVALID_REQUEST, "a message is a JSON object")

    def _dispatch(self, message: dict[str, Any]) -> None:
        name, number = message.get("method"), message.get("id")
        if name is None and ("result" in message or "error" in message):
            # An answer to a question that nobody asked, or asks no more, has nobody to go to.
            if isinstance(number, int) and number in self._answers:
                self._answers[number] = message
            return
        is_request = "id" in message
        try:
            result = self._call(name, message.get("params") or {})
        except RpcError as error:
            if is_request or name is None:
                self._fail(number, error.code, str(error))
        except OSError as error:  # no room or no right to store the session
            if is_request:
                self._fail(number, INTERNAL_ERROR, str(error))
        else:
            if is_request:
                self._send({"id": number, "result": result})

    def _call(self, name: Any, params: Any) -> dict[str, Any] | None:
        if not isinstance(name, str):
            raise RpcError(INVALID_REQUEST, "a message has a method, a result or an error")
        method = self._methods.get(name)
        if method is None:
            raise RpcError(METHOD_NOT_FOUND, f"there is no method {name!r}")
        if not isinstance(params, dict):
            raise RpcError(INVALID_PARAMS, f"the params of {name} are an object")
        return method(params)  # pyright: ignore[reportUnknownArgumentType]

    def _fail(self, number: Any, code: int, message: str) -> None:
        self._send({"id": number, "error": {"code": code, "message": message}})

    def _send(self, message: dict[str, Any]) -> None:
        self.wire.write(encode({"jsonrpc": "2.0", **message}).encode() + b"\n")
