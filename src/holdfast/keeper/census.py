"""Which keepers are alive in a data folder, whether a server is there for them, and how they are ended."""

import fcntl
import os
import signal
import time
from pathlib import Path

import msgspec

from holdfast.agents import tree
from holdfast.keeper.spec import LOCK_FILE, NOTE_FILE, RUNS_FOLDER, Note

_END_S = 8.0
_POLL_S = 0.05


class FoundKeeper(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    run: int
    pid: int
    guard_pid: int
    agent_pid: int | None
    since: float
    has_server: bool


def census(data: Path) -> list[FoundKeeper]:
    has_server = server_is_up(data)
    found: list[FoundKeeper] = []
    for folder in sorted((data / RUNS_FOLDER).glob("*")):
        note = living(folder)
        if note is not None:
            found.append(
                FoundKeeper(
                    session_id=note.session_id,
                    run=note.run,
                    pid=note.pid,
                    guard_pid=note.guard_pid,
                    agent_pid=note.agent_pid,
                    since=note.began_s,
                    has_server=has_server,
                )
            )
    return found


def living(folder: Path) -> Note | None:
    """The keeper of a run's folder, if it (or its guard) is alive."""
    try:
        note = msgspec.json.decode((folder / NOTE_FILE).read_bytes(), type=Note)
    except (OSError, msgspec.DecodeError):
        return None
    return note if tree.start_ticks(note.guard_pid) == note.guard_ticks else None


def server_is_up(data: Path) -> bool:
    """A server holds its data folder's lock for as long as it lives."""
    try:
        descriptor = os.open(data / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def end(keeper: FoundKeeper) -> bool:
    """Asks the keeper to end its agent and itself, and makes it if it will not; true once it is gone."""
    ticks = tree.start_ticks(keeper.guard_pid)
    for number, patience_s in ((signal.SIGTERM, _END_S), (signal.SIGKILL, 2.0)):
        # The keeper, not its guard: a guard outlives it and takes care of what is left.
        target = keeper.guard_pid if number == signal.SIGTERM else keeper.pid
        tree.signal_all([target], number)
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline:
            if tree.start_ticks(keeper.guard_pid) != ticks or ticks is None:
                return True
            time.sleep(_POLL_S)
    return False
