"""A Unix socket in a folder with a long path: the address is too short for it, and it works anyway."""

import contextlib
import os
import socket
import tempfile
from pathlib import Path

import pytest

from holdfast.keeper.address import reachable


def open_descriptors():
    """What is open here; something that an earlier test has left may be closed at any moment."""
    found = set()
    for descriptor in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # the one by which the folder was read
            found.add((descriptor, os.readlink(f"/proc/self/fd/{descriptor}")))
    return found


@pytest.mark.parametrize("length", [60, 100, 101, 107, 108, 200, 400])
def test_a_socket_can_be_bound_and_reached_whatever_the_length_of_its_path(tmp_path, length):
    folder = tmp_path
    while len(str(folder)) < length - 12:
        folder /= "d" * min(50, length - len(str(folder)) - 11)
    folder.mkdir(parents=True, exist_ok=True)
    path = str(folder / "keepers.sock")
    before = open_descriptors()
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        with reachable(path) as address:
            server.bind(address)
        server.listen()
        assert os.path.exists(path)
        with reachable(path) as address:
            client.connect(address)
        peer, _ = server.accept()
        with peer:
            client.sendall(b"hello")
            assert peer.recv(5) == b"hello"
    assert open_descriptors() <= before


def test_a_short_path_stays_as_it_is(tmp_path):
    with reachable("/tmp/short.sock") as address:
        assert address == "/tmp/short.sock"


def test_bytes_are_counted_and_not_characters():
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as server:
        folder = Path(short) / ("ü" * 50)
        folder.mkdir()
        path = str(folder / "keepers.sock")
        assert len(path) < 100 < len(os.fsencode(path))
        with reachable(path) as address:
            server.bind(address)
        assert os.path.exists(path)


def test_a_folder_that_is_not_there_is_an_os_error():
    before = open_descriptors()
    with pytest.raises(OSError, match="No such file"), reachable("/no/such/folder/" + "x" * 120):
        pass
    assert open_descriptors() <= before


def test_the_descriptor_is_closed_though_the_caller_fails(tmp_path):
    before = open_descriptors()
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    with pytest.raises(RuntimeError), reachable(str(folder / "s")):
        raise RuntimeError
    assert open_descriptors() <= before
