"""/api/v1/agents: which agents there are, and what one says of itself."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.errors import NotFound, UnknownAgent
from holdfast.http.context import context_of, json_response
from holdfast.http.requests import NoBody, only, read_body
from holdfast.sessions.agents import AgentInfo


class AgentList(msgspec.Struct, frozen=True, kw_only=True):
    agents: list[AgentInfo]


async def list_(request: Request) -> Response:
    only(request)
    return json_response(AgentList(agents=await context_of(request).agents.list()))


async def show(request: Request) -> Response:
    only(request)
    try:
        return json_response(await context_of(request).agents.describe(request.path_params["name"]))
    except UnknownAgent as error:
        raise NotFound(str(error)) from error


async def check(request: Request) -> Response:
    """Starts the agent, asks it what it can do, and ends it again. It may be asked as often as one likes."""
    await read_body(request, NoBody)
    try:
        return json_response(await context_of(request).agents.check(request.path_params["name"]))
    except UnknownAgent as error:
        raise NotFound(str(error)) from error
