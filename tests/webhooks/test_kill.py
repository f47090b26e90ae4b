"""kill -9 of the server between deliveries, and while they are under way: all arrives, in order, as it was."""

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import httpx
import pytest

from tests.conftest import Server
from tests.webhooks.asking import made
from tests.webhooks.conftest import QUICK
from tests.webhooks.receiver import PATIENCE_S, Receiver, Reply

KILLS = 2
SESSIONS = 3


@contextlib.contextmanager
def killed_at_some_message(server: Server, receiver: Receiver, message: int) -> Iterator[None]:
    """The server dies while it waits for the answer to the so-and-so-many-th message, which is then not given."""
    before = len(receiver.received)
    died, deciding = Event(), Lock()

    def reply(_: object) -> Reply:
        # One at a time: who decides beside another would kill the server that has been started meanwhile.
        with deciding:
            if len(receiver.received) - before >= message and not died.is_set():
                server.kill()
                died.set()
        return Reply(500 if died.is_set() else 200)

    receiver.reply = reply  # type: ignore[assignment]
    yield
    assert died.wait(PATIENCE_S), "it was not killed while something was on its way"
    receiver.reply = lambda _: Reply()


@pytest.mark.requirement("R143")
def test_everything_is_told_at_least_once_and_each_message_is_always_the_same(
    make_server: Callable[..., Server], receiver: Receiver
) -> None:
    server = make_server(**QUICK)
    server.config.write_text('[agents.quick]\ncommand = ["/bin/true"]\n')
    server.start()
    with server.client() as client:
        webhook = made(client, receiver.url, events=["run.ended"])
    told: list[str] = []
    for kill in range(KILLS):
        with (
            killed_at_some_message(server, receiver, kill + 1),
            server.client() as client,
            # The server dies under these requests; what it has answered counts.
            contextlib.suppress(httpx.TransportError),
        ):
            for _ in range(SESSIONS):
                told.append(client.run_task("x", agent="quick"))
        server.start()
    with server.client() as client:
        sessions = [record["session_id"] for record in client.get("/sessions").json()["sessions"]]
        assert set(told) <= set(sessions)
        for session_id in told:
            client.end_of(session_id)
            client.next_task(session_id, "y")
        expected = {
            (session_id, event["sequence"])
            for session_id in sessions
            for event in (client.end_of(session_id), *client.history(session_id))
            if event["type"] in ("agent_complete", "error", "cancelled")
        }
    received = receiver.wait_for(lambda all_: {one.about for one in all_} >= expected)
    assert {one.about for one in received} == expected
    bodies: dict[str, set[bytes]] = {}
    for one in received:
        one.verify(webhook["secret"])
        bodies.setdefault(one.id, set()).add(one.body)
    assert len(bodies) == len(expected), "one id for each event"
    assert all(len(found) == 1 for found in bodies.values())
    assert any(one.earlier for one in received), "nothing was sent again: no kill fell between a send and its record"
    for session_id in sessions:
        first = [one.about[1] for one in received if one.about[0] == session_id and one.earlier == 0]
        assert first == sorted(first)


def test_a_stop_waits_for_no_receiver_and_what_it_ended_is_told_by_the_next_server(
    make_server: Callable[..., Server], receiver: Receiver
) -> None:
    release = Event()
    receiver.reply = lambda _: (release.wait(PATIENCE_S), Reply())[1]
    server = make_server(**{**QUICK, "HOLDFAST_WEBHOOK_TIMEOUT_S": "60"}).start()
    with server.client() as client, ThreadPoolExecutor() as other:
        webhook = made(client, receiver.url, events=["run.ended"])
        session_id = client.run_task("tools 2 slow 600")
        client.until(session_id, "agent_start")
        testing = other.submit(client.post, f"/webhooks/{webhook['id']}/test")
        receiver.wait(1)
        try:
            assert server.stop(45) == 0, server.log.read_text()
        finally:
            release.set()
        cut_off = testing.result(PATIENCE_S)
        assert (cut_off.status_code, cut_off.json()["code"]) == (503, "shutting_down")
    server.start()
    received = receiver.wait_for(lambda all_: any(one.message["type"] == "run.ended" for one in all_))
    told = next(one for one in received if one.message["type"] == "run.ended")
    assert (told.about[0], told.message["data"]["stop_reason"]) == (session_id, "interrupted")
