"""When a stream closes, and what a reconnect behind the end gets."""

import time

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually
from tests.stream.conftest import LONG
from tests.stream.reading import frames_of, log_of


@pytest.mark.requirement("R065")
def test_a_stream_closes_behind_the_last_event_and_a_reconnect_gets_204(local: Client) -> None:
    session_id = local.run_task("tools 3 slow 0.2")
    live = local.follow(session_id)
    assert live[-1]["type"] == "agent_complete"
    began = time.monotonic()
    assert local.follow(session_id) == live, "one that comes later gets the same, and is let go at once"
    assert time.monotonic() - began < 10
    for query, headers in (({"after": len(live)}, {}), ({}, {"last-event-id": str(len(live))})):
        answer = local.get(f"/sessions/{session_id}/events", params=query, headers=headers)
        assert (answer.status_code, answer.content) == (204, b"")
    assert local.follow(session_id, after=len(live) - 1) == live[-1:], "one before it is not behind it"


@pytest.mark.requirement("R065")
@pytest.mark.parametrize("task", ["crash", "cancel"])
def test_every_end_closes_the_stream(local: Client, task: str) -> None:
    session_id = local.run_task("crash" if task == "crash" else LONG)
    if task == "cancel":
        local.until(session_id, "agent_start")
        local.post(f"/sessions/{session_id}/cancel")
    end = local.end_of(session_id)
    assert end["type"] == ("error" if task == "crash" else "cancelled")
    assert local.get(f"/sessions/{session_id}/events", params={"after": end["sequence"]}).status_code == 204


@pytest.mark.requirement("R065", "R090")
def test_behind_the_end_a_new_task_opens_the_stream_again(local: Client) -> None:
    session_id = local.run_task("tools 1")
    head = local.end_of(session_id)["sequence"]
    assert local.get(f"/sessions/{session_id}/events", params={"after": head}).status_code == 204
    local.next_task(session_id, LONG)
    first = local.until(session_id, "user_message", after=head)
    assert first["sequence"] == head + 1
    local.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R090", "R058")
def test_a_client_from_0_receives_all_runs(local: Client, river: Server) -> None:
    """Terminal events in the middle close nothing, neither in what is over nor in what still runs."""
    session_id = local.run_task("tools 2")
    for task in ("crash", "tools 3"):
        local.end_of(session_id)
        local.next_task(session_id, task)
    local.end_of(session_id)
    events = local.follow(session_id)
    assert [event["type"] for event in events].count("user_message") == 3
    ends = [event["type"] for event in events if event["type"] in ("agent_complete", "error")]
    assert ends == ["agent_complete", "error", "agent_complete"]
    assert frames_of(local, session_id) == log_of(river, session_id)
    local.next_task(session_id, "tools 4 slow 0.5")
    events = local.follow(session_id)
    assert [event["type"] for event in events].count("user_message") == 4
    assert events[-1]["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R145")
def test_a_stop_of_the_server_is_announced(server: Server) -> None:
    with server.client() as client:
        session_id = client.run_task(LONG)
        client.until(session_id, "agent_start")
        with client.stream("/events") as combined, client.stream(f"/sessions/{session_id}/events") as own:
            next(frame for frame in own if frame.is_event)
            assert server.process is not None
            server.process.terminate()
            rest = list(own)
            told = [frame for frame in list(combined) if frame.event == "stream"]
        ended = [frame for frame in rest if frame.is_event][-1]
        assert ended.data["data"]["stop_reason"] == "interrupted", "the end of its run comes first"
        assert [frame.data for frame in told][-1] == {"closing": "shutdown"}
        assert told[-1].id is None
        eventually(lambda: server.process is not None and server.process.poll() == 0)
