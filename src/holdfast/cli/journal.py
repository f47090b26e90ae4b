"""A session's log as lines that can be searched: when, what kind, and what was said or done. No terminal is asked.

Partials have no line: their final has all of it.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

import msgspec
from rich.text import Text

from holdfast.cli import asked, ending
from holdfast.cli.notes import words_of
from holdfast.cli.text import TODO_ICONS, clean, describe_tool, one_line, span

LABEL = 9
INDENT = " " * (8 + 2 + LABEL + 1)
# Most of what an end has to say about stderr; `holdfast show` has all.
STDERR_LINES = 16

Said = Iterator[tuple[str, str | Text, str]]


class Journal:
    """Remembers what tools were called for: their ends name only ids."""

    def __init__(self, session_id: str) -> None:
        self._session_id = session_id
        self._tools: dict[str, str] = {}
        self._day: date | None = None

    def lines(self, kind: str, data: Mapping[str, Any], timestamp: str) -> Iterator[Text]:
        """The event's lines; none if it has nothing for a person."""
        at = datetime.fromisoformat(timestamp).astimezone()
        for label, words, style in self._said(kind, data):
            if at.date() != self._day:
                self._day = at.date()
                yield Text(f"── {at:%A}, {at.date().isoformat()}", "dim")
            yield from _laid_out(f"{at:%H:%M:%S}", label, words, style)

    def _said(self, kind: str, data: Mapping[str, Any]) -> Said:
        say: Callable[[Mapping[str, Any]], Said] | None = {
            "user_message": self._task,
            "agent_start": self._start,
            "message": self._text("message", ""),
            "thinking": self._text("thinking", "dim italic"),
            "tool_start": self._tool,
            "tool_complete": self._done,
            "output_display": self._output,
            "todo_update": self._todos,
            "permission_request": self._asked("permission_request"),
            "question": self._asked("question"),
            "permission_resolved": self._resolved,
            "agent_complete": self._end,
            "error": self._end,
            "cancelled": self._end,
        }.get(kind)
        if say is not None:
            yield from say(data)
        elif (words := words_of(kind, dict(data))) is not None:
            yield "note", one_line(words, 2000), "dim"

    def _task(self, data: Mapping[str, Any]) -> Said:
        yield "task", data["text"], "bold cyan"
        for attachment in data.get("attachments") or ():
            yield "file", f"{one_line(attachment['name'])} ({attachment['size']:,} bytes)", "dim"

    def _start(self, data: Mapping[str, Any]) -> Said:
        yield "start", " · ".join(one_line(data[key]) for key in ("agent", "model") if data.get(key)), "dim"

    def _text(self, label: str, style: str) -> Callable[[Mapping[str, Any]], Said]:
        def said(data: Mapping[str, Any]) -> Said:
            if not data["is_partial"]:
                # A helper of the agent speaks: its words are not the agent's.
                yield ("helper" if data.get("parent_id") else label), data.get("full_text") or data["text"], style

        return said

    def _tool(self, data: Mapping[str, Any]) -> Said:
        title = describe_tool(data["tool_name"], data.get("title"), data.get("tool_input"))
        self._tools[data["tool_id"]] = title
        yield "tool", title, ""

    def _done(self, data: Mapping[str, Any]) -> Said:
        title = self._tools.pop(data["tool_id"], None) or one_line(data["tool_name"])
        took = span(data["duration_ms"] / 1000)
        if not data["is_error"]:
            yield "done", f"✓ {title} ({took})", "green"
            return
        said = data["result"] if isinstance(data["result"], str) else msgspec.json.encode(data["result"]).decode()
        yield "failed", f"✗ {title} ({took}): {one_line(said)}", "red"

    def _output(self, data: Mapping[str, Any]) -> Said:
        for text, style in ((data["output"], ""), (data["error"], "red"), (data["comments"], "dim")):
            if text:
                yield "output", text, style

    def _todos(self, data: Mapping[str, Any]) -> Said:
        todos = (f"{TODO_ICONS.get(todo['status'], '·')} {one_line(todo['content'])}" for todo in data["todos"])
        yield "todo", "\n".join(todos), "dim"

    def _asked(self, kind: str) -> Callable[[Mapping[str, Any]], Said]:
        def said(data: Mapping[str, Any]) -> Said:
            yield "asks", "\n".join(line.plain for line in asked.lines(kind, data)), "bold yellow"

        return said

    def _resolved(self, data: Mapping[str, Any]) -> Said:
        answers = f" {msgspec.json.encode(data['answers']).decode()}" if data.get("answers") else ""
        message = f": {one_line(data['message'])}" if data.get("message") else ""
        style = "green" if str(data["decision"]).startswith("allow") else "red"
        yield "answer", f"{one_line(data['decision'])}{answers} by {one_line(data['by'])}{message}", style

    def _end(self, data: Mapping[str, Any]) -> Said:
        self._tools.clear()
        # Without the hints on how to go on: this is what was, not what can be done.
        lines = ending.describe(data, self._session_id, stderr_lines=STDERR_LINES, hints=False)
        yield "end", Text("\n").join(lines), ""


def has_lines(event: Mapping[str, Any]) -> bool:
    """Whether it has something for a person."""
    return any(Journal("").lines(event["type"], event["data"], event["timestamp"]))


def _laid_out(at: str, label: str, words: str | Text, style: str) -> Iterator[Text]:
    body = words if isinstance(words, Text) else Text(clean(words).strip("\n"), style)
    first = True
    for line in body.split("\n", allow_blank=True):
        if first:
            yield Text.assemble((f"{at}  ", "dim"), (f"{label:<{LABEL}} ", "dim"), line)
        else:
            yield Text.assemble(INDENT, line)
        first = False
