"""The tools that change nothing: what sessions, requests and agents there are, and what happened in a session."""

import asyncio
from typing import Annotated, Literal

from msgspec import Meta

from holdfast.client import Session
from holdfast.mcp.call import Call
from holdfast.mcp.entries import Entry, Kind, Widths
from holdfast.mcp.gathering import Gathering
from holdfast.mcp.shapes import (
    AgentLine,
    Request,
    SessionLine,
    SessionShown,
    agent_line,
    line_of,
    request_of,
    shown,
)
from holdfast.mcp.tool import Arguments, Result, Tool

SessionId = Annotated[str, Meta(min_length=1, description="the session's id")]
After = Annotated[int, Meta(ge=0, description="a position in the log: what comes after this sequence; 0 is the start")]
Status = Literal["pending", "running", "waiting", "complete", "failed", "cancelled", "paused", "interrupted"]

_PAGE = 200
_SILENT: frozenset[Kind] = frozenset({"thinking"})
_KINDS: frozenset[Kind] = frozenset(Kind.__args__)
_LISTED = 50


class ListSessions(Arguments, frozen=True, kw_only=True):
    status: Annotated[list[Status] | None, Meta(description="only those in one of these states")] = None
    agent: str | None = None
    project_id: str | None = None
    q: Annotated[str | None, Meta(description="words that occur in the task, workspace, project or id")] = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    before: Annotated[str | None, Meta(description="`next` of the page before")] = None


class SessionList(Result, frozen=True, kw_only=True):
    sessions: list[SessionLine]
    next: str | None = None
    """For `before`, if there are more."""


async def list_sessions(call: Call, given: ListSessions) -> SessionList:
    page = await call.holdfast.sessions(
        status=given.status,
        agent=given.agent,
        project_id=given.project_id,
        q=given.q,
        limit=given.limit,
        before=given.before,
    )
    return SessionList(sessions=[line_of(record) for record in page.sessions], next=page.next)


class OneSession(Arguments, frozen=True, kw_only=True):
    session_id: SessionId


async def show_session(call: Call, given: OneSession) -> SessionShown:
    return shown(await call.session(given.session_id).record())


class ReadSession(Arguments, frozen=True, kw_only=True):
    session_id: SessionId
    after: After = 0
    limit: Annotated[int, Meta(ge=1, le=200, description="how many entries at most")] = 50
    max_chars: Annotated[int, Meta(ge=1, le=100_000, description="of each text; longer ones are cut")] = 1_000
    thinking: Annotated[bool, Meta(description="with what the agent thought")] = False


class SessionRead(Result, frozen=True, kw_only=True):
    entries: list[Entry]
    head: int
    """The last sequence of the log."""
    next_after: int | None = None
    """For `after`, if there is more."""


async def read_session(call: Call, given: ReadSession) -> SessionRead:
    widths = Widths(texts=given.max_chars, tasks=given.max_chars, tools=given.max_chars)
    kinds = _KINDS if given.thinking else _KINDS - _SILENT
    gathering = Gathering(given.after, widths, kinds, most=given.limit)
    head = await take_history(call.session(given.session_id), gathering)
    return SessionRead(
        entries=gathering.entries, head=head, next_after=gathering.position if gathering.is_full else None
    )


async def take_history(session: Session, gathering: Gathering) -> int:
    """What stands in the log behind the gathering's position; answers where the log's end was."""
    while True:
        page = await session.history(gathering.position, _PAGE)
        gathering.take(page.events)
        if gathering.is_full or page.next_after is None:
            return page.head


class Nothing(Arguments, frozen=True, kw_only=True):
    """No arguments."""


class WaitingList(Result, frozen=True, kw_only=True):
    requests: list[Request]
    left_out: int = 0
    """How many there are beside these."""


async def list_waiting(call: Call, _: Nothing) -> WaitingList:
    waiting = await call.holdfast.permissions()
    return WaitingList(
        requests=[request_of(entry) for entry in waiting[:_LISTED]], left_out=max(0, len(waiting) - _LISTED)
    )


class AgentList(Result, frozen=True, kw_only=True):
    agents: list[AgentLine]
    profiles: list[str]
    """The permission profiles there are; the first is the default."""


async def list_agents(call: Call, _: Nothing) -> AgentList:
    agents, profiles = await asyncio.gather(call.holdfast.agents(), call.holdfast.profiles())
    names = [profile.name for profile in sorted(profiles, key=lambda profile: not profile.default)]
    return AgentList(agents=[agent_line(agent) for agent in agents], profiles=names)


LIST_SESSIONS = Tool(
    name="list_sessions",
    title="List sessions",
    description="The sessions there are, newest first: their state, agent and task.",
    arguments=ListSessions,
    result=SessionList,
    run=list_sessions,
    reads=True,
)
SHOW_SESSION = Tool(
    name="show_session",
    title="Show a session",
    description="A session as it stands: state, task, workspace, todos, what it waits for, and why its run ended.",
    arguments=OneSession,
    result=SessionShown,
    run=show_session,
    reads=True,
)
READ_SESSION = Tool(
    name="read_session",
    title="Read a session's log",
    description=(
        "What happened in a session, in order: tasks, messages, tool calls, requests, ends. Long texts are cut to "
        "max_chars; go on with after=next_after while there is one. To wait for news, use watch_session."
    ),
    arguments=ReadSession,
    result=SessionRead,
    run=read_session,
    reads=True,
)
LIST_WAITING = Tool(
    name="list_waiting",
    title="List open requests",
    description="Permission requests and questions of agents that wait for an answer, over all sessions, oldest first.",
    arguments=Nothing,
    result=WaitingList,
    run=list_waiting,
    reads=True,
)
LIST_AGENTS = Tool(
    name="list_agents",
    title="List agents",
    description="The agents that a session can be started with, which of them are installed, and the profiles.",
    arguments=Nothing,
    result=AgentList,
    run=list_agents,
    reads=True,
)
