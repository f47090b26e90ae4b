"""A program that is run for the sake of what it prints; afterwards nothing of it is left, neither process nor pipe."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from typing import cast

# What was killed is gone within this time, unless the kernel holds it.
_KILLED_S = 1.0


class Child(asyncio.SubprocessProtocol):
    """Made by `start`, in a session of its own. Whoever starts one must `end` it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._printed = bytearray()
        self._complete = asyncio.Event()
        self._exited = asyncio.Event()
        self._transport: asyncio.SubprocessTransport

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        most: int,
        cwd: str | None = None,
        given: bytes | None = None,
        with_stderr: bool = False,
    ) -> "Child":
        """`given` is written to its stdin, which stays open. At most about `most` bytes are read. Raises OSError."""
        transport, child = await asyncio.get_running_loop().subprocess_exec(
            lambda: cls(most),
            *command,
            cwd=cwd,
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL if given is None else asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT if with_stderr else asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        child._transport = transport
        if given is not None:
            # Not every event loop's transports are of asyncio's classes.
            cast(asyncio.WriteTransport, transport.get_pipe_transport(0)).write(given)
        return child

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        self._printed += cast(bytes, data)
        if len(self._printed) >= self._most:
            self._complete.set()
            stdout = self._transport.get_pipe_transport(1)
            if stdout is not None:
                stdout.close()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._complete.set()

    def process_exited(self) -> None:
        self._exited.set()

    async def printed(self, limit_s: float) -> bytes:
        """All that it prints until it closes its stdout; raises TimeoutError."""
        async with asyncio.timeout(limit_s):
            await self._complete.wait()
        return bytes(self._printed)

    @property
    def printed_so_far(self) -> bytes:
        return bytes(self._printed)

    async def end(self, *, patience_s: float = 0.0) -> None:
        """Closes its stdin and gives it time to leave, then ends its whole group: some start a second process, and some
        a service that stays."""
        stdin = self._transport.get_pipe_transport(0)
        if stdin is not None:
            stdin.close()
        try:
            await self._left(patience_s)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._transport.get_pid(), signal.SIGKILL)
            await self._left(_KILLED_S)
            self._transport.close()

    async def _left(self, limit_s: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self._exited.wait()
