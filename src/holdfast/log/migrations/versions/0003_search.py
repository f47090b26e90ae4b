"""A text for each session in which a list is searched."""

import json
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("search", sa.Text, nullable=False, server_default=sa.text("''")))
    connection = op.get_bind()
    rows = connection.execute(sa.text("select key, state, project_id, agent, workspace, id from sessions")).all()
    for key, state, *names in rows:
        task: str = json.loads(state).get("task", "")[:10_000]
        text = "\n".join(part for part in (task, *names) if part).replace("\0", " ")
        changed = {"key": key, "search": unicodedata.normalize("NFC", text.casefold())}
        connection.execute(sa.text("update sessions set search = :search where key = :key"), changed)
