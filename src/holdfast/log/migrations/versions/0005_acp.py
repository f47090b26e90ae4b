"""Clients of the Agent Client Protocol: their connections, the sessions they take part in, answers on their way."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "acp_connections",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("agent", sa.Text),
        sa.Column("client", sa.LargeBinary, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("acp_connections_by_name", "acp_connections", ["user_id", "name"], unique=True)
    op.create_table(
        "acp_sessions",
        sa.Column("connection_id", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("cwd", sa.Text, nullable=False),
        sa.Column("agent", sa.Text),
        sa.Column("mode", sa.Text),
        sa.Column("forked_from", sa.Text),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("load_answer", sa.LargeBinary),
        sa.Column("until", sa.BigInteger),
    )
    op.create_index("acp_sessions_by_session", "acp_sessions", ["session_id"])
    op.create_table(
        "acp_answers",
        sa.Column("connection_id", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("session_id", sa.Text),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_index("acp_answers_once", "acp_answers", ["connection_id", "request"], unique=True)
