"""ACP connections: how they begin and end, and what is done with a message of theirs, whatever carried it."""

import msgspec

from holdfast.dialects import acp_params as params
from holdfast.dialects import acp_rpc as rpc
from holdfast.errors import NotFound
from holdfast.http import acp_replies
from holdfast.http.acp_asked import Asked
from holdfast.http.acp_lines import name_of
from holdfast.http.acp_methods import Methods
from holdfast.http.context import Context
from holdfast.log.acp import ConnectionRow
from holdfast.times import now_ms

# Whom nobody has come back to for so long is forgotten; its sessions are not.
_STALE_MS = 30 * 24 * 3600 * 1000
INITIALIZE = "initialize"


async def connect(
    context: Context, user_id: str, name: str | None, agent: str | None, said: msgspec.Raw
) -> ConnectionRow:
    """Raises BadRequest for params that are none of `initialize`, and UnknownAgent."""
    client = checked(context, agent, said)
    before = await context.log.acp.named(user_id, name) if name is not None else None
    connection = await open_row(context, user_id, name, agent, client)
    if before is not None and before.id != connection.id:
        context.acp.forget(before.id)
        context.acp.wake(before.id)
    if name is not None:
        context.acp.wake(name_of(user_id, name))
    return connection


def checked(context: Context, agent: str | None, said: msgspec.Raw) -> bytes:
    """What a client says of itself. Raises BadRequest and UnknownAgent."""
    rpc.read_params(INITIALIZE, said, params.Initialize)
    context.agents.get(agent or context.settings.default_agent)
    return bytes(said)


async def open_row(context: Context, user_id: str, name: str | None, agent: str | None, client: bytes) -> ConnectionRow:
    now = now_ms()
    return await context.log.acp.connect(user_id, name, agent, client, now, stale_before_ms=now - _STALE_MS)


async def disconnect(context: Context, connection: ConnectionRow) -> None:
    """The client is gone for good; the work in its sessions goes on."""
    await context.log.acp.disconnect(connection.id)
    context.acp.forget(connection.id)
    context.acp.wake(connection.id)


async def by_id(context: Context, user_id: str, id_: str) -> ConnectionRow:
    found = None if "\0" in id_ else await context.log.acp.connection(id_)
    if found is None or found.user_id != user_id:
        raise NotFound(f"There is no connection {id_!r}; it begins with initialize")
    return found


async def hear(context: Context, connection: ConnectionRow, message: rpc.Message, methods: Methods) -> bytes | None:
    """Does what a message (other than `initialize`) says. Answers what is to be answered at once."""
    if message.method is None:
        await acp_replies.take(context, connection, message)
        return None
    asked = Asked(message.request_id, message.method, message.params)
    if asked.id is None:
        await methods.notice(asked)
        return None
    return await methods.answer(asked)
