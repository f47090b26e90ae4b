"""The agents that these tests configure, and how a run is looked at from outside."""

import contextlib
import json
import os
import select
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.client import Client
from tests.conftest import Server

SECRET = "correct-horse-battery-staple"
ADA = "token-of-ada"
_HERE = Path(__file__).parent


def configure(server: Server) -> Server:
    """Writes the agents into the server's settings; before its start.

    scripted: its task is Python code.  echoing: keeps its prompts.  missing: no such program.
    workspace: the program is agent.py in the workspace that the test gives.
    There is a further user, and a permission profile that denies nothing when nobody is there to answer.
    """
    commands = {
        "scripted": [sys.executable, "-I", str(_HERE / "scripted_agent.py")],
        "echoing": [sys.executable, "-I", str(_HERE / "echoing_agent.py")],
        "missing": ["/nowhere/agent"],
        "workspace": [sys.executable, "-I", "agent.py"],
    }
    server.config.write_text(
        f'[users.ada]\ntoken = "{ADA}"\n[profiles.trusting]\nallow = ["Read"]\nfallback = "allow"\n'
        + "".join(
            f"[agents.{name}]\ncommand = {json.dumps(command)}\nenv = {{ DEMO_API_KEY = {json.dumps(SECRET)} }}\n"
            for name, command in commands.items()
        )
    )
    return server


def note_of(server: Server, session_id: str, run: int = 1) -> dict[str, Any] | None:
    """What the run's keeper has noted about itself; None if it has not (yet), or is gone."""
    try:
        return json.loads((server.data / "runs" / f"{session_id}-{run}" / "keeper.json").read_bytes())
    except FileNotFoundError:
        return None


def quickest(measure: Callable[[], float], bound_s: float) -> float:
    """The best of up to three tries, or the first below the bound: the machine may be busy with others meanwhile."""
    took = measure()
    for _ in range(2):
        if took < bound_s:
            break
        took = min(took, measure())
    return took


def run_that_times_out(client: Client, folder: Path, task: str, **config: object) -> list[dict[str, Any]]:
    """The events of a scripted run whose time was up when its agent had done all of its task: the time, which begins
    before the agent is there, is the shortest in which it gets so far here."""
    for timeout_s in (2, 8, 30):
        workspace = folder / f"within {timeout_s} s"
        workspace.mkdir()
        done = f"{task}\nPath('done').touch(); time.sleep(600)"
        events = client.follow(
            client.run_task(done, agent="scripted", workspace=str(workspace), timeout_s=timeout_s, **config)
        )
        if (workspace / "done").exists():
            break
    return events


class Death:
    """Notes when a process dies, which need not be a child of ours."""

    def __init__(self, pid: int) -> None:
        self.at: float | None = None
        descriptor = os.pidfd_open(pid)

        def watch() -> None:
            with contextlib.closing(os.fdopen(descriptor)):
                if select.select([descriptor], [], [], 60)[0]:
                    self.at = time.time()

        self._thread = threading.Thread(target=watch, daemon=True)
        self._thread.start()

    def time(self) -> float:
        self._thread.join(60)
        assert self.at is not None, "it is still alive"
        return self.at
