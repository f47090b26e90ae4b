"""Claude Code's sandbox: commands in it reach the workspace and nothing else; where it cannot work, none runs at all.

Whether it can depends on the machine: bubblewrap and socat must be there, and the kernel must let them make namespaces.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.models.actions import Say, Shell
from tests.models.client import Models
from tests.real import agents

Events = list[dict[str, Any]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, models_process: Models) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("sandbox")
    fake = folder / "bin/bwrap"
    fake.parent.mkdir()
    # As the real one where the kernel does not let users make namespaces.
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    server = Server(folder / "data", HOLDFAST_DEFAULT_AGENT="claude")
    server.config.write_text(
        agents.settings(
            claude=agents.claude_agent(folder / "agents", models_process.url),
            powerless=agents.claude_agent(
                folder / "agents", models_process.url, PATH=f"{fake.parent}:{os.environ['PATH']}"
            ),
        )
    )
    yield server.start()
    server.close()


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with server.client() as client:
        yield client


class Deeds:
    """A run with a command that writes in its workspace, one that writes beside it, and one that calls a server."""

    def __init__(self, client: Client, models: Models, folder: Path, **config: object) -> None:
        work = folder / "work"
        work.mkdir()
        call = f"import urllib.request; print(urllib.request.urlopen('{models.url}/v1/models').status)"
        script = models.add(
            [
                [Shell(command="echo yes > inside.txt")],
                [Shell(command=f"echo no > {folder / 'outside.txt'}")],
                [Shell(command=f'{sys.executable} -c "{call}"')],
                [Say(text="That was all.")],
            ]
        )
        session_id = client.run_task(script, workspace=str(work), profile="autonomous", **config)
        self.events: Events = client.follow(session_id)
        self.has_worked = [not event["data"]["is_error"] for event in self.events if event["type"] == "tool_complete"]
        self.results = [event["data"]["result"] for event in self.events if event["type"] == "tool_complete"]
        self.written = sorted(path.name for path in folder.rglob("*.txt"))

    @property
    def stop_reason(self) -> str:
        return self.events[-1]["data"]["stop_reason"]


def can_be_had() -> bool:
    """Whether this machine can do what a sandbox needs."""
    if shutil.which("bwrap") is None or shutil.which("socat") is None:
        return False
    harmless = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-net", "true"]
    return subprocess.run(harmless, capture_output=True, check=False).returncode == 0


def test_without_a_sandbox_the_commands_reach_everything(client: Client, models: Models, tmp_path: Path) -> None:
    deeds = Deeds(client, models, tmp_path)
    assert deeds.has_worked == [True] * 3, deeds.results
    assert deeds.written == ["inside.txt", "outside.txt"]


def test_in_the_sandbox_a_command_reaches_the_workspace_and_nothing_else(
    client: Client, models: Models, tmp_path: Path
) -> None:
    deeds = Deeds(client, models, tmp_path, sandbox=True)
    if not can_be_had():
        assert deeds.written == []
        assert deeds.stop_reason == "start_failed" or deeds.has_worked == [False] * 3
        return
    assert deeds.stop_reason == "success"
    assert deeds.has_worked == [True, False, False], deeds.results
    assert "Read-only file system" in deeds.results[1]
    assert "Connection refused" in deeds.results[2]
    assert deeds.written == ["inside.txt"]


def test_where_the_system_does_not_allow_a_sandbox_no_command_runs_outside_of_one(
    client: Client, models: Models, tmp_path: Path
) -> None:
    deeds = Deeds(client, models, tmp_path, sandbox=True, agent="powerless")
    assert deeds.written == []
    if deeds.stop_reason != "start_failed":  # as it is where socat is missing too
        assert deeds.has_worked == [False] * 3
        assert all("No permissions to create new namespace" in result for result in deeds.results)
