"""The guards of the keepers that this server has started. If one is killed, the server does its work.

A server is a subreaper as well: what a dead guard leaves behind becomes its child, even what has forked twice, left its
session and cleared its environment.
"""

import asyncio
import contextlib
import os
import signal
import subprocess

from holdfast.agents import tree

_POLL_S = 0.02


class Guards:
    def __init__(self) -> None:
        self._alive: set[int] = set()

    def add(self, guard: "subprocess.Popen[bytes]") -> None:
        """Takes the exit status when the time comes; without that a dead guard would stay a zombie."""
        loop = asyncio.get_running_loop()
        descriptor = os.pidfd_open(guard.pid)
        self._alive.add(guard.pid)

        def exited() -> None:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            self._alive.discard(guard.pid)
            if guard.wait() < 0:
                self._end_strays()

        loop.add_reader(descriptor, exited)

    def _end_strays(self) -> None:
        """Kills what is below us and below no living guard, until there is nothing."""
        strays = tree.descendants(os.getpid(), spare=self._alive)
        if strays:
            tree.signal_all(strays, signal.SIGKILL)
            asyncio.get_running_loop().call_later(_POLL_S, self._end_strays)
        else:
            self._reap()

    def _reap(self) -> None:
        """Takes the exit status of what was left to us. Stops at a guard: its own watch takes that one's."""
        with contextlib.suppress(ChildProcessError):
            while child := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if child.si_pid in self._alive:
                    return
                os.waitpid(child.si_pid, os.WNOHANG)
