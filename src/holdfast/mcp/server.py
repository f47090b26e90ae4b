"""The tools and resources as a server of the SDK, and one request of it over HTTP."""

from collections.abc import Sequence
from typing import Any

import mcp_types as types
import msgspec
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from holdfast import __version__
from holdfast.client import Holdfast
from holdfast.errors import HoldfastError
from holdfast.mcp import resources
from holdfast.mcp.call import Call
from holdfast.mcp.entries import first
from holdfast.mcp.tool import Tool
from holdfast.mcp.tools import offered

INSTRUCTIONS = """\
Holdfast runs coding agents as durable sessions: they work on whether or not anybody watches. start_session begins \
one, watch_session tells what happens (call it again with after=next_after until `end` is there), send_task gives it \
its next task. When an agent asks for something, watch_session has it in `requests`, and the agent waits for \
`answer`. An error begins with its code, such as not_found or session_busy."""

_LISTED = 20
_NAME_CHARACTERS = 80

Context = ServerRequestContext[Any, Any]


def build(holdfast: Holdfast, tools: Sequence[Tool[Any, Any]], own_session_id: str | None = None) -> Server[Any]:
    """`own_session_id`: of the agent that will call the tools, if that is known."""
    by_name = {tool.name: tool for tool in tools}

    def called(context: Context) -> Call:
        async def tell(progress: float, total: float, message: str) -> None:
            # Nothing is sent if the caller did not ask for it.
            await context.session.report_progress(progress, total, message)

        return Call(holdfast=holdfast, tell=tell, own_session_id=own_session_id)

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in tools])

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = by_name.get(params.name)
        if tool is None:
            there = ", ".join(by_name)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r} here; there are: {there}")
        try:
            answer = await tool.call(called(context), params.arguments or {})
        except HoldfastError as error:
            return _failed(error)
        return types.CallToolResult(content=[_text(msgspec.json.encode(answer).decode())], structured_content=answer)

    async def list_resources(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        try:
            page = await holdfast.sessions(limit=_LISTED)
        except HoldfastError as error:
            raise _protocol_error(error) from error
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=f"{resources.SCHEME}{record.session_id}",
                    name=first(record.task, _NAME_CHARACTERS),
                    description=f"{record.agent}, {record.status}, {record.updated_at}",
                    mime_type="text/plain",
                )
                for record in page.sessions
            ]
        )

    async def list_templates(_: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=f"{resources.SCHEME}{{session_id}}",
            name="session",
            description="A session: how it stands, and what was said and done in it, as a text.",
            mime_type="text/plain",
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            text = await resources.as_text(called(context), uri)
        except HoldfastError as error:
            raise _protocol_error(error) from error
        contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
        return types.ReadResourceResult(contents=[contents])

    return Server(
        "holdfast",
        title="Holdfast",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


async def serve_request(url: str, token: str, scope: Scope, receive: Receive, send: Send) -> None:
    """One request, with nothing kept behind it: the tools act at `url` as the token's user.

    The SDK wants a task group around what it serves; one of the request's own ends with it, whatever becomes of it.
    """
    async with Holdfast(url, token, user_agent="holdfast-mcp") as holdfast:
        exchange = StreamableHTTPSessionManager(build(holdfast, offered()), stateless=True)
        try:
            async with exchange.run():
                await exchange.handle_request(scope, receive, send)
        except* ClientDisconnect:
            pass  # it left before it had said what it wants


def _described(tool: Tool[Any, Any]) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads,
            destructive_hint=tool.destroys,
            idempotent_hint=tool.reads or tool.repeats,
            open_world_hint=not tool.reads,
        ),
    )


def _failed(error: HoldfastError) -> types.CallToolResult:
    """For the model to read, and for a program to branch on."""
    detail = _detail(error)
    told = {"code": error.code, "detail": detail}
    return types.CallToolResult(content=[_text(f"{error.code}: {detail}")], structured_content=told, is_error=True)


def _protocol_error(error: HoldfastError) -> MCPError:
    # Where no answer came, the status is 0.
    code = types.INVALID_PARAMS if 0 < error.status < 500 else types.INTERNAL_ERROR
    return MCPError(code, f"{error.code}: {_detail(error)}", {"code": error.code})


def _detail(error: HoldfastError) -> str:
    return str(error) or error.title


def _text(text: str) -> types.TextContent:
    return types.TextContent(text=text)
