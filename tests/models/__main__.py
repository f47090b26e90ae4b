"""`python -m tests.models --port 0`: starts the scripted API and prints its address."""

import argparse
import os
import socket
import sys
import threading

import uvicorn

from tests.models.app import build


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.models", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--with-parent", action="store_true", help="end when standard input is closed")
    given = parser.parse_args()
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", given.port))
    # From here on connections are taken, if not yet served: whoever reads the address may use it at once.
    listener.listen(2048)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    if given.with_parent:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    config = uvicorn.Config(build(), log_level="critical", access_log=False, timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])


def _end_with_parent() -> None:
    # A test process that is killed can stop nothing any more.
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
