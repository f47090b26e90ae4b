"""Anthropic's API: POST /v1/messages."""

import json
from typing import Any

from tests.models.actions import Spend, Stop
from tests.models.conversation import Conversation, Message, Tool, ToolCall, text_of
from tests.models.writing import Block, frame, new_id

_STOPS = {"end": "end_turn", "tools": "tool_use", "length": "max_tokens", "refusal": "refusal"}


def read(body: dict[str, Any]) -> Conversation:
    return Conversation(
        api="anthropic",
        model=body.get("model", ""),
        is_streamed=body.get("stream", False),
        system=text_of(body.get("system")),
        messages=[part for message in body.get("messages", []) for part in _parts(message)],
        # The API's own tools (web search …) have no schema; no script calls them.
        tools=[Tool(tool["name"], tool.get("input_schema") or {}) for tool in body.get("tools", [])],
    )


def _parts(message: dict[str, Any]) -> list[Message]:
    """Results of tools first: an agent adds what the user says behind them."""
    content = message["content"]
    if isinstance(content, str):
        return [Message(message["role"], content)]
    results = [Message("tool", text_of(block.get("content"))) for block in content if block["type"] == "tool_result"]
    text = text_of([block for block in content if block["type"] == "text"])
    thinking = "".join(block["thinking"] for block in content if block["type"] == "thinking")
    calls = [ToolCall(block["id"], block["name"], block["input"]) for block in content if block["type"] == "tool_use"]
    rest = [Message(message["role"], text, thinking, calls)] if text or thinking or calls or not results else []
    return results + rest


class MessagesWriter:
    def __init__(self, model: str) -> None:
        self._head = {"id": new_id("msg_"), "type": "message", "role": "assistant", "model": model}

    def begin(self, usage: Spend) -> bytes:
        message = {**self._head, "content": [], "stop_reason": None, "stop_sequence": None}
        return frame("message_start", message={**message, "usage": {**_usage(usage), "output_tokens": 1}})

    def opened(self, block: Block) -> bytes:
        return frame("content_block_start", index=block.index, content_block=_content(block))

    def added(self, block: Block, piece: str) -> bytes:
        name, field = {
            "text": ("text_delta", "text"),
            "thinking": ("thinking_delta", "thinking"),
            "tool": ("input_json_delta", "partial_json"),
        }[block.kind]
        return frame("content_block_delta", index=block.index, delta={"type": name, field: piece})

    def closed(self, block: Block) -> bytes:
        signature = b""
        if block.kind == "thinking":
            delta = {"type": "signature_delta", "signature": _SIGNATURE}
            signature = frame("content_block_delta", index=block.index, delta=delta)
        return signature + frame("content_block_stop", index=block.index)

    def broken(self, type_: str, message: str) -> bytes:
        return frame("error", error={"type": type_, "message": message})

    def ended(self, blocks: list[Block], stop: Stop, usage: Spend) -> bytes:
        delta = {"stop_reason": _STOPS[stop], "stop_sequence": None}
        return frame("message_delta", delta=delta, usage=_usage(usage)) + frame("message_stop")

    def whole(self, blocks: list[Block], stop: Stop, usage: Spend) -> dict[str, Any]:
        content = [_content(block, whole=True) for block in blocks]
        end = {"stop_reason": _STOPS[stop], "stop_sequence": None, "usage": _usage(usage)}
        return {**self._head, "content": content, **end}

    def problem(self, type_: str, message: str) -> dict[str, Any]:
        return {"type": "error", "error": {"type": type_, "message": message}, "request_id": new_id("req_")}


# Nobody checks it but the real API.
_SIGNATURE = "c2NyaXB0ZWQ="


def _content(block: Block, *, whole: bool = False) -> dict[str, Any]:
    text = block.text if whole else ""
    match block.kind:
        case "text":
            return {"type": "text", "text": text}
        case "thinking":
            return {"type": "thinking", "thinking": text, "signature": _SIGNATURE if whole else ""}
        case "tool":
            given = json.loads(text) if whole else {}
            return {"type": "tool_use", "id": f"toolu_{block.id}", "name": block.name, "input": given}


def _usage(usage: Spend) -> dict[str, Any]:
    cache = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    return {"input_tokens": usage.input, **cache, "output_tokens": usage.output, "service_tier": "standard"}
