"""What a keeper sends again, because it never heard that it was committed, is in the log once."""

import socket
from collections.abc import Iterator

import msgspec
import pytest

from holdfast.events import AgentUpdate, Recorded, record
from holdfast.keeper import messages
from holdfast.keeper.address import reachable
from holdfast.keeper.messages import Acknowledge, Batch, Down, Gone, Hello, Unpacker, Up, Welcome
from holdfast.keeper.spec import SPEC_FILE, Spec
from tests.client import Client
from tests.conftest import Server


class Keeper:
    """Takes the place of a run's keeper: it knows the secret, and speaks as we like."""

    def __init__(self, server: Server, session_id: str) -> None:
        spec = msgspec.json.decode((server.data / "runs" / f"{session_id}-1" / SPEC_FILE).read_bytes(), type=Spec)
        self._hello = Hello(session_id, 1, spec.secret, 0, 0)
        self._path = spec.socket
        self.connect()

    def connect(self) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(10)
        with reachable(self._path) as address:
            self._socket.connect(address)
        self._heard = self._listen()

    def hello(self) -> Down:
        return self.say(self._hello)

    def say(self, message: Up) -> Down:
        self._socket.sendall(messages.pack(message))
        return next(self._heard)

    def _listen(self) -> Iterator[Down]:
        unpacker = Unpacker()
        while chunk := self._socket.recv(65536):
            for body in unpacker.feed(chunk):
                yield messages.unpack_down(body)

    def close(self) -> None:
        self._socket.close()


def marks(first: int, last: int) -> list[Recorded]:
    return [record(AgentUpdate(kind="mark", update=n), 1_700_000_000_000) for n in range(first, last + 1)]


@pytest.mark.requirement("R143", "R023")
def test_events_that_are_sent_again_are_written_once(client: Client, shared_server: Server) -> None:
    session_id = client.run_task("hang")
    client.until(session_id, "agent_start")
    keeper = Keeper(shared_server, session_id)
    welcome = keeper.hello()
    assert isinstance(welcome, Welcome)
    had = welcome.acknowledged
    assert had >= 1
    assert keeper.say(Batch(had + 1, marks(1, 3))) == Acknowledge(had + 3)
    assert keeper.say(Batch(had + 1, marks(1, 3))) == Acknowledge(had + 3)  # the same again
    assert keeper.say(Batch(had + 2, marks(2, 5))) == Acknowledge(had + 5)  # some of it again, and more
    keeper.close()
    keeper.connect()
    assert keeper.hello() == Welcome(had + 5)
    assert keeper.say(Batch(had + 1, marks(1, 6))) == Acknowledge(had + 6)
    # A gap would be a loss: such a keeper is none of ours.
    assert isinstance(keeper.say(Batch(had + 9, marks(9, 9))), Gone)
    keeper.close()
    client.post(f"/sessions/{session_id}/cancel")
    events = client.follow(session_id)
    assert [event["data"]["update"] for event in events if event["type"] == "agent_update"] == [1, 2, 3, 4, 5, 6]
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
