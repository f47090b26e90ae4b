"""Only so many agents are started at the same time: the next ones wait their turn, and nobody else waits for them."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually, marked
from tests.runs.agents import configure

SILENT = "import time; time.sleep(600)"


@pytest.fixture
def narrow(make_server: Callable[..., Server], tmp_path: Path) -> Iterator[Client]:
    """A client of a server that starts one agent at a time."""
    (tmp_path / "agent.py").write_text(SILENT)
    server = configure(make_server(HOLDFAST_CONCURRENT_STARTS="1")).start()
    with server.client() as client:
        yield client


def silent(client: Client, tmp_path: Path) -> str:
    """A session whose agent never gets as far as to work."""
    session_id = client.run_task("work", agent="workspace", workspace=str(tmp_path))
    client.until(session_id, "session_connect")
    return session_id


def cancel(client: Client, session_id: str) -> dict[str, object]:
    answer = client.post(f"/sessions/{session_id}/cancel")
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.requirement("R001", "R002", "R091", "R093", "R097")
def test_one_that_waits_its_turn_is_pending_and_can_be_cancelled(narrow: Client, tmp_path: Path) -> None:
    first = silent(narrow, tmp_path)
    asked_at = time.monotonic()
    second, third = narrow.run_task("tools 1"), narrow.run_task("tools 2")
    # Who waited for the turn would wait until the first one has had its 15 s, or give up after 10.
    assert time.monotonic() - asked_at < 8, "the answer does not wait for a turn"
    for session_id in (second, third):
        record = narrow.record(session_id)
        assert (record["status"], record["waiting_on"]["kind"], record["head"]) == ("pending", "start", 1)
    asked_at = time.time()
    record = cancel(narrow, second)
    ended_at = datetime.fromisoformat(narrow.end_of(second)["timestamp"]).timestamp()
    assert ended_at - asked_at < 3
    assert (record["status"], record["resumable"]) == ("cancelled", False)
    assert [event["type"] for event in narrow.follow(second)] == ["user_message", "cancelled"]
    assert narrow.record(third)["status"] == "pending"
    cancel(narrow, first)
    assert narrow.end_of(third)["data"]["stop_reason"] == "success"
    # The one that was cancelled is not started when its turn comes.
    assert [event["type"] for event in narrow.follow(second)] == ["user_message", "cancelled"]
    assert not marked(f"HOLDFAST_RUN={second}-1")


@pytest.mark.requirement("R001")
def test_starts_that_come_together_are_all_answered_at_once(narrow: Client, tmp_path: Path) -> None:
    def start(_: int) -> tuple[str, float]:
        asked_at = time.monotonic()
        session_id = narrow.run_task("work", agent="workspace", workspace=str(tmp_path))
        return session_id, time.monotonic() - asked_at

    with ThreadPoolExecutor(6) as pool:
        started = list(pool.map(start, range(6)))
    assert [seconds for _, seconds in started if seconds > 8] == []
    records = [narrow.record(session_id) for session_id, _ in started]
    assert sorted(record["status"] for record in records) == ["pending"] * 5 + ["running"]
    for session_id, _ in started:
        cancel(narrow, session_id)
    eventually(lambda: not any(marked(f"HOLDFAST_RUN={one}-1") for one, _ in started), 15, "the end of all agents")


@pytest.mark.requirement("R012")
def test_those_that_wait_are_started_in_the_order_in_which_they_came(narrow: Client, tmp_path: Path) -> None:
    first = silent(narrow, tmp_path)
    waiting = [narrow.run_task(f"tools {number}") for number in range(1, 6)]
    cancel(narrow, first)
    began = [narrow.until(session_id, "agent_start")["timestamp"] for session_id in waiting]
    assert began == sorted(began)
    for number, session_id in enumerate(waiting, 1):
        events = narrow.follow(session_id)
        assert sum(event["type"] == "tool_complete" for event in events) == number


@pytest.mark.requirement("R143", "R145")
def test_one_that_waits_its_turn_when_the_server_is_killed_gets_it_from_the_next(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    (tmp_path / "agent.py").write_text(SILENT)
    server = configure(make_server(HOLDFAST_CONCURRENT_STARTS="1")).start()
    with server.client() as client:
        first = silent(client, tmp_path)
        second = client.run_task("tools 2")
        assert client.record(second)["status"] == "pending"
    server.kill()
    server.start()
    with server.client() as client:
        # Who has been at it since before the server was there takes nobody's turn.
        assert client.end_of(second)["data"]["stop_reason"] == "success"
        third = client.run_task("tools 1", agent="demo")
        client.end_of(third)
        cancel(client, first)
    assert server.stop() == 0
