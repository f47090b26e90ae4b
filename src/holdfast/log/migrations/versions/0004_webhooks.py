"""Webhooks, and what has been or is to be delivered to them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_key = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("key", _key, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("project_id", sa.Text),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("disabled", sa.Text),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("old_secret", sa.Text),
        sa.Column("old_until_ms", sa.BigInteger),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("failing_since_ms", sa.BigInteger),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("webhooks_of_user", "webhooks", ["user_id", "key"])
    op.create_table(
        "deliveries",
        sa.Column("key", _key, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("webhook_key", sa.BigInteger, nullable=False),
        sa.Column("position", sa.BigInteger),
        sa.Column("session_key", sa.BigInteger),
        sa.Column("session_id", sa.Text),
        sa.Column("sequence", sa.BigInteger),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("next_ms", sa.BigInteger),
        sa.Column("attempted_ms", sa.BigInteger),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("response_status", sa.Integer),
        sa.Column("error", sa.Text),
        sa.Column("response", sa.Text),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("deliveries_once", "deliveries", ["webhook_key", "position"], unique=True)
    op.create_index("deliveries_due", "deliveries", ["webhook_key", "next_ms"])
    op.create_index("deliveries_in_order", "deliveries", ["webhook_key", "session_key", "status", "key"])
    op.create_index("deliveries_by_end", "deliveries", ["ended_ms", "webhook_key"])
