"""A Holdfast server: its sessions, its agents, and the stream of all that happens."""

import os
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, Unpack
from urllib.parse import quote

import msgspec

from holdfast.client.address import locate
from holdfast.client.api import CHECK_TIMEOUT_S, TIMEOUT_S, Api, Query
from holdfast.client.errors import refused
from holdfast.client.follow import QUIET_S, Follow, Listeners, StreamInfo, StreamState
from holdfast.client.orders import GivenAttachment, RunConfig, attached, body_of
from holdfast.client.place import CombinedPlace, Notice
from holdfast.client.records import (
    AgentInfo,
    FolderList,
    Health,
    Me,
    ProfileInfo,
    Project,
    Record,
    SessionPage,
    Started,
    UsageReport,
    Waiting,
)
from holdfast.client.session import Session
from holdfast.client.stream import EventStream
from holdfast.events import PermissionRequest, Question

Some = str | Sequence[str] | None
UsageBy = Literal["agent", "project", "model", "day", "session"]

# An id is a UUID; what is shorter is the beginning of one.
_ID_CHARACTERS = 36


class _Records(msgspec.Struct):
    sessions: list[Record]


class _Waiting(msgspec.Struct):
    """A Waiting whose request is yet to be decoded as what `type` says."""

    session_id: str
    type: str
    asked_at: str
    request: msgspec.Raw
    agent: str
    workspace: str
    task: str
    project_id: str | None = None


class _WaitingList(msgspec.Struct):
    permissions: list[_Waiting]


class _AgentList(msgspec.Struct):
    agents: list[AgentInfo]


class _ProfileList(msgspec.Struct):
    profiles: list[ProfileInfo]


class _ProjectList(msgspec.Struct):
    projects: list[Project]


