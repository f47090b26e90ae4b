"""Live: each event comes at once, everybody gets everything, and drops lose nothing."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.client import Client, frames
from tests.conftest import Server
from tests.processes import eventually
from tests.stream.reading import allow, frames_of, log_of


@pytest.mark.requirement("R067")
def test_an_event_comes_at_once_though_nothing_follows_it(client: Client) -> None:
    """The agent waits for an answer: what is not sent now is not sent at all."""
    session_id = client.run_task("ask")
    request = client.until(session_id, "permission_request")
    late = datetime.now(UTC) - datetime.fromisoformat(request["timestamp"])
    assert late.total_seconds() < 8, "well before the heartbeat of 15 s that would carry it along"
    client.post(
        f"/sessions/{session_id}/permissions/{request['data']['request_id']}/answer", json={"decision": "allow_once"}
    )


@pytest.mark.requirement("R067")
def test_events_come_one_after_the_other_as_they_happen(client: Client) -> None:
    """The agent goes on when it is answered: what it asks next has not happened before this has come."""
    session_id = client.run_task(" ".join(["ask"] * 12))
    late: list[float] = []
    with client.stream(f"/sessions/{session_id}/events") as stream:
        for frame in stream:
            if frame.is_event and frame.data["type"] == "permission_request":
                late.append(time.time() - datetime.fromisoformat(frame.data["timestamp"]).timestamp())
                allow(client, session_id, frame.data)
    assert len(late) == 12
    assert sorted(late)[3] < 0.2, "but for those in which the machine was busy with others"


@pytest.mark.requirement("R060")
def test_any_number_of_clients_get_everything(river: Server) -> None:
    """Some are there before the first event, some come in the middle, some when all is over."""
    readers = 12
    with river.client() as client:
        session_id = client.run_task("tools 600 slow 1")

        def read(number: int) -> list[str]:
            with river.client() as reader:
                if number % 3 == 1:
                    reader.until(session_id, "tool_complete")
                elif number % 3 == 2:
                    reader.end_of(session_id)
                return frames_of(reader, session_id)

        with ThreadPoolExecutor(readers) as pool:
            transcripts = list(pool.map(read, range(readers)))
    log = log_of(river, session_id)
    assert len(log) > 1200
    assert all(transcript == log for transcript in transcripts)


class Reader:
    """Reads for as long as a plan says, leaves in the middle of whatever comes, and goes on by the last id."""

    def __init__(self, server: Server, session_id: str, plan: list[int]) -> None:
        self._server = server
        self._path = f"/sessions/{session_id}/events"
        self._plan = plan
        self.transcript: list[str] = []
        self._last: int | None = None
        self.reconnects: list[tuple[int, int]] = []  # the position given, the head then

    def read(self) -> list[str]:
        with self._server.client() as client:
            for most in [*self._plan, None]:
                if self._is_done(client, most):
                    break
        return self.transcript

    def _is_done(self, client: Client, most: int | None) -> bool:
        headers = {} if self._last is None else {"last-event-id": str(self._last)}
        with httpx.Client.stream(client, "GET", self._path, headers=headers) as answer:
            if answer.status_code == 204:
                return True
            count = 0
            for frame in frames(answer):
                if frame.event == "stream":
                    self.reconnects.append((frame.data["after"], frame.data["head"]))
                if frame.is_event:
                    self.transcript.append(frame.text)
                    self._last = frame.id
                    count += 1
                    if count == most:
                        return False
        return True


@pytest.mark.requirement("R057", "R059", "R060")
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    task=st.sampled_from(["tools 3000", "tools 400 ask tools 400 slow 1", "flood 3000 tools 500"]),
    plans=st.lists(st.lists(st.integers(1, 300), min_size=3, max_size=15), min_size=3, max_size=5),
)
def test_readers_that_drop_at_random_lose_nothing_and_get_nothing_twice(
    river: Server, task: str, plans: list[list[int]]
) -> None:
    """At full speed, and at a pace where every reader stands at the head, between replay and live."""
    with river.client() as client:
        session_id = client.run_task(task)
    readers = [Reader(river, session_id, plan) for plan in plans]
    with ThreadPoolExecutor(len(readers)) as pool:
        reading = pool.map(Reader.read, readers)
        if "ask" in task:  # it is not done before somebody has dropped and come back
            eventually(lambda: any(len(reader.reconnects) > 1 for reader in readers), what="a drop")
            with river.client() as client:
                allow(client, session_id, client.until(session_id, "permission_request"))
        transcripts = list(reading)
    log = log_of(river, session_id)
    assert '"type":"agent_complete"' in log[-1]
    for transcript in transcripts:
        assert transcript == log
    dropped = sum(len(reader.reconnects) - 1 for reader in readers)
    assert dropped >= len(readers)
    if "ask" in task:
        live = [after for reader in readers for after, head in reader.reconnects if after > 0 and head < len(log)]
        assert live, "drops and the agent's work were under way at the same time"


@pytest.mark.requirement("R060")
def test_readers_that_leave_touch_no_other(river: Server) -> None:
    with river.client() as client:
        session_id = client.run_task("tools 500 ask tools 500 slow 1")
    stop = threading.Event()
    visits = [0, 0]

    def come_and_go(number: int) -> None:
        with river.client() as visitor:
            while not stop.is_set():
                with visitor.stream(f"/sessions/{session_id}/events") as stream:
                    next(frame for frame in stream if frame.is_event)
                visits[number] += 1

    def go_on_when_they_have_come() -> None:
        with river.client() as client:
            request = client.until(session_id, "permission_request")
            eventually(lambda: min(visits) > 3, what="visits")
            allow(client, session_id, request)

    with ThreadPoolExecutor(3) as pool:
        others = [pool.submit(come_and_go, number) for number in range(2)]
        others.append(pool.submit(go_on_when_they_have_come))
        try:
            with river.client() as client:
                steady = frames_of(client, session_id)
        finally:
            stop.set()
        for other in others:
            other.result(30)
    assert steady == log_of(river, session_id)
