"""A session's record, as clients see it: made from its row and its state, and from nothing else."""

from typing import Any

import msgspec

from holdfast.events import StopReason, TerminationInfo, Todo
from holdfast.log.reader import SessionRow
from holdfast.state import ForkedFrom, State, Status
from holdfast.times import timestamp
from holdfast.waiting import WaitingOn


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    session_id: str
    status: Status
    agent: str
    workspace: str
    task: str
    runs: int
    head: int
    created_at: str
    updated_at: str
    project_id: str | None = None
    agent_session_id: str | None = None
    model: str | None = None
    todos: list[Todo] | None = None
    num_turns: int | None = None
    duration_ms: int | None = None
    total_cost_usd: float | None = None
    usage: Any = None
    stop_reason: StopReason | None = None
    agent_stop_reason: str | None = None
    termination_info: TerminationInfo | None = None
    resumable: bool | None = None
    limit: str | None = None
    waiting_on: WaitingOn | None = None
    capabilities: list[str] | None = None
    forked_from: ForkedFrom | None = None


_state = msgspec.json.Decoder(State).decode


def state_of(row: SessionRow) -> State:
    return _state(row.state)


def record_of(row: SessionRow) -> Record:
    state = state_of(row)
    assert state.status is not None
    return Record(
        session_id=row.id,
        status=state.status,
        agent=row.agent,
        workspace=row.workspace,
        task=state.task,
        runs=state.runs,
        head=row.head,
        created_at=timestamp(row.created_ms),
        updated_at=timestamp(row.updated_ms),
        project_id=row.project_id,
        agent_session_id=state.agent_session_id,
        model=state.model,
        todos=state.todos,
        num_turns=state.num_turns,
        duration_ms=state.duration_ms,
        total_cost_usd=state.total_cost_usd,
        usage=state.usage,
        stop_reason=state.stop_reason,
        agent_stop_reason=state.agent_stop_reason,
        termination_info=state.termination_info,
        resumable=state.resumable,
        limit=state.limit,
        waiting_on=state.waiting_on,
        capabilities=state.capabilities,
        forked_from=state.forked_from,
    )
