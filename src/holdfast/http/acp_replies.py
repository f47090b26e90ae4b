"""What ACP clients answer to what they were asked. The first answer wins; JSON-RPC has no word for those who lost."""

import msgspec
import structlog

from holdfast.dialects import acp_asking as asking
from holdfast.dialects.acp_rpc import Message
from holdfast.errors import HoldfastError
from holdfast.events import PermissionRequest, Question
from holdfast.http.context import Context
from holdfast.log.acp import ConnectionRow


async def take(context: Context, connection: ConnectionRow, message: Message) -> None:
    """Does nothing with an answer to what nobody asked, or that decides nothing: the request waits for another.

    Raises AgentUnreachable and StoreError: the answer is good, and should be given again.
    """
    named = asking.asked_in(message.request_id)
    if named is None or not bytes(message.result):
        return
    session_id, request_id = named
    # PostgreSQL refuses a text with NUL, even to look for it; no session has one in its id.
    session = None if "\0" in session_id else await context.host.find(session_id)
    if session is None or session.user_id != connection.user_id:
        return
    request = session.state.open_requests.get(request_id)
    if request is None:
        return
    kind = Question if request.type == "question" else PermissionRequest
    answered = context.acp.answered(connection.id)
    try:
        reply = asking.reply_to(msgspec.json.decode(request.data, type=kind), message.result, connection.user_id)
        if reply is None:
            return
        # Before it counts: whoever tells the client of the outcome must know that it is its own.
        answered.add(request_id)
        await context.host.permissions.answer(session, request_id, reply)
    except HoldfastError as error:
        answered.discard(request_id)
        if error.status >= 500:
            raise
        structlog.get_logger("holdfast.acp").info(
            "an answer did not count", session_id=session_id, request_id=request_id, reason=str(error)
        )
