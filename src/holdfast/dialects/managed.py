"""A session's log as the events of Anthropic's sessions API (Managed Agents).

Rule 1: what is told of an entry does not depend on the partials before it, but for the previews that a client may ask
for. So ids and places stay the same when partials are dropped.
Rule 2: each event has an id that every telling gives it: by the entry and its part; a message's and a thinking's by
their number, since a preview names them before they are whole; what a client has sent by what the client got to know.
Rule 3: a tool call is told when it begins. If it turns out later that somebody has to allow it, it is told again, under
the same id, with `evaluated_permission` "ask". A list shows it once, as it was told last.
"""

import re
from typing import Any, Literal, NamedTuple

import msgspec

from holdfast import events
from holdfast.dialects.managed_ends import Totals, ended, retried
from holdfast.dialects.telling import Told
from holdfast.entry import Entry

DIALECT = "managed"
# The tool by which an agent's questions are told.
ASK_USER = "ask_user"
# The SDKs pass over frames without a name and know few names; this one they all take.
NAME = "message"
Preview = Literal["agent.message", "agent.thinking"]

_MCP = re.compile(r"mcp__(.+?)__(.+)", re.DOTALL)
# What decides on a request, if it is not a person.
_NOBODY = frozenset({"policy", "expiry", "daemon", "agent"})
_encode = msgspec.json.Encoder().encode


class Piece(NamedTuple):
    """One event. A preview has no id; one that is told `again` has its earlier telling's."""

    id: str | None
    data: dict[str, Any]
    again: bool = False

    @property
    def type(self) -> str:
        return self.data["type"]


class _Call(NamedTuple):
    id: str
    data: dict[str, Any]


def prefix_of(session_id: str) -> str:
    """What all ids of a session's events begin with."""
    return f"sevt_{session_id.replace('-', '')}_"


def confirmation_id(session_id: str, request_id: str) -> str:
    return f"{prefix_of(session_id)}c{request_id}"


def interrupt_id(session_id: str, run: int) -> str:
    return f"{prefix_of(session_id)}i{run}"


def message_id(session_id: str, token: str) -> str:
    return f"{prefix_of(session_id)}u{token}"


