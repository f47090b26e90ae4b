"""What a process costs: its CPU time, its memory, its children; read from /proc."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pid: int) -> float:
    """Seconds of CPU that the process and its threads have used; its children are not in it."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS


def parent(pid: int) -> int:
    return int(_stat(pid)[1])


def _stat(pid: int) -> list[str]:
    # The name may hold spaces and brackets; what counts follows the last one.
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()


def memory(pid: int) -> tuple[float, float]:
    """RSS and PSS (shared pages divided among those who share them), in MB."""
    values = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, value = line.split()[:2]
        values[name] = int(value) / 1024
    return values["Rss:"], values["Pss:"]


def rss(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


def mentioning(text: str) -> list[int]:
    """The processes whose command line holds the text.

    A keeper is in a session of its own and may have lost its parent, so neither a group nor a tree finds it.
    """
    return [pid for pid in _all() if text.encode() in _command(pid)]


def children(pids: list[int]) -> list[int]:
    found = []
    for pid in _all():
        with contextlib.suppress(OSError):
            if parent(pid) in pids and pid not in pids:
                found.append(pid)
    return found


def _all() -> list[int]:
    return sorted(int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # gone meanwhile
        return b""


def busy(seconds: float = 0.5) -> float:
    """The share of the machine that is in use right now: before a bench begins, that is the work of others."""
    before = _machine()
    time.sleep(seconds)
    total, idle = (now - then for now, then in zip(_machine(), before, strict=True))
    return 1 - idle / max(1, total)


def _machine() -> tuple[int, int]:
    """Ticks of all CPUs since the start: all, and those in which nothing ran (idle, waiting for a disk)."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return sum(ticks), ticks[3] + ticks[4]


def start(module: str, *arguments: str, **options) -> subprocess.Popen:
    """A module of this package as a process of its own."""
    return subprocess.Popen([sys.executable, "-m", f"bench.{module}", *arguments], cwd=ROOT, **options)


def stop(process: subprocess.Popen, patience: float = 15) -> None:
    """Ends a process that we started: politely, then not."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(5)
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()
