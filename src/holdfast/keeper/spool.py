"""Events on disk, in order: what does not fit a keeper's memory while no server takes it."""

import contextlib
import os
import struct
from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from holdfast.events import Recorded

_LENGTH = struct.Struct(">I")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Recorded).decode


class Spool:
    """A queue in a file: appended at its end, taken from its beginning. The file is there only while it holds some."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._read_at = 0
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def append(self, recorded: Recorded) -> None:
        if self._file is None:
            self._file = open(self._path, "w+b", opener=_private)  # noqa: SIM115 - held open while it is used
        self._file.seek(0, os.SEEK_END)
        body = _encode(recorded)
        self._file.write(_LENGTH.pack(len(body)) + body)
        self._count += 1

    def take(self, limit: int) -> list[Recorded]:
        """Up to `limit` events from the beginning."""
        if self._file is None:
            return []
        self._file.seek(self._read_at)
        taken: list[Recorded] = []
        while len(taken) < limit:
            length = self._file.read(_LENGTH.size)
            if len(length) < _LENGTH.size:
                break
            taken.append(_decode(self._file.read(_LENGTH.unpack(length)[0])))
        self._read_at = self._file.tell()
        self._count -= len(taken)
        if self._count == 0:
            self._file.close()
            self._file = None
            self._read_at = 0
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._path)  # noqa: PTH108
        return taken


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def write_unsent(path: str, first: int, events: Iterator[Recorded]) -> None:
    """Leaves events for the next server; `first` is the index of the first of them. Whole or not there at all."""
    beside = f"{path}.new"
    with open(beside, "wb", opener=_private) as file:
        file.write(struct.pack(">Q", first))
        for recorded in events:
            body = _encode(recorded)
            file.write(_LENGTH.pack(len(body)) + body)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)  # noqa: PTH105


def read_unsent(path: str) -> tuple[int, Iterator[Recorded]]:
    """The index of the first event, and the events. Raises FileNotFoundError if nothing was left."""
    file = open(path, "rb")  # noqa: SIM115, PTH123 - closed by the iterator
    (first,) = struct.unpack(">Q", file.read(8))
    return first, _each(file)


def _each(file: BinaryIO) -> Iterator[Recorded]:
    with file:
        while len(length := file.read(_LENGTH.size)) == _LENGTH.size:
            yield _decode(file.read(_LENGTH.unpack(length)[0]))