class Holdfast:
    """One server, one credential; `async with` closes all its connections.

    Without a url it is the one of HOLDFAST_URL, else this machine's as the settings describe it; without a token that
    of HOLDFAST_TOKEN, else (for this machine's server only) that of the settings or of the data folder. Raises
    ConfigError if a setting is wrong or the url is none.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        user_agent: str = "holdfast-python",
        credential_option: str = "token=",
    ) -> None:
        self._api = Api(locate(url, token, os.environ, credential_option=credential_option), user_agent)
        self._under_way: set[Follow] = set()

    def __repr__(self) -> str:
        return f"Holdfast({self.url!r})"

    @property
    def url(self) -> str:
        return self._api.url

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return self._api.is_local

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends its streams and closes its connections."""
        for follow in tuple(self._under_way):
            await follow.aclose()
        self._under_way.clear()
        await self._api.aclose()

    async def run(
        self,
        task: str,
        *,
        agent: str | None = None,
        project_id: str | None = None,
        workspace: str | Path | None = None,
        attachments: Sequence[GivenAttachment | Path] = (),
        idempotency_key: str | None = None,
        **config: Unpack[RunConfig],
    ) -> Session:
        """Starts a session, or a project's next run. A connection that breaks never starts two."""
        where = None if workspace is None else str(workspace)
        given = body_of(agent=agent, project_id=project_id, workspace=where, **config)
        body = body_of(task=task, config=given or None, attachments=attached(attachments))
        started = await self._api.order(Started, "/sessions/run", body, idempotency_key)
        return self.session(started.session_id)

    def session(self, session_id: str) -> Session:
        """Asks nothing of the server yet."""
        return Session(self._api, self._under_way, session_id)

    async def find(self, prefix: str) -> Session:
        """The session with this id, or the only one whose id begins so; raises NotFound, or Refused (ambiguous_id)."""
        if not prefix:
            raise refused("bad_request", 400, "Bad request", "The id is empty.")
        if len(prefix) >= _ID_CHARACTERS:
            session = self.session(prefix.lower())
            await session.record()
            return session
        found = [one.session_id async for one in self.all_sessions() if one.session_id.startswith(prefix.lower())]
        if len(found) == 1:
            return self.session(found[0])
        if not found:
            raise refused("not_found", 404, "Not found", f"There is no session whose id begins with {prefix!r}.")
        shown = ", ".join(found[:5]) + (", …" if len(found) > 5 else "")
        detail = f"{len(found)} sessions begin with {prefix!r}: {shown}."
        raise refused("ambiguous_id", 409, "Ambiguous id", detail)

    async def sessions(
        self,
        *,
        status: Some = None,
        agent: Some = None,
        project_id: Some = None,
        q: str | None = None,
        limit: int = 50,
        before: str | None = None,
    ) -> SessionPage:
        """One page, newest first; `before` is the `next` of the page before it."""
        query = {"status": status, "agent": agent, "project_id": project_id, "q": q, "limit": limit, "before": before}
        return await self._api.ask(SessionPage, "/sessions", query)

    async def all_sessions(
        self, *, status: Some = None, agent: Some = None, project_id: Some = None, q: str | None = None
    ) -> AsyncIterator[Record]:
        """Every session that fits, newest first, page by page."""
        before = None
        while True:
            page = await self.sessions(status=status, agent=agent, project_id=project_id, q=q, limit=200, before=before)
            for record in page.sessions:
                yield record
            before = page.next
            if before is None:
                return

    async def import_session(self, file: bytes, *, idempotency_key: str | None = None) -> Session:
        """A copy of a session that was exported, here or elsewhere. Raises BadRequest if the file is none."""
        started = await self._api.order(Started, "/sessions/import", file, idempotency_key)
        return self.session(started.session_id)

    async def usage(
        self, by: UsageBy | None = None, *, since: str | None = None, until: str | None = None
    ) -> UsageReport:
        """What the runs that have ended cost, in all and in parts; `since` and `until` are times or days in UTC."""
        return await self._api.ask(UsageReport, "/usage", {"by": by, "since": since, "until": until})

    async def recoverable(self) -> list[Record]:
        """Those that were interrupted or paused and can go on."""
        return (await self._api.ask(_Records, "/sessions/recoverable")).sessions

    async def permissions(self) -> list[Waiting]:
        """What waits for an answer, over all sessions, the oldest first."""
        listed = await self._api.ask(_WaitingList, "/permissions")
        return [_waiting(entry) for entry in listed.permissions]

    async def agents(self) -> list[AgentInfo]:
        return (await self._api.ask(_AgentList, "/agents")).agents

    async def agent(self, name: str) -> AgentInfo:
        return await self._api.ask(AgentInfo, f"/agents/{quote(name, safe='')}")

    async def check_agent(self, name: str) -> AgentInfo:
        """What the agent itself says; it is started for that."""
        path = f"/agents/{quote(name, safe='')}/check"
        return await self._api.order(AgentInfo, path, None, timeout_s=CHECK_TIMEOUT_S)

    async def health(self) -> Health:
        """Without a credential it says little, but it answers."""
        return await self._api.ask(Health, "/health")

    async def profiles(self) -> list[ProfileInfo]:
        """The permission profiles there are."""
        return (await self._api.ask(_ProfileList, "/profiles")).profiles

    async def projects(self) -> list[Project]:
        """Those with the latest news first."""
        return (await self._api.ask(_ProjectList, "/projects")).projects

    async def folders(self, path: str | None = None) -> FolderList:
        """The folders in a folder of the server's machine; without a path, in its user's home."""
        return await self._api.ask(FolderList, "/folders", {"path": path})

    async def me(self) -> Me:
        """Who is asking."""
        return await self._api.ask(Me, "/me")

    def events(
        self,
        after: int | None = None,
        *,
        give_up_after: float | None = None,
        on_state: Callable[[StreamState, StreamInfo], None] | None = None,
        on_notice: Callable[[Notice], None] | None = None,
        quiet_s: float = QUIET_S,
    ) -> EventStream:
        """All of the caller's sessions in one stream, from now on or after a position; it never ends by itself."""
        listeners = Listeners(on_state=on_state, on_notice=on_notice)

        def begin(position: int | None) -> Follow:
            place = CombinedPlace(position)
            return Follow(self._api, "/events", {}, place, listeners, give_up_after=give_up_after, quiet_s=quiet_s)

        return EventStream(begin, self._under_way, after)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> Any:
        """Any other route, which stands below /api/v1: its answer as plain values, None if it has none."""
        return await self._api.request(method, path, query, body, idempotency_key, timeout_s)


def _waiting(entry: _Waiting) -> Waiting:
    kind = Question if entry.type == "question" else PermissionRequest
    fields: dict[str, Any] = msgspec.structs.asdict(entry)
    fields["request"] = msgspec.json.decode(entry.request, type=kind)
    return Waiting(**fields)
