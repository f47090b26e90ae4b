"""What a server answers, as typed values.

Rule 1: a field that this client does not know is passed over, and words that may become more are plain strings, so that
a newer server's answers can be read.
Rule 2: what is not set is absent on the wire, and None here.
"""

from typing import Any

import msgspec

from holdfast.client.events import Event
from holdfast.events import PermissionRequest, Question, TerminationInfo, Todo
from holdfast.state import ACTIVE


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What all answers have in common."""


class WaitingOn(Answer, frozen=True, kw_only=True):
    """What a run needs to go on."""

    kind: str
    since: str
    tool_name: str | None = None
    tool_id: str | None = None
    detail: str | None = None
    stalled: bool = False


class ForkedFrom(Answer, frozen=True, kw_only=True):
    session_id: str
    run: int


class Record(Answer, frozen=True, kw_only=True):
    """A session as it stands."""

    session_id: str
    status: str
    """One of holdfast.state.Status, or one of a newer server."""
    agent: str
    workspace: str
    task: str
    """Of the last run."""
    runs: int
    head: int
    """The last sequence."""
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
    stop_reason: str | None = None
    agent_stop_reason: str | None = None
    termination_info: TerminationInfo | None = None
    resumable: bool | None = None
    limit: str | None = None
    waiting_on: WaitingOn | None = None
    capabilities: list[str] | None = None
    forked_from: ForkedFrom | None = None

    @property
    def is_active(self) -> bool:
        """Whether a run is under way."""
        return self.status in ACTIVE


class Started(Answer, frozen=True, kw_only=True):
    session_id: str
    status: str


class SessionPage(Answer, frozen=True, kw_only=True):
    """Some sessions, newest first."""

    sessions: list[Record]
    position: int
    """Where the combined stream stands."""
    next: str | None = None
    """For `before`, if there are more."""


class History(Answer, frozen=True, kw_only=True):
    """Some events, without partials."""

    events: list[Event]
    head: int
    """Live events go on after it."""
    next_after: int | None = None
    """For `after`, if there are more."""


class Waiting(Answer, frozen=True, kw_only=True):
    """A request that waits for a person, with where it comes from."""

    session_id: str
    type: str
    asked_at: str
    request: PermissionRequest | Question
    agent: str
    workspace: str
    task: str
    project_id: str | None = None


class AgentCapabilities(Answer, frozen=True, kw_only=True):
    load: bool = False
    resume: bool = False
    fork: bool = False
    list: bool = False
    images: bool = False
    audio: bool = False
    embedded_context: bool = False
    mcp_http: bool = False
    mcp_sse: bool = False


class AuthMethod(Answer, frozen=True, kw_only=True):
    id: str
    name: str
    description: str | None = None
    type: str | None = None


class AgentModel(Answer, frozen=True, kw_only=True):
    id: str
    name: str | None = None
    description: str | None = None


class AgentAccount(Answer, frozen=True, kw_only=True):
    """Whose account an agent uses, and where it found the credential; never the credential."""

    email: str | None = None
    organization: str | None = None
    subscription_type: str | None = None
    token_source: str | None = None
    api_key_source: str | None = None
    api_provider: str | None = None


class AgentInfo(Answer, frozen=True, kw_only=True):
    name: str
    title: str
    kind: str
    installed: bool
    configured: bool
    default: bool
    command: list[str]
    version: str | None = None
    login: str | None = None
    install: str | None = None
    checked_at: str | None = None
    error: str | None = None
    capabilities: AgentCapabilities | None = None
    auth_methods: list[AuthMethod] = []
    models: list[AgentModel] = []
    account: AgentAccount | None = None


class AuthStatus(Answer, frozen=True, kw_only=True):
    state: str
    message: str
    checked_at: str | None = None
    account: AgentAccount | None = None


class Health(Answer, frozen=True, kw_only=True):
    """Without a credential it has no more than status and version."""

    status: str
    version: str
    uptime_s: float | None = None
    store: str | None = None
    agents: list[str] | None = None
    sessions: dict[str, int] | None = None
    streams: int | None = None
    warm_sessions: int | None = None
    agent_auth: AuthStatus | None = None


class ProfileInfo(Answer, frozen=True, kw_only=True):
    name: str
    description: str
    default: bool
    configured: bool
    allow: list[str]
    ask: list[str]
    deny: list[str]
    questions: str
    fallback: str


class Project(Answer, frozen=True, kw_only=True):
    project_id: str
    session_id: str
    status: str
    agent: str
    workspace: str
    task: str
    runs: int
    created_at: str
    updated_at: str


class FolderList(Answer, frozen=True, kw_only=True):
    path: str
    folders: list[str]
    truncated: bool
    parent: str | None = None


class ChangedFile(Answer, frozen=True, kw_only=True):
    path: str
    """Below the workspace."""
    size: int
    modified_at: str


class FileList(Answer, frozen=True, kw_only=True):
    files: list[ChangedFile]
    truncated: bool


class FileText(Answer, frozen=True, kw_only=True):
    """The beginning of a file; `truncated` if there is more of it."""

    text: str
    truncated: bool


class Me(Answer, frozen=True, kw_only=True):
    user: str


class UsageSum(Answer, frozen=True, kw_only=True):
    """Runs added up; `runs_without_cost` are those whose agents did not tell theirs."""

    name: str
    runs: int
    num_turns: int
    duration_ms: int
    total_cost_usd: float
    runs_without_cost: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int


class UsageReport(Answer, frozen=True, kw_only=True):
    since: str
    until: str
    total: UsageSum
    parts: list[UsageSum]
    """As asked for by `by`; none without it."""
