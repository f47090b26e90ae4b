"""As many entries as one answer holds: what does not fit any more is for the next call, and nothing is lost."""

from collections.abc import Container, Iterable

from holdfast.client import Event
from holdfast.mcp.entries import Entry, Kind, Widths, entry_of

# About 6,000 tokens.
_MOST_CHARACTERS = 24_000


class Gathering:
    def __init__(self, after: int, widths: Widths, kinds: Container[Kind], *, most: int = 200) -> None:
        self.entries: list[Entry] = []
        self.position = after
        """Up to where all is in the entries, or is nothing to tell."""
        self.is_full = False
        self._widths = widths
        self._kinds = kinds
        self._most = most
        self._characters = 0

    def take(self, events: Iterable[Event]) -> list[Entry]:
        """What of the events is new here; stops before the first one that does not fit."""
        taken: list[Entry] = []
        for event in events:
            if self.is_full:
                break
            entry = entry_of(event, self._widths)
            if entry is not None and entry.kind in self._kinds:
                if not self._fits(entry):
                    break
                taken.append(entry)
                self.entries.append(entry)
            self.position = event.sequence
        return taken

    def _fits(self, entry: Entry) -> bool:
        characters = self._characters + len(entry.text)
        # One always fits, however long the caller wants its text.
        self.is_full = bool(self.entries) and (characters > _MOST_CHARACTERS or len(self.entries) == self._most)
        if not self.is_full:
            self._characters = characters
        return not self.is_full
