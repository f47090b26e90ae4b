"""Lines over two file descriptors: what the agent hears and says.

Rule: lines are handed out one at a time. A turn listens from inside the handling of an earlier line, so a
line taken from here but not yet handled (a cancel right behind its prompt) would be heard only after the turn.
"""

from __future__ import annotations

import os
from collections import deque
from select import select
from time import monotonic, sleep

BLOCK = 64 * 1024  # a Linux pipe holds this much: larger reads and writes gain nothing


class ClientGone(Exception):
    """The client closed its end: nobody is left to work for."""


class Wire:
    def __init__(self, heard: int, said: int) -> None:
        self._heard = heard
        self._said = said
        self._lines: deque[bytes] = deque()
        self._partial: list[bytes] = []  # joined once, when its newline comes: a 3 MB prompt takes 50 reads
        self._ended = False
        self.stubborn = False  # goes on although the client is gone

    def next_line(self, until: float | None) -> bytes | None:
        """The next line, without its newline; None if none came by `until` (monotonic; None: for ever)."""
        while not self._lines:
            timeout = None if until is None else max(0.0, until - monotonic())
            if self._ended:
                sleep(3600 if timeout is None else timeout)
                if timeout is not None:
                    return None
            elif not select([self._heard], [], [], timeout)[0]:
                return None
            else:
                self._read()
        return self._lines.popleft()

    def _read(self) -> None:
        data = os.read(self._heard, BLOCK)
        if not data:
            if not self.stubborn:
                raise ClientGone
            self._ended = True  # from now on select would report it as readable at once, every time
            return
        *lines, rest = data.split(b"\n")
        if lines:
            self._lines.append(b"".join([*self._partial, lines[0]]))
            self._lines.extend(lines[1:])
            self._partial.clear()
        self._partial.append(rest)

    def write(self, data: bytes) -> None:
        """Writes all of `data`, which is one or more whole lines; waits while the client does not read."""
        try:
            write_all(self._said, data)
        except (BrokenPipeError, ConnectionResetError):
            if not self.stubborn:
                raise ClientGone from None


def write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:
            # Whoever started us may have left the other user of this description non-blocking.
            select([], [descriptor], [])
