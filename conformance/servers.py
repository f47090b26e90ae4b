"""The servers that the suite runs against: its own, in processes that it may kill, or one that is there already."""

import asyncio
import contextlib
import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from conformance.faults import reserve

COMMAND = (sys.executable, "-m", "holdfast", "serve")
START_S = 300.0
STOP_S = 60.0
ENDED_AT_ONCE = 3


class ServerFailed(Exception):
    """The server did not come up, or did not end."""


class Server:
    """Where a server is; one that somebody else has started."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        self.url = url.rstrip("/")
        self.token = token
        self.tls = parts.scheme == "https"
        self.host = parts.hostname or "127.0.0.1"
        self.port = parts.port or (443 if self.tls else 80)


class OwnServer(Server):
    """`holdfast serve`, or what another command starts, on a port that stays its own while it is down."""

    def __init__(self, command: Sequence[str], settings: Mapping[str, object]) -> None:
        self._command = command
        self._holder = reserve()
        super().__init__(f"http://127.0.0.1:{self._holder.getsockname()[1]}", secrets.token_hex(16))
        self._folder = Path(tempfile.mkdtemp(prefix="holdfast-conformance-"))
        self._settings = settings
        # Agents get an allow-list of variables; by this name it is among them, so that none is left behind.
        self._marker = ("XDG_CONFORMANCE", secrets.token_hex(8))
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_up(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        config = self._folder / "holdfast.toml"
        config.touch()
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
        given = {f"HOLDFAST_{name.upper()}": str(value).lower() for name, value in self._settings.items()}
        with (self._folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                env={
                    **inherited,
                    "HOLDFAST_DATA": str(self._folder / "data"),
                    "HOLDFAST_CONFIG": str(config),
                    "HOLDFAST_PORT": str(self.port),
                    "HOLDFAST_TOKEN": self.token,
                    "HOLDFAST_WARM_SESSIONS": "0",
                    "HOLDFAST_AUTH_CHECK": "false",
                    self._marker[0]: self._marker[1],
                    **given,
                },
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
            )
        await self._wait_ready()

    async def end(self, number: signal.Signals) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)
        try:
            async with asyncio.timeout(STOP_S):
                await self._process.wait()
        except TimeoutError:
            raise ServerFailed(f"the server did not end within {STOP_S:.0f} s of {number.name}") from None

    async def close(self) -> None:
        if self.is_up:
            with contextlib.suppress(ServerFailed):
                await self.end(signal.SIGTERM)
        for pid in _marked("=".join(self._marker)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._process is not None:
            await self._process.wait()
        self._holder.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _wait_ready(self) -> None:
        assert self._process is not None
        deadline = asyncio.get_running_loop().time() + START_S
        async with httpx.AsyncClient(verify=False) as client:  # noqa: S501 - there is no TLS on the loopback
            while self._process.returncode is None and asyncio.get_running_loop().time() < deadline:
                with contextlib.suppress(httpx.TransportError):
                    if (await client.get(f"{self.url}/api/v1/health", timeout=5)).status_code == 200:
                        return
                await asyncio.sleep(0.02)
        raise ServerFailed(f"the server did not come up:\n{(self._folder / 'log').read_text(errors='replace')}")


class Servers:
    """One server for each set of settings; those that are killed are not those that others read from."""

    def __init__(self, given: Server | None, command: Sequence[str] = COMMAND) -> None:
        self.given = given
        self._command = command
        self._failed: ServerFailed | None = None
        self._own: dict[tuple[object, ...], OwnServer] = {}
        self._starting = asyncio.Lock()
        # Those that are ended by the rounds that have them, one at a time.
        self._places = asyncio.Semaphore(ENDED_AT_ONCE)
        self._idle: list[OwnServer] = []
        self._all: list[OwnServer] = []

    @contextlib.asynccontextmanager
    async def server(self, settings: Mapping[str, object], *, ends: bool) -> AsyncIterator[Server]:
        """A server for one round, which has it for itself if it ends it. Raises ServerFailed."""
        if self.given is not None:
            yield self.given
        elif not ends:
            key = tuple(sorted(settings.items()))
            async with self._starting:
                if key not in self._own:
                    self._own[key] = await self._start(settings)
            yield self._own[key]
        else:
            async with self._places:
                server = self._idle.pop() if self._idle and not settings else await self._start(settings)
                # A round that failed half-way may have left it dead.
                if not server.is_up:
                    await server.start()
                yield server
                if not settings:
                    self._idle.append(server)

    async def close(self) -> None:
        await asyncio.gather(*(server.close() for server in self._all))

    async def _start(self, settings: Mapping[str, object]) -> OwnServer:
        if self._failed is not None:
            raise self._failed
        server = OwnServer(self._command, settings)
        self._all.append(server)
        try:
            await server.start()
        except ServerFailed as error:
            # It would fail for every round, each time after a while.
            self._failed = error
            raise
        return server


def _marked(marker: str) -> list[int]:
    """The processes that have this in their environment."""
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if marker.encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
