"""What agents remember (their transcripts), what people have allowed for a project; requests are kept whole."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_key = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "transcripts",
        sa.Column("session_key", _key, primary_key=True),
        sa.Column("run", sa.Integer, primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "grants",
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("user_id", sa.Text, nullable=False),
        sa.Column("project", sa.Text, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    connection = op.get_bind()
    for key, state, updated_ms in connection.execute(sa.text("select key, state, updated_ms from sessions")).all():
        found: dict[str, Any] = json.loads(state)
        if isinstance(found.get("open_requests"), list):
            found["open_requests"] = {
                request_id: _request(request_id, updated_ms) for request_id in found["open_requests"]
            }
            changed = {"key": key, "state": json.dumps(found).encode()}
            connection.execute(sa.text("update sessions set state = :state where key = :key"), changed)
    unended = sa.text("select session_key, number, spec from runs where ended_ms is null")
    for key, number, spec in connection.execute(unended).all():
        order: dict[str, Any] = json.loads(spec)
        if "timeout_s" in order:
            order["config"] = {"timeout_s": order.pop("timeout_s")}
            changed = {"key": key, "number": number, "spec": json.dumps(order).encode()}
            update = "update runs set spec = :spec where session_key = :key and number = :number"
            connection.execute(sa.text(update), changed)


def _request(request_id: str, at_ms: int) -> dict[str, Any]:
    """As much as is known of a request whose id alone was kept; the rest of it stands in the log."""
    data: dict[str, Any] = {
        "request_id": request_id,
        "tool_name": "tool",
        "tool_input": {},
        "options": [],
        "expires_at": "",
    }
    return {"type": "permission_request", "data": data, "at_ms": at_ms}
