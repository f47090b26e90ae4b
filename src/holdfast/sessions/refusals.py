"""When a session must not be started on, continued, resumed or forked now; asked again under the session's lock."""

from collections.abc import Callable
from typing import Literal

from holdfast.errors import NotFound, NotResumable, ProjectBusy, ProjectPaused, SessionBusy, Unsupported
from holdfast.sessions.session import Session
from holdfast.state import MAY_RESUME

BUSY = "Agent session already running for this project"


def refuse_project(session: Session) -> Callable[[], None]:
    def refuse() -> None:
        if session.is_active:
            raise ProjectBusy(busy(session, BUSY))
        if session.state.status == "paused" and session.state.resumable:
            raise ProjectPaused(busy(session, "The project's session is paused; resume it or discard it"))

    return refuse


def refuse_session(session: Session, *, stays_open: bool = False) -> Callable[[], None]:
    """`stays_open`: in some dialects a session takes prompts until it is closed, however early one was cancelled."""

    def refuse() -> None:
        if session.is_active:
            raise SessionBusy(busy(session, "The session's run has not ended yet"))
        if stays_open and not session.state.is_discarded:
            return
        if session.state.status == "cancelled" and not session.state.resumable:
            why = "was discarded" if session.state.is_discarded else "was cancelled before its agent had started"
            raise NotResumable(f"The session {session.id} {why}; start a new one")

    return refuse


def refuse_resume(session: Session, mode: Literal["continue", "rerun"]) -> Callable[[], None]:
    def refuse() -> None:
        state = session.state
        if session.is_active:
            raise SessionBusy(busy(session, "The session's run has not ended yet"))
        if state.status == "complete":
            raise NotResumable(f"The session {session.id} is complete; give it its next task instead")
        if state.is_discarded:
            raise NotResumable(f"The session {session.id} was discarded; start a new one")
        if mode == "continue" and state.status in MAY_RESUME and not state.resumable:
            raise NotResumable(f"The session {session.id} has nothing to go on with; rerun it or give it a new task")

    return refuse


def refuse_fork(parent: Session, agent: str, through: int) -> None:
    """A fork leaves its parent alone: what is asked once stays true."""
    state = parent.state
    if not 1 <= through <= state.runs:
        raise NotFound(f"The session {parent.id} has no run {through}; it has {state.runs}")
    if through == state.runs and parent.is_active:
        raise SessionBusy(busy(parent, "The session's run has not ended yet"))
    if state.agent_session_id is None or agent != (state.session_agent or agent):
        raise NotResumable(f"The agent of session {parent.id} has never begun to work: there is nothing to fork")
    able = state.capabilities or []
    if "fork" not in able or (through < state.runs and "fork_at" not in able):
        what = "a session" if through == state.runs else "a session at an earlier run"
        raise Unsupported(f"The agent {agent!r} cannot fork {what}")


def busy(session: Session, what: str) -> str:
    return f"{what} (session {session.id}, {session.state.status})"
