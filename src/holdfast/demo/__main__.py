"""Starts the demo agent on stdin and stdout: `python -m holdfast.demo`."""

import os
import signal
import sys

from holdfast.demo.agent import Agent
from holdfast.demo.rpc import Connection
from holdfast.demo.store import Store, state_folder
from holdfast.demo.wire import ClientGone, Wire


def main() -> int:
    # Python's own SIGINT handler would end a Ctrl-C in the terminal with a traceback on stderr.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    connection = Connection(Wire(0, 1))
    agent = Agent(connection, Store(state_folder(os.environ)))
    try:
        connection.serve(agent.methods())
    except ClientGone:
        return 0


if __name__ == "__main__":
    sys.exit(main())
