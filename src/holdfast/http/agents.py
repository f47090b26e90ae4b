"""/api/v1/agents: which agents there are, and what one says of itself."""

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from holdfast.agent_settings import KNOWN_AGENTS
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
        raise _not_found(request, error) from error


async def check(request: Request) -> Response:
    """Starts the agent, asks it what it can do, and ends it again. It may be asked as often as one likes."""
    await read_body(request, NoBody)
    try:
        return json_response(await context_of(request).agents.check(request.path_params["name"]))
    except UnknownAgent as error:
        raise _not_found(request, error) from error


def _not_found(request: Request, error: UnknownAgent) -> NotFound:
    """Of those that can be shown, which are more than can be used: the ones that are not installed too."""
    name = request.path_params["name"]
    settings = context_of(request).settings.agents
    if name in settings:
        return NotFound(str(error))  # it is switched off
    off = {known for known, agent in settings.items() if not agent.enabled}
    there = sorted({*KNOWN_AGENTS, *settings} - off)
    return NotFound(f"There is no agent {name!r}; there are: {', '.join(there)}")
