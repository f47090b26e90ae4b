"""The events of a log as a client gets them: typed by what they carry, and as the bytes that the server sent.

Rule 1: `type` says which `data` an event has; type checkers narrow the one by the other.
Rule 2: a newer server may send more. A type that is not known here, and data that do not fit their type, come as a
plain dict; a field that is not known is left out of `data`. `raw` always has everything, and `plain()` decodes it.
"""

from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import msgspec

from holdfast import events as kinds
from holdfast.events import TERMINAL, TYPES

T = TypeVar("T", bound=str)
D = TypeVar("D")


class Envelope(msgspec.Struct, Generic[T, D], frozen=True, kw_only=True):
    """One event: what happened (`data`), when, and where it stands."""

    type: T
    data: D
    timestamp: str
    sequence: int
    """Its place in its session's log."""
    session_id: str
    position: int
    """Its place in the stream that it came from, for `after`: of a session's stream, its sequence."""
    raw: bytes
    """The envelope as it came: JSON in one line."""

    @property
    def is_terminal(self) -> bool:
        """Whether it ends its run."""
        return self.type in TERMINAL

    def plain(self) -> dict[str, Any]:
        """The data as the server sent them, with what this client does not know."""
        return msgspec.json.decode(self.raw)["data"]


if TYPE_CHECKING:
    Event = (
        Envelope[Literal["user_message"], kinds.UserMessage]
        | Envelope[Literal["session_connect"], kinds.SessionConnect]
        | Envelope[Literal["agent_start"], kinds.AgentStart]
        | Envelope[Literal["thinking"], kinds.Thinking]
        | Envelope[Literal["message"], kinds.Message]
        | Envelope[Literal["tool_start"], kinds.ToolStart]
        | Envelope[Literal["tool_complete"], kinds.ToolComplete]
        | Envelope[Literal["output_display"], kinds.OutputDisplay]
        | Envelope[Literal["todo_update"], kinds.TodoUpdate]
        | Envelope[Literal["usage"], kinds.Usage]
        | Envelope[Literal["permission_request"], kinds.PermissionRequest]
        | Envelope[Literal["permission_resolved"], kinds.PermissionResolved]
        | Envelope[Literal["question"], kinds.Question]
        | Envelope[Literal["agent_retry"], kinds.AgentRetry]
        | Envelope[Literal["rate_limit"], kinds.RateLimit]
        | Envelope[Literal["compacted"], kinds.Compacted]
        | Envelope[Literal["stalled"], kinds.Stalled]
        | Envelope[Literal["forked"], kinds.Forked]
        | Envelope[Literal["discarded"], kinds.Discarded]
        | Envelope[Literal["imported"], kinds.Imported]
        | Envelope[Literal["recovered"], kinds.Recovered]
        | Envelope[Literal["agent_unparsed"], kinds.AgentUnparsed]
        | Envelope[Literal["agent_update"], kinds.AgentUpdate]
        | Envelope[Literal["profile_switch"], kinds.ProfileSwitch]
        | Envelope[Literal["hook_triggered"], kinds.HookTriggered]
        | Envelope[Literal["conversation_turn"], kinds.ConversationTurn]
        | Envelope[Literal["session_disconnect"], kinds.SessionDisconnect]
        | Envelope[Literal["agent_complete"], kinds.AgentComplete]
        | Envelope[Literal["error"], kinds.Error]
        | Envelope[Literal["cancelled"], kinds.Cancelled]
    )
else:
    Event = Envelope


class _Wire(msgspec.Struct, frozen=True):
    type: str
    data: msgspec.Raw
    timestamp: str
    sequence: int
    session_id: str | None = None


_wire = msgspec.json.Decoder(_Wire).decode
_any = msgspec.json.Decoder(dict[str, Any]).decode
_data = {name: msgspec.json.Decoder(kind).decode for name, kind in TYPES.items()}


def event_of(raw: bytes, session_id: str | None, position: int | None) -> Event:
    """Decodes an envelope; raises ValueError or RecursionError if it is none.

    The combined stream's envelopes name their session themselves, and its frames their position.
    """
    wire = _wire(raw)
    session_id = wire.session_id or session_id
    if session_id is None:
        raise ValueError("the envelope names no session")
    envelope: Any = Envelope(
        type=wire.type,
        data=_data_of(wire),
        timestamp=wire.timestamp,
        sequence=wire.sequence,
        session_id=session_id,
        position=wire.sequence if position is None else position,
        raw=raw,
    )
    return envelope


def _data_of(wire: _Wire) -> Any:
    decode = _data.get(wire.type)
    if decode is not None:
        try:
            return decode(wire.data)
        except msgspec.ValidationError:
            pass  # a newer server's: it says more, or in other words, than this client knows
    return _any(wire.data)


class End(msgspec.Struct, frozen=True, kw_only=True):
    """Why and how a run ended: what its terminal event says, and where that stands in the log."""

    type: str
    sequence: int
    timestamp: str
    stop_reason: str
    """One of holdfast.events.StopReason, or one of a newer server."""
    termination_info: kinds.TerminationInfo
    message: str | None = None
    agent_stop_reason: str | None = None
    agent_session_id: str | None = None
    synthetic: bool = False
    num_turns: int | None = None
    duration_ms: int | None = None
    total_cost_usd: float | None = None
    usage: Any = None
    model: str | None = None
    limit: str | None = None
    api_status: int | None = None
    agent_position: str | None = None
    status: str | None = None
    error_type: str | None = None
    reason: str | None = None
    resumable: bool | None = None

    @property
    def is_success(self) -> bool:
        return self.stop_reason == "success"


def end_of(event: Event) -> End:
    """Raises msgspec.ValidationError if the event is no end."""
    place = {"type": event.type, "sequence": event.sequence, "timestamp": event.timestamp}
    return msgspec.convert({**event.plain(), **place}, End)
