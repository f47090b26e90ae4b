"""Spreads a known number of steps evenly over a time."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Pace:
    """Every step has its moment, counted from the start: a slow step does not push back those behind it."""

    def __init__(self, wait: Callable[[float], None], *, steps: int, seconds: float) -> None:
        self._wait = wait
        self._each = seconds / max(1, steps)
        self._begin = monotonic()
        self._done = 0

    def take(self, most: int = 1) -> int:
        """Waits for the next step's moment and says how many of the next `most` steps are due by then.

        Without a time to fill, all of them are; either way the client is listened to.
        """
        self._wait(self._begin + (self._done + 1) * self._each)
        due = most
        if self._each:
            due = int((monotonic() - self._begin) / self._each) - self._done
        due = max(1, min(due, most))
        self._done += due
        return due

    def stand_still(self, seconds: float) -> None:
        """That much time belonged to the user: what is left keeps its pace."""
        self._begin += seconds
