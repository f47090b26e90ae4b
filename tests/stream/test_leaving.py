"""A reader that leaves leaves nothing behind."""

import os
import socket

import pytest

from tests.client import Client
from tests.conftest import TOKEN, Server
from tests.processes import eventually
from tests.stream.conftest import LONG


def descriptors(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.pid}/fd"))


def streams(client: Client) -> int:
    return client.get("/health").json()["streams"]


@pytest.mark.requirement("R066")
def test_a_disconnect_leaves_nothing_behind(river: Server, local: Client) -> None:
    """Readers that close, that vanish without a word, and that leave a session in which nothing happens."""
    session_id = local.run_task(LONG)
    local.until(session_id, "agent_start")
    eventually(lambda: streams(local) == 0, what="no stream of another test is left")
    before = descriptors(river)
    for path in (f"/sessions/{session_id}/events", "/events"):
        readers = []
        for number in range(30):
            reader = socket.create_connection(("127.0.0.1", river.port), timeout=10)
            reader.sendall(
                f"GET /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
            )
            assert b" 200 OK" in reader.recv(20)
            if number % 2:  # RST instead of FIN
                reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            readers.append(reader)
        eventually(lambda: streams(local) == 30)
        assert descriptors(river) >= before + 30
        for reader in readers:
            reader.close()
        eventually(lambda: streams(local) == 0, what="the streams are gone")
        eventually(lambda: descriptors(river) <= before, what="the descriptors are closed")
    assert local.record(session_id)["status"] == "running"
    local.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R066")
def test_a_stream_that_ended_leaves_nothing_behind_and_its_connection_serves_on(river: Server) -> None:
    with river.client() as client:
        session_id = client.run_task("tools 5")
        eventually(lambda: streams(client) == 0)
        client.follow(session_id)
        before = descriptors(river)
        for _ in range(20):
            assert len(client.follow(session_id)) > 10
        assert streams(client) == 0
        assert descriptors(river) <= before
