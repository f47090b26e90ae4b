"""JSON-RPC 2.0, one message a line, as agents write it and as they should not: nothing they print raises here."""

import re
from collections.abc import Callable
from typing import Any

import msgspec

from holdfast.agents.lines import Lines
from holdfast.agents.whole_characters import whole

# A line may be this long (a tool's whole output is one line); of a longer one only the beginning is kept.
LINE_BYTES = 8 * 1024 * 1024
_SHOWN_CHARACTERS = 2_000

# What decoding raises for what is no JSON; a nesting deeper than the stack is none either.
UNDECODABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
# The beginning of an answer, in the order in which everybody writes its fields.
_ANSWER = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,9})\s*,\s*"(?:result|error)"')

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
AUTH_REQUIRED = -32000


class RpcError(msgspec.Struct, frozen=True):
    code: int = 0
    message: str = ""
    data: Any = None


class Rpc(msgspec.Struct, frozen=True):
    """Any JSON-RPC message. The id may be a number (0 too), a string, or absent."""

    id: int | str | None = None
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw(b"{}")
    result: msgspec.Raw = msgspec.Raw(b"")
    error: RpcError | None = None


_decode = msgspec.json.Decoder(Rpc).decode
_encode = msgspec.json.Encoder().encode


class LineReader:
    """Splits chunks into lines and decodes them; what is no message goes to `unparsed`.

    A line that was meant to be an answer and cannot be read goes to `spoilt` too: whoever waits for that answer would
    wait for ever.
    """

    def __init__(
        self,
        message: Callable[[Rpc], None],
        unparsed: Callable[[str], None],
        spoilt: Callable[[int, str], None],
        *,
        limit: int = LINE_BYTES,
    ) -> None:
        self._message = message
        self._unparsed = unparsed
        self._spoilt = spoilt
        self._limit = limit
        lines = Lines(self._line, self._overlong, limit=limit)
        self.feed = lines.feed
        self.end = lines.end

    def _overlong(self, line: bytes, size: int) -> None:
        self._unread(line, f"{shown(line)} [a line of {size} bytes, over the limit of {self._limit}]")

    def _line(self, line: bytes) -> None:
        if not line or line.isspace():
            return
        try:
            # The parts of a message are decoded where they are used, so its taker may find that they are none.
            self._message(_decode(whole(line)))
        except UNDECODABLE:
            self._unread(line, shown(line))

    def _unread(self, line: bytes, text: str) -> None:
        self._unparsed(text)
        answer = _ANSWER.match(line)
        if answer is not None:
            self._spoilt(int(answer[1]), text)


def shown(line: bytes) -> str:
    """As much of a line as a person wants to read."""
    text = line[: 4 * _SHOWN_CHARACTERS].decode("utf-8", "replace")
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}… [{len(line)} bytes]"


def request(id_: int, method: str, params: object) -> bytes:
    return _encode({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}) + b"\n"


def notification(method: str, params: object) -> bytes:
    return _encode({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n"


def result(id_: int | str, value: object) -> bytes:
    return _encode({"jsonrpc": "2.0", "id": id_, "result": value}) + b"\n"


def error(id_: int | str, code: int, message: str) -> bytes:
    return _encode({"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message}}) + b"\n"
