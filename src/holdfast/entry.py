"""An event as it stands in the log: its place, its time and its typed value, read back from its envelope."""

from datetime import datetime
from typing import NamedTuple

import msgspec

from holdfast.event import Event
from holdfast.events import TYPES


class Entry(NamedTuple):
    sequence: int
    type: str
    data: Event
    timestamp: str
    # What was read from a stream has its id there; that of the combined log names its session, too.
    position: int = 0
    session_id: str | None = None

    @property
    def at_ms(self) -> int:
        return round(datetime.fromisoformat(self.timestamp).timestamp() * 1000)


class _Envelope(msgspec.Struct, frozen=True):
    type: str
    data: msgspec.Raw
    timestamp: str
    sequence: int
    session_id: str | None = None


_envelope = msgspec.json.Decoder(_Envelope)
_data = {name: msgspec.json.Decoder(kind) for name, kind in TYPES.items()}


def read(envelope: bytes, position: int = 0) -> Entry:
    """The entry of an envelope out of the log."""
    given = _envelope.decode(envelope)
    data = _data[given.type].decode(given.data)
    return Entry(given.sequence, given.type, data, given.timestamp, position, given.session_id)
