"""The events of a session's log, as frozen typed values, and their one wire form.

Rule 1: what an event may carry is said here and nowhere else; the HTTP schema is made from these types.
Rule 2: an unset field is absent on the wire, never null.
Rule 3: `data` is encoded once, where the event arises, and stored and sent as those bytes.
"""

from typing import Any, Literal

import msgspec

# All events can be had from here, wherever they are written down (`as` says so to the linters).
from holdfast.asking import PermissionOption as PermissionOption
from holdfast.asking import PermissionRequest, PermissionResolved, Question
from holdfast.asking import QuestionItem as QuestionItem
from holdfast.ends import AgentComplete, Cancelled, Error
from holdfast.ends import End as End
from holdfast.ends import Stderr as Stderr
from holdfast.ends import StopReason as StopReason
from holdfast.ends import TerminationInfo as TerminationInfo
from holdfast.event import Event
from holdfast.times import timestamp


class Todo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    content: str
    status: str
    priority: str | None = None


class Attachment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    media_type: str
    size: int


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a task came from, if not by the API itself: in which dialect, and under which name it is answered there."""

    dialect: str
    connection: str | None = None
    request: str | int | None = None


class UserMessage(Event, frozen=True, kw_only=True):
    text: str
    resume: Literal["continue", "rerun"] | None = None
    attachments: list[Attachment] | None = None
    origin: Origin | None = None


class SessionConnect(Event, frozen=True, kw_only=True):
    session_id: str


class Choice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One of the modes or models that an agent offers."""

    id: str
    name: str
    description: str | None = None


class AgentStart(Event, frozen=True, kw_only=True):
    session_id: str
    agent: str
    task: str
    model: str | None = None
    tools: list[str]
    skills: list[str]
    agent_session_id: str | None = None
    mode: str | None = None
    modes: list["Choice"] | None = None
    models: list["Choice"] | None = None
    options: Any = None
    capabilities: list[str] | None = None


class Thinking(Event, frozen=True, kw_only=True):
    text: str
    is_partial: bool
    full_text: str | None = None
    parent_id: str | None = None


class Message(Event, frozen=True, kw_only=True):
    text: str
    is_partial: bool
    full_text: str | None = None
    parent_id: str | None = None


class ToolStart(Event, frozen=True, kw_only=True):
    tool_name: str
    tool_input: Any
    tool_id: str
    kind: str | None = None
    title: str | None = None
    parent_id: str | None = None


class ToolComplete(Event, frozen=True, kw_only=True):
    tool_name: str
    tool_id: str
    result: Any
    duration_ms: int
    is_error: bool
    outcome: Literal["unknown"] | None = None
    content: Any = None
    """What an ACP agent shows of the call beside its result: diffs."""
    parent_id: str | None = None


class OutputDisplay(Event, frozen=True, kw_only=True):
    output: str
    error: str
    comments: str
    result_files: list[str]
    status: str


class TodoUpdate(Event, frozen=True, kw_only=True):
    todos: list[Todo]


class Usage(Event, frozen=True, kw_only=True):
    used: int | None = None
    size: int | None = None
    cost_usd: float | None = None
    detail: Any = None


class AgentRetry(Event, frozen=True, kw_only=True):
    attempt: int
    status: int | None = None
    delay_ms: int
    message: str | None = None


class RateLimit(Event, frozen=True, kw_only=True):
    status: str
    limit_type: str | None = None
    resets_at: str | None = None
    utilization: float | None = None


class Compacted(Event, frozen=True, kw_only=True):
    trigger: str
    tokens_before: int | None = None


class Stalled(Event, frozen=True, kw_only=True):
    """Nothing has happened for a while; `waiting_on` says what should."""

    waiting_on: Literal["model", "tool", "person"]
    idle_ms: int
    tool_name: str | None = None
    tool_id: str | None = None
    detail: str | None = None


class Forked(Event, frozen=True, kw_only=True):
    from_session_id: str
    from_run: int


class Discarded(Event, frozen=True, kw_only=True):
    message: str


class Imported(Event, frozen=True, kw_only=True):
    """All before it was copied from a file; its agent remembers nothing of it here."""

    from_session_id: str
    exported_at: str
    by: str


class Recovered(Event, frozen=True, kw_only=True):
    message: str
    agent_session_id: str | None = None


class AgentUnparsed(Event, frozen=True, kw_only=True):
    text: str


class AgentUpdate(Event, frozen=True, kw_only=True):
    kind: str
    update: Any


class ProfileSwitch(Event, frozen=True, kw_only=True):
    profile_type: str
    profile_name: str
    tools: list[str]


class HookTriggered(Event, frozen=True, kw_only=True):
    hook_event: str
    tool_name: str
    decision: str
    message: str


class ConversationTurn(Event, frozen=True, kw_only=True):
    turn_number: int
    prompt_preview: str
    response_preview: str
    duration_ms: int
    tools_used: list[str]


class SessionDisconnect(Event, frozen=True, kw_only=True):
    session_id: str
    total_turns: int
    total_duration_ms: int


TYPES: dict[str, type[Event]] = {
    "user_message": UserMessage,
    "session_connect": SessionConnect,
    "agent_start": AgentStart,
    "thinking": Thinking,
    "message": Message,
    "tool_start": ToolStart,
    "tool_complete": ToolComplete,
    "output_display": OutputDisplay,
    "todo_update": TodoUpdate,
    "usage": Usage,
    "permission_request": PermissionRequest,
    "permission_resolved": PermissionResolved,
    "question": Question,
    "agent_retry": AgentRetry,
    "rate_limit": RateLimit,
    "compacted": Compacted,
    "stalled": Stalled,
    "forked": Forked,
    "discarded": Discarded,
    "imported": Imported,
    "recovered": Recovered,
    "agent_unparsed": AgentUnparsed,
    "agent_update": AgentUpdate,
    "profile_switch": ProfileSwitch,
    "hook_triggered": HookTriggered,
    "conversation_turn": ConversationTurn,
    "session_disconnect": SessionDisconnect,
    "agent_complete": AgentComplete,
    "error": Error,
    "cancelled": Cancelled,
}
NAMES: dict[type[Event], str] = {kind: name for name, kind in TYPES.items()}
# Not an event: what an agent wants remembered comes the same way, so that it is kept as surely, and goes elsewhere.
TRANSCRIPT = "transcript"
TERMINAL = frozenset({"agent_complete", "error", "cancelled"})

_encode = msgspec.json.Encoder().encode
_decoders = {name: msgspec.json.Decoder(kind) for name, kind in TYPES.items()}


class Recorded(msgspec.Struct, frozen=True, array_like=True):
    """An event with its time, its data encoded for good: what a keeper hands over and a log commits."""

    type: str
    data: bytes
    at_ms: int
    partial: bool = False

    def decode(self) -> Event:
        """The typed value again; raises KeyError, ValueError or RecursionError for what no event type allows."""
        return _decoders[self.type].decode(self.data)


def record(event: Event, at_ms: int) -> Recorded:
    return Recorded(NAMES[type(event)], _encode(event), at_ms, is_partial(event))


def is_partial(event: Event) -> bool:
    return isinstance(event, (Message, Thinking)) and event.is_partial


def envelope(recorded: Recorded, sequence: int) -> bytes:
    """The bytes that are stored and that every client gets."""
    return b'{"type":"%b","data":%b,"timestamp":"%b","sequence":%d}' % (
        recorded.type.encode(),
        recorded.data,
        timestamp(recorded.at_ms).encode(),
        sequence,
    )