class Translation:
    """The fold of one session's log."""

    def __init__(self, session_id: str, previews: frozenset[Preview] = frozenset()) -> None:
        self._session_id = session_id
        self._prefix = prefix_of(session_id)
        self._previews = previews
        self._run = 0
        self._calls: dict[str, _Call] = {}
        # Of each kind of text, how many are whole, and whether the next one has been previewed.
        self._texts = {"agent.message": 0, "agent.thinking": 0}
        self._previewed: set[str] = set()
        self._open: dict[str, str] = {}
        self._questions: set[str] = set()
        self._totals = Totals()
        # Which request of the agent an event stands for, answered or not.
        self.requests: dict[str, str] = {}

    def __call__(self, entry: Entry) -> list[Told]:
        return [Told(_encode(piece.data), NAME) for piece in self.pieces(entry)]

    def pieces(self, entry: Entry) -> list[Piece]:
        match entry.data:
            case events.UserMessage() as said:
                return self._begun(entry, said)
            case events.Message() as text:
                return self._text(entry, text, "agent.message")
            case events.Thinking() as text:
                return self._text(entry, text, "agent.thinking")
            case events.OutputDisplay() as output:
                whole = "\n\n".join(part for part in (output.output, output.error, output.comments) if part)
                return [self._piece(entry, 1, "agent.message", content=[_text(whole)])]
            case events.ToolStart() as start:
                return self._started(entry, start)
            case events.ToolComplete() as done:
                return self._completed(entry, done)
            case events.PermissionRequest() as request:
                return self._asked(entry, request)
            case events.Question() as question:
                return self._questioned(entry, question)
            case events.PermissionResolved() as resolved:
                return self._resolved(entry, resolved)
            case events.Compacted():
                return [self._piece(entry, 1, "agent.thread_context_compacted")]
            case events.AgentRetry() as retry:
                return [self._piece(entry, 1, "session.error", error=retried(retry))]
            case events.Discarded():
                return [self._piece(entry, 1, "session.status_terminated")]
            case events.End() as end:
                return self._ended(entry, end)
            case _:
                return []

    def _begun(self, entry: Entry, said: events.UserMessage) -> list[Piece]:
        self._run += 1
        origin = said.origin
        own = origin is not None and origin.dialect == DIALECT and isinstance(origin.request, str)
        id_ = message_id(self._session_id, str(origin.request) if own and origin is not None else f"{self._run}")
        content = [_text(said.text)]
        content += [_text(f"[{file.name}: {file.media_type}, {file.size} bytes]") for file in said.attachments or ()]
        return [
            self._piece(entry, id_, "user.message", content=content),
            self._piece(entry, 2, "session.status_running"),
        ]

    def _text(self, entry: Entry, text: events.Message | events.Thinking, kind: Preview) -> list[Piece]:
        if text.parent_id is not None:
            return []  # a subagent's: what it comes to is the result of the call that started it
        id_ = f"{self._prefix}{'m' if kind == 'agent.message' else 't'}{self._texts[kind] + 1}"
        if text.is_partial:
            return self._preview(id_, text.text, kind)
        self._texts[kind] += 1
        self._previewed.discard(kind)
        if kind == "agent.thinking":
            return [self._piece(entry, id_, kind)]
        return [self._piece(entry, id_, kind, content=[_text(text.text)])]

    def _preview(self, id_: str, text: str, kind: Preview) -> list[Piece]:
        if kind not in self._previews:
            return []
        told: list[Piece] = []
        if kind not in self._previewed:
            self._previewed.add(kind)
            told.append(Piece(None, {"type": "event_start", "event": {"id": id_, "type": kind}}))
        if kind == "agent.message":  # of a thinking, only that it has begun is told
            delta = {"type": "content_delta", "index": 0, "content": _text(text)}
            told.append(Piece(None, {"type": "event_delta", "event_id": id_, "delta": delta}))
        return told

    def _started(self, entry: Entry, start: events.ToolStart) -> list[Piece]:
        if start.tool_id in self._calls:
            return []  # it was told when somebody was asked for it
        return [self._use(entry, start.tool_name, start.tool_input, start.tool_id, start.parent_id)]

    def _use(
        self, entry: Entry, name: str, given: Any, tool_id: str | None, parent_id: str | None = None, **more: Any
    ) -> Piece:
        tool_input: Any = given if isinstance(given, dict) else {} if given is None else {"input": given}  # pyright: ignore[reportUnknownVariableType]
        mcp = _MCP.fullmatch(name)
        if mcp is not None:
            name = mcp[2]
            more["mcp_server_name"] = mcp[1]
        if parent_id is not None:
            more["session_thread_id"] = f"sthr_{parent_id}"
        kind = "agent.tool_use" if mcp is None else "agent.mcp_tool_use"
        piece = self._piece(entry, 1, kind, name=name, input=tool_input, **more)
        if tool_id is not None:
            self._calls[tool_id] = _Call(str(piece.id), piece.data)
        return piece

    def _completed(self, entry: Entry, done: events.ToolComplete) -> list[Piece]:
        call = self._calls.pop(done.tool_id)
        result = done.result if isinstance(done.result, str) else _encode(done.result).decode()
        is_mcp = call.data["type"] == "agent.mcp_tool_use"
        kind, of = ("agent.mcp_tool_result", "mcp_tool_use_id") if is_mcp else ("agent.tool_result", "tool_use_id")
        content = [] if done.result is None or result == "" else [_text(result)]
        return [self._piece(entry, 1, kind, **{of: call.id}, content=content, is_error=done.is_error)]

    def _asked(self, entry: Entry, request: events.PermissionRequest) -> list[Piece]:
        call = self._calls.get(request.tool_id) if request.tool_id is not None else None
        if call is None:
            piece = self._use(entry, request.tool_name, request.tool_input, request.tool_id)
            piece.data.update(_ASK)
        else:
            call.data.update(_ASK)
            piece = Piece(call.id, {**call.data, "processed_at": entry.timestamp}, again=True)
        return [piece, self._waiting(entry, request.request_id, str(piece.id))]

    def _questioned(self, entry: Entry, question: events.Question) -> list[Piece]:
        """A tool that the client carries out: it asks its user."""
        given = {"text": question.text, "questions": msgspec.to_builtins(question.questions)}
        piece = self._piece(entry, 1, "agent.custom_tool_use", name=ASK_USER, input=given)
        self._questions.add(str(piece.id))
        return [piece, self._waiting(entry, question.request_id, str(piece.id))]

    def _waiting(self, entry: Entry, request_id: str, event_id: str) -> Piece:
        self._open[request_id] = event_id
        self.requests[event_id] = request_id
        return self._idle_for_answers(entry)

    def _idle_for_answers(self, entry: Entry) -> Piece:
        reason = {"type": "requires_action", "event_ids": list(self._open.values())}
        return self._piece(entry, 2, "session.status_idle", stop_reason=reason)

    def _resolved(self, entry: Entry, resolved: events.PermissionResolved) -> list[Piece]:
        event_id = self._open.pop(resolved.request_id)
        told: list[Piece] = []
        if resolved.by not in _NOBODY:
            told.append(self._answer(entry, resolved, event_id))
        if self._open:
            told.append(self._idle_for_answers(entry))
        elif resolved.by != "daemon":  # that closes what is open when the run ends
            told.append(self._piece(entry, 2, "session.status_running"))
        return told

    def _answer(self, entry: Entry, resolved: events.PermissionResolved, event_id: str) -> Piece:
        id_ = confirmation_id(self._session_id, resolved.request_id)
        is_denied = resolved.decision == "deny"
        if event_id in self._questions:
            said = resolved.message or "" if is_denied else _encode(resolved.answers or {}).decode()
            return self._piece(
                entry,
                id_,
                "user.custom_tool_result",
                custom_tool_use_id=event_id,
                content=[_text(said)],
                is_error=is_denied,
            )
        more = {"deny_message": resolved.message} if is_denied and resolved.message else {}
        result = "deny" if is_denied else "allow"
        return self._piece(entry, id_, "user.tool_confirmation", tool_use_id=event_id, result=result, **more)

    def _ended(self, entry: Entry, end: events.End) -> list[Piece]:
        self._calls.clear()
        told: list[Piece] = []
        if isinstance(end, events.Cancelled) and end.limit is None:
            told.append(self._piece(entry, interrupt_id(self._session_id, self._run), "user.interrupt"))
        if self._totals.take(end):
            told.append(self._piece(entry, 2, "session.usage", usage=self._totals.shown()))
        outcome = ended(end)
        if outcome.error is not None:
            told.append(self._piece(entry, 3, "session.error", error=outcome.error))
        # The API has few words for an end; ours stands beside them, where SDKs leave it be.
        info = msgspec.to_builtins(end.termination_info)
        more: dict[str, Any] = {"holdfast": {"stop_reason": end.stop_reason, "termination_info": info}}
        if outcome.stop_reason is None:
            told.append(self._piece(entry, 4, "session.status_terminated", **more))
        else:
            if outcome.stop_details is not None:
                more["stop_details"] = outcome.stop_details
            told.append(self._piece(entry, 4, "session.status_idle", stop_reason=outcome.stop_reason, **more))
        return told

    def _piece(self, entry: Entry, id_: str | int, type_: str, **more: Any) -> Piece:
        if isinstance(id_, int):
            id_ = f"{self._prefix}{entry.sequence}_{id_}"
        return Piece(id_, {"id": id_, "type": type_, "processed_at": entry.timestamp, **more})


_ASK: dict[str, Any] = {"evaluated_permission": "ask", "evaluation": {"type": "always_ask"}}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
