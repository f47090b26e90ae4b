"""A server that retries quickly, for all tests of this folder that do not stop it, and receivers."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.runs.agents import ADA, configure
from tests.webhooks.receiver import Receiver, receiving

QUICK = {
    # Three attempts, the last of them so late that what is meant to happen before it does.
    "HOLDFAST_WEBHOOK_RETRIES_S": "0.05,0.3",
    # A receiver that is kept from its answer for a moment must not be told again: the tests count what comes.
    "HOLDFAST_WEBHOOK_TIMEOUT_S": "20",
}


@pytest.fixture(scope="package")
def post_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = configure(Server(tmp_path_factory.mktemp("post") / "data", **QUICK))
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def local(post_office: Server) -> Iterator[Client]:
    with post_office.client() as client:
        yield client
        _forget_webhooks(client)


def _forget_webhooks(client: Client) -> None:
    for webhook in client.get("/webhooks").json()["webhooks"]:
        assert client.delete(f"/webhooks/{webhook['id']}").status_code == 204


@pytest.fixture
def ada(post_office: Server) -> Iterator[Client]:
    with post_office.client(ADA) as client:
        yield client
        _forget_webhooks(client)


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address at which nobody answers: bound and not listening, so that nobody else can come to be there."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}/"


@pytest.fixture
def open_receiver() -> Iterator[Callable[..., Receiver]]:
    with ExitStack() as stack:
        yield lambda port=0: stack.enter_context(receiving(port))


@pytest.fixture
def receiver(open_receiver: Callable[..., Receiver]) -> Receiver:
    return open_receiver()
