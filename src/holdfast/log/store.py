"""Opens a store: connects, brings its tables to this version's shape, and refuses one of a newer version."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from holdfast.errors import StoreTooNew
from holdfast.log.database import Database, open_database, store_errors

_MIGRATIONS = Path(__file__).parent / "migrations"


def open_store(url: str) -> Database:
    """The store at `url`, ready for use; made if it is not there yet."""
    database = open_database(url)
    with store_errors("opening it"), database.writing.begin() as connection:
        _migrate(connection)
    return database


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    found = MigrationContext.configure(connection).get_current_revision()
    newest = scripts.get_current_head()
    if found == newest:
        return
    if found is not None and found not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreTooNew(
            f"The store has version {found}, which is newer than this Holdfast knows ({newest}); "
            "upgrade Holdfast or choose another store"
        )
    command.upgrade(config, "head")
