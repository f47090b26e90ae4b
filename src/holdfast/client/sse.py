"""Server-Sent Events, bytes to frames: pure, incremental, and indifferent to how the bytes were cut."""

import msgspec

BOM = b"\xef\xbb\xbf"


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One event of the stream; its data are the bytes between the frame's marks, unchanged."""

    event: str = "message"
    id: str | None = None
    data: bytes = b""


class Parser:
    """Feed it chunks; it answers the frames that they complete, as the HTML standard defines them.

    `retry_ms` is what the server last asked for, None before it did. A frame without data is no event.
    """

    def __init__(self) -> None:
        self.retry_ms: int | None = None
        self._parts: list[bytes] = []
        self._at_start = True
        self._after_cr = False
        self._event = b""
        self._id: bytes | None = None
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> list[Frame]:
        frames: list[Frame] = []
        # A line end may be cut in two: \r has ended the line already, so the \n that comes next is dropped.
        if self._after_cr and chunk:
            self._after_cr = False
            chunk = chunk.removeprefix(b"\n")
        for line in self._lines(chunk):
            # The two that make up nearly all of a stream are told first; the others take their time.
            if line.startswith(b"data: "):
                self._data.append(line[6:])
            elif not line:
                if self._data:
                    frames.append(self._frame())
                self._event, self._id, self._data = b"", None, []
            else:
                self._take(line)
        return frames

    def _lines(self, chunk: bytes) -> list[bytes]:
        """The lines that the chunk completes; what is left of it is kept."""
        if b"\r" in chunk:
            self._after_cr = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = chunk.split(b"\n")
        if lines and self._parts:
            # Parts are joined only at the line's end: joining at every chunk is quadratic for a long line.
            lines[0] = b"".join((*self._parts, lines[0]))
            self._parts.clear()
        if rest:
            self._parts.append(rest)
        if lines and self._at_start:
            self._at_start = False
            lines[0] = lines[0].removeprefix(BOM)
        return lines

    def _take(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        match name:
            case b"data":
                self._data.append(value)
            case b"id" if b"\0" not in value:
                self._id = value
            case b"event":
                self._event = value
            case b"retry" if value.isdigit() and len(value) < 10:
                self.retry_ms = int(value)
            case _:
                pass  # a comment (empty name) or a field of the future

    def _frame(self) -> Frame:
        return Frame(
            event=self._event.decode("utf-8", "replace") or "message",
            id=None if self._id is None else self._id.decode("utf-8", "replace"),
            data=b"\n".join(self._data),
        )
