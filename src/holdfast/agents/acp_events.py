"""From ACP `session/update` to events: pure, in order, and without loss — an update with no event of its own is kept.

Texts: chunks become partials; whatever ends a text (another kind or message id, a tool, the turn) makes its final.
Tools: an agent may ask permission for a call, or update one, that it never announced; then it is announced here.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from holdfast import events
from holdfast.agents.stderr import plain, whole_escapes
from holdfast.events import Event

# One text or tool result beyond this is cut: no single event may weigh down every reader.
TEXT_CHARACTERS = 256 * 1024
_PREVIEW_CHARACTERS = 200


class Update(msgspec.Struct, frozen=True):
    """The parts of an update that have a meaning here; the whole of it is kept as raw JSON beside."""

    sessionUpdate: str = ""  # noqa: N815 - the protocol's names
    content: Any = None
    messageId: str | None = None  # noqa: N815
    toolCallId: str = ""  # noqa: N815
    title: str | None = None
    name: str | None = None
    kind: str | None = None
    status: str | None = None
    rawInput: Any = None  # noqa: N815
    rawOutput: Any = None  # noqa: N815
    entries: Any = None
    used: int | None = None
    size: int | None = None
    cost: Any = None


class UpdateParams(msgspec.Struct, frozen=True):
    update: msgspec.Raw
    sessionId: str = ""  # noqa: N815


class _Tool(msgspec.Struct):
    name: str
    began_ms: int
    content: Any = None


_params = msgspec.json.Decoder(UpdateParams).decode
_update = msgspec.json.Decoder(Update).decode
_TEXTS: dict[str, type[events.Message] | type[events.Thinking]] = {
    "agent_message_chunk": events.Message,
    "agent_thought_chunk": events.Thinking,
}


class Translation:
    """One turn's updates. `now_ms` is the clock, so that durations are measured and tests are exact."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._kind: type[events.Message] | type[events.Thinking] | None = None
        self._message_id: str | None = None
        self._pieces: list[str] = []
        self._length = 0
        self._escape = ""  # what may be the beginning of one, until the next chunk tells
        self._tools: dict[str, _Tool] = {}
        self._ended: set[str] = set()
        self.tools_used: list[str] = []
        self.last_message = ""
        self.cost_usd: float | None = None

    def update(self, params: bytes) -> list[Event]:
        """Raises msgspec.DecodeError for what is no update at all."""
        raw = _params(params).update
        update = _update(raw)
        kind = _TEXTS.get(update.sessionUpdate)
        if kind is not None:
            return self._text(kind, update, raw)
        match update.sessionUpdate:
            case "tool_call" | "tool_call_update" if update.toolCallId:
                return self._tool(update, raw)
            case "plan":
                return [*self.finish_text(), events.TodoUpdate(todos=_todos(update.entries))]
            case "usage_update":
                return [self._usage(update)]
            case "user_message_chunk":
                return []  # the user's own words, which the log has already
            case _:
                return [_kept(update.sessionUpdate, raw)]

    def _text(
        self, kind: type[events.Message] | type[events.Thinking], update: Update, raw: msgspec.Raw
    ) -> list[Event]:
        text = _text_of(update.content)
        if text is None:
            return [_kept(update.sessionUpdate, raw)]
        finished: list[Event] = []
        if kind is not self._kind or (update.messageId and self._message_id not in (None, update.messageId)):
            finished = self.finish_text()
        self._kind, self._message_id = kind, update.messageId or self._message_id
        text, self._escape = whole_escapes(self._escape + text)
        text = plain(text)
        if not text:
            return finished
        if self._length < TEXT_CHARACTERS:
            self._pieces.append(text)
        self._length += len(text)
        return [*finished, kind(text=bounded(text), is_partial=True)]

    def finish_text(self) -> list[Event]:
        """The final of the text under way, if there is one."""
        kind, text = self._kind, _cut("".join(self._pieces), self._length)
        self._kind, self._message_id, self._length, self._escape = None, None, 0, ""
        self._pieces.clear()
        if kind is None or not text:
            return []
        if kind is events.Message:
            self.last_message = text
        return [kind(text=text, full_text=text, is_partial=False)]

    def _tool(self, update: Update, raw: msgspec.Raw) -> list[Event]:
        if update.sessionUpdate == "tool_call_update" and update.toolCallId in self._ended:
            return [_kept(update.sessionUpdate, raw)]  # an afterthought; the call has its one completion
        made: list[Event] = []
        if update.toolCallId not in self._tools:
            made += self.announce(update)
        elif update.status not in ("completed", "failed"):
            made.append(_kept("tool_call_update", raw))
        tool = self._tools[update.toolCallId]
        tool.content = update.content or tool.content
        if update.status in ("completed", "failed"):
            del self._tools[update.toolCallId]
            self._ended.add(update.toolCallId)
            made.append(
                events.ToolComplete(
                    tool_name=tool.name,
                    tool_id=update.toolCallId,
                    result=_result(update.rawOutput, tool.content),
                    duration_ms=max(0, self._now_ms() - tool.began_ms),
                    is_error=update.status == "failed",
                )
            )
        return made

    def announce(self, update: Update) -> list[Event]:
        """The start of a tool call; nothing if it was announced before or has no id."""
        if not update.toolCallId or update.toolCallId in self._tools:
            return []
        self._ended.discard(update.toolCallId)
        name = plain(update.name or update.kind or update.title or "") or "tool"
        self._tools[update.toolCallId] = _Tool(name, self._now_ms())
        if name not in self.tools_used:
            self.tools_used.append(name)
        return [
            *self.finish_text(),
            events.ToolStart(
                tool_name=name,
                tool_input={} if update.rawInput is None else bounded(update.rawInput),
                tool_id=update.toolCallId,
                kind=update.kind,
                title=None if update.title is None else plain(update.title),
            ),
        ]

    def tool_name(self, tool_id: str) -> str:
        tool = self._tools.get(tool_id)
        return tool.name if tool else "tool"

    def _usage(self, update: Update) -> Event:
        cost: dict[str, Any] = update.cost if isinstance(update.cost, dict) else {}  # pyright: ignore
        amount = cost.get("amount")
        in_dollars = cost.get("currency", "USD") == "USD"
        if in_dollars and isinstance(amount, (int, float)):
            self.cost_usd = float(amount)
        detail = None if in_dollars else {"cost": cost}
        return events.Usage(used=update.used, size=update.size, cost_usd=self.cost_usd, detail=detail)


