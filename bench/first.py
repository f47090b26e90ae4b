"""From POST run to the first event of the demo agent on a stream that is opened at once."""

import json
import socket
import time

from bench.crowd import BenchError
from bench.result import Row, median, under
from bench.servers import TOKEN, Holdfast

# What the server says before the agent has said anything.
OURS = {"user_message", "session_connect"}


def run(*, quick: bool) -> tuple[list[Row], dict]:
    with Holdfast() as holdfast:
        first_run(holdfast)  # the very first start also fills the file cache
        starts = [first_run(holdfast) for _ in range(5 if quick else 20)]

    def p50(key: str) -> float:
        return median([start[key] for start in starts])

    return [
        Row("first event", "POST run answered, p50", p50("answer"), "ms"),
        Row("first event", "user_message, p50", p50("user_message"), "ms"),
        Row("first event", "session_connect, p50", p50("session_connect"), "ms"),
        under("first event", "agent_start, p50", p50("agent_start"), "ms", 400),
        under("first event", "first word or deed of the agent, p50", p50("agent"), "ms", 400),
        Row("first event", "the same, slowest", max(start["agent"] for start in starts), "ms"),
    ], {"starts": starts}


def first_run(holdfast: Holdfast) -> dict[str, float]:
    """When each came, in ms after the POST was sent."""
    began = time.monotonic()
    session = holdfast.run("Say hello", agent="demo")
    seen = {"answer": (time.monotonic() - began) * 1000}
    with socket.create_connection(("127.0.0.1", holdfast.port), timeout=10) as sock:
        sock.sendall(
            f"GET /api/v1/sessions/{session}/events HTTP/1.1\r\nHost: 127.0.0.1:{holdfast.port}\r\n"
            f"Authorization: Bearer {TOKEN}\r\n\r\n".encode()
        )
        text = b""
        while "agent" not in seen:
            piece = sock.recv(65536)
            if not piece:
                raise BenchError(f"the stream of {session} ended before the agent said anything")
            now = (time.monotonic() - began) * 1000
            *lines, text = (text + piece).split(b"\n")
            for line in lines:
                if line.startswith(b"data: ") and b'"sequence"' in line:
                    kind = json.loads(line[6:])["type"]
                    seen.setdefault(kind, now)
                    if kind not in OURS and kind != "agent_start":
                        seen.setdefault("agent", now)
    holdfast.request("POST", f"/api/v1/sessions/{session}/cancel")
    return seen
