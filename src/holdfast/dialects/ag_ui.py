"""A session's log as the events of AG-UI 1.0.

Rule 1: what opens is closed, and every run of AG-UI has exactly one RUN_FINISHED or RUN_ERROR.
Rule 2: AG-UI has no word from the client within a run. So where an agent asks a person, the run of AG-UI ends as
interrupted, and the agent's waiting for the answer lies between two of them: one run of ours may be several there.
What happens meanwhile is told when the next one begins.
Rule 3: ids of messages do not depend on pieces, which the log forgets (texts.py).
"""

from typing import Any, NamedTuple

import msgspec

from holdfast import events
from holdfast.agents.values import as_object
from holdfast.dialects.ag_ui_interrupts import interrupt_of
from holdfast.dialects.telling import Place, Told
from holdfast.dialects.texts import Piece, Texts
from holdfast.entry import Entry

DIALECT = "ag-ui"
VERSION = "1.0"
# What AG-UI has no event for, and a front end may want to show.
_CUSTOM = (
    events.AgentStart,
    events.OutputDisplay,
    events.Usage,
    events.AgentRetry,
    events.RateLimit,
    events.Compacted,
    events.Stalled,
    events.Forked,
    events.Recovered,
    events.AgentUnparsed,
    events.ProfileSwitch,
    events.HookTriggered,
    events.PermissionResolved,
)
# As Claude Code calls the tools that start a subagent. What that does has the call's id as its `parent_id`.
_STARTERS = frozenset({"Agent", "Task"})
_SUMS = ("stop_reason", "num_turns", "duration_ms", "total_cost_usd", "model", "termination_info")
_encode = msgspec.json.Encoder().encode


class Wanted(NamedTuple):
    """One run of AG-UI: that of a task, or the one that goes on with these interrupts answered."""

    run_id: str
    answers: frozenset[str] = frozenset()


