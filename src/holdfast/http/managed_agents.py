"""/v1/agents and /v1/environments: what the settings say there is. Nothing of it can be made or changed from here."""

import time
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from holdfast.dialects.managed_shapes import ENVIRONMENT, VERSION, agent_shape, environment_shape
from holdfast.errors import BadRequest, NotFound, UnknownAgent
from holdfast.http.context import context_of, json_response
from holdfast.http.requests import only, whole_number
from holdfast.sessions.agents import AgentInfo
from holdfast.times import now_ms


async def list_(request: Request) -> Response:
    only(request, "beta", "limit", "page", "include_archived", "created_at[gte]", "created_at[lte]")
    found = await context_of(request).agents.list()
    return _page([_shape(request, info) for info in found if info.installed or info.configured])


async def show(request: Request) -> Response:
    only(request, "beta", "version")
    version = whole_number(request, "version", VERSION, least=1, most=10**9)
    name = request.path_params["agent_id"]
    try:
        info = await context_of(request).agents.describe(name)
    except UnknownAgent as error:
        raise NotFound(str(error)) from error
    if version != VERSION:
        raise NotFound(f"The agent {name!r} has no version {version}; it has {VERSION}")
    return json_response(_shape(request, info))


async def environments(request: Request) -> Response:
    only(request, "beta", "limit", "page", "include_archived")
    return _page([environment_shape(_since_ms(request))])


async def environment(request: Request) -> Response:
    only(request, "beta")
    check_environment(request.path_params["environment_id"])
    return json_response(environment_shape(_since_ms(request)))


async def refuse(request: Request) -> Response:
    what = "Agents" if request.url.path.startswith("/v1/agents") else "Environments"
    raise BadRequest(f"{what} are not made or changed by {request.method} {request.url.path}: see Holdfast's settings")


def check_environment(name: str) -> None:
    if name != ENVIRONMENT:
        raise NotFound(f"There is no environment {name!r}; there is: {ENVIRONMENT}")


def _page(data: list[dict[str, Any]]) -> Response:
    """All of it: they are few."""
    return json_response({"data": data, "next_page": None})


def _shape(request: Request, info: AgentInfo) -> dict[str, Any]:
    settings = context_of(request).settings.agents.get(info.name)
    return agent_shape(info, settings.model if settings is not None else None, _since_ms(request))


def _since_ms(request: Request) -> int:
    """Since when this server offers them: since its start."""
    return now_ms() - round((time.monotonic() - context_of(request).began) * 1000)
