"""What ACP clients have done in a session, and how: prompt, cancel, and the permission profile as a mode."""

from typing import Any

import msgspec

from holdfast.dialects import acp_params as params
from holdfast.dialects import acp_rpc as rpc
from holdfast.dialects.acp_prompt import work_of
from holdfast.errors import BadRequest
from holdfast.events import Origin
from holdfast.http.acp_asked import Asked
from holdfast.http.acp_sessions import Own
from holdfast.http.context import Context
from holdfast.log.acp import ConnectionRow
from holdfast.sessions.next_order import Work
from holdfast.sessions.once import Once
from holdfast.sessions.orders import RunConfig
from holdfast.sessions.policies import profile_named


class _Data(msgspec.Struct):
    origin: Origin | None = None


class _Begun(msgspec.Struct):
    """The envelope of a run's `user_message`, as far as it matters here."""

    data: _Data


class Working:
    def __init__(self, context: Context, connection: ConnectionRow, own: Own) -> None:
        self._context = context
        self._connection = connection
        self._user = connection.user_id
        self._own = own

    async def prompt(self, asked: Asked, once: Once) -> None:
        if asked.id is None:
            raise BadRequest("session/prompt has no id; nobody could be told how it ended")
        said = rpc.read_params(asked.method, asked.params, params.Prompt)
        row = await self._own.attached(said.session_id)
        text, files = work_of(said.prompt)
        work = Work(
            task=text,
            config=RunConfig(profile=row.mode),
            attachments=files,
            origin=Origin(dialect="acp", connection=self._connection.id, request=asked.id),
        )
        host = self._context.host
        session = await host.find(row.session_id)
        if session is not None:
            await host.task(session, work, once=once, stays_open=True)
        elif row.forked_from is not None:
            parent = await self._own.session(row.forked_from)
            assert parent is not None
            await host.fork(parent, work, run=None, once=once, as_id=row.session_id)
        else:
            where, agent = row.cwd, row.agent or self._connection.agent
            await host.run(
                self._user, work, agent=agent, project_id=None, workspace=where, once=once, as_id=row.session_id
            )
        if row.mode is not None:
            # From now on the session's own is the one that counts: others may change it.
            await self._context.log.acp.change(self._connection.id, row.number, mode=None)

    async def cancel(self, asked: Asked) -> dict[str, Any]:
        said = rpc.read_params(asked.method, asked.params, params.OneSession)
        row = await self._own.attached(said.session_id)
        session = await self._context.host.find(row.session_id)
        if session is not None:
            await self._context.host.cancel(session)
        return {}

    async def cancel_request(self, asked: Asked) -> dict[str, Any]:
        """Cancels the run of the prompt that is meant; does nothing if that has its answer."""
        said = rpc.read_params(asked.method, asked.params, params.CancelRequest)
        log = self._context.log
        for row in await log.acp.attached(self._connection.id):
            session = await self._context.host.find(row.session_id)
            if session is None or not session.is_active:
                continue
            found = await log.read.session(row.session_id)
            assert found is not None
            origin = await self._origin(found.key, session.run)
            if origin is not None and (origin.connection, origin.request) == (self._connection.id, said.request_id):
                await self._context.host.cancel(session)
        return {}

    async def _origin(self, key: int, run: int) -> Origin | None:
        body = await self._context.log.read.first_event(key, run)
        return None if body is None else msgspec.json.decode(body, type=_Begun).data.origin

    async def set_mode(self, asked: Asked) -> dict[str, Any]:
        said = rpc.read_params(asked.method, asked.params, params.SetMode)
        row = await self._own.attached(said.session_id)
        profile_named(said.mode_id, self._context.settings)
        session = await self._context.host.find(row.session_id)
        if session is not None and session.is_active:
            await self._context.host.switch(session, said.mode_id)
        else:
            await self._context.log.acp.change(self._connection.id, row.number, mode=said.mode_id)
        return {}
