"""The life cycle of a session: one table, and the fold of a log into a session's state.

Rule 1: everything about which event may follow which is in this file.
Rule 2: an event that `advance` refuses changes nothing and never reaches the log.
Rule 3: the state is a function of the log alone; the store's copy of it is a cache.
"""

from typing import Any, Literal, get_args

import msgspec

from holdfast import events
from holdfast.errors import EventRefused
from holdfast.events import Event, Recorded, StopReason, TerminationInfo, Todo
from holdfast.times import timestamp
from holdfast.waiting import OpenRequest, OpenTool, WaitingOn, detail_of

Status = Literal["pending", "running", "waiting", "complete", "failed", "cancelled", "paused", "interrupted"]
STATUSES: tuple[Status, ...] = get_args(Status)
ACTIVE: frozenset[Status] = frozenset({"pending", "running", "waiting"})
OVER: frozenset[Status] = frozenset(STATUSES) - ACTIVE
# Only these ends leave something that a user would want to take up again.
MAY_RESUME: frozenset[Status] = frozenset({"cancelled", "paused", "interrupted"})

_WORK = frozenset(events.TYPES) - events.TERMINAL - {"user_message", "session_connect", "discarded", "imported"}
_ASKS = frozenset({"permission_request", "question"})

# (status, event type) -> the status after it. "end" stands for what the stop reason says (END below).
TRANSITIONS: dict[tuple[Status | None, str], Status | Literal["end"]] = {
    **{(before, "user_message"): "pending" for before in (None, *sorted(OVER))},
    ("pending", "session_connect"): "running",
    # What a user does not want to take up again no longer stands in the way of a new start.
    **{(before, "discarded"): "cancelled" for before in ("interrupted", "paused")},
    **{(before, "imported"): before for before in sorted(OVER)},
    **{("running", kind): "running" for kind in sorted(_WORK - _ASKS)},
    **{("waiting", kind): "waiting" for kind in sorted(_WORK)},
    **{("running", kind): "waiting" for kind in sorted(_ASKS)},
    **{(before, kind): "end" for before in sorted(ACTIVE) for kind in sorted(events.TERMINAL)},
}

END: dict[StopReason, Status] = {
    "success": "complete",
    "cancelled": "cancelled",
    "paused": "paused",
    "interrupted": "interrupted",
    **{
        reason: "failed"
        for reason in get_args(StopReason)
        if reason not in ("success", "cancelled", "paused", "interrupted")
    },
}


