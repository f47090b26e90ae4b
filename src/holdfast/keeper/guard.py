"""The keeper's parent, which does nothing but outlive it: if the keeper is killed, what it kept is killed too.

The agent itself dies with the keeper by the kernel's hand; what the agent has left behind becomes ours, since we are
a subreaper above it, and is ended here.
"""

import os
import signal
import time
from typing import NoReturn

from holdfast.agents import tree

_DEADLINE_S = 5.0
_POLL_S = 0.02


def guard(keeper_pid: int) -> NoReturn:
    """Waits for the keeper's end, ends what is left below, and exits as the keeper did."""

    def forward(number: int, _frame: object) -> None:
        tree.signal_all([keeper_pid], number)

    signal.signal(signal.SIGTERM, forward)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM,))
    status = _wait_for(keeper_pid)
    deadline = time.monotonic() + _DEADLINE_S
    while not tree.is_childless() and time.monotonic() < deadline:
        tree.kill_all()
        tree.reap_orphans(keep=None)
        time.sleep(_POLL_S)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def _wait_for(pid: int) -> int:
    while True:
        found, status = os.wait()
        if found == pid:
            return status
