"""Opening a store: made if it is not there, brought to this version's shape, and refused if it is of a newer one."""

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from holdfast.errors import ConfigError, StoreError, StoreTooNew
from holdfast.log import schema
from holdfast.log.appends import Grant
from holdfast.log.search import words
from holdfast.log.store import open_store
from tests.event_values import final
from tests.log.author import Author
from tests.stores import joined, learned, open_log, read_on

pytestmark = pytest.mark.anyio

NEWEST = max(file.name[:4] for file in (Path(schema.__file__).parent / "migrations/versions").glob("0*.py"))


def run_sql(url: str, *statements: str) -> None:
    engine = create_engine(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


async def test_the_migrations_make_exactly_the_tables_that_the_code_uses(store_url: str) -> None:
    async with open_log(store_url):
        pass
    engine = create_engine(store_url)
    with engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, schema.metadata) == []
        inspected = inspect(connection)
        for name, table in schema.metadata.tables.items():
            assert inspected.get_pk_constraint(name)["constrained_columns"] == list(table.primary_key.columns.keys())
            nullable = {column["name"] for column in inspected.get_columns(name) if column["nullable"]}
            assert nullable == {column.name for column in table.columns if column.nullable}
    engine.dispose()


async def test_a_store_of_a_newer_version_is_refused_in_clear_words_and_left_as_it_was(store_url: str) -> None:
    async with open_log(store_url) as log:
        author = await Author(log).begin()
    run_sql(store_url, "update alembic_version set version_num = '9999'")
    with pytest.raises(StoreTooNew, match=r"version 9999, which is newer .* upgrade Holdfast or choose another store"):
        open_store(store_url)
    run_sql(store_url, f"update alembic_version set version_num = '{NEWEST}'")
    async with open_log(store_url) as log:
        await learned(log, author.id)
        assert joined(await read_on(log, author.id)) == author.frames()


async def test_a_store_of_the_first_version_becomes_one_of_this_and_keeps_what_it_has(store_url: str) -> None:
    async with open_log(store_url) as log:
        author = await Author(log).begin()
        await author.write(final("Hello"))
    first_tables = {"log_head", "sessions", "runs", "events", "requests"}
    tables = [table for table in schema.metadata.tables if table not in first_tables]
    first = [
        *(f"drop table {table}" for table in tables),
        "alter table sessions drop column search",
        "update alembic_version set version_num = '0001'",
    ]
    run_sql(store_url, *first)
    async with open_log(store_url) as log:
        await learned(log, author.id)
        assert joined(await read_on(log, author.id)) == author.frames()
        grant = Grant(user_id="ann", project="folder:/tmp", rule="Bash(make)")
        author.log = log
        await author.write(final("More"), grants=[grant])
        assert await log.read.granted("ann", "folder:/tmp") == ["Bash(make)"]
        found = await log.read.sessions("ann", words=words(f"{author.id} DEMO /tmp"))
        assert [row.id for row in found] == [author.id]


async def test_the_program_says_that_the_store_is_too_new_and_does_not_start(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    async with open_log(url):
        pass
    run_sql(url, "update alembic_version set version_num = '9999'")
    options = ["--store", url, "--data", str(tmp_path / "data"), "--port", "0"]
    ended = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "holdfast", "serve", *options],
        capture_output=True,
        text=True,
        timeout=30,
        cwd=tmp_path,
    )
    assert ended.returncode == 1
    assert "holdfast: The store has version 9999, which is newer" in ended.stderr
    assert "Traceback" not in ended.stderr


async def test_a_store_keeps_what_it_has_when_it_is_opened_again(store_url: str) -> None:
    async with open_log(store_url) as log:
        author = await Author(log).begin()
        await author.write(final("Hello"))
    for _ in range(2):
        async with open_log(store_url) as log:
            assert log.position == 3
            await learned(log, author.id)
            assert joined(await read_on(log, author.id)) == author.frames()


async def test_several_that_open_an_empty_store_at_once_all_get_it(store_url: str) -> None:
    databases = await asyncio.gather(*(asyncio.to_thread(open_store, store_url) for _ in range(4)))
    for database in databases:
        with database.reading.connect() as connection:
            assert connection.execute(text("select position from log_head")).scalars().all() == [0]
    for database in databases:
        database.reading.dispose()
        database.writing.dispose()


async def test_a_commit_is_on_the_disk_when_it_returns_and_readers_do_not_wait_for_the_writer(tmp_path: Path) -> None:
    database = open_store(f"sqlite:///{tmp_path / 'holdfast.db'}")
    for engine in (database.writing, database.reading):
        with engine.connect() as connection:
            assert connection.exec_driver_sql("pragma journal_mode").scalar() == "wal"
            assert connection.exec_driver_sql("pragma synchronous").scalar() == 2  # FULL
        engine.dispose()


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("no url", ConfigError),
        ("mysql://localhost/x", ConfigError),
        ("nosuch://localhost/x", ConfigError),
        ("postgresql+psycopg://holdfast@127.0.0.1:1/none", StoreError),
    ],
)
async def test_a_store_that_is_none_is_refused_in_clear_words(url: str, error: type[Exception]) -> None:
    with pytest.raises(error) as refusal:
        open_store(url)
    assert "\n" not in str(refusal.value)


async def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Sir or Madam, " * 100)
    with pytest.raises(StoreError, match="not a database"):
        open_store(f"sqlite:///{file}")
    assert file.read_text() == "Dear Sir or Madam, " * 100


async def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises((ConfigError, StoreError), match="file"):
        open_store(f"sqlite:///{tmp_path / 'file' / 'holdfast.db'}")


async def test_a_migration_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "holdfast.db"
    with sqlite3.connect(path) as other:
        other.execute("create table requests (strange)")
    other.close()
    with pytest.raises(StoreError):
        open_store(f"sqlite:///{path}")
    with sqlite3.connect(path) as other:
        tables = [name for (name,) in other.execute("select name from sqlite_master where type = 'table'")]
    other.close()
    assert tables == ["requests"]
