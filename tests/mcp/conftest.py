"""The official client of the Model Context Protocol, over stdio and over HTTP, and one server for all tests that do not
stop it."""

from collections.abc import Iterator

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.runs.agents import ADA, configure


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = configure(Server(tmp_path_factory.mktemp("mcp") / "data"))
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
