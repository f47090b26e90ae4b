"""HTTP's chunked bodies taken apart and made anew, so that an answer can be ended properly at any byte."""

import re

CHUNKED = re.compile(rb"\r\ntransfer-encoding:\s*chunked", re.IGNORECASE)


class Rechunked:
    """One answer. A body that is not chunked passes as it is, and cannot be ended before its time."""

    def __init__(self) -> None:
        self._buffer = b""
        self._in_head = True
        self._is_chunked = False
        self.is_complete = False
        # Bytes of the chunk that is being read, with its line end.
        self._left = 0

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """The answer's head, once it is complete, and what came of the body, without the chunks' sizes."""
        self._buffer += data
        head = b""
        if self._in_head:
            before, separator, after = self._buffer.partition(b"\r\n\r\n")
            if not separator:
                return b"", b""
            self._in_head, self._buffer = False, after
            self._is_chunked = CHUNKED.search(before) is not None
            head = before + separator
        if not self._is_chunked:
            body, self._buffer = self._buffer, b""
            return head, body
        return head, self._payload()

    def encode(self, piece: bytes) -> bytes:
        return b"%x\r\n%b\r\n" % (len(piece), piece) if self._is_chunked and piece else piece

    def last(self) -> bytes:
        return b"0\r\n\r\n" if self._is_chunked else b""

    def _payload(self) -> bytes:
        found: list[bytes] = []
        while self._buffer:
            if self._left == 0:
                size, separator, rest = self._buffer.partition(b"\r\n")
                if not separator:
                    break
                length = int(size.partition(b";")[0], 16)
                self.is_complete = length == 0
                self._left, self._buffer = length + 2, rest
                continue
            part, self._buffer = self._buffer[: self._left], self._buffer[self._left :]
            # Its last two bytes are the line end.
            found.append(part[: max(0, self._left - 2)])
            self._left -= len(part)
        return b"".join(found)
