"""What the tests of the clients share."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from holdfast.client import Holdfast
from tests.clients.stage import SECONDS
from tests.conftest import TOKEN, Server


@pytest.fixture
async def holdfast(shared_server: Server) -> AsyncIterator[Holdfast]:
    async with asyncio.timeout(SECONDS * 2), Holdfast(shared_server.url, TOKEN) as holdfast:
        yield holdfast
