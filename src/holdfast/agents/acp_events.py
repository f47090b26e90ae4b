"""From ACP `session/update` to events: pure, in order, and without loss — an update with no event of its own is kept.

Texts: chunks become partials; whatever ends a text (another kind or message id, a tool, the turn) makes its final.
Tools: an agent may ask permission for a call, or update one, that it never announced; then it is announced here. One
that was denied and of which the agent says no more is over when the agent goes on.
Sessions: what belongs to another session than ours (a subagent's) is kept as it is.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from holdfast import events
from holdfast.agents.acp_names import kind_of, name_of
from holdfast.agents.acp_usage import Cost
from holdfast.agents.stderr import plain, whole_escapes
from holdfast.agents.values import TEXT_CHARACTERS, as_object, bounded, cut, result_of, shown_beside, text_of, todos_of
from holdfast.events import Event


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
    locations: Any = None
    entries: Any = None
    used: int | None = None
    size: int | None = None
    cost: Any = None
    meta: Any = msgspec.field(default=None, name="_meta")


class UpdateParams(msgspec.Struct, frozen=True):
    update: msgspec.Raw
    sessionId: str = ""  # noqa: N815


class Tool(msgspec.Struct):
    """A call under way, with all that has been said of it."""

    name: str
    began_ms: int
    kind: str | None = None
    title: str | None = None
    input: Any = None
    locations: Any = None
    content: Any = None
    is_denied: bool = False

    @classmethod
    def of(cls, update: Update, now_ms: int) -> "Tool":
        name = name_of(update.name, update.meta)
        kind = kind_of(update.kind, name)
        # `other` is no name: whoever allows it for the session would allow whatever else there is.
        spoken = update.title if kind == "other" else kind
        tool = cls(name or plain(spoken or update.title or kind or "") or "tool", now_ms, kind)
        tool.learn(update)
        return tool

    def learn(self, update: Update) -> None:
        """Agents tell a call in pieces; what comes later counts, unless it says nothing."""
        if update.kind != "other":
            self.kind = update.kind or self.kind
        self.title = update.title or self.title
        self.input = update.rawInput or self.input
        self.locations = update.locations or self.locations
        self.content = update.content or self.content


_params = msgspec.json.Decoder(UpdateParams).decode
_update = msgspec.json.Decoder(Update).decode
_TEXTS: dict[str, type[events.Message] | type[events.Thinking]] = {
    "agent_message_chunk": events.Message,
    "agent_thought_chunk": events.Thinking,
}
# What happened in a session, which our log has already when an agent tells it again; the rest is how it stands.
_HISTORY = frozenset({*_TEXTS, "user_message_chunk", "tool_call", "tool_call_update", "plan"})
_DENIED = "The call was denied."


class Translation:
    """One turn's updates. `now_ms` is the clock, so that durations are measured and tests are exact."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._kind: type[events.Message] | type[events.Thinking] | None = None
        self._message_id: str | None = None
        self._pieces: list[str] = []
        self._length = 0
        self._escape = ""  # what may be the beginning of one, until the next chunk tells
        self._tools: dict[str, Tool] = {}
        self._ended: set[str] = set()
        self.cost = Cost()
        # Until the agent has told its session's id, every update is taken for that session's.
        self.session_id: str | None = None
        self.is_working = False
        self.is_replay = False
        self.replayed = 0

    def update(self, params: bytes) -> list[Event]:
        """Raises msgspec.DecodeError for what is no update at all."""
        whole = _params(params)
        raw = whole.update
        update = _update(raw)
        if self.is_replay:
            self.replayed += 1
            if update.sessionUpdate in _HISTORY:
                return []
        if self.is_others(whole.sessionId):
            return [_kept("session/update", msgspec.Raw(params))]
        kind = _TEXTS.get(update.sessionUpdate)
        if kind is not None:
            return self._text(kind, update, raw)
        match update.sessionUpdate:
            case "tool_call" | "tool_call_update" if update.toolCallId:
                return self._tool(update, raw)
            case "plan":
                return [*self.finish_text(), events.TodoUpdate(todos=todos_of(update.entries))]
            case "usage_update":
                return [self._usage(update)]
            case "user_message_chunk":
                return []  # the user's own words, which the log has already
            case _:
                return [_kept(update.sessionUpdate, raw)]

    def is_others(self, session_id: str) -> bool:
        return bool(session_id) and self.session_id not in (None, session_id)

    def _text(
        self, kind: type[events.Message] | type[events.Thinking], update: Update, raw: msgspec.Raw
    ) -> list[Event]:
        text = text_of(update.content)
        if text is None:
            return [_kept(update.sessionUpdate, raw)]
        before: list[Event] = self._close_denied()
        if kind is not self._kind or (update.messageId and self._message_id not in (None, update.messageId)):
            before += self.finish_text()
        self._kind, self._message_id = kind, update.messageId or self._message_id
        text, self._escape = whole_escapes(self._escape + text)
        text = plain(text)
        if not text:
            return before
        if self._length < TEXT_CHARACTERS:
            self._pieces.append(text)
        self._length += len(text)
        return [*before, kind(text=bounded(text), is_partial=True)]

    def finish_text(self) -> list[Event]:
        """The final of the text under way, if there is one."""
        kind, text = self._kind, cut("".join(self._pieces), self._length)
        self._kind, self._message_id, self._length, self._escape = None, None, 0, ""
        self._pieces.clear()
        if kind is None or not text:
            return []
        return [kind(text=text, full_text=text, is_partial=False)]

    def finish(self) -> list[Event]:
        """What is still open of the turn, as far as its end is known."""
        return [*self.finish_text(), *self._close_denied()]

    # Tools

    def _tool(self, update: Update, raw: msgspec.Raw) -> list[Event]:
        if update.sessionUpdate == "tool_call_update" and update.toolCallId in self._ended:
            return [_kept(update.sessionUpdate, raw)]  # an afterthought; the call has its one completion
        made: list[Event] = []
        if update.toolCallId not in self._tools:
            made += self.announce(update)
        elif update.status not in ("completed", "failed"):
            made.append(_kept("tool_call_update", raw))
        tool = self._tools[update.toolCallId]
        tool.learn(update)
        if update.status in ("completed", "failed"):
            result = result_of(update.rawOutput, tool.content)
            shown = shown_beside(update.rawOutput, tool.content)
            made.append(self._complete(update.toolCallId, result, is_error=update.status == "failed", shown=shown))
        return made

    def announce(self, update: Update) -> list[Event]:
        """The start of a tool call; nothing if it was announced before or has no id."""
        if not update.toolCallId or update.toolCallId in self._tools:
            return []
        closed = self._close_denied()
        self._ended.discard(update.toolCallId)
        tool = self._tools[update.toolCallId] = Tool.of(update, self._now_ms())
        return [
            *closed,
            *self.finish_text(),
            events.ToolStart(
                tool_name=tool.name,
                tool_input={} if update.rawInput is None else bounded(update.rawInput),
                tool_id=update.toolCallId,
                kind=tool.kind,
                title=None if update.title is None else plain(update.title),
            ),
        ]

    def called(self, update: Update) -> Tool:
        """All that is known of the call that a request is about."""
        known = self._tools.get(update.toolCallId)
        if known is None:
            return Tool.of(update, self._now_ms())
        tool = msgspec.structs.replace(known)
        tool.learn(update)
        return tool

    def deny(self, tool_id: str) -> None:
        """The call may not be made. Most agents say so themselves when they have heard it; some say nothing."""
        if tool_id in self._tools:
            self._tools[tool_id].is_denied = True

    def _close_denied(self) -> list[Event]:
        denied = [tool_id for tool_id, tool in self._tools.items() if tool.is_denied]
        return [self._complete(tool_id, _DENIED, is_error=True) for tool_id in denied]

    def _complete(self, tool_id: str, result: Any, *, is_error: bool, shown: Any = None) -> Event:
        tool = self._tools.pop(tool_id)
        self._ended.add(tool_id)
        return events.ToolComplete(
            tool_name=tool.name,
            tool_id=tool_id,
            result=result,
            duration_ms=max(0, self._now_ms() - tool.began_ms),
            is_error=is_error,
            content=shown,
        )

    def _usage(self, update: Update) -> Event:
        cost = as_object(update.cost)
        amount = cost.get("amount")
        if cost.get("currency", "USD") == "USD" and isinstance(amount, (int, float)):
            self.cost.told(float(amount), is_working=self.is_working)
        # What the agent said, where it is not what the run has cost.
        detail = {"cost": cost} if cost and amount != self.cost.usd else None
        return events.Usage(used=update.used, size=update.size, cost_usd=self.cost.usd, detail=detail)


def _kept(kind: str, raw: msgspec.Raw) -> Event:
    return events.AgentUpdate(kind=plain(kind), update=bounded(msgspec.json.decode(raw)))
