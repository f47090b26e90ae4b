"""Keepers without a server: `holdfast doctor` lists them, and ends them if it is asked to, and nobody else."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from holdfast.keeper.census import census, end
from tests.conftest import TOKEN, Server
from tests.processes import eventually, is_alive
from tests.runs.test_nothing_is_left import Tree


def doctor(server: Server, *flags: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")},
        "HOLDFAST_DATA": str(server.data),
        "HOLDFAST_PORT": str(server.port),
        "HOLDFAST_CONFIG": str(server.config),
        "HOLDFAST_TOKEN": TOKEN,
    }
    command = [sys.executable, "-m", "holdfast", "doctor", *flags]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def keepers_in(answer: "subprocess.CompletedProcess[str]") -> list[dict[str, Any]]:
    return [check for check in json.loads(answer.stdout)["checks"] if check["name"] == "keeper"]


@pytest.mark.requirement("R136", "R146")
def test_keepers_without_a_server_are_listed_and_ended(server: Server) -> None:
    with server.client() as client:
        sessions = [client.run_task("orphan stubborn"), client.run_task("tools 1 orphan hang")]
        trees = [Tree(client, server, session_id, None) for session_id in sessions]
        found = census(server.data)
        assert {(one.session_id, one.pid, one.guard_pid, one.agent_pid) for one in found} == {
            (session_id, tree.keeper, tree.guard, tree.agent) for session_id, tree in zip(sessions, trees, strict=True)
        }
        assert all(one.has_server for one in found)
        assert keepers_in(doctor(server, "--json")) == []

        server.kill()
        assert [one.has_server for one in census(server.data)] == [False, False]
        listed = keepers_in(doctor(server, "--json"))
        assert {check["state"] for check in listed} == {"warning"}
        for tree in trees:
            assert any(f"keeper {tree.keeper}" in check["detail"] for check in listed)
            assert is_alive(tree.agent)  # to look changes nothing

        ended = doctor(server, "--end-keepers", "--yes")
        assert [f"Ended keeper {tree.keeper}" in ended.stdout + ended.stderr for tree in trees] == [True, True]
        eventually(lambda: not trees[0].left and not trees[1].left, 15, "the end of all processes")
        assert census(server.data) == []

        server.start()
        for session_id in sessions:
            data = client.end_of(session_id)["data"]
            assert (data["stop_reason"], data["resumable"]) == ("interrupted", True)


def test_a_process_that_has_a_dead_keepers_pid_is_none(server: Server) -> None:
    """Pids are used again: a note alone says nothing about the process that has its number today."""
    with server.client() as client:
        session_id = client.run_task("hang")
        client.until(session_id, "agent_start")
        note_file = server.data / "runs" / f"{session_id}-1" / "keeper.json"
        note = json.loads(note_file.read_bytes())
        server.kill()
        (real,) = census(server.data)
        stranger = subprocess.Popen(["sleep", "60"])
        try:
            note_file.write_text(json.dumps({**note, "guard_pid": stranger.pid, "pid": stranger.pid}))
            assert census(server.data) == []
            assert end(real)
            server.start()
            assert client.end_of(session_id)["data"]["stop_reason"] == "interrupted"
            assert stranger.poll() is None
        finally:
            stranger.kill()
            stranger.wait()
