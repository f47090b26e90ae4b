"""What the tools answer about sessions, requests and agents: the parts of a record that an agent can use; pure."""

from typing import Any

from holdfast.client import AgentInfo, Record, Waiting
from holdfast.events import PermissionOption, PermissionRequest, QuestionItem, Todo
from holdfast.mcp.entries import first, plain, stderr_of
from holdfast.mcp.tool import Result

_TASK_CHARACTERS = 300
_INPUT_CHARACTERS = 2_000
_STDERR_CHARACTERS = 3_000
_MODELS = 20


class RunEnd(Result, frozen=True, kw_only=True):
    """Why and how the last run ended; stop_reason is "success" if the agent has answered."""

    stop_reason: str
    reason: str | None = None
    terminated_by: str | None = None
    message: str | None = None
    exit_code: int | None = None
    signal: str | None = None
    stderr: str | None = None
    limit: str | None = None
    resumable: bool | None = None
    num_turns: int | None = None
    duration_ms: int | None = None
    total_cost_usd: float | None = None


class OnWhat(Result, frozen=True, kw_only=True):
    """What a run needs to go on: its start, the model, a tool or a person."""

    kind: str
    since: str
    tool_name: str | None = None
    detail: str | None = None
    stalled: bool = False


class Request(Result, frozen=True, kw_only=True):
    """What an agent asks, and waits for; the tool `answer` answers it."""

    session_id: str
    request_id: str
    type: str
    """permission_request is answered by a decision, question by answers (item id: value), or denied."""
    asked_at: str
    expires_at: str
    text: str
    agent: str
    task: str
    tool_name: str | None = None
    tool_input: str | None = None
    reason: str | None = None
    rule: str | None = None
    """What allow_session and allow_project would allow from then on."""
    options: tuple[PermissionOption, ...] = ()
    questions: tuple[QuestionItem, ...] = ()


class SessionLine(Result, frozen=True, kw_only=True):
    """A session in a list."""

    session_id: str
    status: str
    agent: str
    task: str
    updated_at: str
    runs: int
    project_id: str | None = None
    stop_reason: str | None = None


class SessionShown(SessionLine, frozen=True, kw_only=True):
    """A session as it stands."""

    workspace: str
    created_at: str
    head: int
    """The last sequence of its log; watch_session(after=head) waits for what comes."""
    model: str | None = None
    waiting_on: OnWhat | None = None
    todos: tuple[Todo, ...] = ()
    end: RunEnd | None = None
    forked_from: str | None = None


class AgentLine(Result, frozen=True, kw_only=True):
    name: str
    title: str
    installed: bool
    default: bool
    version: str | None = None
    install: str | None = None
    login: str | None = None
    error: str | None = None
    models: tuple[str, ...] = ()


def line_of(record: Record) -> SessionLine:
    return SessionLine(**_line(record))


def shown(record: Record) -> SessionShown:
    return SessionShown(
        **_line(record),
        workspace=record.workspace,
        created_at=record.created_at,
        head=record.head,
        model=record.model,
        waiting_on=on_what(record),
        todos=tuple(record.todos or ()),
        end=end_of(record),
        forked_from=None if record.forked_from is None else record.forked_from.session_id,
    )


def _line(record: Record) -> dict[str, Any]:
    return {
        "session_id": record.session_id,
        "status": record.status,
        "agent": record.agent,
        "task": first(record.task, _TASK_CHARACTERS),
        "updated_at": record.updated_at,
        "runs": record.runs,
        "project_id": record.project_id,
        "stop_reason": None if record.is_active else record.stop_reason,
    }


def on_what(record: Record) -> OnWhat | None:
    waits = record.waiting_on
    if waits is None:
        return None
    return OnWhat(
        kind=waits.kind, since=waits.since, tool_name=waits.tool_name, detail=waits.detail, stalled=waits.stalled
    )


def end_of(record: Record) -> RunEnd | None:
    """None while a run is under way."""
    info = record.termination_info
    if record.is_active or record.stop_reason is None:
        return None
    stderr = "" if info is None else stderr_of(info)
    if len(stderr) > _STDERR_CHARACTERS:
        # What went wrong is told last.
        stderr = f"[…; read_session has all]\n{stderr[-_STDERR_CHARACTERS:]}"
    return RunEnd(
        stop_reason=record.stop_reason,
        reason=None if info is None else info.reason,
        terminated_by=None if info is None else info.terminated_by,
        message=None if info is None else info.message,
        exit_code=None if info is None else info.exit_code,
        signal=None if info is None else info.signal,
        stderr=stderr or None,
        limit=record.limit,
        resumable=record.resumable,
        num_turns=record.num_turns,
        duration_ms=record.duration_ms,
        total_cost_usd=record.total_cost_usd,
    )


def request_of(waiting: Waiting) -> Request:
    asked = waiting.request
    common: dict[str, Any] = {
        "session_id": waiting.session_id,
        "request_id": asked.request_id,
        "type": waiting.type,
        "asked_at": waiting.asked_at,
        "expires_at": asked.expires_at,
        "agent": waiting.agent,
        "task": first(waiting.task, _TASK_CHARACTERS),
    }
    if not isinstance(asked, PermissionRequest):
        return Request(**common, text=asked.text, questions=tuple(asked.questions))
    return Request(
        **common,
        text=asked.title or asked.tool_name,
        tool_name=asked.tool_name,
        tool_input=_input(plain(asked.tool_input)),
        reason=asked.reason,
        rule=asked.rule,
        options=tuple(asked.options),
    )


def _input(text: str) -> str:
    # Who allows a call must know that there is more of it: what matters may stand at its end.
    if len(text) <= _INPUT_CHARACTERS:
        return text
    return f"{text[:_INPUT_CHARACTERS]}… [CUT: {len(text)} characters; read_session with max_chars=100000 shows all]"


def agent_line(agent: AgentInfo) -> AgentLine:
    return AgentLine(
        name=agent.name,
        title=agent.title,
        installed=agent.installed,
        default=agent.default,
        version=agent.version,
        install=None if agent.installed else agent.install,
        login=agent.login,
        error=agent.error,
        models=tuple(model.id for model in agent.models[:_MODELS]),
    )
