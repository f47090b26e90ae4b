"""From the Claude CLI's frames to events: pure, in order, and without loss — a frame with no event of its own is kept.

Texts: deltas become partials; the whole block that the CLI sends at its end is their final.
Tools: their duration is measured here, from the call to its result; those of subagents name the call that started them.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from holdfast import events
from holdfast.agents.claude_outcomes import Facts
from holdfast.agents.claude_todos import Todos
from holdfast.agents.stderr import plain, whole_escapes
from holdfast.agents.values import as_object, as_objects, bounded
from holdfast.events import Event
from holdfast.times import timestamp

Frame = dict[str, Any]

# The tool by which the CLI hands over a structured result: not a deed, and it has an event of its own.
STRUCTURED_OUTPUT = "StructuredOutput"
# Heartbeats, and what other events say better.
_NOISE = frozenset({"status", "thinking_tokens", "session_state_changed", "hook_started", "hook_response"})
_DROPPED = frozenset({"command_lifecycle", "tool_progress", "keep_alive", "streamlined_text"})
# Beyond this no number counts anything, and not every reader of JSON takes it; beyond that year no clock goes.
_LARGEST = 2**53
_YEAR_9999_S = 253_370_764_800


class _Tool(msgspec.Struct):
    name: str
    began_ms: int
    parent_id: str | None


class Translation:
    """One turn's frames. `now_ms` is the clock, so that durations are measured and tests are exact."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._tools: dict[str, _Tool] = {}
        self._escapes: dict[tuple[str, str | None], str] = {}
        self._todos = Todos()
        self.facts = Facts()

    def frame(self, frame: Frame) -> list[Event]:
        match str(frame.get("type")):
            case "system":
                return self._system(frame)
            case "assistant":
                return self._assistant(frame)
            case "user":
                return self._user(frame)
            case "stream_event":
                return self._delta(frame)
            case "rate_limit_event":
                return [_rate_limit(as_object(frame.get("rate_limit_info")))]
            case "result":
                self._result(frame)
                return []
            case kind if kind in _DROPPED:
                return []
            case kind:
                return [_kept(kind, frame)]

    def _system(self, frame: Frame) -> list[Event]:
        match str(frame.get("subtype")):
            case "init":
                model = frame.get("model")
                self.facts.model = model if isinstance(model, str) else self.facts.model
                return []
            case "api_retry":
                return [_retry(frame)]
            case "compact_boundary":
                data = as_object(frame.get("compact_metadata"))
                tokens = _whole(data.get("pre_tokens"))
                return [events.Compacted(trigger=str(data.get("trigger", "auto")), tokens_before=tokens)]
            case "permission_denied":
                return [
                    events.HookTriggered(
                        hook_event="PreToolUse",
                        tool_name=str(frame.get("tool_name", "")),
                        decision="deny",
                        message=plain(str(frame.get("message", ""))),
                    )
                ]
            case subtype if subtype in _NOISE:
                return []
            case subtype:
                return [_kept(subtype, frame)]

    # Texts

    def _delta(self, frame: Frame) -> list[Event]:
        event = as_object(frame.get("event"))
        parent = _parent(frame)
        match event.get("type"):
            case "content_block_delta":
                return self._piece(as_object(event.get("delta")), parent)
            case "message_delta":
                reason = as_object(event.get("delta")).get("stop_reason")
                if parent is None and isinstance(reason, str):
                    self.facts.stop_reason = reason
                return []
            case _:
                return []

    def _piece(self, delta: Frame, parent: str | None) -> list[Event]:
        match delta.get("type"):
            case "text_delta":
                kind, text = events.Message, delta.get("text")
            case "thinking_delta":
                kind, text = events.Thinking, delta.get("thinking")
            case _:
                return []
        key = (kind.__name__, parent)
        whole, self._escapes[key] = whole_escapes(self._escapes.get(key, "") + str(text or ""))
        shown = plain(whole)
        return [kind(text=bounded(shown), is_partial=True, parent_id=parent)] if shown else []

    def _assistant(self, frame: Frame) -> list[Event]:
        message = as_object(frame.get("message"))
        parent = _parent(frame)
        error = frame.get("api_error") or frame.get("error")
        if isinstance(error, str):
            self.facts.error = error
        if frame.get("is_api_error_message") is True:
            # The CLI's own words about a call that failed; the run's end says them, and the model has not said them.
            self.facts.error_text = "\n".join(
                str(block.get("text") or "") for block in as_objects(message.get("content"))
            )
            return []
        made: list[Event] = []
        for block in as_objects(message.get("content")):
            match block.get("type"):
                case "text":
                    made += self._final(events.Message, str(block.get("text") or ""), parent)
                case "thinking":
                    made += self._final(events.Thinking, str(block.get("thinking") or ""), parent)
                case "tool_use" | "server_tool_use" | "mcp_tool_use":
                    made += self._tool_started(block, parent)
                case "redacted_thinking":
                    pass
                case kind:
                    made.append(_kept(str(kind), block))
        return made

    def _final(self, kind: type[events.Message] | type[events.Thinking], text: str, parent: str | None) -> list[Event]:
        self._escapes.pop((kind.__name__, parent), None)
        shown = bounded(plain(text))
        if not shown.strip():
            return []
        return [kind(text=shown, full_text=shown, is_partial=False, parent_id=parent)]

    # Tools

    def _tool_started(self, block: Frame, parent: str | None) -> list[Event]:
        name, tool_id = str(block.get("name") or "tool"), str(block.get("id") or "")
        if name == STRUCTURED_OUTPUT or not tool_id or tool_id in self._tools:
            return []
        self._tools[tool_id] = _Tool(name, self._now_ms(), parent)
        tool_input = block.get("input")
        if parent is None:
            self._todos.called(name, tool_id, as_object(tool_input))
        return [
            events.ToolStart(
                tool_name=name,
                tool_input={} if tool_input is None else bounded(tool_input),
                tool_id=tool_id,
                parent_id=parent,
            )
        ]

    def _user(self, frame: Frame) -> list[Event]:
        content = as_object(frame.get("message")).get("content")
        made: list[Event] = []
        for block in as_objects(content):
            if block.get("type") == "tool_result":
                made += self._tool_ended(block, frame.get("tool_use_result"))
        return made

    def _tool_ended(self, block: Frame, detail: Any) -> list[Event]:
        tool_id = str(block.get("tool_use_id") or "")
        tool = self._tools.pop(tool_id, None)
        if tool is None:
            return []
        is_error = block.get("is_error") is True
        complete = events.ToolComplete(
            tool_name=tool.name,
            tool_id=tool_id,
            result=_result(block.get("content")),
            duration_ms=max(0, self._now_ms() - tool.began_ms),
            is_error=is_error,
            parent_id=tool.parent_id,
        )
        todos = None if is_error else self._todos.returned(tool_id, as_object(detail))
        return [complete] if todos is None else [complete, events.TodoUpdate(todos=todos)]

    def _result(self, frame: Frame) -> None:
        """The cost of this run alone: the CLI's total runs on over resumes."""
        spent = _spent(frame)
        if spent is not None:
            self.facts.cost_usd = (self.facts.cost_usd or 0.0) + spent

    @property
    def open_tools(self) -> dict[str, str]:
        return {tool_id: tool.name for tool_id, tool in self._tools.items()}


