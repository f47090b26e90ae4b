"""Texts on their way to clients that can only append: pieces as they come, and of a final what they have not said.

Rule 1: a text's name does not depend on its pieces, which the log forgets: it is the n-th of its kind and author in its
run.
Rule 2: what a client has of a text whose pieces are gone stands in the mark of its last id. So it is told the rest.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import quote, unquote
from zlib import crc32

from holdfast.agents.values import TEXT_CHARACTERS
from holdfast.dialects.telling import Place
from holdfast.events import NAMES, Message, Thinking

_ENTRY = re.compile(r"([^:,]+):(\d{1,12}):([0-9a-f]{1,8}):(\d{1,6})(-?)")


class Piece(NamedTuple):
    """Something to append. A text may have to be broken off and gone on with: then it is told in several parts."""

    name: str
    part: int
    text: str
    before: "_Open"
    """What was told of the text before this."""
    begins: bool = False
    ends: bool = False
    next: "_Open | None" = None
    """Where it goes on, if this ends a part and not the text."""

    @property
    def is_message(self) -> bool:
        return self.name.partition("-")[2].startswith("message-")


class _Open(NamedTuple):
    """A text under way: how much of it was told, what (as a checksum), in which part, and whether that is open."""

    length: int = 0
    checksum: int = 0
    part: int = 1
    is_open: bool = False

    def and_then(self, text: str) -> "_Open":
        return _Open(self.length + len(text), crc32(text.encode(), self.checksum), self.part, is_open=True)

    def rest_of(self, whole: str) -> str | None:
        """What of the whole text was not told; None if something else was."""
        if self.length > TEXT_CHARACTERS:
            return ""  # a final holds no more than that, and says so
        return whole[self.length :] if crc32(whole[: self.length].encode()) == self.checksum else None

    def next(self) -> "_Open":
        """The next part, of the same text."""
        return self._replace(part=self.part + 1, is_open=False) if self.is_open else self


class Texts:
    def __init__(self, received: Place, *, runs: int = 0) -> None:
        """`runs` are over before the first entry."""
        self._received = received
        self._has_passed = False
        self._run = runs
        self._finals: dict[str, int] = {}
        self._under_way: dict[str, _Open] = {}

    def begin(self) -> None:
        """The next run."""
        self._run += 1
        self._finals.clear()
        self._under_way.clear()

    def reach(self, sequence: int) -> None:
        """Must be called with each entry, before anything of it is taken in. From the first one that the client has
        not got, what it says to have counts, if the log knows less."""
        first = self._received.sequence + (1 if self._received.left == 0 else 0)
        if self._has_passed or sequence < first:
            return
        self._has_passed = True
        for name, has in _read(self._received.mark):
            known = self._under_way.get(name)
            if self._is_to_come(name) and (known is None or known.length < has.length):
                self._under_way[name] = has

    def _is_to_come(self, name: str) -> bool:
        """Whether the text is one of this run that has not come to its end."""
        run, _, rest = name.partition("-")
        lane, _, number = rest.rpartition("-")
        return run == str(self._run) and number.isdigit() and int(number) == self._finals.get(lane, 0) + 1

    def take(self, event: Message | Thinking) -> list[Piece]:
        lane = f"{NAMES[type(event)]}-{event.parent_id}" if event.parent_id else NAMES[type(event)]
        number = self._finals.get(lane, 0) + 1
        name = f"{self._run}-{lane}-{number}"
        known = self._under_way.get(name, _Open())
        if event.is_partial:
            self._under_way[name] = known.and_then(event.text)
            return [Piece(name, known.part, event.text, begins=not known.is_open, before=known)]
        self._finals[lane] = number
        self._under_way.pop(name, None)
        whole = event.full_text if event.full_text is not None else event.text
        rest = known.rest_of(whole)
        if rest is not None:
            # Nothing left to say, and nothing open: then there is neither a beginning nor an end.
            begins = not known.is_open and (bool(rest) or known.length == 0)
            return [Piece(name, known.part, rest, begins=begins, ends=known.is_open or begins, before=known)]
        # The agent said something else than what it had begun to say: its call of the model had broken off.
        fresh = _Open(part=known.next().part)
        broken = [Piece(name, known.part, "", ends=True, before=known, next=fresh)] if known.is_open else []
        return [*broken, Piece(name, fresh.part, whole, begins=True, ends=True, before=fresh)]

    def break_off(self, *, take_back: bool = False) -> list[Piece]:
        """Ends what is open; what comes of it later is its next part. `take_back`: what was told of it is void."""
        ended: list[Piece] = []
        for name, known in self._under_way.items():
            after = _Open(part=known.next().part) if take_back else known.next()
            if known.is_open:
                ended.append(Piece(name, known.part, "", ends=True, before=known, next=after))
            self._under_way[name] = after
        return ended

    @property
    def mark(self) -> str:
        """What a client has that was told everything up to here."""
        return _written(self._under_way)

    def marks(self, piece: Piece) -> tuple[str, str, str, str]:
        """What a client has before a piece, and that was told that it begins, then its text, then that it ends."""
        begun = piece.before._replace(is_open=True)
        states = (piece.before, begun, begun.and_then(piece.text), piece.next)
        before, begins, said, ended = (self._with(piece.name, state) for state in states)
        return before, begins, said, ended

    def _with(self, name: str, known: _Open | None) -> str:
        others = {other: open_ for other, open_ in self._under_way.items() if other != name}
        return _written(others if known is None else {**others, name: known})


def _written(under_way: Mapping[str, _Open]) -> str:
    return ",".join(
        f"{quote(name, safe='')}:{known.length}:{known.checksum:x}:{known.part}{'' if known.is_open else '-'}"
        for name, known in under_way.items()
    )


def _read(mark: str) -> Iterator[tuple[str, _Open]]:
    for entry in mark.split(","):
        if found := _ENTRY.fullmatch(entry):
            name, length, checksum, part, is_closed = found.groups()
            yield unquote(name), _Open(int(length), int(checksum, 16), int(part), is_open=not is_closed)
