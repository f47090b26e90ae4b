"""OpenAI's chat API: POST /v1/chat/completions."""

import json
import time
from typing import Any

from tests.models.actions import Spend, Stop
from tests.models.conversation import Conversation, Message, Tool, ToolCall, text_of
from tests.models.writing import Block, new_id

_STOPS = {"end": "stop", "tools": "tool_calls", "length": "length", "refusal": "content_filter"}


def read(body: dict[str, Any]) -> Conversation:
    messages = body.get("messages", [])
    functions = [tool["function"] for tool in body.get("tools") or [] if tool["type"] == "function"]
    return Conversation(
        api="chat",
        model=body.get("model", ""),
        is_streamed=body.get("stream") or False,
        system="\n".join(text_of(message["content"]) for message in messages if message["role"] == "system"),
        messages=[_message(message) for message in messages if message["role"] != "system"],
        tools=[Tool(function["name"], function.get("parameters") or {}) for function in functions],
    )


def _message(message: dict[str, Any]) -> Message:
    calls = [
        ToolCall(call["id"], call["function"]["name"], json.loads(call["function"]["arguments"] or "{}"))
        for call in message.get("tool_calls") or []
    ]
    return Message(message["role"], text_of(message.get("content")), text_of(message.get("reasoning_content")), calls)


class ChatWriter:
    def __init__(self, model: str) -> None:
        self._head = {"id": new_id("chatcmpl-"), "created": int(time.time()), "model": model}
        self._calls = -1

    def begin(self, usage: Spend) -> bytes:
        return self._chunk({"role": "assistant", "content": ""})

    def opened(self, block: Block) -> bytes:
        if block.kind != "tool":
            return b""
        self._calls += 1
        call = {"index": self._calls, "id": f"call_{block.id}", "type": "function"}
        return self._chunk({"tool_calls": [{**call, "function": {"name": block.name, "arguments": ""}}]})

    def added(self, block: Block, piece: str) -> bytes:
        match block.kind:
            case "text":
                return self._chunk({"content": piece})
            case "thinking":
                return self._chunk({"reasoning_content": piece})
            case "tool":
                return self._chunk({"tool_calls": [{"index": self._calls, "function": {"arguments": piece}}]})

    def closed(self, block: Block) -> bytes:
        return b""

    def broken(self, type_: str, message: str) -> bytes:
        return _data(self.problem(type_, message))

    def ended(self, blocks: list[Block], stop: Stop, usage: Spend) -> bytes:
        last = {**self._head, "object": "chat.completion.chunk", "choices": [], "usage": _usage(usage)}
        return self._chunk({}, _STOPS[stop]) + _data(last) + b"data: [DONE]\n\n"

    def whole(self, blocks: list[Block], stop: Stop, usage: Spend) -> dict[str, Any]:
        message: dict[str, Any] = {
            "role": "assistant",
            "content": "".join(block.text for block in blocks if block.kind == "text"),
        }
        calls = [
            {"id": f"call_{block.id}", "type": "function", "function": {"name": block.name, "arguments": block.text}}
            for block in blocks
            if block.kind == "tool"
        ]
        if calls:
            message["tool_calls"] = calls
        choice = {"index": 0, "message": message, "finish_reason": _STOPS[stop]}
        return {**self._head, "object": "chat.completion", "choices": [choice], "usage": _usage(usage)}

    def problem(self, type_: str, message: str) -> dict[str, Any]:
        return {"error": {"message": message, "type": type_, "param": None, "code": None}}

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return _data({**self._head, "object": "chat.completion.chunk", "choices": [choice]})


def _data(value: Any) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def _usage(usage: Spend) -> dict[str, Any]:
    total = usage.input + usage.output
    return {"prompt_tokens": usage.input, "completion_tokens": usage.output, "total_tokens": total}
