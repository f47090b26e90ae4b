"""SIGTERM and Ctrl-C: clients are told, agents are ended, sessions can be continued, and no process is left."""

import contextlib
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.client import Client, Frame
from tests.conftest import Server
from tests.processes import eventually, is_alive
from tests.runs.agents import note_of


class Listener:
    """A client that reads a stream to its end in a thread of its own."""

    def __init__(self, client: Client, path: str) -> None:
        self.frames: list[Frame] = []
        self.is_open = threading.Event()
        self._thread = threading.Thread(target=self._listen, args=(client, path), daemon=True)
        self._thread.start()
        assert self.is_open.wait(30)

    def _listen(self, client: Client, path: str) -> None:
        with client.stream(path) as stream:
            for frame in stream:
                self.frames.append(frame)
                if frame.event == "stream":
                    self.is_open.set()

    def finish(self) -> list[Frame]:
        """All frames; the stream must have come to a proper end."""
        self._thread.join(30)
        assert not self._thread.is_alive()
        return self.frames


TASKS = ["slow 60 tools 600", "hang", "stubborn", "orphan stubborn", "ask"]


@pytest.mark.requirement("R134", "R136", "R145", "R146", "R083")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_ends_all_agents_and_leaves_their_sessions_resumable(server: Server, number: signal.Signals) -> None:
    with server.client() as client:
        sessions = {client.run_task(task): task for task in TASKS}
        for session_id, task in sessions.items():
            client.until(session_id, "message" if "orphan" in task else "agent_start")
        everything = Listener(client, "/events")
        streams = {session_id: Listener(client, f"/sessions/{session_id}/events") for session_id in sessions}
        asked_at = time.monotonic()
        assert server.process is not None
        server.process.send_signal(number)
        assert server.process.wait(30) == 0
        assert time.monotonic() - asked_at < 10
        eventually(lambda: not server.below(), 15, "the end of all processes")
        assert everything.finish()[-1].data == {"closing": "shutdown"}
        ends = {session_id: stream.finish()[-1] for session_id, stream in streams.items()}
        for session_id, frame in ends.items():
            end = frame.data
            assert (end["type"], end["data"]["error_type"]) == ("error", "interrupted"), sessions[session_id]
            assert (end["data"]["stop_reason"], end["data"]["resumable"]) == ("interrupted", True)
            assert end["data"]["termination_info"] == {"reason": "terminated", "terminated_by": "daemon"}
        server.start()
        listed = client.get("/sessions/recoverable").json()["sessions"]
        assert {record["session_id"] for record in listed} == sessions.keys()
        for record in listed:
            end = ends[record["session_id"]].data
            assert (record["status"], record["head"]) == ("interrupted", end["sequence"])
        assert f"Recovered {len(TASKS)} resumable session(s)" in server.log.read_text()


@pytest.mark.requirement("R145", "R146", "R143", "R144")
def test_with_keep_agents_the_agents_stay_and_the_next_server_adopts_them(make_server: Callable[..., Server]) -> None:
    server = make_server().start("--keep-agents")
    with server.client() as client:
        # It works on without a server, and does not come to its end before it is answered.
        session_id = client.run_task("slow 3 tools 25 ask tools 25")
        client.until(session_id, "tool_complete")
        note = note_of(server, session_id)
        assert note is not None
        stream = Listener(client, f"/sessions/{session_id}/events")
        asked_at = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - asked_at < 10
        frames = stream.finish()
        assert frames[-1].data == {"closing": "shutdown"}
        assert is_alive(note["agent_pid"])
        server.start()
        seen = [frame.data for frame in frames if frame.is_event]
        request_id = client.until(session_id, "permission_request")["data"]["request_id"]
        path = f"/sessions/{session_id}/permissions/{request_id}/answer"
        assert client.post(path, json={"decision": "allow_once"}).status_code == 200
        rest = client.follow(session_id, after=seen[-1]["sequence"])
        assert [event["sequence"] for event in seen + rest] == list(range(1, len(seen) + len(rest) + 1))
        assert [event["type"] for event in seen + rest].count("agent_start") == 1
        assert sum(event["type"] == "tool_complete" for event in seen + rest) == 51
        assert rest[-1]["data"]["stop_reason"] == "success"
    eventually(lambda: not server.below(), 15, "the end of the keeper")


@pytest.mark.requirement("R145", "R146")
def test_a_stop_in_the_middle_of_many_starts_leaves_no_process_and_no_session_stuck(server: Server) -> None:
    stopping = threading.Event()
    answers: list[httpx.Response] = []

    def keep_starting() -> None:
        with contextlib.suppress(httpx.TransportError), server.client() as client:
            while not stopping.is_set():
                answers.append(client.post("/sessions/run", json={"task": "hang"}))
                if answers[-1].status_code != 200:  # to ask on would only keep the server from what it is about
                    return

    threads = [threading.Thread(target=keep_starting) for _ in range(4)]
    for thread in threads:
        thread.start()
    eventually(lambda: len(answers) >= 8, 60, "some starts")
    asked_at = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - asked_at < 10
    stopping.set()
    for thread in threads:
        thread.join(40)
    assert {answer.status_code for answer in answers} <= {200, 503}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 503} <= {"shutting_down"}
    eventually(lambda: not server.below(), 15, "the end of all processes")
    server.start()
    with server.client() as client:
        records: list[dict[str, Any]] = client.get("/sessions", params={"limit": 200}).json()["sessions"]
        started = {answer.json()["session_id"] for answer in answers if answer.status_code == 200}
        assert started <= {record["session_id"] for record in records}
        assert {record["status"] for record in records} == {"interrupted"}
        assert all("termination_info" in record for record in records)


@pytest.mark.requirement("R145")
def test_a_server_without_sessions_stops_at_once_and_tells_its_clients(server: Server) -> None:
    with server.client() as client:
        stream = Listener(client, "/events")
        asked_at = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - asked_at < 8, "nobody is waited for"
        assert stream.finish()[-1].data == {"closing": "shutdown"}
    assert not Path(server.data, "keepers.sock").exists()
