"""Splits what a program prints into lines, however it arrives; a line beyond the limit costs no more than the limit."""

from collections.abc import Callable


class Lines:
    """`line` gets each whole line; `overlong` gets the beginning of one beyond the limit, and its size."""

    def __init__(self, line: Callable[[bytes], None], overlong: Callable[[bytes, int], None], *, limit: int) -> None:
        self._line = line
        self._overlong = overlong
        self._limit = limit
        self._rest = bytearray()
        self._beyond = 0

    def feed(self, chunk: bytes) -> None:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            if self._rest or self._beyond or len(line) > self._limit:
                self._keep(line)
                self._close()
            else:
                self._line(line)
        self._keep(rest)

    def end(self) -> None:
        """Nothing more will come: what is left was half a line."""
        if self._rest or self._beyond:
            self._close()

    def _keep(self, part: bytes) -> None:
        room = self._limit - len(self._rest)
        self._rest += part[:room]
        self._beyond += max(0, len(part) - room)

    def _close(self) -> None:
        line, beyond = bytes(self._rest), self._beyond
        self._rest.clear()
        self._beyond = 0
        if beyond:
            self._overlong(line, len(line) + beyond)
        else:
            self._line(line)
