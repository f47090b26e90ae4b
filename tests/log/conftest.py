"""One conformance suite: every test here runs on SQLite and on PostgreSQL."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack

import pytest
import structlog

from holdfast.log.log import Log
from tests.stores import open_log


@pytest.fixture(autouse=True)
def plain_tracebacks() -> Iterator[None]:
    """As the server logs them: the fancy ones, with every frame's locals, take seconds."""
    renderer = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, renderer])
    yield
    structlog.reset_defaults()


@pytest.fixture
async def open_again(store_url: str) -> AsyncIterator[Callable[..., Awaitable[Log]]]:
    """Opens the test's store, as often as the test likes: as the next server, or as one beside it."""
    async with AsyncExitStack() as logs:

        async def open_() -> Log:
            return await logs.enter_async_context(open_log(store_url))

        yield open_


@pytest.fixture
async def log(open_again: Callable[..., Awaitable[Log]]) -> Log:
    return await open_again()
