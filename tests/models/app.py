"""The scripted API over HTTP: three model APIs, and /_models/ for the tests."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tests.models import anthropic, chat, responses
from tests.models.actions import Step
from tests.models.answer import Answer
from tests.models.casting import Casting
from tests.models.conversation import Conversation
from tests.models.holds import Holds
from tests.models.play import Player
from tests.models.received import Log, shown
from tests.models.writing import Writer


class Api:
    """All that one scripted API knows."""

    def __init__(self) -> None:
        self.log = Log()
        self.holds = Holds(self.log.changed)
        self.casting = Casting()

    def serving(self, read: Callable[[dict[str, Any]], Conversation], writer: Callable[[str], Writer]):
        async def serve(request: Request) -> ASGIApp:
            body = await request.body()
            conversation = read(json.loads(body))
            marker, number, step = self.casting.choose(conversation)
            entry = self.log.add(
                body,
                api=conversation.api,
                method=request.method,
                path=request.url.path,
                query=request.url.query,
                headers=dict(request.headers),
                script=marker.name,
                arguments=marker.arguments,
                step=number,
                model=conversation.model,
                is_streamed=conversation.is_streamed,
                system_chars=len(conversation.system),
                tools=[tool.name for tool in conversation.tools],
                messages=shown(conversation.messages),
            )
            words = writer(conversation.model)
            player = Player(step, words, conversation.tools, self.holds)
            return Answer(self.log, entry, player, words, is_streamed=conversation.is_streamed)

        return serve

    async def count_tokens(self, request: Request) -> Response:
        body = await request.body()
        entry = self.log.add(body, api="anthropic", method="POST", path=request.url.path)
        self.log.end(entry, "complete")
        return JSONResponse({"input_tokens": max(1, len(body) // 4)})

    async def list_models(self, request: Request) -> Response:
        entry = self.log.add(b"", api="", method="GET", path=request.url.path)
        self.log.end(entry, "complete")
        model = {"id": "scripted", "object": "model", "type": "model", "display_name": "Scripted", "created": 1}
        return JSONResponse({"object": "list", "data": [model], "has_more": False})

    async def unknown(self, request: Request) -> Response:
        """Kept too: a test can see that an agent asked for something that is not there."""
        entry = self.log.add(await request.body(), api="", method=request.method, path=request.url.path)
        self.log.end(entry, "failed", 404)
        error = {"type": "not_found_error", "message": f"There is no {request.url.path}"}
        return JSONResponse({"type": "error", "error": error}, status_code=404)

    async def state(self, request: Request) -> Response:
        """What happened, as soon as there is something newer than `version` or `wait` seconds are over."""
        query = request.query_params
        await self.log.wait(int(query.get("version", -1)), float(query.get("wait", 0)))
        found = {
            "version": self.log.version,
            "last": len(self.log.requests),
            "requests": self.log.requests[int(query.get("after", 0)) :],
            "reached": self.holds.reached,
        }
        return Response(msgspec.json.encode(found), media_type="application/json")

    async def body(self, request: Request) -> Response:
        found = self.log.body(request.path_params["number"])
        return Response(status_code=404) if found is None else Response(found, media_type="application/json")

    async def release(self, request: Request) -> Response:
        self.holds.release(request.path_params["id"])
        return Response(status_code=204)

    async def add_script(self, request: Request) -> Response:
        steps = msgspec.json.decode(await request.body(), type=list[Step])
        self.casting.add(request.path_params["name"], steps)
        return Response(status_code=204)


def build() -> Starlette:
    api = Api()
    every = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]
    return Starlette(
        routes=[
            Route("/v1/messages", api.serving(anthropic.read, anthropic.MessagesWriter), methods=["POST"]),
            Route("/v1/messages/count_tokens", api.count_tokens, methods=["POST"]),
            Route("/v1/chat/completions", api.serving(chat.read, chat.ChatWriter), methods=["POST"]),
            Route("/v1/responses", api.serving(responses.read, responses.ResponsesWriter), methods=["POST"]),
            Route("/v1/models", api.list_models, methods=["GET"]),
            Route("/_models/state", api.state, methods=["GET"]),
            Route("/_models/bodies/{number:int}", api.body, methods=["GET"]),
            Route("/_models/holds/{id}", api.release, methods=["POST"]),
            Route("/_models/scripts/{name}", api.add_script, methods=["PUT"]),
            Route("/{path:path}", api.unknown, methods=every),
        ]
    )
