"""The Python client: start, follow and steer sessions of a Holdfast server.

    async with Holdfast() as holdfast:
        session = await holdfast.run("Say hello", agent="demo")
        async for event in session.events():
            if event.type == "message" and event.data.is_partial:
                print(event.data.text, end="", flush=True)
        end = await session.end()
        print(end.stop_reason, end.termination_info.message or "")

`holdfast.client.sync` is the same without `await`. What an event carries is in `holdfast.events`.

Rule 1: each event comes exactly once and in order, whatever happens to connections and servers.
Rule 2: a POST has an Idempotency-Key and is repeated if its connection breaks; it takes effect once.
Rule 3: importing it brings neither the server nor its database.
"""

from holdfast.client.errors import Refused, StreamLost, Unreachable
from holdfast.client.events import End, Envelope, Event
from holdfast.client.follow import StreamInfo, StreamState
from holdfast.client.holdfast import Holdfast
from holdfast.client.orders import Decision, GivenAttachment, RunConfig
from holdfast.client.place import Notice
from holdfast.client.records import (
    AgentAccount,
    AgentCapabilities,
    AgentInfo,
    AgentModel,
    AuthMethod,
    AuthStatus,
    ChangedFile,
    FileList,
    FileText,
    FolderList,
    ForkedFrom,
    Health,
    History,
    Me,
    ProfileInfo,
    Project,
    Record,
    SessionPage,
    Started,
    UsageReport,
    UsageSum,
    Waiting,
    WaitingOn,
)
from holdfast.client.session import Session
from holdfast.client.stream import EventStream
from holdfast.errors import (
    AgentUnreachable,
    AlreadyAnswered,
    BadRequest,
    BadWorkspace,
    BodyTooLarge,
    ConfigError,
    Conflict,
    FileTooLarge,
    ForbiddenOrigin,
    HoldfastError,
    IdempotencyMismatch,
    MethodNotAllowed,
    NotFound,
    NotResumable,
    NotText,
    ProjectBusy,
    ProjectPaused,
    SessionBusy,
    ShuttingDown,
    StoreError,
    StoreFull,
    Unauthorized,
    UnknownAgent,
    UnknownProfile,
    Unsupported,
    WrongHost,
)
from holdfast.events import Stderr, TerminationInfo

__all__ = [
    "AgentAccount", "AgentCapabilities", "AgentInfo", "AgentModel", "AgentUnreachable", "AlreadyAnswered",
    "AuthMethod", "AuthStatus", "BadRequest", "BadWorkspace", "BodyTooLarge", "ChangedFile", "ConfigError", "Conflict",
    "Decision", "End", "Envelope", "Event", "EventStream", "FileList", "FileText", "FileTooLarge", "FolderList",
    "ForbiddenOrigin", "ForkedFrom", "GivenAttachment", "Health", "History", "Holdfast", "HoldfastError",
    "IdempotencyMismatch", "Me", "MethodNotAllowed", "NotFound", "NotResumable", "NotText", "Notice", "ProfileInfo",
    "Project", "ProjectBusy", "ProjectPaused", "Record", "Refused", "RunConfig", "Session", "SessionBusy",
    "SessionPage", "ShuttingDown", "Started", "Stderr", "StoreError", "StoreFull", "StreamInfo", "StreamLost",
    "StreamState", "TerminationInfo", "Unauthorized", "UnknownAgent", "UnknownProfile", "Unreachable", "Unsupported",
    "UsageReport", "UsageSum", "Waiting", "WaitingOn", "WrongHost",
]  # fmt: skip
