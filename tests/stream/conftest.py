"""A server with a quick heartbeat and a further user, for all tests of this folder that do not stop it."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client import Client
from tests.conftest import Server

ADA = "token-of-ada"
HEARTBEAT_S = 0.2

# Work for ten minutes, which ends at once when it is cancelled. Nothing happens in it for five.
LONG = "tools 2 slow 600"

# Its task is Python code.
SCRIPTED = [sys.executable, "-I", str(Path(__file__).parents[1] / "runs" / "scripted_agent.py")]


@pytest.fixture(scope="session")
def river(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    # What the first tests of a long run have said is still there for the last.
    lasting = {"HOLDFAST_PARTIALS_TTL_S": "86400"}
    server = Server(tmp_path_factory.mktemp("river") / "data", HOLDFAST_HEARTBEAT_S=str(HEARTBEAT_S), **lasting)
    server.config.write_text(
        f'[users.ada]\ntoken = "{ADA}"\n[agents.quick]\ncommand = ["/bin/true"]\n'
        f"[agents.scripted]\ncommand = {json.dumps(SCRIPTED)}\n"
    )
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def local(river: Server) -> Iterator[Client]:
    with river.client() as client:
        yield client


@pytest.fixture
def ada(river: Server) -> Iterator[Client]:
    with river.client(ADA) as client:
        yield client