def _spent(frame: Frame) -> float | None:
    models = frame.get("model_usage_since_last_result") or frame.get("modelUsageSinceLastResult")
    if isinstance(models, dict):
        costs = [_decimal(as_object(usage).get("costUSD")) for usage in as_object(models).values()]
        return sum(cost for cost in costs if cost is not None)
    return _decimal(frame.get("total_cost_usd"))


def _retry(frame: Frame) -> Event:
    error = frame.get("error")
    attempt = _whole(frame.get("attempt"))
    return events.AgentRetry(
        attempt=1 if attempt is None else attempt,
        status=_whole(frame.get("error_status")),
        delay_ms=int(_decimal(frame.get("retry_delay_ms")) or 0),
        message=error if isinstance(error, str) else None,
    )


def _rate_limit(info: Frame) -> Event:
    kind = info.get("rateLimitType")
    return events.RateLimit(
        status=str(info.get("status", "unknown")),
        limit_type=kind if isinstance(kind, str) else None,
        resets_at=_time(info.get("resetsAt")),
        utilization=_decimal(info.get("utilization")),
    )


def _time(seconds: Any) -> str | None:
    whole = _decimal(seconds)
    return timestamp(int(whole) * 1000) if whole is not None and 0 <= whole < _YEAR_9999_S else None


def _whole(value: Any) -> int | None:
    is_whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST
    return value if is_whole else None


def _decimal(value: Any) -> float | None:
    is_decimal = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _LARGEST
    return float(value) if is_decimal else None


def _kept(kind: str, frame: Frame) -> Event:
    return events.AgentUpdate(kind=plain(kind), update=bounded(frame))


def _result(content: Any) -> Any:
    """A tool's result: as text if it is text, else as it is."""
    if isinstance(content, str):
        return bounded(content)
    texts: list[str] = []
    for part in as_objects(content):
        if part.get("type") != "text":
            return bounded(content)
        texts.append(str(part.get("text") or ""))
    return bounded("\n".join(texts))


def _parent(frame: Frame) -> str | None:
    parent = frame.get("parent_tool_use_id")
    return parent if isinstance(parent, str) else None
