"""`holdfast acp`: a Holdfast server as an agent of an editor, on stdin and stdout."""

import asyncio
import os
import secrets
import signal
import sys
import threading
from typing import Annotated

import typer

from holdfast.cli.acp_bridge import Bridge
from holdfast.cli.background import ensure_server
from holdfast.cli.options import Token, Url
from holdfast.client.address import locate


def acp(
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="NAME", help="Who works. [default: the server's default agent]")
    ] = None,
    url: Url = None,
    token: Token = None,
    serve: Annotated[
        bool,
        typer.Option(
            "--serve/--no-serve",
            metavar="",
            show_default=False,
            help="Whether to start a server if none answers on this machine and there is no --url. [default: start]",
        ),
    ] = True,
) -> None:
    """Be an agent of an editor (Agent Client Protocol on stdin and stdout).

    The sessions live in the server: they work on when the editor is closed, and can be loaded again. A restart of the
    server, or of the network, goes unnoticed.

    An editor starts this command. In Zed's settings.json:

    `{"agent_servers": {"Holdfast": {"type": "custom", "command": "holdfast", "args": ["acp", "--agent", "claude"]}}}`

    Other editors take a command and its arguments as well. Only the protocol goes to stdout; words for people go to
    stderr.
    """
    may_start = serve and url is None and not os.environ.get("HOLDFAST_URL")
    if may_start:
        ensure_server(locate(None, token, credential_option="--token").url)
    # After that: a server that was started for the first time has just made its token.
    bridge = Bridge(
        locate(url, token, credential_option="--token"),
        f"stdio-{secrets.token_hex(12)}",
        agent,
        write=_write,
    )
    try:
        asyncio.run(_converse(bridge))
    except BrokenPipeError:
        # The editor is gone. Python would complain at exit about what it cannot flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    # At once: the thread that reads stdin may be waiting still, and nothing is left to be done.
    sys.stderr.flush()
    os._exit(0)


async def _converse(bridge: Bridge) -> None:
    loop = asyncio.get_running_loop()
    said: asyncio.Queue[bytes | None] = asyncio.Queue()

    def end() -> None:
        said.put_nowait(None)
        bridge.leave()

    def read() -> None:
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(said.put_nowait, line)
        loop.call_soon_threadsafe(end)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, end)
    threading.Thread(target=read, name="stdin", daemon=True).start()
    await bridge.run(said)


def _write(message: bytes) -> None:
    sys.stdout.buffer.write(message + b"\n")
    sys.stdout.buffer.flush()
