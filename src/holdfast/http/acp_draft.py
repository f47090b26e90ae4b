"""/acp: the protocol's own draft of a transport over HTTP. All but `initialize` is accepted, and answered on streams.

There is a stream for the connection, and one for each session. Beyond the draft, frames have ids, and `Last-Event-ID`
is understood: what a client has missed is told.
"""

import hashlib

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.dialects import acp_params as params
from holdfast.dialects import acp_rpc as rpc
from holdfast.errors import BadRequest, NotFound
from holdfast.http.acp_connections import INITIALIZE, by_id, connect, disconnect, hear
from holdfast.http.acp_feed import Part
from holdfast.http.acp_methods import Methods, introduction
from holdfast.http.acp_refusals import NoBatches, check_accept, check_content_type
from holdfast.http.acp_stream import FeedResponse
from holdfast.http.context import Context, context_of, user_of
from holdfast.http.requests import only, read_body
from holdfast.log.acp import ConnectionRow

CONNECTION, SESSION = "acp-connection-id", "acp-session-id"
# They are about a session that the connection has open already.
_OF_A_SESSION = frozenset(
    {"session/prompt", "session/cancel", "session/close", "session/set_mode", "session/set_config_option"}
)


async def draft(request: Request) -> Response:
    only(request, "agent")
    match request.method:
        case "POST":
            return await _post(request)
        case "DELETE":
            connection = await _connection(request)
            await disconnect(context_of(request), connection)
            return Response(status_code=202)
        case _:
            return await _get(request)


async def _post(request: Request) -> Response:
    context = context_of(request)
    check_content_type(request)
    check_accept(request, "application/json")
    _, raw = await read_body(request, msgspec.Raw)
    if rpc.is_batch(raw):
        raise NoBatches("Messages come one at a time, not as a batch")
    message = rpc.parse(raw)
    if message.method == INITIALIZE and message.request_id is not None:
        return await _initialize(request, context, message)
    connection = await _connection(request)
    session_id = await _scope(request, context, connection, message)
    request_id = _name_of(message)
    # Who asks for history on the session's own stream gets the answer there, behind it.
    methods = Methods(context, connection, answers_in_order=session_id is not None)
    if message.method is None or not await context.log.acp.is_answered(connection.id, request_id):
        answer = await hear(context, connection, message, methods)
        if answer is not None:
            await context.log.acp.answer(connection.id, request_id, session_id, answer)
            context.acp.wake(connection.id)
    return Response(status_code=202)


def _name_of(message: rpc.Message) -> str:
    """One that comes again has the same; a client that uses an id for something else means something else."""
    said = (msgspec.json.encode(message.request_id), (message.method or "").encode(), bytes(message.params))
    return hashlib.sha256(b"\n".join(said)).hexdigest()


async def _initialize(request: Request, context: Context, message: rpc.Message) -> Response:
    assert message.request_id is not None
    if CONNECTION in request.headers:
        raise BadRequest(f"The connection {request.headers[CONNECTION]!r} is initialized already")
    agent = request.query_params.get("agent")
    connection = await connect(context, user_of(request), None, agent, message.params)
    return Response(
        rpc.result(message.request_id, introduction(context, connection)),
        media_type="application/json",
        headers={CONNECTION: connection.id},
    )


async def _scope(request: Request, context: Context, connection: ConnectionRow, message: rpc.Message) -> str | None:
    """The session whose stream carries the answer; None: the connection's."""
    given = request.headers.get(SESSION)
    if given is None:
        # An answer names its session in its id, and the protocol's own SDK sends none with the header.
        if message.method in _OF_A_SESSION:
            raise BadRequest(f"{message.method} needs the header Acp-Session-Id")
        return None
    if message.method in _OF_A_SESSION:
        said = rpc.read_params(message.method, message.params, params.OneSession)
        if said.session_id != given:
            raise BadRequest(f"Acp-Session-Id says {given!r}, and the params say {said.session_id!r}")
    await _check_session(context, connection, given)
    return given


async def _get(request: Request) -> Response:
    check_accept(request, "text/event-stream")
    context = context_of(request)
    connection = await _connection(request)
    session_id = request.headers.get(SESSION)
    if session_id is not None:
        await _check_session(context, connection, session_id)
    return FeedResponse(request, connection, part=Part(False, session_id))


async def _connection(request: Request) -> ConnectionRow:
    id_ = request.headers.get(CONNECTION)
    if id_ is None:
        raise BadRequest("The request needs the header Acp-Connection-Id")
    return await by_id(context_of(request), user_of(request), id_)


async def _check_session(context: Context, connection: ConnectionRow, session_id: str) -> None:
    """One that is the user's will do: a client may open the stream first, and load the session then."""
    if "\0" not in session_id:
        if any(row.session_id == session_id for row in await context.log.acp.attached(connection.id)):
            return
        session = await context.log.read.session(session_id)
        if session is not None and session.user_id == connection.user_id:
            return
    raise NotFound(f"There is no session {session_id!r}")
