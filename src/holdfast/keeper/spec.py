"""What a keeper is started with, and the files that it leaves in its run's folder."""

import os
from pathlib import Path

import msgspec

from holdfast.agents.interface import Task

SPEC_FILE = "spec.json"
NOTE_FILE = "keeper.json"
CLAIM_FILE = "claimed"
SPOOL_FILE = "spool"
UNSENT_FILE = "unsent"
LOG_FILE = "keeper.log"
TRANSCRIPT_FILE = "transcript"
LOCK_FILE = "server.lock"
RUNS_FOLDER = "runs"


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    run: int
    secret: str
    socket: str
    task: Task
    warm: bool = False
    """Started ahead of its task: connects the agent, and waits to be told."""
    stall_s: float = 300.0
    server_patience_s: float = 600.0
    start_timeout_s: float = 60.0
    permission_ttl_s: float = 600.0
    stderr_head: int = 50
    stderr_tail: int = 50


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Written by the keeper about itself. A pid alone may be another process's by now; with its start it may not."""

    session_id: str
    run: int
    pid: int
    guard_pid: int
    guard_ticks: int
    began_s: float
    agent_pid: int | None = None


def run_folder(data: Path, session_id: str, run: int) -> Path:
    return data / RUNS_FOLDER / f"{session_id}-{run}"


def write_private(path: str | Path, content: bytes) -> None:
    """Replaces the file in one step; readable by its owner only."""
    beside = f"{path}.new"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, content)
    finally:
        os.close(descriptor)
    os.replace(beside, path)  # noqa: PTH105
