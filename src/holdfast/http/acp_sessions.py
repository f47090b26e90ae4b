"""The sessions as one ACP connection sees them: those that it takes part in, and those that it may."""

from typing import Any

import msgspec

from holdfast.errors import NotFound
from holdfast.http.acp_choices import agent_option, modes
from holdfast.http.context import Context
from holdfast.log.acp import AttachedRow, ConnectionRow
from holdfast.log.reader import SessionRow
from holdfast.sessions.orders import Order
from holdfast.sessions.record import state_of


class Own:
    def __init__(self, context: Context, connection: ConnectionRow) -> None:
        self._context = context
        self._connection = connection
        self._user = connection.user_id

    async def attach(self, row: AttachedRow) -> AttachedRow:
        attached = await self._context.log.acp.attach(self._connection.id, row)
        self._context.acp.wake(self._connection.id)
        return attached

    async def session(self, session_id: str) -> SessionRow | None:
        """A session of the user's that has a log; others' and none are alike."""
        row = None if "\0" in session_id else await self._context.log.read.session(session_id)
        return row if row is not None and row.user_id == self._user else None

    async def promised(self, session_id: str) -> AttachedRow:
        known = None if "\0" in session_id else await self._context.log.acp.promised(self._user, session_id)
        if known is None:
            raise NotFound(f"There is no session {session_id!r}")
        return known

    async def attached(self, session_id: str) -> AttachedRow:
        for row in await self._context.log.acp.attached(self._connection.id):
            if row.session_id == session_id and row.until is None:
                return row
        raise NotFound(f"The session {session_id!r} is not open here; load it first")

    async def choices(self, row: AttachedRow, session: SessionRow | None) -> dict[str, Any]:
        agent = row.agent or self._context.settings.default_agent
        profile = row.mode or (None if session is None else await self._profile(session))
        return {
            "modes": modes(self._context.settings, profile),
            "configOptions": [agent_option(self._context, agent, is_open=session is None)],
        }

    async def _profile(self, session: SessionRow) -> str | None:
        """The one that was switched to last, else the one that the last run was given."""
        state = state_of(session)
        if state.profile is not None:
            return state.profile
        run = await self._context.log.read.run(session.key, state.runs)
        return None if run is None else msgspec.json.decode(run.spec, type=Order).config.profile
