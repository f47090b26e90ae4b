"""What differs between SQLite and PostgreSQL: how to connect, how to insert many rows, what an error means."""

import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from holdfast.errors import ConfigError, StoreError, StoreFull

# position, session_key, sequence, partial, body
EventRow = tuple[int, int, int, bool, bytes]

# How long a write waits for a lock that another program holds before the writer is told.
LOCK_PATIENCE_S = 5.0
# The number of the lock under which a PostgreSQL database is opened; only Holdfast uses it ("hold").
_OPENING = 0x686F6C64


class Database(Protocol):
    """One kind of database, connected: `writing` for the one writer thread, `reading` for everyone else."""

    writing: Engine
    reading: Engine
    mark: str  # how the driver writes a parameter

    def insert_events(self, connection: Connection, rows: Sequence[EventRow]) -> None: ...

    def exclude_others(self, connection: Connection) -> None:
        """Makes everyone else who opens the store wait until this transaction, which may make tables, is over."""
        ...


class Sqlite:
    """A file in WAL mode: readers never wait for the writer, and a commit is on the disk when it returns."""

    mark = "?"

    def __init__(self, url: str) -> None:
        path = make_url(url).database
        if path and path != ":memory:":
            try:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            except OSError as reason:
                raise ConfigError(f"The store's folder cannot be made: {reason}") from reason
        options: dict[str, Any] = {"connect_args": {"check_same_thread": False, "timeout": LOCK_PATIENCE_S}}
        self.writing = create_engine(url, pool_size=1, max_overflow=0, **options)
        self.reading = create_engine(url, pool_size=4, max_overflow=4, **options)
        event.listen(self.writing, "connect", _prepare_sqlite)
        event.listen(self.reading, "connect", _prepare_sqlite)
        event.listen(self.writing, "begin", _begin_immediate)

    def insert_events(self, connection: Connection, rows: Sequence[EventRow]) -> None:
        connection.exec_driver_sql(
            "insert into events (position, session_key, sequence, partial, body) values (?, ?, ?, ?, ?)",
            list(rows),
        )

    def exclude_others(self, connection: Connection) -> None:
        """Does nothing: the transaction began with the write lock."""


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver's own notion of transactions starts them late and never for DDL: we say BEGIN ourselves.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("pragma journal_mode = wal")
    # FULL: what a client has seen survives a power cut too, not only the death of the process.
    cursor.execute("pragma synchronous = full")
    cursor.execute("pragma journal_size_limit = 67108864")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    # A deferred transaction that becomes a writer later cannot wait for a lock; it would fail at once.
    connection.exec_driver_sql("begin immediate")


class Postgres:
    """A database of a server, through psycopg."""

    mark = "%s"

    def __init__(self, url: str) -> None:
        try:
            self.writing = create_engine(url, pool_size=1, max_overflow=0, pool_pre_ping=True)
            self.reading = create_engine(
                url, pool_size=4, max_overflow=4, pool_pre_ping=True, isolation_level="AUTOCOMMIT"
            )
        except ImportError as reason:
            raise ConfigError("PostgreSQL needs the extra: pip install 'holdfast[postgres]'") from reason
        event.listen(self.writing, "connect", _prepare_postgres)

    def insert_events(self, connection: Connection, rows: Sequence[EventRow]) -> None:
        # COPY: executemany costs a round trip's work for each row, twenty times as much.
        cursor: Any = connection.connection.cursor()
        with (
            cursor,
            cursor.copy(
                "copy events (position, session_key, sequence, partial, body) from stdin (format binary)"
            ) as copy,
        ):
            copy.set_types(["int8", "int8", "int8", "bool", "bytea"])
            for row in rows:
                copy.write_row(row)

    def exclude_others(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"select pg_advisory_xact_lock({_OPENING})")


def _prepare_postgres(connection: Any, _record: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"set lock_timeout = '{int(LOCK_PATIENCE_S * 1000)}ms'")
    connection.commit()


def open_database(url: str) -> Database:
    try:
        backend = make_url(url).get_backend_name()
    except ArgumentError as reason:
        raise ConfigError(f"{url!r} is not the URL of a store") from reason
    try:
        if backend == "sqlite":
            return Sqlite(url)
        if backend == "postgresql":
            return Postgres(url)
    except NoSuchModuleError as reason:
        raise ConfigError(f"No driver for the store {backend!r}") from reason
    raise ConfigError(f"The store must be sqlite or postgresql, not {backend!r}")


@contextmanager
def store_errors(doing: str) -> Generator[None]:
    """Turns what the driver raises into the error tree, saying what was being done."""
    try:
        yield
    except DBAPIError as error:
        cause = error.orig
        text = str(cause).strip().partition("\n")[0]
        if _is_full(cause):
            raise StoreFull(f"No space left in the store while {doing}: {text}") from error
        raise StoreError(f"The store did not work while {doing}: {text}") from error


def _is_full(cause: BaseException | None) -> bool:
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return getattr(cause, "sqlstate", None) == "53100"
