"""An agent's process: it dies with us, its output is read without ever blocking it, its end is seen at once."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence

from holdfast.agents import tree
from holdfast.agents.stderr import StderrCollector

# After a death, reading goes on until the pipes close; a child that was left behind may hold them open for ever, so
# it also ends when nothing has come for this long, and in any case after some such periods. A period in which we held
# the agent up does not count: what it wrote before its death is still in the pipe.
_QUIET_S = 0.3
_DRAIN_PERIODS = 3
_POLL_S = 0.02


class Exit:
    """How a process ended: an exit code or the name of a signal, never both."""

    def __init__(self, returncode: int) -> None:
        self.code: int | None = returncode if returncode >= 0 else None
        self.signal: str | None = None if returncode >= 0 else _signal_name(-returncode)

    def __str__(self) -> str:
        return f"signal {self.signal}" if self.signal else f"code {self.code}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"  # real-time signals have no name


class _Pipe(asyncio.Protocol):
    """One direction of the conversation: hands chunks on, and says when the other side has closed."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        self._take = take
        self.received = 0
        self.closed = asyncio.Event()
        self.is_ours_to_close = False

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        self._take(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.is_ours_to_close:
            self.closed.set()


class AgentProcess:
    """Made by `start`. `take` gets the chunks of stdout as they come."""

    def __init__(self, child: "subprocess.Popen[bytes]") -> None:
        self._child = child
        self.pid = child.pid
        self.exited = asyncio.Event()
        self._exit: Exit | None = None
        self._paused = False

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        cwd: str,
        environment: Mapping[str, str],
        stderr: StderrCollector,
        take: Callable[[bytes], None],
    ) -> "AgentProcess":
        """Raises OSError if the program cannot be started."""
        child = subprocess.Popen(  # noqa: ASYNC220 - fork and exec take a millisecond, and nothing else waits here
            command,
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=tree.die_with_parent,  # safe: this process has one thread
            process_group=0,
        )
        process = cls(child)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCHLD, process._child_died)
        process._stdout, process._out = await loop.connect_read_pipe(lambda: _Pipe(take), child.stdout)
        _, process._err = await loop.connect_read_pipe(lambda: _Pipe(stderr.feed), child.stderr)
        process._stdin, process._in = await loop.connect_write_pipe(lambda: _Pipe(_ignore), child.stdin)
        process._child_died()  # it may have died before the handler was there
        return process

    _stdout: asyncio.ReadTransport
    _stdin: asyncio.WriteTransport
    _out: _Pipe
    _err: _Pipe
    _in: _Pipe

    def _child_died(self) -> None:
        if self._exit is None:
            returncode = self._child.poll()
            if returncode is not None:
                self._exit = Exit(returncode)
                self.exited.set()
        tree.reap_orphans(keep=None if self._exit else self.pid)

    @property
    def exit(self) -> Exit | None:
        return self._exit

    @property
    def stdin_closed(self) -> asyncio.Event:
        return self._in.closed

    @property
    def stdout_closed(self) -> asyncio.Event:
        return self._out.closed

    def write(self, data: bytes) -> None:
        """Does nothing once the agent has closed its stdin; `stdin_closed` tells."""
        if not self._in.closed.is_set() and not self._stdin.is_closing():
            self._stdin.write(data)

    def close_input(self) -> None:
        """Nothing more will be said to the agent; most take that as the end of their work. That we have closed it does
        not mean that the agent is gone."""
        self._in.is_ours_to_close = True
        self._stdin.close()

    def pause(self) -> None:
        if not self._paused and not self._out.closed.is_set():
            self._paused = True
            self._stdout.pause_reading()

    def resume(self) -> None:
        if self._paused and not self._out.closed.is_set():
            self._stdout.resume_reading()
        self._paused = False

    async def gone(self) -> None:
        """Returns when the conversation cannot go on: the process has exited, or closed its stdin or stdout."""
        waits = [asyncio.ensure_future(event.wait()) for event in (self.exited, self._out.closed, self._in.closed)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        await self._drained()

    async def _drained(self) -> None:
        periods = 0
        while periods < _DRAIN_PERIODS:
            received = self._out.received
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_QUIET_S):
                    await self.exited.wait()
                    await self._out.closed.wait()
                    await self._err.closed.wait()
                    return
            if self._paused:
                continue
            periods += 1
            if self._out.received == received:
                return

    async def end(self, *, patience_s: float, grace_s: float, deadline_s: float) -> bool:
        """Lets the agent go (stdin closed), then ends the whole tree; true once nothing is left."""
        self.close_input()
        if patience_s > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(patience_s):
                    await self.exited.wait()
        return await end_tree(grace_s=grace_s, deadline_s=deadline_s)


async def end_tree(*, grace_s: float, deadline_s: float) -> bool:
    """SIGTERM to all below this process, SIGKILL to what is left after `grace_s`; true once nothing is left. Somebody
    else must take the exit statuses meanwhile (`reap_orphans`)."""
    began = time.monotonic()
    left = tree.descendants(os.getpid())
    tree.signal_all(left, signal.SIGTERM)
    while left and time.monotonic() - began < grace_s:
        await asyncio.sleep(_POLL_S)
        left = tree.descendants(os.getpid())
    while not tree.is_childless():
        if time.monotonic() - began > deadline_s:
            return False
        tree.kill_all()
        await asyncio.sleep(_POLL_S)
    return True


def _ignore(_data: bytes) -> None:
    """Nothing is ever read from the write side."""
