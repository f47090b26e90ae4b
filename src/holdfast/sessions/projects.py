"""A project as its session shows it: there is one session for each."""

import msgspec

from holdfast.log.reader import SessionRow
from holdfast.sessions.record import state_of
from holdfast.state import Status
from holdfast.times import timestamp


class Project(msgspec.Struct, frozen=True, kw_only=True):
    project_id: str
    session_id: str
    status: Status
    agent: str
    workspace: str
    task: str
    runs: int
    created_at: str
    updated_at: str


def project_of_row(row: SessionRow) -> Project:
    state = state_of(row)
    assert row.project_id is not None
    assert state.status is not None
    return Project(
        project_id=row.project_id,
        session_id=row.id,
        status=state.status,
        agent=row.agent,
        workspace=row.workspace,
        task=state.task,
        runs=state.runs,
        created_at=timestamp(row.created_ms),
        updated_at=timestamp(row.updated_ms),
    )
