"""What the tests of the clients share."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator

import pytest

from holdfast.client import Holdfast
from tests.clients.stage import SECONDS
from tests.conftest import TOKEN, Server


@pytest.fixture
async def holdfast(shared_server: Server) -> AsyncIterator[Holdfast]:
    async with asyncio.timeout(SECONDS * 2), Holdfast(shared_server.url, TOKEN) as holdfast:
        yield holdfast


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address at which nobody answers: bound and not listening, so that nobody else can come to be there."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"
