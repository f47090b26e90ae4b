"""How ACP clients come to take part in a session, and cease to: new, load, resume, fork, list, close."""

from typing import Any

import msgspec

from holdfast.dialects import acp_params as params
from holdfast.dialects import acp_rpc as rpc
from holdfast.errors import BadRequest, NotFound, Unsupported
from holdfast.http.acp_asked import Asked
from holdfast.http.acp_choices import AGENT, agent_option
from holdfast.http.acp_list import listed
from holdfast.http.acp_sessions import Own
from holdfast.http.context import Context
from holdfast.log.acp import AttachedRow, ConnectionRow
from holdfast.sessions.ids import random_session_id
from holdfast.sessions.orders import checked_workspace
from holdfast.sessions.record import state_of

_NOT_PASSED_ON = "MCP servers of the client are not passed on; set them up with the agent"


class Opening:
    def __init__(self, context: Context, connection: ConnectionRow, own: Own, *, answers_in_order: bool) -> None:
        self._context = context
        self._connection = connection
        self._user = connection.user_id
        self._own = own
        self._in_order = answers_in_order

    async def new(self, asked: Asked) -> dict[str, Any]:
        said = rpc.read_params(asked.method, asked.params, params.NewSession)
        row = AttachedRow(session_id=random_session_id(), cwd=checked_workspace(said.cwd), agent=self._connection.agent)
        row = await self._own.attach(row)
        return {"sessionId": row.session_id, **await self._own.choices(row, None), **_meta(said.mcp_servers)}

    async def load(self, asked: Asked) -> dict[str, Any] | None:
        return await self._open(asked, with_history=True)

    async def resume(self, asked: Asked) -> dict[str, Any] | None:
        return await self._open(asked, with_history=False)

    async def _open(self, asked: Asked, *, with_history: bool) -> dict[str, Any] | None:
        said = rpc.read_params(asked.method, asked.params, params.OpenSession)
        session = await self._own.session(said.session_id)
        if session is None:
            row = msgspec.structs.replace(await self._own.promised(said.session_id), until=None)
            await self._own.attach(row)
            return {"sessionId": row.session_id, **await self._own.choices(row, None), **_meta(said.mcp_servers)}
        joined = await self._context.log.acp.last_final(session.key, session.head)
        row = AttachedRow(
            session_id=session.id,
            cwd=session.workspace,
            agent=session.agent,
            since=0 if with_history else joined,
            joined=joined,
        )
        # The id, because clients of the draft open a session's stream when they see one.
        answer = {"sessionId": session.id, **await self._own.choices(row, session), **_meta(said.mcp_servers)}
        comes_later = with_history and self._in_order and asked.id is not None
        if comes_later:
            assert asked.id is not None
            row = msgspec.structs.replace(row, load_answer=rpc.result(asked.id, answer))
        await self._own.attach(row)
        return None if comes_later else answer

    async def fork(self, asked: Asked) -> dict[str, Any]:
        said = rpc.read_params(asked.method, asked.params, params.OpenSession)
        parent = await self._own.session(said.session_id)
        if parent is None:
            raise NotFound(f"There is no session {said.session_id!r} that has begun")
        if "fork" not in (state_of(parent).capabilities or []):
            raise Unsupported(f"The agent {parent.agent!r} cannot fork a session")
        row = AttachedRow(
            session_id=random_session_id(), cwd=parent.workspace, agent=parent.agent, forked_from=parent.id
        )
        row = await self._own.attach(row)
        return {"sessionId": row.session_id, **await self._own.choices(row, parent), **_meta(said.mcp_servers)}

    async def list(self, asked: Asked) -> dict[str, Any]:
        said = rpc.read_params(asked.method, asked.params, params.ListSessions)
        return await listed(self._context.log, self._user, said)

    async def close(self, asked: Asked) -> dict[str, Any]:
        """Ends what is under way, and the client's part in it."""
        said = rpc.read_params(asked.method, asked.params, params.OneSession)
        row = await self._own.attached(said.session_id)
        session = await self._context.host.find(row.session_id)
        if session is not None:
            await self._context.host.cancel(session)
        closed = await self._own.session(row.session_id)
        until = 0 if closed is None else closed.head
        await self._context.log.acp.change(self._connection.id, row.number, until=until)
        self._context.acp.wake(self._connection.id)
        return {}

    async def set_config_option(self, asked: Asked) -> dict[str, Any]:
        said = rpc.read_params(asked.method, asked.params, params.SetConfigOption)
        row = await self._own.attached(said.session_id)
        if said.config_id != AGENT:
            raise BadRequest(f"There is no option {said.config_id!r}; there is: {AGENT}")
        if row.forked_from is not None or await self._own.session(row.session_id) is not None:
            raise BadRequest(f"The session {row.session_id} has begun; its agent cannot be changed to {said.value!r}")
        if not isinstance(said.value, str):
            raise BadRequest(f"The agent is named by a text, not by {said.value!r}")
        self._context.agents.get(said.value)
        await self._context.log.acp.choose_agent(row.session_id, said.value)
        return {"configOptions": [agent_option(self._context, said.value, is_open=True)]}


def _meta(mcp_servers: list[Any]) -> dict[str, Any]:
    return {"_meta": {"mcpServers": _NOT_PASSED_ON}} if mcp_servers else {}
