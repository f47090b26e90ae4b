"""The process tree below this process: who is in it, and what ends it.

The caller is a subreaper, so whatever an agent leaves behind (double forks, daemons, setsid) is still below it.
Imported by the guard, which stays small: no asyncio here.
"""

import contextlib
import ctypes
import os
import signal
from collections.abc import Collection, Mapping

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_SNATCHES = 50


def become_subreaper() -> None:
    """Orphans below this process become its children instead of init's."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """The kernel sends this process the signal when its parent dies, however the parent dies."""
    _prctl(_PR_SET_PDEATHSIG, number)


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


def start_ticks(pid: int) -> int | None:
    """When a process was started, in clock ticks since boot: with the pid it names a process for good. None once it is
    dead, even if nobody has taken its exit status."""
    stat = _stat(pid)
    return None if stat is None or stat[0] == "Z" else int(stat[19])


def descendants(root: int, *, spare: Collection[int] = ()) -> list[int]:
    """All living processes below `root`, without zombies, and without those to spare and what is below them."""
    children: dict[int, list[int]] = {}
    dead: set[int] = set()
    for entry in os.listdir("/proc"):  # noqa: PTH208 - pathlib would cost the keeper memory
        if entry.isdigit():
            stat = _stat(int(entry))
            if stat is not None:
                children.setdefault(int(stat[1]), []).append(int(entry))
                if stat[0] == "Z":
                    dead.add(int(entry))
    found: list[int] = []
    pending = [root]
    while pending:
        below = [pid for pid in children.get(pending.pop(), []) if pid not in spare]
        pending += below
        found += [pid for pid in below if pid not in dead]
    return found


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on; None if the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def marked(markers: Mapping[str, str]) -> list[int]:
    """All processes whose environment was given these at their start, wherever they are by now."""
    wanted = {f"{name}={value}".encode() for name, value in markers.items()}
    found: list[int] = []
    for entry in os.listdir("/proc"):  # noqa: PTH208
        if entry.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{entry}/environ", "rb") as file:  # noqa: PTH123
                if wanted <= set(file.read().split(b"\0")):
                    found.append(int(entry))
    return found


def _children() -> list[int]:
    """This process's children, zombies too. Read in one go, it is fast enough to catch one that only forks and exits;
    a walk through /proc sees such a one only when it is gone."""
    found: list[int] = []
    for thread in os.listdir("/proc/self/task"):  # noqa: PTH208
        with contextlib.suppress(OSError), open(f"/proc/self/task/{thread}/children", encoding="ascii") as file:  # noqa: PTH123
            found += map(int, file.read().split())
    return found


def is_childless() -> bool:
    """Whether nothing is left below this process: a subreaper is the parent of every orphan, so this is the kernel's
    own word. False while a child is a zombie that nobody has waited for."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def kill_all() -> None:
    """SIGKILL to all that can be found below this process. Again and again, until `is_childless`: what is being killed
    may be forking at this moment."""
    signal_all(descendants(os.getpid()), signal.SIGKILL)
    for _ in range(_SNATCHES):
        signal_all(_children(), signal.SIGKILL)


def signal_all(pids: list[int], number: int) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def reap_orphans(keep: int | None) -> None:
    """Takes the exit status of dead children, except of `keep`, whose status somebody else waits for."""
    while True:
        try:
            child = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if child is None or child.si_pid == keep:
            return
        os.waitpid(child.si_pid, os.WNOHANG)
