"""What is handed to the writer, and what it makes of it."""

import msgspec

from holdfast.events import Recorded
from holdfast.log.tail import Block


class NewSession(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    user_id: str
    project_id: str | None
    agent: str
    workspace: str


class NewRun(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    secret: str
    spec: bytes
    agent: str
    workspace: str


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A request that must have its effect once: who made it, under which key, and the answer it got."""

    user_id: str
    key: str
    fingerprint: str
    answer: bytes


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of what an agent wants to remember."""

    run: int
    number: int
    body: bytes


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    user_id: str
    project: str
    rule: str


class Append(msgspec.Struct, kw_only=True):
    """Events for one session that come in together or not at all, with what they make of its record."""

    session_id: str
    key: int  # 0 with `create`
    epoch: int
    after: int
    entries: list[Recorded]
    status: str
    state: bytes
    at_ms: int
    over: bool
    settled: int
    create: NewSession | None = None
    begin: NewRun | None = None
    ends_run: int | None = None
    acknowledged: int = 0
    request: Request | None = None
    transcript: list[Transcript] = []
    grants: list[Grant] = []


class Committed(msgspec.Struct):
    session_id: str
    key: int
    head: int
    over: bool
    settled: int
    blocks: list[Block]
    position: int = 0
    dropped_through: int = 0
