"""A server with two users for the tests that neither stop it nor count what is in it."""

from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import Server
from tests.dialects.streams import ADA, caller


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("dialects") / "data")
    server.config.write_text(f'[users.ada]\ntoken = "{ADA}"\n')
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def page(house: Server) -> Iterator[httpx.Client]:
    with caller(house) as client:
        yield client
