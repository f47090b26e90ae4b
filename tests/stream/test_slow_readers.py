"""A reader that does not read costs little, loses nothing, and nobody else notices."""

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import TOKEN, Server
from tests.stream.reading import frames_of, log_of

STALLED = 3


class StalledReader:
    """Asks for a stream and then reads nothing, with as little room for what comes as the system allows."""

    def __init__(self, server: Server, path: str) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.settimeout(20)
        self._socket.connect(("127.0.0.1", server.port))
        request = f"GET /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        self._socket.sendall(request.encode())

    def read_on(self) -> list[str]:
        """Everything, now."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        raw = bytearray()
        while not raw.endswith(b"\r\n0\r\n\r\n"):
            piece = self._socket.recv(1 << 20)
            assert piece, "the server gave up on it"
            raw += piece
        self._socket.close()
        chunked = bytes(raw).partition(b"\r\n\r\n")[2]
        body = bytearray()
        start = chunked.index(b"\r\n")
        size = int(chunked[:start], 16)
        while size > 0:
            end = start + 2 + size
            body += chunked[start + 2 : end]
            start = chunked.index(b"\r\n", end + 2)
            size = int(chunked[end + 2 : start], 16)
        frames = body.decode().split("\n\n")[:-1]
        return [frame for frame in frames if frame.startswith("id: ")]


def memory_of(pid: int) -> int:
    """Resident, in bytes."""
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(fields["VmRSS"].split()[0]) * 1024


@pytest.mark.requirement("R068", "R060")
def test_readers_that_stop_reading_cost_bounded_memory_and_lose_nothing(make_server: Callable[..., Server]) -> None:
    """20,000 events of 45 MB in all: more than the tail in memory (16 MB) and the system's buffers can hide."""
    server = make_server()
    command = [sys.executable, str(Path(__file__).parent / "wide_agent.py")]
    server.config.write_text(f"[agents.wide]\ncommand = {json.dumps(command)}\n")
    server.start()
    with server.client() as client:
        frames_of(client, client.run_task("5000", agent="wide"))  # so that the server has taken what any run takes
        before = memory_of(server.pid)
        session_id = client.run_task("10000", agent="wide")
        stalled = [StalledReader(server, f"/sessions/{session_id}/events") for _ in range(STALLED)]
        steady = frames_of(client, session_id)
        grown = memory_of(server.pid) - before
        log = log_of(server, session_id)
        assert len(log) > 20_000
        assert sum(len(frame) for frame in log) > 40_000_000
        assert steady == log, "who reads is not held up by those that do not"
        assert client.get("/health").json()["streams"] == STALLED, "they are still there, in the middle of it"
        assert grown < 20_000_000
        for reader in stalled:
            assert reader.read_on() == log
