"""Opens a store: connects, brings its tables to this version's shape, and refuses one of a newer version."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, make_url

from holdfast.errors import StoreTooNew
from holdfast.log.database import Database, open_database, store_errors

_MIGRATIONS = Path(__file__).parent / "migrations"


def open_store(url: str) -> Database:
    """The store at `url`, ready for use; made if it is not there yet."""
    database = open_database(url)
    try:
        with store_errors("opening it"), database.writing.begin() as connection:
            database.exclude_others(connection)
            _migrate(connection)
    except BaseException:
        database.writing.dispose()
        raise
    return database


def inspect(url: str) -> str:
    """What a store is like, in one phrase, without changing it; raises StoreError if it cannot be used."""
    parsed = make_url(url)
    name = parsed.get_backend_name()
    if name == "sqlite" and parsed.database and not Path(parsed.database).exists():
        return f"{name}, not made yet"
    database = open_database(url)
    try:
        with store_errors("looking at it"), database.reading.connect() as connection:
            found, newest = _versions(connection, _config())
            return f"{name}, version {found}" + ("" if found == newest else f", to become {newest} at the next start")
    finally:
        database.writing.dispose()
        database.reading.dispose()


def _migrate(connection: Connection) -> None:
    config = _config()
    found, newest = _versions(connection, config)
    if found != newest:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    return config


def _versions(connection: Connection, config: Config) -> tuple[str | None, str | None]:
    """The store's version and the newest one; raises StoreTooNew if the store's is none of ours."""
    scripts = ScriptDirectory.from_config(config)
    found = MigrationContext.configure(connection).get_current_revision()
    newest = scripts.get_current_head()
    if found is not None and found not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreTooNew(
            f"The store has version {found}, which is newer than this Holdfast knows ({newest}); "
            "upgrade Holdfast or choose another store"
        )
    return found, newest
