"""What a dialect makes of events, and how a client says how far it has got in that.

Rule 1: a translation is a fold of the session's log from its beginning and knows nothing else. So whoever comes back
is told exactly the rest, by whichever server.
Rule 2: one event may become several messages. Each has an id: the event's sequence, and for all but the last of an
event also how many of it follow ("42.2", "42.1", "42"). So a cut between two of them repeats neither. They are counted
from the end because that is where they stay: a final has more to say once its pieces are gone from the log.
Rule 3: an id may end with a mark ("42~…"), by which a dialect recognises what its client has of texts that were under
way there (texts.py): the log forgets pieces, and a client must not be told them again.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from holdfast.entry import Entry


class Told(NamedTuple):
    """One message of a dialect: its body, and its name on the wire if the dialect has named events."""

    data: bytes
    name: str | None = None
    mark: str = ""


# Takes the entries of one session in order, without leaving one out.
Translate = Callable[[Entry], list[Told]]


class Place(NamedTuple):
    """Everything up to here has been received; of the event `sequence` all messages but the last `left`."""

    sequence: int = 0
    left: int = 0
    mark: str = ""

    def has(self, sequence: int, left: int) -> bool:
        """Whether the message was received of which `left` more follow in its event."""
        return sequence < self.sequence or (sequence == self.sequence and left >= self.left)


def place(text: str | None) -> Place:
    """The place that an id names; the beginning if there is none, or what is given is no id of ours."""
    position, _, mark = (text or "").partition("~")
    sequence, dot, left = position.partition(".")
    if not _is_number(sequence) or (dot and not _is_number(left)):
        return Place()
    return Place(int(sequence), int(left) if dot else 0, mark)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


def ids(sequence: int, count: int) -> Iterator[str]:
    """The ids of an event's messages."""
    for left in range(count - 1, 0, -1):
        yield f"{sequence}.{left}"
    yield str(sequence)


def rest(entry: Entry, told: list[Told], received: Place) -> Iterator[tuple[str, Told]]:
    """Those of an event's messages that somebody who stands at `received` has not got, with their ids."""
    for number, (id_, message) in enumerate(zip(ids(entry.sequence, len(told)), told, strict=False), start=1):
        if not received.has(entry.sequence, len(told) - number):
            yield f"{id_}~{message.mark}" if message.mark else id_, message
