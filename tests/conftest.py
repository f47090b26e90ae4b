"""What the tests share: a real server in a process of its own, and a private PostgreSQL."""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import hypothesis
import psycopg
import pytest

from conformance.faults import reserve
from tests.client import Client
from tests.processes import marked

TOKEN = "test-token"

# Time is no law here: the machine is shared, and an example may wait for its turn. The suite tries the same examples
# each time, so that a change is judged by what it changes; HOLDFAST_EXPLORE=1 looks for new ones.
hypothesis.settings.register_profile(
    "shared machine",
    deadline=None,
    derandomize=not os.environ.get("HOLDFAST_EXPLORE"),
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("shared machine")


# A shell that puts the tests into the background makes them deaf to Ctrl-C, and with them all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The folders whose files take longest: begun last, one would keep a worker busy while the others have nothing left.
_LONGEST = ("web", "real", "restart")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, and their folders mixed: browsers compute while real agents mostly wait."""
    here = Path(__file__).parent
    files = {
        name: list(dict.fromkeys(item.path for item in items if item.path.parent == here / name)) for name in _LONGEST
    }
    place = {path: index / len(paths) for paths in files.values() for index, path in enumerate(paths)}
    items.sort(key=lambda item: place.get(item.path, 1.0))


# Into so many shares the ports are divided, one for each worker.
_SHARES = 8


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def free_port() -> int:
    """One that nobody listens on, of this worker's share: another worker's server that has been given its port, and has
    yet to take it, cannot have been given the same."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        # The system gives out odd ports to those who listen, and even ones to those who connect.
        if port // 2 % _SHARES == worker % _SHARES:
            return port


def is_up(port: int) -> bool:
    """Whether a server answers there."""
    # Only what listens is asked: a hundred requests in vain would take as much as the start that they wait for.
    with contextlib.suppress(OSError, httpx.TransportError), socket.create_connection(("127.0.0.1", port), timeout=2):
        return httpx.get(f"http://127.0.0.1:{port}/api/v1/health", timeout=2, verify=False).status_code == 200
    return False


class Server:
    """`holdfast serve` on a free port. It can be killed and started again on the same port and data."""

    program: tuple[str, ...] = ("-m", "holdfast")

    def __init__(self, data: Path, **settings: str) -> None:
        self.data = data
        # Its own also while it is not there: what others start meanwhile, in whatever worker, gets another one.
        holder = reserve()
        self._release_port = weakref.finalize(self, holder.close)
        self.port: int = holder.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.marker = secrets.token_hex(8)
        self.log = data.parent / f"{data.name}.log"
        self.config = data.parent / f"{data.name}.toml"
        self.config.touch()
        self._settings = settings
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *flags: str, wait: bool = True) -> "Server":
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")},
            "HOLDFAST_DATA": str(self.data),
            "HOLDFAST_PORT": str(self.port),
            "HOLDFAST_TOKEN": TOKEN,
            "HOLDFAST_CONFIG": str(self.config),
            # Agents get an allow-list of variables; by this name it is among them.
            "XDG_TEST_MARKER": self.marker,
            # Each of them starts a Claude CLI at boot; those tests that are about it switch it on.
            "HOLDFAST_WARM_SESSIONS": "0",
            "HOLDFAST_AUTH_CHECK": "false",
            **self._settings,
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self.program, "serve", *flags],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.data.parent,
            )
        if wait:
            self.wait_ready()
        return self

    def wait_ready(self, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if is_up(self.port):
                return
            assert self.process is not None
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise AssertionError(f"the server did not come up:\n{self.log.read_text()}")

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def kill(self) -> None:
        """kill -9: the server has no say in it."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self, seconds: float = 30) -> int:
        """SIGTERM; answers the exit code."""
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(seconds)

    def client(self, token: str = TOKEN) -> Client:
        return Client(self.url, token)

    def below(self) -> list[int]:
        """Every process that was started by this server or by what it started."""
        return [pid for pid in marked(f"XDG_TEST_MARKER={self.marker}") if pid != (self.process and self.process.pid)]

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(12)
        for pid in marked(f"XDG_TEST_MARKER={self.marker}"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self.process is not None:
            self.process.wait(30)
        self._release_port()


@pytest.fixture
def make_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def make(**settings: str) -> Server:
        server = Server(tmp_path / f"data{len(servers)}", **settings)
        servers.append(server)
        return server

    yield make
    for server in servers:
        server.close()


@pytest.fixture
def server(make_server: Callable[..., Server]) -> Server:
    """A server of this test's own."""
    return make_server().start()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that neither stop it nor count what is in it."""
    server = Server(tmp_path_factory.mktemp("shared") / "data")
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def client(shared_server: Server) -> Iterator[Client]:
    with shared_server.client() as client:
        yield client


def _postgres_program(name: str) -> str:
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    path = str(found[-1]) if found else shutil.which(name)
    assert path, f"the tests need PostgreSQL's {name}"
    return path


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[[], str]]:
    """A private cluster on a Unix socket and a free port; each call makes an empty database and answers its URL."""
    # Not in pytest's own folder: every other pytest that starts closes that to all but its owner.
    folder = Path(tempfile.mkdtemp(prefix="holdfast-postgres-"))
    as_user: dict[str, object] = {}
    if os.getuid() == 0:
        # PostgreSQL refuses to run as root.
        user = pwd.getpwnam("postgres")
        as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        os.chown(folder, user.pw_uid, user.pw_gid)
    data = folder / "cluster"
    run = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder, **as_user}
    subprocess.run(
        [_postgres_program("initdb"), "-D", data, "-U", "holdfast", "--auth=trust", "--no-sync", "-E", "UTF8"], **run
    )
    port = free_port()
    log = (folder / "log").open("wb")
    server = subprocess.Popen(
        [
            *(_postgres_program("postgres"), "-D", data, "-p", str(port), "-h", "127.0.0.1"),
            *("-c", f"unix_socket_directories={folder}", "-c", "fsync=off"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=log,
        cwd=folder,
        **as_user,
    )
    log.close()

    def connect() -> psycopg.Connection:
        return psycopg.connect(f"host=127.0.0.1 port={port} user=holdfast dbname=postgres", autocommit=True)

    deadline = time.monotonic() + 60
    while True:
        try:
            connect().close()
            break
        except psycopg.OperationalError:
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.05)
    count = 0

    def database() -> str:
        nonlocal count
        count += 1
        with connect() as connection:
            connection.execute(f"create database test{count}")
        return f"postgresql+psycopg://holdfast@127.0.0.1:{port}/test{count}"

    yield database
    server.send_signal(signal.SIGQUIT)  # at once: nothing of it is kept
    server.wait(60)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty store of each kind; whoever asks for it is run on both."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'holdfast.db'}"
        return
    url: str = request.getfixturevalue("postgres")()
    yield url
    # At once, while most of it is only in memory: a hundred of them would keep the disk busy for long.
    server, _, name = url.removeprefix("postgresql+psycopg://").rpartition("/")
    with psycopg.connect(f"postgresql://{server}/postgres", autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")
