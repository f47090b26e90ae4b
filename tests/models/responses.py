"""OpenAI's newer API: POST /v1/responses."""

import json
import time
from typing import Any

from tests.models.actions import Spend, Stop
from tests.models.conversation import Conversation, Message, Tool, ToolCall, text_of
from tests.models.writing import Block, frame, new_id


def read(body: dict[str, Any]) -> Conversation:
    given = body.get("input", [])
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    return Conversation(
        api="responses",
        model=body.get("model", ""),
        is_streamed=body.get("stream") or False,
        system=text_of(body.get("instructions")),
        messages=[_message(item) for item in items],
        tools=[
            Tool(tool["name"], tool.get("parameters") or {}, is_freeform=tool["type"] == "custom")
            for tool in body.get("tools") or []
            if tool["type"] in ("function", "custom")
        ],
    )


def _message(item: dict[str, Any]) -> Message:
    match item.get("type", "message"):
        case "message":
            return Message(item["role"], text_of(item["content"]))
        case "reasoning":
            return Message("assistant", thinking=text_of(item.get("summary")))
        case "function_call":
            return Message("assistant", calls=[ToolCall(item["call_id"], item["name"], json.loads(item["arguments"]))])
        case "custom_tool_call":
            return Message("assistant", calls=[ToolCall(item["call_id"], item["name"], item["input"])])
        case kind if kind.endswith("_output"):
            return Message("tool", text_of(item.get("output")))
        case kind:
            return Message("assistant", calls=[ToolCall("", item.get("name", kind), item)])


class ResponsesWriter:
    def __init__(self, model: str) -> None:
        self._model = model
        self._id = new_id("resp_")
        self._created = int(time.time())
        self._sequence = -1

    def begin(self, usage: Spend) -> bytes:
        response = self._response("in_progress", [], None)
        return self._event("response.created", response=response) + self._event(
            "response.in_progress", response=response
        )

    def opened(self, block: Block) -> bytes:
        added = self._event("response.output_item.added", output_index=block.index, item=_item(block, "in_progress"))
        match block.kind:
            case "text":
                part = {"type": "output_text", "text": "", "annotations": []}
                return added + self._about(block, "response.content_part.added", content_index=0, part=part)
            case "thinking":
                part = {"type": "summary_text", "text": ""}
                return added + self._about(block, "response.reasoning_summary_part.added", summary_index=0, part=part)
            case "tool":
                return added

    def added(self, block: Block, piece: str) -> bytes:
        match block.kind:
            case "text":
                return self._about(block, "response.output_text.delta", content_index=0, delta=piece)
            case "thinking":
                return self._about(block, "response.reasoning_summary_text.delta", summary_index=0, delta=piece)
            case "tool":
                return self._about(block, f"response.{_ARGUMENTS[block.is_freeform]}.delta", delta=piece)

    def closed(self, block: Block) -> bytes:
        match block.kind:
            case "text":
                done = self._about(block, "response.output_text.done", content_index=0, text=block.text)
                part = _item(block, "completed")["content"][0]
                done += self._about(block, "response.content_part.done", content_index=0, part=part)
            case "thinking":
                done = self._about(block, "response.reasoning_summary_text.done", summary_index=0, text=block.text)
            case "tool":
                field = "input" if block.is_freeform else "arguments"
                done = self._about(block, f"response.{_ARGUMENTS[block.is_freeform]}.done", **{field: block.text})
        item = _item(block, "completed")
        return done + self._event("response.output_item.done", output_index=block.index, item=item)

    def broken(self, type_: str, message: str) -> bytes:
        failed = self._response("failed", [], None) | {"error": {"code": type_, "message": message}}
        return self._event("response.failed", response=failed)

    def ended(self, blocks: list[Block], stop: Stop, usage: Spend) -> bytes:
        response = self.whole(blocks, stop, usage)
        return self._event(f"response.{response['status']}", response=response)

    def whole(self, blocks: list[Block], stop: Stop, usage: Spend) -> dict[str, Any]:
        output = [_item(block, "completed") for block in blocks]
        reason = {"length": "max_output_tokens", "refusal": "content_filter"}.get(stop)
        if reason is None:
            return self._response("completed", output, usage)
        return self._response("incomplete", output, usage) | {"incomplete_details": {"reason": reason}}

    def problem(self, type_: str, message: str) -> dict[str, Any]:
        return {"error": {"message": message, "type": type_, "param": None, "code": None}}

    def _event(self, event: str, **data: Any) -> bytes:
        self._sequence += 1
        return frame(event, sequence_number=self._sequence, **data)

    def _about(self, block: Block, event: str, **data: Any) -> bytes:
        return self._event(event, item_id=_item_id(block), output_index=block.index, **data)

    def _response(self, status: str, output: list[dict[str, Any]], usage: Spend | None) -> dict[str, Any]:
        return {
            "id": self._id,
            "object": "response",
            "created_at": self._created,
            "model": self._model,
            "status": status,
            "output": output,
            "error": None,
            "incomplete_details": None,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": usage and _usage(usage),
        }


_ARGUMENTS = {False: "function_call_arguments", True: "custom_tool_call_input"}


def _item_id(block: Block) -> str:
    return {"text": "msg_", "thinking": "rs_", "tool": "fc_"}[block.kind] + block.id


def _item(block: Block, status: str) -> dict[str, Any]:
    is_done = status == "completed"
    head = {"id": _item_id(block)}
    match block.kind:
        case "text":
            content = [{"type": "output_text", "text": block.text, "annotations": []}] if is_done else []
            return {**head, "type": "message", "role": "assistant", "status": status, "content": content}
        case "thinking":
            summary = [{"type": "summary_text", "text": block.text}] if is_done else []
            return {**head, "type": "reasoning", "summary": summary, "encrypted_content": "c2NyaXB0ZWQ="}
        case "tool":
            kind, field = ("custom_tool_call", "input") if block.is_freeform else ("function_call", "arguments")
            call = {"call_id": f"call_{block.id}", "name": block.name, field: block.text if is_done else ""}
            return {**head, "type": kind, "status": status, **call}


def _usage(usage: Spend) -> dict[str, Any]:
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.input + usage.output,
    }
