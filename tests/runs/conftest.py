"""Servers that know the agents of these tests; one for all of them, and an impatient one."""

from collections.abc import Iterator

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.runs.agents import ADA, configure


@pytest.fixture(scope="package")
def agents_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = configure(Server(tmp_path_factory.mktemp("agents") / "data"))
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def agents(agents_server: Server) -> Iterator[Client]:
    """A client of the server that knows the agents of these tests."""
    with agents_server.client() as client:
        yield client


@pytest.fixture
def ada(agents_server: Server) -> Iterator[Client]:
    """Another user of the same server."""
    with agents_server.client(ADA) as client:
        yield client


@pytest.fixture(scope="package")
def impatient_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Waits little and keeps little."""
    server = Server(
        tmp_path_factory.mktemp("impatient") / "data",
        HOLDFAST_START_TIMEOUT_S="3",
        HOLDFAST_PERMISSION_TTL_S="1",
        HOLDFAST_STDERR_HEAD="2",
        HOLDFAST_STDERR_TAIL="3",
    )
    try:
        yield configure(server).start()
    finally:
        server.close()


@pytest.fixture
def impatient(impatient_server: Server) -> Iterator[Client]:
    with impatient_server.client() as client:
        yield client
