"""`python -m holdfast.keeper FOLDER`: keeps the run that the spec in the folder describes.

It forks before it imports what it needs: the parent stays small and guards the child.
"""

import os
import signal
import sys

from holdfast.agents import tree
from holdfast.keeper.guard import guard

SPEC_FILE = "spec.json"  # as in spec.py, which the guard need not import


def main() -> None:
    folder = sys.argv[1]
    tree.become_subreaper()
    # Before the fork, so that there is no moment in which one of the two would go.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    # A guard that went by it would take what it guards with it; it waits until it can be passed on.
    signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM,))
    keeper_pid = os.fork()
    if keeper_pid:
        guard(keeper_pid)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))
    guard_pid = os.getppid()
    # Not SIGKILL: without its guard the keeper is the only one who can end what its agent has left behind.
    tree.die_with_parent(signal.SIGTERM)
    tree.become_subreaper()
    with open(f"{folder}/{SPEC_FILE}", "rb") as file:  # noqa: PTH123
        spec = file.read()
    if b'"kind":"claude"' not in spec:
        # asyncio takes ssl in if it can, which costs 4 MB and 15 ms, and a keeper speaks to a Unix socket only. The
        # Claude SDK wants it.
        sys.modules["ssl"] = None  # pyright: ignore[reportArgumentType]
    from holdfast.keeper.life import live

    live(folder, spec, guard_pid)


main()
