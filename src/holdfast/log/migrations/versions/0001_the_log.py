"""The log: sessions, their runs and events, and the requests that were made once."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_key = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    log_head = op.create_table(
        "log_head",
        sa.Column("id", sa.SmallInteger, primary_key=True),
        sa.Column("position", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(log_head, [{"id": 1, "position": 0}])
    op.create_table(
        "sessions",
        sa.Column("key", _key, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("project_id", sa.Text),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("workspace", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("head", sa.BigInteger, nullable=False),
        sa.Column("owner_epoch", sa.BigInteger, nullable=False),
        sa.Column("acknowledged", sa.BigInteger, nullable=False),
        sa.Column("dropped_through", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
    op.create_index("sessions_by_age", "sessions", ["user_id", "created_ms", "key"])
    op.create_index("sessions_by_status", "sessions", ["status"])
    op.create_table(
        "runs",
        sa.Column("session_key", _key, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("spec", sa.LargeBinary, nullable=False),
        sa.Column("first_sequence", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("last_sequence", sa.BigInteger),
        sa.Column("partials_dropped", sa.Boolean, nullable=False, server_default=sa.text("false")),
    )
    op.create_index("runs_by_end", "runs", ["partials_dropped", "ended_ms"])
    op.create_table(
        "events",
        sa.Column("position", _key, primary_key=True, autoincrement=False),
        sa.Column("session_key", sa.BigInteger, nullable=False),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("partial", sa.Boolean, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("events_in_session", "events", ["session_key", "sequence"], unique=True)
    op.create_table(
        "requests",
        sa.Column("user_id", sa.Text, primary_key=True),
        sa.Column("idempotency_key", sa.Text, primary_key=True),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("requests_by_age", "requests", ["created_ms"])
