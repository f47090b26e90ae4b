"""The demo agent, started for a test and ended with it."""

import uuid

import pytest

from tests.demo.speaking import Client


@pytest.fixture
def start(tmp_path):
    """Starts agents that share their stored sessions."""
    clients = []

    def start():
        folder = tmp_path / f"agent-{len(clients)}"
        folder.mkdir()
        clients.append(Client(str(uuid.uuid4()), tmp_path / "state", folder / "stderr"))
        return clients[-1]

    yield start
    for client in clients:
        client.end()


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def agent(start, workspace):
    return start().open(workspace)
