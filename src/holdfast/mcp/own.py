"""The session that this process works for, if an agent of Holdfast started it.

An agent has its session's id in its environment, but what starts servers of tools for it may pass on little of that: so
the processes above count too, the nearest first. It keeps an agent from mistakes; one that is out to deceive can do
without this process.
"""

import os
from pathlib import Path

_NAME = b"HOLDFAST_SESSION_ID"
# More than any chain of processes has; the tree may change while it is climbed.
_MOST_STEPS = 100


def own_session_id() -> str | None:
    own = os.environb.get(_NAME)
    if own:
        return os.fsdecode(own)
    pid = os.getppid()
    for _ in range(_MOST_STEPS):
        if pid <= 1:
            return None
        try:
            found = _given(Path(f"/proc/{pid}/environ").read_bytes())
            above = _parent(Path(f"/proc/{pid}/stat").read_text(errors="replace"))
        except OSError:
            # It is another user's, or it has ended: nobody can tell.
            return None
        if found:
            return os.fsdecode(found)
        pid = above
    return None


def _given(environment: bytes) -> bytes:
    for entry in environment.split(b"\0"):
        name, _, value = entry.partition(b"=")
        if name == _NAME:
            return value
    return b""


def _parent(stat: str) -> int:
    # The program's name stands in brackets and may have anything in it.
    return int(stat.rpartition(")")[2].split()[1])
