"""What a request says, whichever API it came by: the messages, the tools, and where in its script it stands."""

from typing import Any, Literal

import msgspec

from tests.models.marker import Marker, find

Api = Literal["anthropic", "chat", "responses"]


class Tool(msgspec.Struct, frozen=True):
    """`is_freeform`: it takes a text and no JSON."""

    name: str
    parameters: dict[str, Any] = {}
    is_freeform: bool = False


class ToolCall(msgspec.Struct, frozen=True):
    id: str
    name: str
    input: Any

    @property
    def answer(self) -> str:
        """The answer that the call was a part of: our ids say it (see writing.py)."""
        return self.id.rpartition("-")[0]


class Message(msgspec.Struct, frozen=True):
    """`tool` is the role of a tool's result, also where an API puts it into a user's message."""

    role: str
    text: str = ""
    thinking: str = ""
    calls: list[ToolCall] = []


class Conversation(msgspec.Struct, frozen=True):
    api: Api
    model: str
    is_streamed: bool
    system: str
    messages: list[Message]
    tools: list[Tool]

    def place(self) -> tuple[Marker | None, int]:
        """The newest marker that a user gave, and how many answers the model has given since.

        Nothing is remembered between requests: a session that was resumed or forked goes on where its messages end.
        """
        for number in range(len(self.messages) - 1, -1, -1):
            message = self.messages[number]
            if message.role == "user" and (marker := find(message.text)):
                return marker, _answers(self.messages[number + 1 :])
        return None, _answers(self.messages)


def _answers(messages: list[Message]) -> int:
    """Agents cut an answer into several messages: its parts in a row, or each of its calls before its own result."""
    count = 0
    was_answer = False
    seen: set[str] = set()
    for message in messages:
        is_answer = message.role == "assistant"
        calls = {call.answer for call in message.calls}
        count += is_answer and not was_answer and not calls & seen
        was_answer = is_answer
        seen |= calls
    return count


def text_of(content: Any) -> str:
    """The text in a content of any API: a string, a block or a list of blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(filter(None, map(text_of, content)))
    if isinstance(content, dict):
        return content["text"] if isinstance(content.get("text"), str) else text_of(content.get("content"))
    return ""
