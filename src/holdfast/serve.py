"""The composition root: builds every part, hands them to each other, serves, and takes them down again."""

import asyncio
import contextlib
import errno
import fcntl
import gc
import ipaddress
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Generator
from pathlib import Path

import structlog
import uvicorn
import uvloop

from holdfast import __version__
from holdfast.config import Settings
from holdfast.errors import ConfigError, HoldfastError
from holdfast.http.app import build
from holdfast.http.auth import LOCAL_USER, Doorkeeper
from holdfast.http.context import Context
from holdfast.http.wire import WireProtocol
from holdfast.keeper.spec import LOCK_FILE, write_private
from holdfast.log.log import Log
from holdfast.log.store import open_store
from holdfast.sessions.agents import Agents
from holdfast.sessions.auth_health import AuthHealth
from holdfast.sessions.host import Host
from holdfast.stream.follow import Streams
from holdfast.stream.sse import frame
from holdfast.times import now_ms
from holdfast.webhooks.courier import Courier
from holdfast.webhooks.office import Office
from holdfast.webhooks.sending import Sender

TOKEN_FILE = "token"  # noqa: S105 - a file's name
_CLEAN_UP_EVERY_S = 30.0
_REQUESTS_TTL_S = 24 * 3600
_DELIVERIES_TTL_S = 30 * 24 * 3600
_CLOSE_STREAMS_S = 1.0
_CUT_OFF_S = 1.0


