"""Sessions that exist before their first message, with a title and metadata."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "managed_sessions",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
        sa.Column("model", sa.Text),
        sa.Column("title", sa.Text),
        sa.Column("metadata", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
        sa.Column("archived_ms", sa.BigInteger),
        sa.Column("deleted_ms", sa.BigInteger),
    )
    op.create_index("managed_sessions_by_age", "managed_sessions", ["user_id", "created_ms", "id"])
