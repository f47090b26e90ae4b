"""The word `orphan`: leaves processes behind, as agents do that start servers and watchers.

Both keep the agent's environment, by which they can be found in /proc, and end by themselves after ten
minutes.
"""

from __future__ import annotations

import os
import signal
from time import sleep

SECONDS = 600


def leave_orphans() -> tuple[int, int]:
    """The ids of one that went away into a session of its own, and of one that stays in the agent's group."""
    return leave_daemon(), leave_child()


def leave_daemon() -> int:
    """Twice forked, deaf to SIGTERM and SIGHUP, without stdio: no signal to the group and no EOF finds it."""
    told, tell = os.pipe()
    middle = os.fork()
    if middle == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        daemon = os.fork()
        if daemon:
            os.write(tell, str(daemon).encode())
            os._exit(0)
        os.closerange(0, 3)
        os.close(told)
        os.close(tell)
        sleep(SECONDS)
        os._exit(0)
    os.close(tell)
    os.waitpid(middle, 0)
    daemon = int(os.read(told, 32))
    os.close(told)
    return daemon


def leave_child() -> int:
    """Holds stdout and stderr open, so that their EOF does not come with the agent's end."""
    child = os.fork()
    if child == 0:
        os.close(0)
        sleep(SECONDS)
        os._exit(0)
    return child