def _kept(kind: str, raw: msgspec.Raw) -> Event:
    return events.AgentUpdate(kind=plain(kind), update=bounded(msgspec.json.decode(raw)))


def preview(text: str) -> str:
    return text if len(text) <= _PREVIEW_CHARACTERS else text[: _PREVIEW_CHARACTERS - 1] + "…"


def _text_of(content: Any) -> str | None:
    """The text of a content block; None if it is of another type."""
    if isinstance(content, dict) and content.get("type") == "text":  # pyright: ignore[reportUnknownMemberType]
        text: Any = content.get("text")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return text if isinstance(text, str) else None
    return None


def _todos(entries: Any) -> list[events.Todo]:
    todos: list[events.Todo] = []
    for entry in entries if isinstance(entries, list) else []:  # pyright: ignore[reportUnknownVariableType]
        if isinstance(entry, dict):
            item: dict[str, Any] = entry  # pyright: ignore[reportUnknownVariableType]
            priority = item.get("priority")
            todos.append(
                events.Todo(
                    content=plain(str(item.get("content", ""))),
                    status=str(item.get("status", "pending")),
                    priority=priority if isinstance(priority, str) else None,
                )
            )
    return todos


def _result(raw_output: Any, content: Any) -> Any:
    """What the tool gave: its raw output if the agent passes it on, else the content that it shows."""
    if raw_output is not None:
        return bounded(raw_output)
    texts: list[str] = []
    for part in content if isinstance(content, list) else []:  # pyright: ignore[reportUnknownVariableType]
        text = _text_of(part.get("content")) if isinstance(part, dict) else None  # pyright: ignore
        if text is None:
            return bounded(content)  # a diff, a terminal: kept as it is
        texts.append(text)
    return bounded("\n".join(texts))


def _cut(text: str, length: int) -> str:
    return text if length <= TEXT_CHARACTERS else f"{text[:TEXT_CHARACTERS]}… [cut: {length} characters]"


def bounded(value: Any) -> Any:
    """The value with its texts free of escapes; one that is too large is cut, and says so."""
    if isinstance(value, str):
        text = plain(value)
        return _cut(text, len(text))
    if isinstance(value, (dict, list)):
        encoded = msgspec.json.encode(value)
        if len(encoded) > TEXT_CHARACTERS:
            return bounded(encoded.decode())
        if b"\\u001b" in encoded:
            return _each(value, bounded)
    return value  # pyright: ignore[reportUnknownVariableType]


def _each(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        pairs: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
        return {plain(key): change(item) for key, item in pairs.items()}
    items: list[Any] = value
    return [change(item) for item in items]
