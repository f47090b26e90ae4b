"""JSON-RPC as the Agent Client Protocol has it: what a client says, taken apart, and what it is told. Pure.

Rule: a message is one line of JSON; batches are none of this protocol.
"""

from typing import Any, TypeVar

import msgspec

from holdfast.errors import BadRequest, Conflict, HoldfastError, NotFound, Unauthorized

T = TypeVar("T")

PARSE, REQUEST, METHOD, PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603
AUTH, NOT_FOUND = -32000, -32002

Id = int | str
_encode = msgspec.json.Encoder().encode


class UnknownMethod(HoldfastError):
    code = "unknown_method"
    status = 404
    title = "Unknown method"


class BadMessage(BadRequest):
    """What is no message of JSON-RPC."""


class NotJson(BadMessage):
    """What is not even JSON."""


class Message(msgspec.Struct, frozen=True):
    """A request has a method and an id, a notification only a method, a response only an id."""

    jsonrpc: str
    method: str | None = None
    id: int | str | msgspec.UnsetType | None = msgspec.UNSET
    params: msgspec.Raw = msgspec.Raw()
    result: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()

    @property
    def request_id(self) -> Id | None:
        """None for a notification."""
        return None if self.id is msgspec.UNSET else self.id


_message = msgspec.json.Decoder(Message).decode


def parse(raw: bytes) -> Message:
    """Raises BadMessage."""
    try:
        message = _message(raw)
    except msgspec.ValidationError as error:
        raise BadMessage(f"This is no message of JSON-RPC: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotJson(f"The message is not JSON: {error}") from error
    if message.jsonrpc != "2.0":
        raise BadMessage(f"jsonrpc must be '2.0', not {message.jsonrpc!r}")
    if message.method is None and message.request_id is None:
        raise BadMessage("The message has neither a method nor the id of a request")
    if message.method is not None and message.id is None:
        raise BadMessage(f"The id of the request {message.method!r} is null")
    return message


def is_batch(raw: bytes) -> bool:
    return raw.lstrip()[:1] == b"["


def read_params(method: str, params: msgspec.Raw, kind: type[T]) -> T:
    """Raises BadRequest that names what does not fit."""
    try:
        return msgspec.json.decode(bytes(params) or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(f"The params of {method} do not fit: {error}") from error


def result(id_: Id, value: Any) -> bytes:
    return _encode({"jsonrpc": "2.0", "id": id_, "result": value})


def failure(id_: Id | None, code: int, message: str, data: Any) -> bytes:
    return _encode({"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": message, "data": data}})


def request(id_: Id, method: str, params: Any) -> bytes:
    return _encode({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})


def notification(method: str, params: Any) -> bytes:
    return _encode({"jsonrpc": "2.0", "method": method, "params": params})


def refusal(id_: Id | None, error: HoldfastError) -> bytes:
    """An error of ours as the answer to a request."""
    # What went wrong inside is for the log; who asked can do nothing with it.
    message = str(error) if error.code != "internal" else "The server failed; its log tells more."
    return failure(id_, code_of(error), message, {"code": error.code})


def code_of(error: HoldfastError) -> int:
    match error:
        case NotJson():
            return PARSE
        case BadMessage():
            return REQUEST
        case UnknownMethod():
            return METHOD
        case NotFound():
            return NOT_FOUND
        case Conflict():
            return REQUEST
        case Unauthorized():
            return AUTH
        case _:
            return PARAMS if 400 <= error.status < 500 else INTERNAL
