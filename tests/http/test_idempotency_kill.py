"""kill -9 at any moment of a request: with its Idempotency-Key it can be made again, and takes effect once."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Timer
from uuid import uuid4

import httpx
import pytest

from tests.conftest import Server

ROUNDS = 3
CALLERS = 6


@pytest.mark.requirement("R143")
def test_a_request_made_again_after_kill_9_starts_one_run(make_server: Callable[..., Server]) -> None:
    """The moment of death is drawn so that it falls before, into and behind the commits of the requests."""
    server = make_server()
    server.config.write_text('[agents.quick]\ncommand = ["/bin/true"]\n')
    server.start()
    chance = random.Random(4653)
    keys: dict[str, str | None] = {}  # key → the session that the client was told of
    died_unanswered = 0

    def call(key: str) -> str | None:
        with server.client() as client:
            try:
                body = {"task": key, "config": {"agent": "quick"}}
                answer = client.post("/sessions/run", json=body, headers={"idempotency-key": key})
            except httpx.TransportError:
                return None
            assert answer.status_code == 200, answer.text
            return answer.json()["session_id"]

    rounds = 0
    # On a busy machine a death may come too late for all of a round's requests.
    while rounds < ROUNDS or (rounds < 4 * ROUNDS and not died_unanswered):
        rounds += 1
        fresh = [str(uuid4()) for _ in range(CALLERS)]
        killed = Event()
        death = Timer(chance.uniform(0.005, 0.06), lambda killed=killed: (server.kill(), killed.set()))
        with ThreadPoolExecutor(CALLERS) as pool:
            death.start()
            keys.update(zip(fresh, pool.map(call, fresh), strict=True))
        assert killed.wait(30)
        died_unanswered += sum(keys[key] is None for key in fresh)
        server.start()
        for key in fresh:
            again = call(key)
            assert again is not None
            assert keys[key] in (None, again), "who had an answer gets the same"
            keys[key] = again
    assert died_unanswered, "no request was under way when the server died: the test tested nothing"
    with server.client() as client:
        for key, session_id in keys.items():
            assert session_id is not None
            client.end_of(session_id)
            assert client.record(session_id)["runs"] == 1
            assert client.record(session_id)["task"] == key
        records = client.get("/sessions", params={"limit": 200}).json()["sessions"]
        assert sorted(record["task"] for record in records) == sorted(keys), "each started once"
