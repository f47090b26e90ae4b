"""GET /events: all of a user's sessions in one stream, by their position in the combined log."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest

from tests.client import Client, Frame
from tests.conftest import Server
from tests.stream.conftest import LONG
from tests.stream.reading import allow


def until_ended(stream: Any, session_ids: list[str]) -> list[Frame]:
    """All events up to the last end of these sessions."""
    left = set(session_ids)
    seen: list[Frame] = []
    for frame in stream:
        if frame.is_event:
            seen.append(frame)
            if frame.data["type"] in ("agent_complete", "error", "cancelled"):
                left.discard(frame.data["session_id"])
            if not left:
                break
    return seen


def by_session(frames: list[Frame]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for frame in frames:
        event = dict(frame.data)
        found.setdefault(event.pop("session_id"), []).append(event)
    return found


@pytest.mark.requirement("R073", "R021")
def test_all_sessions_come_in_one_stream_each_whole_and_in_order(local: Client, river: Server) -> None:
    with river.client() as reader, reader.stream("/events") as stream:
        assert next(frame for frame in stream if frame.event == "stream").data["resume"] == "ok"
        with ThreadPoolExecutor(4) as pool:
            # Each waits until all are there; then they go to work together.
            tasks = ["ask tools 300 slow 1.5", "ask tools 30 slow 1.5", "ask tools 100 slow 1.5 crash"]
            sessions = list(pool.map(local.run_task, [*tasks, "ask flood 200 slow 1.5"]))
        requests = [local.until(session_id, "permission_request") for session_id in sessions]
        sessions.append(local.run_task("Say hello, slow 1.5"))
        for session_id, request in zip(sessions[:-1], requests, strict=True):
            allow(local, session_id, request)
        seen = until_ended(stream, sessions)
    positions = [frame.id for frame in seen]
    assert positions == sorted(set(positions))
    assert all(list(frame.data) == ["type", "data", "timestamp", "sequence", "session_id"] for frame in seen)
    found = by_session(seen)
    assert found.keys() == set(sessions)
    for session_id in sessions:
        assert found[session_id] == local.follow(session_id)
    changes = sum(a.data["session_id"] != b.data["session_id"] for a, b in pairwise(seen))
    assert changes > 10, "they were really under way at the same time"


@pytest.mark.requirement("R073", "R057", "R056")
def test_a_reconnect_goes_on_by_its_position(local: Client, river: Server) -> None:
    position = local.get("/sessions").json()["position"]
    sessions = [local.run_task("tools 40 slow 0.4") for _ in range(2)]
    seen: list[Frame] = []
    after, dropped = position, 0
    left = set(sessions)
    with river.client() as reader:
        while left:
            with reader.stream("/events", after=after) as stream:
                for frame in stream:
                    if frame.is_event:
                        seen.append(frame)
                        after = frame.id
                        if frame.data["type"] == "agent_complete":
                            left.discard(frame.data["session_id"])
                        if len(seen) % 17 == 0 or not left:
                            break
            dropped += 1
    assert dropped > 5
    assert by_session(seen) == {session_id: local.follow(session_id) for session_id in sessions}
    raw = "".join(f"{frame.text}\n\n" for frame in seen)
    with river.client() as reader, reader.stream("/events", after=position) as stream:
        again = until_ended(stream, sessions)
    assert "".join(f"{frame.text}\n\n" for frame in again) == raw
    assert json.loads(raw.partition("data: ")[2].partition("\n")[0])["type"] == "user_message"


@pytest.mark.requirement("R073")
def test_without_a_position_it_begins_with_what_happens_now(local: Client, river: Server) -> None:
    local.end_of(local.run_task("before", agent="quick"))
    with river.client() as reader, reader.stream("/events") as stream:
        next(frame for frame in stream if frame.event == "stream")
        session_id = local.run_task("now", agent="quick")
        first = next(frame for frame in stream if frame.is_event)
    assert (first.data["session_id"], first.data["sequence"]) == (session_id, 1)
    local.end_of(session_id)


@pytest.mark.requirement("R073")
def test_it_does_not_close_when_sessions_end(local: Client, river: Server) -> None:
    with river.client() as reader, reader.stream("/events") as stream:
        next(frame for frame in stream if frame.event == "stream")
        for _ in range(3):
            session_id = local.run_task("tools 1")
            assert until_ended(stream, [session_id])[-1].data["session_id"] == session_id
        long = local.run_task(LONG)
        assert next(frame for frame in stream if frame.is_event).data["session_id"] == long
        local.post(f"/sessions/{long}/cancel")
        assert until_ended(stream, [long])[-1].data["type"] == "cancelled"
