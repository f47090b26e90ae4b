"""A server with two users, and clients of both transports over HTTP that are connected to it."""

import secrets
from collections.abc import Callable, Iterator

import pytest

from tests.acp.client import Draft, Remote
from tests.client import Client
from tests.conftest import Server

Connect = Callable[[], Remote]
ADA = "token-of-ada"


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """For all tests of this folder that do not stop it."""
    server = Server(tmp_path_factory.mktemp("house") / "data")
    server.config.write_text(f'[users.ada]\ntoken = "{ADA}"\n')
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def client(house: Server) -> Iterator[Client]:
    with house.client() as client:
        yield client


@pytest.fixture
def hers(house: Server) -> Iterator[Remote]:
    """A client of the other user, by the name `same`."""
    with Remote(house, "same", ADA) as remote:
        remote.initialize()
        yield remote


@pytest.fixture(params=["named", "draft"])
def connect(request: pytest.FixtureRequest, house: Server) -> Iterator[Connect]:
    """Another client each time; whoever asks for it is run over both transports."""
    made: list[Remote] = []

    def connect() -> Remote:
        is_named = request.param == "named"
        remote = Remote(house, secrets.token_hex(6)) if is_named else Draft(house)
        remote.initialize()
        made.append(remote)
        return remote

    yield connect
    for remote in made:
        remote.http.close()


@pytest.fixture
def remote(connect: Connect) -> Remote:
    return connect()


@pytest.fixture
def named(house: Server) -> Iterator[Remote]:
    """Over /v1/acp, where answers come at once."""
    with Remote(house, secrets.token_hex(6)) as remote:
        remote.initialize()
        yield remote
