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
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return None


def is_alive(pid: int) -> bool:
    return state_of(pid) not in (None, "Z")


def eventually(condition: Callable[[], object], seconds: float = 10, what: str = "") -> object:
    """Waits, bounded, until the condition holds; answers what it gave."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < deadline, f"not within {seconds} s: {what or condition}"
        time.sleep(0.01)
