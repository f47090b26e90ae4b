"""A reader that leaves leaves nothing behind."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client import Client
from tests.conftest import TOKEN, Server
from tests.processes import eventually
from tests.stream.conftest import HEARTBEAT_S, LONG


def descriptors(server: Server) -> int:
    """How many the server has open, but for the store's files: it keeps as many as have been wanted at once."""
    found = 0
    for descriptor in Path(f"/proc/{server.pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # one that is closed while it is looked at
            found += not os.readlink(descriptor).startswith(f"{server.data}/holdfast.db")
    return found


def steady(server: Server) -> int | None:
    """How many descriptors there are; None while that changes."""
    before = descriptors(server)
    threading.Event().wait(0.3)
    return before if descriptors(server) == before else None


def streams(client: Client) -> int:
    return client.get("/health").json()["streams"]


@pytest.fixture
def pond(make_server: Callable[..., Server]) -> Server:
    """A server in which nothing of another test comes to its end meanwhile."""
    return make_server(HOLDFAST_HEARTBEAT_S=str(HEARTBEAT_S)).start()


@pytest.mark.requirement("R066")
def test_a_disconnect_leaves_nothing_behind(pond: Server) -> None:
    """Readers that close, that vanish without a word, and that leave a session in which nothing happens."""
    with pond.client() as client:
        see_readers_leave(pond, client)


def see_readers_leave(server: Server, client: Client) -> None:
    session_id = client.run_task(LONG)
    client.until(session_id, "agent_start")
    eventually(lambda: streams(client) == 0, what="the stream by which that was seen is gone")
    before = eventually(lambda: steady(server), what="the connection of that stream is closed")
    assert isinstance(before, int)
    for path in (f"/sessions/{session_id}/events", "/events"):
        readers = []
        for number in range(30):
            reader = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            reader.sendall(
                f"GET /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
            )
            assert b" 200 OK" in reader.recv(20)
            if number % 2:  # RST instead of FIN
                reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            readers.append(reader)
        eventually(lambda: streams(client) == 30)
        assert descriptors(server) >= before + 30
        for reader in readers:
            reader.close()
        eventually(lambda: streams(client) == 0, what="the streams are gone")
        eventually(lambda: descriptors(server) <= before, what="the descriptors are closed")
    assert client.record(session_id)["status"] == "running"
    client.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R066")
def test_a_stream_that_ended_leaves_nothing_behind_and_its_connection_serves_on(pond: Server) -> None:
    with pond.client() as client:
        session_id = client.run_task("tools 5")
        eventually(lambda: streams(client) == 0)
        client.follow(session_id)
        before = eventually(lambda: steady(pond), what="what the run had open is closed")
        assert isinstance(before, int)
        for _ in range(20):
            assert len(client.follow(session_id)) > 10
        assert streams(client) == 0
        # The server may have a file open for a moment, for whatever it does by itself; what is left behind stays.
        eventually(lambda: descriptors(pond) <= before, what="the descriptors are closed")
