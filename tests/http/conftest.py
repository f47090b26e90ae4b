"""A server with further users and agents of other kinds, for all tests of this folder that do not stop it."""

import json
import sys
from collections.abc import Iterator

import pytest

from tests.client import Client
from tests.conftest import Server

ADA = "token-of-ada"
LENA = "token-of-lena"
ROSA = "token-of-rosa"
OTTO = "token-of-otto"

# Work for ten minutes, which ends at once when it is cancelled.
LONG = "tools 2 slow 600"

# Speaks ACP and has no memory: every run is a new session of its own, with a new id.
FORGETFUL = """
import json, os, sys
for line in sys.stdin:
    request = json.loads(line)
    result = {
        "initialize": {"protocolVersion": 1, "agentCapabilities": {}},
        "session/new": {"sessionId": "forgetful-" + os.urandom(8).hex()},
        "session/prompt": {"stopReason": "end_turn"},
    }.get(request["method"])
    if "id" in request:
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
"""

SETTINGS = f"""
allowed_hosts = ["build.example", "Agents.Example"]
[users.ada]
token = "{ADA}"
[users.lena]
token = "{LENA}"
[users.rosa]
token = "{ROSA}"
[users.otto]
token = "{OTTO}"
[agents.quick]
command = ["/bin/true"]
[agents.silent]
command = ["/bin/sleep", "600"]
[agents.forgetful]
command = [{json.dumps(sys.executable)}, "-c", {json.dumps(FORGETFUL)}]
"""


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("house") / "data")
    server.config.write_text(SETTINGS)
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def local(house: Server) -> Iterator[Client]:
    with house.client() as client:
        yield client


@pytest.fixture
def ada(house: Server) -> Iterator[Client]:
    with house.client(ADA) as client:
        yield client


@pytest.fixture
def lena(house: Server) -> Iterator[Client]:
    """Nobody else uses her: what she has was made by the test."""
    with house.client(LENA) as client:
        yield client
