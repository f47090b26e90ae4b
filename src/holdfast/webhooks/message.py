"""What a webhook is told: which events are worth a message, and the message's body; pure."""

from typing import Any, Literal, get_args

import msgspec

from holdfast.events import StopReason, TerminationInfo
from holdfast.log.outbox import Candidate, Draft
from holdfast.state import END, Status

Kind = Literal["run.ended", "permission.requested", "question.asked", "run.stalled"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TEST = "webhook.test"

# Event type -> what it is called here.
TOLD: dict[str, Kind] = {
    "agent_complete": "run.ended",
    "error": "run.ended",
    "cancelled": "run.ended",
    "permission_request": "permission.requested",
    "question": "question.asked",
    "stalled": "run.stalled",
}

# A task may have a million characters; who wants all of it asks for the session.
TASK_CHARACTERS = 1_000


class Data(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    session_id: str
    agent: str
    task: str
    run: int
    sequence: int
    status: Status
    """As it was after the event; the session may be further by now."""
    event: msgspec.Raw
    project_id: str | None = None
    stop_reason: StopReason | None = None
    termination_info: TerminationInfo | None = None
    request_id: str | None = None
    url: str | None = None
    """Where a person can look at the session."""


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    type: str
    timestamp: str
    data: Any


class _EventData(msgspec.Struct):
    stop_reason: StopReason | None = None
    termination_info: TerminationInfo | None = None
    request_id: str | None = None
    waiting_on: str | None = None


class _Envelope(msgspec.Struct):
    type: str
    timestamp: str
    data: _EventData


_envelope = msgspec.json.Decoder(_Envelope).decode


def draft(candidate: Candidate, public_url: str | None) -> Draft:
    """What is to be told of an event."""
    envelope = _envelope(candidate.body)
    kind = TOLD[envelope.type]
    data = Data(
        session_id=candidate.session_id,
        agent=candidate.agent,
        task=_shortened(candidate.task),
        run=candidate.run,
        sequence=candidate.sequence,
        status=_status(kind, envelope.data),
        event=msgspec.Raw(candidate.body),
        project_id=candidate.project_id,
        stop_reason=envelope.data.stop_reason,
        termination_info=envelope.data.termination_info,
        request_id=envelope.data.request_id,
        url=None if public_url is None else f"{public_url}/sessions/{candidate.session_id}",
    )
    return Draft(
        position=candidate.position,
        session_key=candidate.session_key,
        session_id=candidate.session_id,
        sequence=candidate.sequence,
        user_id=candidate.user_id,
        project_id=candidate.project_id,
        type=kind,
        body=body(kind, envelope.timestamp, data),
    )


def body(kind: str, timestamp: str, data: Any) -> bytes:
    return msgspec.json.encode(_Message(type=kind, timestamp=timestamp, data=data))


def _status(kind: Kind, data: _EventData) -> Status:
    if kind == "run.ended":
        assert data.stop_reason is not None
        return END[data.stop_reason]
    is_stalled_elsewhere = kind == "run.stalled" and data.waiting_on != "person"
    return "running" if is_stalled_elsewhere else "waiting"


def _shortened(task: str) -> str:
    return task if len(task) <= TASK_CHARACTERS else task[: TASK_CHARACTERS - 1] + "…"