class ForkedFrom(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    run: int


def decoded(recorded: Recorded) -> Event:
    """The typed value of an event; raises EventRefused if it is none."""
    try:
        return recorded.decode()
    except (KeyError, ValueError, RecursionError) as reason:
        raise EventRefused(f"{recorded.type!r} is no event of this protocol: {reason}") from reason


class State(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a session's events say, so far."""

    head: int = 0
    runs: int = 0
    status: Status | None = None
    task: str = ""
    agent_started: bool = False
    connected: bool = False
    agent_session_id: str | None = None
    # Whose session that is: a run may have been given to another agent, which did not get as far as to have its own.
    session_agent: str | None = None
    # The permission profile that was switched to last.
    profile: str | None = None
    # What the agent had was discarded, and nothing has been begun since.
    forgotten: bool = False
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
    run_began_ms: int = 0
    open_tools: dict[str, OpenTool] = {}
    open_requests: dict[str, OpenRequest] = {}
    # When something last happened, and whether the run has been called stalled since.
    last_ms: int = 0
    stalled: bool = False
    limit: str | None = None
    capabilities: list[str] | None = None
    # What a person has allowed for the rest of the session, as rules.
    granted: list[str] = []
    forked_from: ForkedFrom | None = None
    # Where each text that has partials but no final yet began: (kind, parent) -> sequence.
    open_texts: dict[str, int] = {}

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE

    @property
    def is_discarded(self) -> bool:
        """Its last run ended otherwise; that it counts as cancelled is somebody's later word."""
        return self.status == "cancelled" and self.stop_reason != "cancelled"

    @property
    def settled(self) -> int:
        """All partials up to here have their final in the log."""
        return min(self.open_texts.values()) - 1 if self.open_texts else self.head

    def advance(self, recorded: Recorded) -> Event:
        """Takes one event in and answers it decoded, or raises EventRefused and changes nothing."""
        event = decoded(recorded)
        after = TRANSITIONS.get((self.status, recorded.type))
        if after is None:
            raise EventRefused(f"{recorded.type} cannot come while the session is {self.status or 'new'}")
        self._refuse(event)
        self.head += 1
        self.status = END[event.stop_reason] if isinstance(event, events.End) else after  # pyright: ignore[reportAttributeAccessIssue]
        self._take(event, recorded)
        return event

    def _refuse(self, event: Event) -> None:
        match event:
            case events.AgentStart() if self.agent_started:
                raise EventRefused("agent_start came twice in one run")
            case events.ToolStart() if event.tool_id in self.open_tools:
                raise EventRefused(f"tool_start for {event.tool_id!r}, which is still running")
            case events.ToolComplete() if event.tool_id not in self.open_tools:
                raise EventRefused(f"tool_complete for {event.tool_id!r}, which was not started")
            case events.PermissionRequest() | events.Question() if event.request_id in self.open_requests:
                raise EventRefused(f"request {event.request_id!r} was made before")
            case events.PermissionResolved() if event.request_id not in self.open_requests:
                raise EventRefused(f"request {event.request_id!r} is not open")
            case events.End() if self.open_tools or self.open_requests or self.open_texts:
                raise EventRefused("the run's tools, requests and texts must be closed before its end")
            case _:
                pass

    def _take(self, event: Event, recorded: Recorded) -> None:
        at_ms = recorded.at_ms
        if isinstance(event, events.Stalled):
            self.stalled = True
        else:
            self.last_ms, self.stalled = at_ms, False
        match event:
            case events.Message() | events.Thinking():
                key = f"{events.NAMES[type(event)]} {event.parent_id or ''}"
                if event.is_partial:
                    self.open_texts.setdefault(key, self.head)
                else:
                    self.open_texts.pop(key, None)
            case events.ToolStart():
                detail = detail_of(event.tool_input) or event.title
                self.open_tools[event.tool_id] = OpenTool(event.tool_name, at_ms, detail, event.parent_id)
            case events.ToolComplete():
                del self.open_tools[event.tool_id]
            case events.TodoUpdate():
                self.todos = event.todos
            case events.PermissionRequest() | events.Question():
                kind: Any = recorded.type
                self.open_requests[event.request_id] = OpenRequest(
                    type=kind, data=msgspec.Raw(recorded.data), at_ms=at_ms
                )
            case events.PermissionResolved():
                del self.open_requests[event.request_id]
                if event.rule is not None and event.rule not in self.granted:
                    self.granted.append(event.rule)
                if not self.open_requests:
                    self.status = "running"
            case events.ProfileSwitch():
                self.profile = event.profile_name
            case events.Forked():
                self.forked_from = ForkedFrom(session_id=event.from_session_id, run=event.from_run)
            case events.Discarded():
                self.resumable, self.agent_session_id, self.todos, self.forgotten = False, None, None, True
            case events.Imported():
                self.agent_session_id, self.forgotten = None, True
            case events.SessionConnect():
                self.connected = True
            case events.SessionDisconnect():
                self.connected = False
            case events.AgentStart():
                self.agent_started = True
                self.session_agent, self.forgotten = event.agent, False
                self.model = event.model or self.model
                self.agent_session_id = event.agent_session_id or self.agent_session_id
                self.capabilities = event.capabilities
            case events.UserMessage():
                # To go on is no task of its own: what is to be done is what was.
                self._begin(self.task if event.resume == "continue" else event.text, at_ms)
            case events.End():
                self._end(event)
            case _:
                pass

    def _begin(self, task: str, at_ms: int) -> None:
        self.runs += 1
        self.task = task
        self.run_began_ms = at_ms
        self.agent_started = self.connected = False
        self.num_turns = self.duration_ms = None
        self.total_cost_usd = self.usage = None
        self.stop_reason = self.agent_stop_reason = self.termination_info = self.resumable = self.limit = None

    def _end(self, event: events.End) -> None:
        self.stop_reason = event.stop_reason
        self.agent_stop_reason = event.agent_stop_reason
        self.termination_info = event.termination_info
        self.agent_session_id = event.agent_session_id or self.agent_session_id
        self.num_turns = event.num_turns
        self.duration_ms = event.duration_ms
        self.total_cost_usd = event.total_cost_usd
        self.usage = event.usage
        self.model = event.model or self.model
        self.limit = event.limit
        self.resumable = self.agent_started if self.status in MAY_RESUME else None

    @property
    def waiting_on(self) -> WaitingOn | None:
        """What the run needs to go on; None if there is none under way."""
        if not self.is_active:
            return None
        if self.open_requests:
            since = min(request.at_ms for request in self.open_requests.values())
            return WaitingOn(kind="person", since=timestamp(since), stalled=self.stalled)
        if self.open_tools:
            tool_id, tool = max(self.open_tools.items(), key=lambda item: item[1].at_ms)
            return WaitingOn(
                kind="tool",
                since=timestamp(tool.at_ms),
                tool_name=tool.name,
                tool_id=tool_id,
                detail=tool.detail,
                stalled=self.stalled,
            )
        kind = "model" if self.agent_started else "start"
        return WaitingOn(kind=kind, since=timestamp(self.last_ms), stalled=self.stalled)

    def closing(self, at_ms: int, *, session_id: str) -> list[Event]:
        """What must come before a terminal event: nothing of a run stays open behind its end."""
        closing: list[Event] = [
            events.ToolComplete(
                tool_name=tool.name,
                tool_id=tool_id,
                result="The run ended before this tool reported a result.",
                duration_ms=max(0, at_ms - tool.at_ms),
                is_error=True,
                outcome="unknown",
                parent_id=tool.parent_id,
            )
            for tool_id, tool in self.open_tools.items()
        ]
        closing += [
            events.PermissionResolved(request_id=request_id, decision="cancelled", by="daemon")
            for request_id in self.open_requests
        ]
        if self.connected:
            closing.append(
                events.SessionDisconnect(
                    session_id=session_id,
                    total_turns=self.runs,
                    total_duration_ms=max(0, at_ms - self.run_began_ms),
                )
            )
        return closing
