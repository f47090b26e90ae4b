"""Server-sent events: pure framing.

Rule 1: data is one line. JSON has no raw line break, so no payload can break a frame.
"""

import msgspec

RETRY = b"retry: 3000\n\n"
HEARTBEAT = b": heartbeat\n\n"


def frame(number: int, body: bytes) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (number, body)


def notice(data: dict[str, object]) -> bytes:
    """A frame about the stream itself: it has a name and no id, so plain clients pass over it."""
    return b"event: stream\ndata: %b\n\n" % msgspec.json.encode(data)


def chunk(payload: bytes) -> bytes:
    """The payload in HTTP/1.1's chunked coding, made once for all readers."""
    return b"%x\r\n%b\r\n" % (len(payload), payload)


def named(id_: str, name: str | None, body: bytes) -> bytes:
    """A frame of a dialect; without a name it is a message."""
    event = b"" if name is None else b"event: %b\n" % name.encode()
    return b"id: %b\n%bdata: %b\n\n" % (id_.encode(), event, body)
