"""The server's side of the keepers: starts them, hears them, and notices when one is gone.

A keeper is known by its run. It may have been started by this server or by one before it: after a restart it links
itself, and from then on there is no difference.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import structlog

from holdfast.agents import tree
from holdfast.errors import Fenced, HoldfastError
from holdfast.keeper import messages
from holdfast.keeper.address import reachable
from holdfast.keeper.messages import Acknowledge, Batch, Gone, Hello, Stop, Unpacker, Welcome
from holdfast.keeper.spec import LOG_FILE, SPEC_FILE, Spec, run_folder, write_private
from holdfast.sessions.guards import Guards
from holdfast.sessions.session import Session

Run = tuple[str, int]  # session id, number
Park = Callable[[Hello, "KeeperLink"], "asyncio.Future[None] | None"]

_SOCKET = "keepers.sock"
_READ_BYTES = 256 * 1024
_HELLO_S = 5.0
# While the store cannot be written, a keeper's batch is tried again at this pace; the keeper holds the rest.
_RETRY_S = 0.5


class KeeperLink:
    """A connection on which a keeper has been welcomed."""

    def __init__(self, writer: asyncio.StreamWriter, hello: Hello) -> None:
        self._writer = writer
        self.pid = hello.pid

    def send(self, message: messages.Down) -> None:
        self._writer.write(messages.pack(message))


class Keepers:
    """`adopt` answers the session that a keeper may write to, or None if its run is over or its secret is wrong."""

    def __init__(self, data: Path, adopt: Callable[[Hello], Awaitable[Session | None]]) -> None:
        self._data = data
        self._adopt = adopt
        self._links: dict[Run, KeeperLink] = {}
        self._stops: dict[Run, Stop] = {}
        self._linked = asyncio.Condition()
        self._server: asyncio.Server | None = None
        self._handlers: set[asyncio.Task[None]] = set()
        self._guards = Guards()
        self._park: Park | None = None
        self._closing = False
        self._logger = structlog.get_logger("holdfast.keepers")

    @property
    def socket(self) -> str:
        return str(self._data / _SOCKET)

    async def open(self, park: Park) -> None:
        """`park` takes a keeper that waits for its task, and returns when it has one; None if it is not wanted."""
        self._park = park
        tree.become_subreaper()  # for Guards
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.socket)  # noqa: PTH108 - of a server that was killed; we hold the folder's lock
        before = os.umask(0o177)
        try:
            with reachable(self.socket) as address:
                self._server = await asyncio.start_unix_server(self._connected, address, backlog=1024)
        finally:
            os.umask(before)

    async def close(self) -> None:
        """Keepers that are still there stay as they are and look for the next server."""
        self._closing = True
        if self._server is not None:
            self._server.close()
        for handler in list(self._handlers):
            handler.cancel()
        await asyncio.gather(*self._handlers, return_exceptions=True)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.socket)  # noqa: PTH108

    def launch(self, spec: Spec) -> int:
        """Starts a keeper and answers its guard's pid. Raises OSError if that cannot be done."""
        folder = run_folder(self._data, spec.session_id, spec.run)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(folder / SPEC_FILE, msgspec.json.encode(spec))
        with open(folder / LOG_FILE, "ab", opener=_private) as log:
            child = subprocess.Popen(  # its own session: neither Ctrl-C nor our death reaches it
                [sys.executable, "-I", "-m", "holdfast.keeper", str(folder)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd="/",
            )
        self._guards.add(child)
        return child.pid

    def link(self, run: Run) -> KeeperLink | None:
        return self._links.get(run)

    def stop(self, run: Run, why: Stop) -> None:
        """Tells the keeper to end its run, now or as soon as it is linked."""
        link = self._links.get(run)
        if link is None:
            self._stops[run] = why
        else:
            link.send(why)

    def send(self, run: Run, message: messages.Down) -> bool:
        """False if the keeper is not linked at the moment."""
        link = self._links.get(run)
        if link is not None:
            link.send(message)
        return link is not None

    def forget(self, run: Run) -> None:
        """The run is over: nobody is waited for any more."""
        self._stops.pop(run, None)

    async def until_unlinked(self, run: Run) -> None:
        """Returns when nothing of the keeper is being read any more."""
        async with self._linked:
            await self._linked.wait_for(lambda: run not in self._links)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._handlers.add(task)
        try:
            await self._converse(reader, writer)
        except (OSError, ValueError, msgspec.DecodeError, TimeoutError, EOFError, HoldfastError) as error:
            self._logger.debug("link broke", reason=repr(error))
        except asyncio.CancelledError:
            # We are closing. asyncio's streams would call a handler that was cancelled an error, and log it.
            if not self._closing:
                raise
        finally:
            self._handlers.discard(task)
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        unpacker = Unpacker()
        pending: list[bytes] = []
        async with asyncio.timeout(_HELLO_S):
            while not pending:
                pending += unpacker.feed(await _some(reader))
        hello = messages.unpack_up(pending.pop(0))
        if not isinstance(hello, Hello):
            raise ValueError("a link must begin with Hello")
        link = KeeperLink(writer, hello)
        session = await (self._parked(hello, link, reader) if hello.is_warm else self._adopt(hello))
        if session is None:
            writer.write(messages.pack(Gone("the run is over")))
            await writer.drain()
            return
        run = (hello.session_id, hello.run)
        self._links[run] = link
        try:
            link.send(Welcome(session.acknowledged))
            if run in self._stops:
                link.send(self._stops.pop(run))
            while True:
                for body in pending:
                    await self._take(session, hello.run, messages.unpack_up(body), link)
                pending = list(unpacker.feed(await _some(reader)))
        finally:
            if self._links.get(run) is link:
                del self._links[run]
            async with self._linked:
                self._linked.notify_all()

    async def _parked(self, hello: Hello, link: KeeperLink, reader: asyncio.StreamReader) -> Session | None:
        """The session that a keeper was started ahead of, once there is one; None if it is not wanted. It says nothing
        before it has a task, so whatever can be read is the end of the link."""
        assert self._park is not None
        begun = self._park(hello, link)
        if begun is None:
            return None
        ended = asyncio.ensure_future(reader.read(1))
        await asyncio.wait((begun, ended), return_when=asyncio.FIRST_COMPLETED)
        if not begun.done():
            begun.cancel()
            raise EOFError
        ended.cancel()
        await asyncio.wait((ended,))
        return await self._adopt(hello)

    async def _take(self, session: Session, run: int, batch: messages.Up, link: KeeperLink) -> None:
        if not isinstance(batch, Batch):
            raise ValueError("Hello came twice")
        while True:
            try:
                link.send(Acknowledge(await session.ingest(run, batch.first, batch.events)))
                return
            except Fenced as error:
                raise EOFError from error  # another server writes now; the keeper finds its way
            except HoldfastError as error:
                if error.status not in (503, 507):
                    link.send(Gone(str(error)))
                    raise EOFError from error
                self._logger.error("events cannot be written", session_id=session.id, reason=str(error))
                await asyncio.sleep(_RETRY_S)


async def _some(reader: asyncio.StreamReader) -> bytes:
    """The next bytes; raises EOFError at the end."""
    chunk = await reader.read(_READ_BYTES)
    if not chunk:
        raise EOFError
    return chunk


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


async def until_exit(pid: int) -> None:
    """Returns when the process is gone, whoever its parent is."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    loop = asyncio.get_running_loop()
    gone = asyncio.Event()
    loop.add_reader(descriptor, gone.set)
    try:
        await gone.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def kill(pid: int) -> None:
    tree.signal_all([pid], signal.SIGKILL)
