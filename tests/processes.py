"""Looking at processes from outside, as an operator would."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path


def marked(marker: str) -> list[int]:
    """All living processes that were started with `marker` (NAME=value) in their environment."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if (
                    marker.encode() in (folder / "environ").read_bytes().split(b"\0")
                    and state_of(int(folder.name)) != "Z"
                ):
                    found.append(int(folder.name))
    return found


def state_of(pid: int) -> str | None:
    """R, S, Z …; None if there is no such process."""
    try:
        return _stat(Path(f"/proc/{pid}"))[0]
    except OSError:
        return None


def _stat(folder: Path) -> list[str]:
    """From the state on. In front of it is a name of whatever bytes, which may be cut in the middle of a character."""
    return (folder / "stat").read_bytes().rpartition(b")")[2].decode("ascii").split()


def zombies_of(parent: int) -> list[int]:
    """The dead whose exit status a process has not taken."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):  # one that goes while it is looked at is none
                state, ppid = _stat(folder)[:2]
                if state == "Z" and int(ppid) == parent:
                    found.append(int(folder.name))
    return found


def is_alive(pid: int) -> bool:
    return state_of(pid) not in (None, "Z")


def eventually(condition: Callable[[], object], seconds: float = 30, what: str = "") -> object:
    """Waits, bounded, until the condition holds; answers what it gave."""
    pause_s = 0.01
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        paused_at = time.monotonic()
        assert paused_at < deadline, f"not within {seconds} s: {what or condition}"
        time.sleep(pause_s)
        # A machine that stands still does so for those who are waited for, too: that time is not theirs.
        deadline += max(0.0, time.monotonic() - paused_at - pause_s)


def throughout(seconds: float, condition: Callable[[], object], what: str = "") -> None:
    """Sees, again and again, that the condition holds all that time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert condition(), what or condition
        time.sleep(0.05)  # whoever asks without a pause takes the processor from those who are asked
