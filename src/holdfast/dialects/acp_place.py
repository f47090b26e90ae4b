"""How far an ACP client has got in all that it is told: one id for several logs. Pure.

`3f9ac1d2;e=120;a=3;1=42.1~<mark>;2=17` says: of the connection 3f9ac1d2…, all ends of sessions up to the position 120,
the answers up to the third, of its first session the first message of the event 42, of its second all up to 17.
The mark (texts.py) says what the client has of texts that are not complete: their partials may be gone by then, and
what is missing is then taken from the whole text. Between two messages of one event it is that of before the event,
since the whole event is taken in again. Messages of an event are counted from its first; one that is needed no more
when they are told again (a question that is answered) still counts.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

_NUMBER = re.compile(r"\d{1,18}", re.ASCII)
_SHORT = 8


class Place(NamedTuple):
    """Everything up to here has been received; of the event `sequence` the first `part` messages, or all of them."""

    sequence: int = 0
    part: int | None = None

    def has(self, sequence: int, part: int) -> bool:
        if self.part is None or sequence != self.sequence:
            return sequence <= self.sequence
        return part <= self.part


class Received(msgspec.Struct, frozen=True):
    """What of one session's log has been told."""

    place: Place = Place()
    mark: str = ""


class Places(msgspec.Struct, frozen=True, kw_only=True):
    ends: int | None = None
    answers: int = 0
    sessions: Mapping[int, Received] = {}


def write(connection_id: str, places: Places) -> str:
    parts = [connection_id[:_SHORT]]
    if places.ends is not None:
        parts.append(f"e={places.ends}")
    if places.answers:
        parts.append(f"a={places.answers}")
    parts += [f"{number}={_written(received)}" for number, received in sorted(places.sessions.items())]
    return ";".join(parts)


def _written(received: Received) -> str:
    sequence, part = received.place
    mark = f"~{received.mark}" if received.mark else ""
    return f"{sequence}{'' if part is None else f'.{part}'}{mark}"


def read(connection_id: str, text: str | None) -> Places:
    """The beginning, if there is no id, or what is given is none of this connection."""
    generation, *parts = (text or "").split(";")
    if generation != connection_id[:_SHORT]:
        return Places()
    ends, answers = None, 0
    sessions: dict[int, Received] = {}
    for part in parts:
        name, _, value = part.partition("=")
        if name == "e" and _NUMBER.fullmatch(value):
            ends = int(value)
        elif name == "a" and _NUMBER.fullmatch(value):
            answers = int(value)
        elif _NUMBER.fullmatch(name):
            at, _, mark = value.partition("~")
            sequence, dot, part = at.partition(".")
            if _NUMBER.fullmatch(sequence) and (not dot or _NUMBER.fullmatch(part)):
                sessions[int(name)] = Received(Place(int(sequence), int(part) if dot else None), mark)
    return Places(ends=ends, answers=answers, sessions=sessions)