def run(settings: Settings) -> int:
    """Serves until SIGTERM or Ctrl-C; answers the program's exit code."""
    _configure_logging(settings)
    try:
        token = _prepare(settings)
        with _only_server(settings.data), _listen(settings) as listener:
            uvloop.run(_serve(settings, token, listener))
    except HoldfastError as error:
        print(f"holdfast: {error}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


async def _serve(settings: Settings, token: str, listener: socket.socket) -> None:
    logger = structlog.get_logger("holdfast")
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    _make_private(settings)
    database = await asyncio.to_thread(open_store, settings.store_url)
    log = Log(database, frame)
    await log.open()
    agents = Agents(settings)
    host = Host(settings, log, agents)
    await host.open()
    auth_health = AuthHealth(agents, enabled=settings.auth_check)
    streams = Streams(heartbeat_s=settings.heartbeat_s)
    doorkeeper = Doorkeeper({token: LOCAL_USER, **{user.token: name for name, user in settings.users.items()}})
    sender = Sender(settings.webhook_timeout_s)
    public_url = settings.public_url or _own_url(listener)
    courier = Courier(log, sender, delays_s=settings.webhook_retries_s, public_url=public_url)
    context = Context(
        settings=settings,
        log=log,
        host=host,
        agents=agents,
        auth_health=auth_health,
        streams=streams,
        doorkeeper=doorkeeper,
        webhooks=Office(log, sender, courier),
    )
    server = _Server(
        uvicorn.Config(
            build(context),
            http=WireProtocol,
            ws="websockets-sansio",
            # It would cost each connection more memory than all else of it.
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_keep_alive=75,
            backlog=4096,
        )
    )
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    cleaning = asyncio.ensure_future(_clean_up(settings, log))
    _freeze()
    # The loop hands work to threads for every read; at 5 ms a turn an answer would wait longer than it takes.
    sys.setswitchinterval(0.001)
    logger.info("serving", version=__version__, data=str(settings.data), agents=agents.names())
    auth_health.start()
    _greet(listener, token)
    await asyncio.wait((serving, asyncio.ensure_future(stopping.wait())), return_when=asyncio.FIRST_COMPLETED)
    logger.info("stopping", keep_agents=settings.keep_agents)
    cleaning.cancel()
    await auth_health.close()
    await agents.close()
    await host.close(keep_agents=settings.keep_agents)
    streams.close()
    server.should_exit = True
    # Not by a timeout around it, which would cancel it: then nothing below would come to pass.
    await asyncio.wait((serving,), timeout=_CLOSE_STREAMS_S)
    cut_off = tuple(server.server_state.tasks)
    for answering in cut_off:
        answering.cancel()  # nobody is waited for any longer
    if cut_off:
        await asyncio.wait(cut_off, timeout=_CUT_OFF_S)  # but for what they say to that
    server.force_exit = True
    await serving
    await courier.close()
    await log.close()
    logger.info("stopped")


class _Server(uvicorn.Server):
    """uvicorn's server without its own signal handlers: a stop begins with the agents, not with the connections."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


async def _clean_up(settings: Settings, log: Log) -> None:
    """Drops what has served its time: partials of ended runs, answers to old requests, deliveries that were made."""
    logger = structlog.get_logger("holdfast")
    while True:
        await asyncio.sleep(min(_CLEAN_UP_EVERY_S, settings.partials_ttl_s))
        now = now_ms()
        try:
            while await log.drop_partials(ended_before_ms=now - int(settings.partials_ttl_s * 1000)):
                pass
            await log.forget_requests(before_ms=now - _REQUESTS_TTL_S * 1000)
            await log.deliveries.forget(ended_before_ms=now - _DELIVERIES_TTL_S * 1000)
        except HoldfastError as error:
            logger.warning("cleaning up did not work; trying again", reason=str(error))


def _freeze() -> None:
    """What was built at start stays: the collector need not walk over it again and again, nor so often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _prepare(settings: Settings) -> str:
    """The data folder and the token, made at the first start; raises ConfigError if they must not be used so."""
    if not _is_loopback(settings.host) and settings.token is None:
        if not _is_known(settings.host):
            raise ConfigError(
                f"The host {settings.host} is not known. One that other machines can reach needs a token of your own "
                "too (HOLDFAST_TOKEN or --token)"
            )
        raise ConfigError(
            f"{settings.host} can be reached from other machines: set a token of your own "
            "(HOLDFAST_TOKEN or --token) to serve there"
        )
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if settings.token is not None:
            return settings.token
        file = settings.data / TOKEN_FILE
        if not file.exists():
            write_private(file, secrets.token_urlsafe(32).encode() + b"\n")
        token = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its token is no text"
        if settings.data.is_file():
            reason = "it is not a folder"
        raise ConfigError(f"The data folder {settings.data} cannot be used: {reason}") from error
    if not token:
        raise ConfigError(f"The token file {file} is empty; remove it, and a new one is made")
    return token


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_known(host: str) -> bool:
    try:
        socket.getaddrinfo(host, None)
    except OSError:
        return False
    return True


def _make_private(settings: Settings) -> None:
    """The log is nobody else's to read, even in a folder that others can look into. SQLite gives the files beside the
    database the mode of the database. No umask: the agents would inherit it."""
    if not settings.store_url.startswith("sqlite:"):
        return
    path = settings.store_url.removeprefix("sqlite:///").partition("?")[0]
    # What cannot be done here is told by whoever opens the database.
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        for file in (path, f"{path}-wal", f"{path}-shm"):
            with contextlib.suppress(FileNotFoundError):
                Path(file).chmod(0o600)


@contextlib.contextmanager
def _only_server(data: Path) -> Generator[None]:
    """Two servers on one data folder would fight over its sessions."""
    descriptor = os.open(data / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
            raise ConfigError(f"Another server (process {pid}) uses the data folder {data}") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _listen(settings: Settings) -> Generator[socket.socket]:
    try:
        family, _, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        listener = socket.create_server(address[:2], family=family, backlog=4096)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
        hint = "; choose another with --port or HOLDFAST_PORT" if error.errno == errno.EADDRINUSE else ""
        raise ConfigError(f"Cannot listen on {settings.host}:{settings.port}: {reason}{hint}") from error
    with listener:
        yield listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def _own_url(listener: socket.socket) -> str | None:
    """Where the web UI is, if that is sure: what other machines call this one, it cannot know."""
    return _address(listener) if _is_loopback(listener.getsockname()[0]) else None


def _greet(listener: socket.socket, token: str) -> None:
    print(f"Holdfast is ready. Open {_address(listener)}/?token={token}", flush=True)  # noqa: T201


class _Forward(logging.Handler):
    """What libraries log, in the form of our own lines."""

    def emit(self, record: logging.LogRecord) -> None:
        trouble = {"exc_info": record.exc_info} if record.exc_info else {}
        structlog.get_logger().log(record.levelno, record.getMessage(), logger=record.name, **trouble)


def _configure_logging(settings: Settings) -> None:
    as_json = settings.log_format == "json" or (settings.log_format == "auto" and not sys.stderr.isatty())
    # Tokens stand in the local variables of the functions that check them.
    without_locals = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            *([structlog.processors.ExceptionRenderer(without_locals)] if as_json else []),
            structlog.processors.JSONRenderer()
            if as_json
            else structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(settings.log_level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=logging.WARNING, handlers=[_Forward()])
