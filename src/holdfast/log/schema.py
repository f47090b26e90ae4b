"""The tables, the same for SQLite and PostgreSQL; migrations/ brings a store to this shape."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    text,
)

metadata = MetaData()

# SQLite makes a rowid of an INTEGER primary key only, and its INTEGER has 64 bits anyway.
_Key = BigInteger().with_variant(Integer, "sqlite")

# One row: how many events there are in all. Moved in every commit, which also puts commits in one order.
log_head = Table(
    "log_head",
    metadata,
    Column("id", SmallInteger, primary_key=True),
    Column("position", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("key", _Key, primary_key=True, autoincrement=True),
    Column("id", Text, nullable=False, unique=True),
    Column("user_id", Text, nullable=False),
    Column("project_id", Text),
    Column("agent", Text, nullable=False),
    Column("workspace", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("head", BigInteger, nullable=False),
    Column("owner_epoch", BigInteger, nullable=False),
    # How many of the current run's events, as its keeper counts them, are in the log: where a new link goes on.
    Column("acknowledged", BigInteger, nullable=False),
    # The highest sequence whose partial was dropped: a reader before it is told of the gap.
    Column("dropped_through", BigInteger, nullable=False, server_default=text("0")),
    Column("created_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    # The fold of the log (state.State as JSON), written in the commit that moved it.
    Column("state", LargeBinary, nullable=False),
    # What a list is searched in, folded (search.py); written when a run begins, which is when it can change.
    Column("search", Text, nullable=False, server_default=text("''")),
    Index("sessions_by_age", "user_id", "created_ms", "key"),
    Index("sessions_by_status", "status"),
)

runs = Table(
    "runs",
    metadata,
    Column("session_key", _Key, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("spec", LargeBinary, nullable=False),
    Column("first_sequence", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("last_sequence", BigInteger),
    Column("partials_dropped", Boolean, nullable=False, server_default=text("false")),
    Index("runs_by_end", "partials_dropped", "ended_ms"),
)

events = Table(
    "events",
    metadata,
    Column("position", _Key, primary_key=True, autoincrement=False),
    Column("session_key", BigInteger, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("partial", Boolean, nullable=False),
    # The envelope as it goes to clients, byte for byte.
    Column("body", LargeBinary, nullable=False),
    Index("events_in_session", "session_key", "sequence", unique=True),
)

requests = Table(
    "requests",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("idempotency_key", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("answer", LargeBinary, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Index("requests_by_age", "created_ms"),
)

# What an agent wants to remember of a session, as it said it: opaque, in order, never dropped by cleaning up.
transcripts = Table(
    "transcripts",
    metadata,
    Column("session_key", _Key, primary_key=True),
    Column("run", Integer, primary_key=True),
    # The keeper's index of it, so that what is sent twice is kept once.
    Column("number", BigInteger, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

# What a person has allowed for all sessions of a project (by its id, or by its folder).
grants = Table(
    "grants",
    metadata,
    # Of the three below, which may be longer than PostgreSQL has room for in an index: a rule can be a whole script.
    Column("digest", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("project", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

# Who is to be told of what. `secret` signs and is never shown again; the old one signs too until its time is over.
webhooks = Table(
    "webhooks",
    metadata,
    Column("key", _Key, primary_key=True, autoincrement=True),
    Column("id", Text, nullable=False, unique=True),
    Column("user_id", Text, nullable=False),
    Column("project_id", Text),
    Column("url", Text, nullable=False),
    # The types that it wants, with spaces between them.
    Column("events", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("active", Boolean, nullable=False),
    # Why it is not active, if that was nobody's wish.
    Column("disabled", Text),
    Column("secret", Text, nullable=False),
    Column("old_secret", Text),
    Column("old_until_ms", BigInteger),
    # The cursor: all events of the combined log up to here have become deliveries, where they match.
    Column("position", BigInteger, nullable=False),
    Column("failing_since_ms", BigInteger),
    Column("created_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Index("webhooks_of_user", "user_id", "key"),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("key", _Key, primary_key=True, autoincrement=True),
    Column("id", Text, nullable=False, unique=True),
    Column("webhook_key", BigInteger, nullable=False),
    # Of the event; a test has none of the four.
    Column("position", BigInteger),
    Column("session_key", BigInteger),
    Column("session_id", Text),
    Column("sequence", BigInteger),
    Column("type", Text, nullable=False),
    # What is sent, byte for byte the same at every attempt.
    Column("body", LargeBinary, nullable=False),
    Column("status", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    # When it is to be sent; none while another one of its session goes first, and after its end.
    Column("next_ms", BigInteger),
    Column("attempted_ms", BigInteger),
    Column("ended_ms", BigInteger),
    Column("response_status", Integer),
    Column("error", Text),
    Column("response", Text),
    Column("created_ms", BigInteger, nullable=False),
    Index("deliveries_once", "webhook_key", "position", unique=True),
    Index("deliveries_due", "webhook_key", "next_ms"),
    Index("deliveries_in_order", "webhook_key", "session_key", "status", "key"),
    Index("deliveries_by_end", "ended_ms", "webhook_key"),
)

# A client of the Agent Client Protocol: under which name it comes back, and what it said of itself.
acp_connections = Table(
    "acp_connections",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    # The client's own name for it; none where it was given the id.
    Column("name", Text),
    Column("agent", Text),
    # The params of its initialize, as JSON.
    Column("client", LargeBinary, nullable=False),
    # Of the combined log: ends of sessions before it are not told.
    Column("position", BigInteger, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Index("acp_connections_by_name", "user_id", "name", unique=True),
)

# A session that such a client takes part in. It may have no task, and so no log, yet.
acp_sessions = Table(
    "acp_sessions",
    metadata,
    Column("connection_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("cwd", Text, nullable=False),
    Column("agent", Text),
    # The permission profile that its next run is to have.
    Column("mode", Text),
    Column("forked_from", Text),
    # Nothing up to `since` is told. At `joined` the client came: what is older is told as history.
    Column("since", BigInteger, nullable=False),
    Column("joined", BigInteger, nullable=False),
    # The answer that goes to the client when history has been told.
    Column("load_answer", LargeBinary),
    # Nothing after it is told: the client has closed the session.
    Column("until", BigInteger),
    Index("acp_sessions_by_session", "session_id"),
)

# Answers that go to a client by its stream and stand in no log.
acp_answers = Table(
    "acp_answers",
    metadata,
    Column("connection_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    # Stands for the JSON-RPC id and what was asked with it: what is asked again is not answered again.
    Column("request", Text, nullable=False),
    Column("session_id", Text),
    Column("body", LargeBinary, nullable=False),
    Index("acp_answers_once", "connection_id", "request", unique=True),
)

# Sessions as Anthropic's sessions API has them: they exist before their first message, and have a title and metadata.
# One that was made elsewhere gets its row when it is first given something of this.
managed_sessions = Table(
    "managed_sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Column("model", Text),
    Column("title", Text),
    Column("metadata", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Column("archived_ms", BigInteger),
    Column("deleted_ms", BigInteger),
    Index("managed_sessions_by_age", "user_id", "created_ms", "id"),
)
