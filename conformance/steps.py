"""The vocabulary of cases: every step is a mapping with one key, which says what is done or expected."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from conformance.damage import Faults

Whole = Annotated[int, Meta(ge=0)]
Order = Literal["task", "resume", "fork", "cancel", "pause", "discard", "answer"]
State = Literal["starting", "streaming", "reconnecting", "done"]


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """What no case has asked for is refused by name."""


class Run(_Part, kw_only=True):
    """Starts a session through the client."""

    task: str
    session: str = "s"
    """The name by which later steps call it."""
    config: dict[str, Any] = {}
    reuse: Literal["over", "live"] | None = None
    """For cases that only read. `over`: one session for all rounds, which is over when they begin. `live`: one for all
    rounds that come while its run is under way."""
    refused: str | None = None
    same_as: str | None = None
    """The session with that name is meant: a project's next run."""


class Tell(_Part, kw_only=True):
    """A command to a session, through the client. An `answer` answers what it asked last."""

    do: Order
    session: str = "s"
    body: dict[str, Any] = {}
    refused: str | None = None
    record: dict[str, Any] = {}
    """What the record that it answers has, among other things."""
    directly: bool = False
    """By the runner itself, past the client and what happens to its connections."""


class Follow(_Part, kw_only=True):
    """Opens a stream in the client, which then goes on by itself."""

    session: str | None = "s"
    """null: all sessions in one stream."""
    name: str = "f"
    after: Whole | Literal["anywhere", "now"] | str = 0
    """A position; one drawn anew in each round; what happens now; or where the follower with that name stands."""
    partials: bool = True
    hold: bool = False
    """Reads no more once something has come, until `release`."""


class Until(_Part, kw_only=True):
    """Waits until the follower has seen so many events (of a type), or is in a state, or was told of something."""

    follow: str = "f"
    type: str | None = None
    times: Annotated[int, Meta(ge=1)] = 1
    state: State | None = None
    notice: str | None = None
    caught_up: bool = False
    """It has seen the last event of every session of this round."""


class End(_Part, kw_only=True):
    """Waits until the client says that no more will come."""

    follow: str = "f"
    error: str | None = None
    """It did not end well but with this code."""


class Named(_Part, kw_only=True):
    """A follower that is left (`leave`), or read from again (`release`)."""

    follow: str = "f"


class Expect(_Part, kw_only=True):
    """What the follower has received. That no event came twice or out of order is expected always."""

    follow: str = "f"
    whole: Literal["all", "finals"] | None = None
    """Everything that the log has after the follower's position; `finals`: but for partials."""
    sequences: list[int] | None = None
    types: dict[str, Whole] = {}
    """How many events of a type came."""
    first: dict[str, Any] = {}
    last: dict[str, Any] = {}
    """What the first and the last event have, among other things."""
    text: str | None = None
    """A text that stands in the final messages, and in the partials joined if there were any."""
    notices: list[str] | None = None
    """What the stream said of itself but `ok`: gap, reset, closing."""
    opened: Whole | None = None
    """The stream was opened at least so often."""
    asked: list[str] | None = None
    """Scripted cases: the positions that the client asked for, one after the other."""


class Why(_Part, kw_only=True):
    """Asks the client why the run ended, waiting for it if need be."""

    session: str = "s"
    ends: dict[str, Any]


class Record(_Part, kw_only=True):
    """The session's record, as the client gives it."""

    session: str = "s"
    has: dict[str, Any]


class History(_Part, kw_only=True):
    """All of the session's history, through the client: the log without its partials."""

    session: str = "s"


class Started(_Part, kw_only=True):
    """How many sessions were started in this round with this text in their task."""

    task: str
    times: Whole


class Request(_Part, kw_only=True):
    """A plain request, made by the runner itself; `path` stands below /api/v1."""

    method: str = "GET"
    path: str
    headers: dict[str, str] = {}
    token: str | None = None
    """Another credential than the right one; an empty one means none."""
    json: Any = msgspec.UNSET
    text: str | None = None
    status: int = 200
    answer_headers: dict[str, str] = {}
    answer: dict[str, Any] = {}
    """What the answer's JSON has, among other things."""
    code: str | None = None
    """It is a problem with this code, complete as RFC 9457 and the protocol want it."""


class Stream(_Part, kw_only=True):
    """A plain event stream, read by the runner itself and held to the framing byte by byte."""

    path: str
    last_event_id: str | None = None
    status: int = 200
    answer_headers: dict[str, str] = {}
    place: dict[str, Any] = {}
    """What the frame `stream` says, among other things."""
    heartbeats: Whole = 0
    """Leaves once so many came; without, it reads until the stream closes."""
    until: str | None = None
    """Leaves once an event of this type came."""
    after: Whole | None = None
    """The events are exactly those of the log after this position."""
    session: str = "s"


class Step(_Part, kw_only=True):
    run: Run | None = None
    tell: Tell | None = None
    follow: Follow | None = None
    until: Until | None = None
    end: End | None = None
    leave: Named | None = None
    release: Named | None = None
    expect: Expect | None = None
    why: Why | None = None
    record: Record | None = None
    history: History | None = None
    started: Started | None = None
    dropped: str | None = None
    """Waits until the partials of the session are gone from its log."""
    faults: Faults | None = None
    """From now on the proxy does this."""
    cut: Literal["fin", "rst"] | None = None
    """Cuts all connections, now."""
    network: Literal["down", "up"] | None = None
    server: Literal["kill", "stop", "start"] | None = None
    request: Request | None = None
    stream: Stream | None = None

    def __post_init__(self) -> None:
        said = [name for name in self.__struct_fields__ if getattr(self, name) is not None]
        if len(said) != 1:
            raise ValueError(f"a step says exactly one thing, not {', '.join(said) or 'nothing'}")

    @property
    def said(self) -> tuple[str, Any]:
        return next((name, value) for name in self.__struct_fields__ if (value := getattr(self, name)) is not None)
