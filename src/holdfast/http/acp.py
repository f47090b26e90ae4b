"""/acp and /v1/acp: the Agent Client Protocol over HTTP and WebSocket.

Here is /v1/acp/{server_id}: the client names its connection itself. What can be answered at once is answered to the
POST; what takes long (a prompt, a load) is accepted, and answered on the stream.
"""

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from holdfast.dialects import acp_rpc as rpc
from holdfast.errors import BadRequest, HoldfastError, NotFound
from holdfast.http.acp_connections import INITIALIZE, connect, disconnect, hear
from holdfast.http.acp_draft import draft
from holdfast.http.acp_methods import Methods, introduction
from holdfast.http.acp_refusals import NoBatches
from holdfast.http.acp_socket import socket
from holdfast.http.acp_stream import FeedResponse
from holdfast.http.context import Context, context_of, user_of
from holdfast.http.problems import problem as problem
from holdfast.http.requests import only, read_body
from holdfast.log.acp import ConnectionRow

PREFIXES = (
    "/acp",
    "/v1/acp",
)
_NAME_CHARACTERS = 200


async def _post(request: Request) -> Response:
    only(request, "agent")
    context, name = context_of(request), _name(request)
    _, raw = await read_body(request, msgspec.Raw)
    if rpc.is_batch(raw):
        raise NoBatches("Messages come one at a time, not as a batch")
    message = rpc.parse(raw)
    if message.method == INITIALIZE and message.request_id is not None:
        return _json(await _initialize(request, context, name, message))
    connection = await _connection(context, user_of(request), name)
    answer = await hear(context, connection, message, Methods(context, connection))
    return Response(status_code=202) if answer is None else _json(answer)


async def _initialize(request: Request, context: Context, name: str, message: rpc.Message) -> bytes:
    assert message.request_id is not None
    try:
        agent = request.query_params.get("agent")
        connection = await connect(context, user_of(request), name, agent, message.params)
        return rpc.result(message.request_id, introduction(context, connection))
    except HoldfastError as error:
        return rpc.refusal(message.request_id, error)


async def _get(request: Request) -> Response:
    only(request, "agent")
    name = _name(request)
    connection = await context_of(request).log.acp.named(user_of(request), name)
    return FeedResponse(request, connection, awaited=(user_of(request), name))


async def _delete(request: Request) -> Response:
    context, name = context_of(request), _name(request)
    await disconnect(context, await _connection(context, user_of(request), name))
    return Response(status_code=204)


async def _connection(context: Context, user_id: str, name: str) -> ConnectionRow:
    found = await context.log.acp.named(user_id, name)
    if found is None:
        raise NotFound(f"There is no connection {name!r}; it begins with initialize")
    return found


def _name(request: Request) -> str:
    name: str = request.path_params["server_id"]
    if "\0" in name or len(name) > _NAME_CHARACTERS:
        raise BadRequest(f"A connection's name has up to {_NAME_CHARACTERS} characters and no NUL; {name!r} is none")
    return name


def _json(body: bytes) -> Response:
    return Response(body, media_type="application/json")


async def _named(request: Request) -> Response:
    match request.method:
        case "POST":
            return await _post(request)
        case "DELETE":
            return await _delete(request)
        case _:
            return await _get(request)


ROUTES: list[BaseRoute] = [
    Route("/v1/acp/{server_id}", _named, methods=["GET", "POST", "DELETE"]),
    Route("/acp", draft, methods=["GET", "POST", "DELETE"]),
    WebSocketRoute("/acp", socket),
]
