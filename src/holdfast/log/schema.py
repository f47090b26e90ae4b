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
