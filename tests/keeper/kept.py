"""A keeper of the test's own, without a server: as it stands when the server has just died."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

from holdfast.agents.interface import Task
from holdfast.keeper.spec import NOTE_FILE, SPEC_FILE, UNSENT_FILE, Note, Spec, write_private
from holdfast.keeper.spool import read_unsent
from tests.processes import eventually, is_alive

DEMO = [sys.executable, "-I", "-m", "holdfast.demo"]


class Kept:
    def __init__(self, folder: Path, task: str, *, command: list[str] | None = None, **spec: object) -> None:
        self.folder = folder / "run"
        self.folder.mkdir()
        workspace = folder / "workspace"
        workspace.mkdir()
        made = Spec(
            session_id="session",
            run=1,
            secret="not-on-any-command-line",
            socket=str(folder / "no-such.sock"),
            task=Task(
                session_id="session",
                agent="demo",
                text=task,
                shown=task,
                command=command or DEMO,
                cwd=str(workspace),
                environment={"HOLDFAST_DEMO_STATE": str(folder / "demo")},
            ),
            **spec,  # pyright: ignore
        )
        write_private(self.folder / SPEC_FILE, msgspec.json.encode(made))
        self.log = (self.folder / "log").open("wb")
        self.guard = subprocess.Popen(
            [sys.executable, "-m", "holdfast.keeper", str(self.folder)],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            start_new_session=True,
        )

    def note(self) -> Note:
        """What the keeper says about itself, once its agent runs."""

        def found() -> Note | None:
            with contextlib.suppress(FileNotFoundError):
                note = msgspec.json.decode((self.folder / NOTE_FILE).read_bytes(), type=Note)
                return note if note.agent_pid else None
            return None

        note = eventually(found, 20, "the keeper's note")
        assert isinstance(note, Note)
        return note

    def unsent(self):
        """The index of the first event that no server took, and the events."""
        first, left = read_unsent(str(self.folder / UNSENT_FILE))
        return first, [(entry.type, entry.decode()) for entry in left]

    def close(self) -> None:
        """Ends what the test has left."""
        if self.guard.poll() is None:
            note = self.folder / NOTE_FILE
            pids = [msgspec.json.decode(note.read_bytes(), type=Note).pid] if note.exists() else []
            for pid in [*pids, self.guard.pid]:
                with contextlib.suppress(ProcessLookupError):  # the guard takes the keeper's exit status
                    os.kill(pid, signal.SIGKILL)
                eventually(lambda pid=pid: not is_alive(pid))
            self.guard.wait(30)
        self.log.close()