class AgUi:
    """The fold of one session's log; `wanted`: only this run is told, and `is_done` once it is over."""

    def __init__(self, thread_id: str, session_id: str, received: Place, wanted: Wanted | None = None) -> None:
        self._thread_id = thread_id
        self._session_id = session_id
        self._wanted = wanted
        self._texts = Texts(received)
        self._out: list[Told] = []
        self._held: list[Told] = []
        self._at_ms = 0
        self._run = 0
        self._task_id = ""
        # The run of AG-UI: which of our run's, whether it is open, and whether it is one that is told.
        self._segment = 0
        self._run_id = ""
        self._is_open = False
        self._is_told = False
        self._mark = ""
        self._asked: dict[str, dict[str, Any]] = {}
        # What was said of the subagents at work, and of those that an interrupt has suspended.
        self._subagents: dict[str, dict[str, Any]] = {}
        self._suspended: list[dict[str, Any]] = []
        self._results = 0
        self._output = ""
        self.is_done = False

    def __call__(self, entry: Entry) -> list[Told]:
        self._texts.reach(entry.sequence)
        self._at_ms = entry.at_ms
        self._out = []
        self._take(entry)
        return self._out

    def _take(self, entry: Entry) -> None:
        match entry.data:
            case events.UserMessage() as task:
                self._begin(task)
            case events.Message() | events.Thinking() as text:
                for piece in self._texts.take(text):
                    self._tell_piece(piece, text.parent_id)
                if isinstance(text, events.Message) and not text.is_partial and text.parent_id is None:
                    self._output = text.full_text or text.text
            case events.ToolStart() as tool:
                call: dict[str, Any] = {"toolCallId": tool.tool_id, **_of(tool.parent_id)}
                self._say("TOOL_CALL_START", toolCallName=tool.tool_name, **call)
                self._say("TOOL_CALL_ARGS", delta=_json(tool.tool_input or {}), **call)
                self._say("TOOL_CALL_END", **call)
                if tool.tool_name in _STARTERS:
                    self._tell_subagent(tool)
            case events.ToolComplete() as tool:
                self._tell_result(tool)
            case events.TodoUpdate() as update:
                # A snapshot would take away what else the client's state holds.
                todos = msgspec.to_builtins(update.todos)
                self._say("STATE_DELTA", delta=[{"op": "add", "path": "/todos", "value": todos}])
            case events.PermissionRequest() | events.Question() as asked:
                self._asked[asked.request_id] = interrupt_of(asked)
                self._interrupt_if_due()
            case events.PermissionResolved() as resolved:
                self._asked.pop(resolved.request_id, None)
                self._resume(resolved.request_id)
                self._custom(entry)
                self._interrupt_if_due()
            case events.AgentRetry():
                self._break_off(take_back=True)
                self._custom(entry)
            case events.AgentUpdate() as update:
                self._say("RAW", event=msgspec.to_builtins(update), source="agent")
            case events.End() as end:
                self._end(end)
            case _:
                self._custom(entry)

    # Runs

    def _begin(self, task: events.UserMessage) -> None:
        self._texts.begin()
        self._run += 1
        self._segment = 0
        self._results, self._output = 0, ""
        self._asked.clear()
        self._subagents.clear()
        self._suspended.clear()
        self._held.clear()
        self._mark = ""
        given = task.origin.request if task.origin is not None and task.origin.dialect == DIALECT else None
        self._task_id = f"run-{self._run}" if given is None else str(given)
        wanted = self._wanted
        is_told = wanted is None or (not wanted.answers and wanted.run_id == self._task_id and not self.is_done)
        self._open(self._task_id, task, is_told=is_told)

    def _resume(self, request_id: str) -> None:
        """The run that goes on, if the one before it was interrupted."""
        if self._is_open:
            return
        run_id, is_told = f"{self._task_id}.{self._segment + 1}", self._wanted is None
        if self._wanted is not None and request_id in self._wanted.answers and not self.is_done:
            run_id, is_told = self._wanted.run_id, True
        self._open(run_id, None, is_told=is_told)
        for subagent in self._suspended:
            self._say("SUBAGENT_STARTED", mark=self._mark, **subagent)
        self._suspended.clear()
        held, self._held = self._held, []
        if is_told:
            self._out += held

    def _open(self, run_id: str, task: events.UserMessage | None, *, is_told: bool) -> None:
        self._segment += 1
        self._run_id, self._is_open, self._is_told = run_id, True, is_told
        fields: dict[str, Any] = {}
        if task is not None and self._wanted is None:
            # Who replays a thread learns from it what the agent was asked; who asked knows.
            asked = {"id": f"{self._run}-user", "role": "user", "content": task.text}
            fields["input"] = {"threadId": self._thread_id, "runId": run_id, "messages": [asked]}
        self._say(
            "RUN_STARTED",
            threadId=self._thread_id,
            runId=run_id,
            protocolVersion=VERSION,
            metadata={"holdfast": {"session_id": self._session_id, "run": self._run}},
            mark=self._mark,
            **fields,
        )

    def _interrupt_if_due(self) -> None:
        """Not while answers that came with this run are still on their way to the agent."""
        under_way = self._wanted.answers if self._wanted is not None and self._is_told else frozenset[str]()
        if self._asked and self._is_open and not under_way & self._asked.keys():
            self._break_off(take_back=False)
            for id_ in self._subagents:
                self._say("SUBAGENT_FINISHED", subagentRunId=id_, outcome={"type": "suspended"})
            self._suspended = list(self._subagents.values())
            self._mark = self._texts.mark
            outcome = {"type": "interrupt", "interrupts": list(self._asked.values())}
            self._close("RUN_FINISHED", threadId=self._thread_id, runId=self._run_id, outcome=outcome)

    def _end(self, end: events.End) -> None:
        self._resume("")
        data = msgspec.to_builtins(end)
        named = {"threadId": self._thread_id, "runId": self._run_id}
        if end.stop_reason == "success":
            result = {name: data[name] for name in _SUMS if name in data} | {"output": self._output}
            self._close("RUN_FINISHED", **named, outcome={"type": "success"}, result=result, rawEvent=data)
        elif end.stop_reason in ("cancelled", "paused"):
            self._close("RUN_FINISHED", **named, outcome={"type": "cancelled"}, rawEvent=data)
        else:
            message = data.get("message") or f"The run ended with {end.stop_reason}"
            self._close("RUN_ERROR", message=message, code=end.stop_reason, rawEvent=data)
        self._run_id = ""

    def _close(self, type_: str, **fields: Any) -> None:
        self._say(type_, **fields)
        self._is_open = False
        self.is_done = self.is_done or (self._is_told and self._wanted is not None)
        self._is_told = False

    # Events

    def _tell_piece(self, piece: Piece, parent_id: str | None) -> None:
        """Begins, goes on with and ends a text, as far as the piece does so."""
        name = piece.name if piece.part == 1 else f"{piece.name}.{piece.part}"
        of: dict[str, Any] = {"messageId": name, **_of(parent_id)}
        before, begun, said, ended = self._texts.marks(piece)
        if piece.begins:
            if piece.is_message:
                self._say("TEXT_MESSAGE_START", role="assistant", mark=begun, **of)
            else:
                self._say("REASONING_START", mark=before, **of)
                self._say("REASONING_MESSAGE_START", role="reasoning", mark=begun, **of)
        if piece.text:
            kind = "TEXT_MESSAGE" if piece.is_message else "REASONING_MESSAGE"
            self._say(f"{kind}_CONTENT", delta=piece.text, mark=said, **of)
        if piece.ends:
            if piece.is_message:
                self._say("TEXT_MESSAGE_END", mark=ended, **of)
            else:
                self._say("REASONING_MESSAGE_END", mark=said, **of)
                self._say("REASONING_END", mark=ended, **of)

    def _break_off(self, *, take_back: bool) -> None:
        for piece in self._texts.break_off(take_back=take_back):
            self._tell_piece(piece, None)

    def _tell_subagent(self, tool: events.ToolStart) -> None:
        said: dict[str, Any] = {"subagentRunId": tool.tool_id, "name": tool.tool_name, "parentToolCallId": tool.tool_id}
        given = as_object(tool.tool_input)
        if isinstance(name := given.get("subagent_type"), str):
            said["name"] = name
        if isinstance(about := given.get("description"), str):
            said["description"] = about
        if tool.parent_id is not None:
            said["parentSubagentRunId"] = tool.parent_id
        self._subagents[tool.tool_id] = said
        self._say("SUBAGENT_STARTED", **said)

    def _tell_result(self, tool: events.ToolComplete) -> None:
        self._results += 1
        if self._subagents.pop(tool.tool_id, None) is not None:
            if tool.is_error:
                self._say("SUBAGENT_ERROR", subagentRunId=tool.tool_id, message=_text(tool.result) or "It failed")
            else:
                self._say("SUBAGENT_FINISHED", subagentRunId=tool.tool_id, outcome={"type": "success"})
        about = {"is_error": tool.is_error, "duration_ms": tool.duration_ms, "outcome": tool.outcome}
        self._say(
            "TOOL_CALL_RESULT",
            messageId=f"{self._run}-result-{self._results}",
            toolCallId=tool.tool_id,
            content=_text(tool.result),
            role="tool",
            metadata={"holdfast": {name: value for name, value in about.items() if value is not None}},
            **_of(tool.parent_id),
        )

    def _custom(self, entry: Entry) -> None:
        if isinstance(entry.data, _CUSTOM):
            self._say("CUSTOM", name=f"holdfast.{entry.type}", value=msgspec.to_builtins(entry.data))

    def _say(self, type_: str, *, mark: str | None = None, **fields: Any) -> None:
        body = _encode({"type": type_, "timestamp": self._at_ms, **fields})
        told = Told(body, mark=self._texts.mark if mark is None else mark)
        if not self._is_open:
            self._held.append(told)
        elif self._is_told:
            self._out.append(told)


def _of(parent_id: str | None) -> dict[str, str]:
    """Whose it is: a subagent is known by the call that started it."""
    return {} if parent_id is None else {"subagentRunId": parent_id}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else _json(value)


def _json(value: Any) -> str:
    return _encode(value).decode()
