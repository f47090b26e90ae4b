"""The words between keeper and server: length-prefixed msgpack on a Unix socket.

Rule 1: an event's index counts from 1 within its run; an index is acknowledged when its commit has returned.
Rule 2: whoever connects says Hello first and hears Welcome (go on from there) or Gone (end yourself).
"""

import struct
from collections.abc import Iterator
from typing import Literal

import msgspec

from holdfast.agents.interface import Reply, Task
from holdfast.events import Recorded
from holdfast.policy import Policy

# A peer that says more than this in one message is broken or not ours.
MESSAGE_BYTES = 64 * 1024 * 1024
_LENGTH = struct.Struct(">I")


class Hello(msgspec.Struct, frozen=True, tag=True, array_like=True):
    session_id: str
    run: int
    secret: str
    pid: int
    guard_pid: int
    is_warm: bool = False
    """Waits for its task: no run is its own yet."""


class Batch(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """Events with the indices first, first + 1, …"""

    first: int
    events: list[Recorded]


class Welcome(msgspec.Struct, frozen=True, tag=True, array_like=True):
    acknowledged: int


class Acknowledge(msgspec.Struct, frozen=True, tag=True, array_like=True):
    index: int


class Stop(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """End the run: a user cancelled or paused it, or the server is going down."""

    why: Literal["cancelled", "paused", "interrupted"]


class Answer(msgspec.Struct, frozen=True, tag=True, array_like=True):
    request_id: str
    reply: Reply


class Switch(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """Another permission profile counts from now on."""

    profile: str
    policy: Policy


class Begin(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """For a keeper that was started ahead of its task: here it is, and the run is yours."""

    task: Task


class Gone(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """The run is over as far as the log is concerned; end the agent and forget what is left."""

    why: str


Up = Hello | Batch
Down = Welcome | Acknowledge | Stop | Answer | Switch | Begin | Gone

_encode = msgspec.msgpack.Encoder().encode
_up = msgspec.msgpack.Decoder(Up)
_down = msgspec.msgpack.Decoder(Down)


def pack(message: Up | Down) -> bytes:
    body = _encode(message)
    return _LENGTH.pack(len(body)) + body


class Unpacker:
    """Splits a byte stream into messages' bodies; raises ValueError for one that is too long."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        self._buffer += chunk
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            if length > MESSAGE_BYTES:
                raise ValueError(f"a message of {length} bytes")
            end = _LENGTH.size + length
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            yield body


def unpack_up(body: bytes) -> Up:
    return _up.decode(body)


def unpack_down(body: bytes) -> Down:
    return _down.decode(body)
