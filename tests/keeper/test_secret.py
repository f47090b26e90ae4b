"""A keeper under a real server: its secret is nowhere to be seen, another's is refused, and it is small."""

import contextlib
import os
import socket
from pathlib import Path

import msgspec
import pytest

from holdfast.events import record
from holdfast.keeper import messages
from holdfast.keeper.address import reachable
from holdfast.keeper.messages import Batch, Gone, Hello, Unpacker
from holdfast.keeper.spec import NOTE_FILE, SPEC_FILE, Note, Spec
from tests.keeper.values import tool


@pytest.fixture(scope="module")
def running(shared_server):
    """A run that goes on, and its folder."""
    with shared_server.client() as client:
        session_id = client.run_task("hang")
        client.until(session_id, "agent_start")
        yield session_id, shared_server.data / "runs" / f"{session_id}-1"
        client.post(f"/sessions/{session_id}/cancel")


def spec_of(folder):
    return msgspec.json.decode((folder / SPEC_FILE).read_bytes(), type=Spec)


def note_of(folder):
    return msgspec.json.decode((folder / NOTE_FILE).read_bytes(), type=Note)


def test_a_runs_secret_is_on_no_command_line_and_in_no_environment(running):
    _, folder = running
    secret = spec_of(folder).secret.encode()
    assert len(secret) >= 32
    seen = 0
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with contextlib.suppress(OSError):
                assert secret not in (process / "cmdline").read_bytes()
                assert secret not in (process / "environ").read_bytes()
                seen += 1
    assert seen > 3


def test_the_files_and_the_socket_of_a_run_are_for_their_owner_only(running, shared_server):
    _, folder = running
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {
        "spec.json": 0o600,
        "claimed": 0o600,
        "keeper.json": 0o600,
        "keeper.log": 0o600,
    }
    assert (shared_server.data / "keepers.sock").stat().st_mode & 0o777 == 0o600


def answers(shared_server, *said):
    """What the server answers to somebody who connects to the keepers' socket, until it closes."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(10)
        with reachable(str(shared_server.data / "keepers.sock")) as address:
            link.connect(address)
        with contextlib.suppress(OSError):
            link.sendall(b"".join(said))
        heard = b""
        with contextlib.suppress(ConnectionResetError):
            while chunk := link.recv(65536):
                heard += chunk
    return [messages.unpack_down(body) for body in Unpacker().feed(heard)]


@pytest.mark.parametrize("secret", ["", "0" * 32, "wrong"])
def test_whoever_does_not_know_the_secret_cannot_write_to_the_run(running, shared_server, client, secret):
    session_id, _ = running
    head = client.record(session_id)["head"]
    hello = messages.pack(Hello(session_id, 1, secret, os.getpid(), os.getpid()))
    forged = messages.pack(Batch(1, [record(tool(1), 0)]))
    assert [type(answer) for answer in answers(shared_server, hello, forged)] == [Gone]
    now = client.record(session_id)
    assert (now["head"], now["status"]) == (head, "running")


@pytest.mark.parametrize(
    "words",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"\xff\xff\xff\xff",
        messages.pack(Batch(1, [])),
        messages.pack(Hello("no-such-session", 1, "x", 1, 1)),
    ],
    ids=["http", "too-long", "no-hello", "unknown"],
)
def test_whoever_speaks_otherwise_is_sent_away_and_the_run_goes_on(running, shared_server, client, words):
    session_id, _ = running
    assert all(isinstance(answer, Gone) for answer in answers(shared_server, words))
    assert client.record(session_id)["status"] == "running"


def memory_kb(pid, field):
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1])
    raise AssertionError(field)


def test_a_keeper_is_small(running, record_property):
    _, folder = running
    note = note_of(folder)
    sizes = {
        f"{who} {field}": memory_kb(pid, field) / 1024
        for who, pid in (("keeper", note.pid), ("guard", note.guard_pid))
        for field in ("Rss", "Pss")
    }
    for name, megabytes in sizes.items():
        record_property(name, f"{megabytes:.1f} MB")
    print(", ".join(f"{name} {megabytes:.1f} MB" for name, megabytes in sizes.items()))
    assert sizes["keeper Rss"] < 40
    assert sizes["guard Rss"] < 40
