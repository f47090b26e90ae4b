"""Shows a session's events to a person.

Rule 1: the agent's messages go to stdout, everything about them to stderr; on a terminal they share one console.
Rule 2: what is printed stays. Only the foot (what is not finished yet) is redrawn, and only on a terminal.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import msgspec
from rich.console import Console, RenderableType
from rich.text import Text

from holdfast.cli import asked, ending
from holdfast.cli.foot import Foot
from holdfast.cli.growing import Growing, settled_blocks, settled_lines
from holdfast.cli.keys import Keyboard
from holdfast.cli.notes import words_of
from holdfast.cli.notices import Notice
from holdfast.cli.stage import Stage, render_markdown
from holdfast.cli.text import DECISIONS, TODO_ICONS, TODO_STYLES, clean, clock, describe_tool, one_line, span
from holdfast.client import Event

STDERR_LINES = 16


class Screen:
    """One session on one terminal, or in two files."""

    def __init__(self, session_id: str, *, out: Console, err: Console, shows_tasks: bool) -> None:
        self._session_id = session_id
        self._out = out
        self._err = out if out.is_terminal and err.is_terminal else err
        self._shows_tasks = shows_tasks
        self._keyboard: Keyboard | None = None
        self._foot = Foot()
        shown_on = next((console for console in (self._out, self._err) if _can_redraw(console)), None)
        self._stage = Stage(shown_on, self._foot) if shown_on else None
        self._last_kind: dict[Console, str] = {}
        self._written = ""
        self._message: Growing | None = None
        self._thinking: Growing | None = None
        self._tools: dict[str, str] = {}
        self._todos: dict[str, str] = {}
        self._requests: dict[str, dict[str, Any]] = {}

    def ask_with(self, answer: Callable[[str, str], bool]) -> None:
        """Lets the person at the keyboard answer permission requests."""
        self._keyboard = Keyboard(answer)

    def __enter__(self) -> Self:
        if self._stage:
            self._stage.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._keyboard:
            self._keyboard.close()
        self._foot.clear()
        if self._stage:
            self._stage.stop()

    def show(self, event: Event) -> None:
        data = event.plain()
        match event.type:
            case "user_message":
                self._begin(data)
            case "agent_start":
                words = " · ".join(one_line(data[key]) for key in ("agent", "model") if data.get(key))
                self._say("start", Text(words, "dim"))
            case "message":
                self._take_message(data)
            case "thinking":
                self._take_thinking(data)
            case "tool_start":
                title = describe_tool(data["tool_name"], data.get("title"), data.get("tool_input"))
                self._tools[data["tool_id"]] = title
                self._foot.start(data["tool_id"], title)
            case "tool_complete":
                self._complete(data)
            case "output_display":
                self._display(data)
            case "todo_update":
                self._update_todos(data["todos"])
            case "permission_request":
                self._requests[data["request_id"]] = data
                self._request(event.type, data)
            case "permission_resolved":
                self._resolve(data)
            case "question":
                self._request(event.type, data)
            case "agent_complete" | "error" | "cancelled":
                self.ended(data)
            case _:
                words = words_of(event.type, data)
                if words is not None:
                    self._say("note", Text(f"· {one_line(words)}", "dim"))

    def flush(self) -> None:
        """What came together has been shown; now is the time for what must not be asked in passing."""
        if self._keyboard and self._requests:
            request_id, data = next(iter(self._requests.items()))
            self._keyboard.ask(request_id)
            self._foot.ask(data["expires_at"])

    def notice(self, notice: Notice) -> None:
        words = {
            "lost": "Connection lost; reconnecting …",
            "back": "Connected again.",
            "reset": "The server's log is another one than before; it comes from its beginning.",
        }
        self._foot.is_lost = notice == "lost"
        self._say("notice", Text(words[notice], "yellow"))

    def say(self, words: str, style: str = "") -> None:
        self._say("notice", Text(clean(words), style))

    def ended(self, end: dict[str, Any]) -> None:
        """The end, from its event or from the record."""
        for request_id in tuple(self._requests):
            self._forget(request_id)
        self._foot.clear()
        for line in ending.describe(end, self._session_id, stderr_lines=STDERR_LINES):
            self._say("end", line)

    def _begin(self, data: dict[str, Any]) -> None:
        self._foot.begin()
        self._todos.clear()
        if self._shows_tasks:
            self._say("task", Text(f"› {clean(data['text'])}", "bold cyan"))

    def _take_message(self, data: dict[str, Any]) -> None:
        if data.get("parent_id"):
            if not data["is_partial"]:
                self._aside(data)
            return
        text = self._message = self._message or Growing()
        if data["is_partial"]:
            text.add(data["text"])
            if not self._out.is_terminal:
                is_new = text.printed == 0
                self._write(text.take(len(text.pending)), is_new=is_new)
            elif "\n" in data["text"]:
                settled = text.take(settled_blocks(text.pending))
                self._foot.tail = text.pending
                self._print_blocks(settled)
            else:
                self._foot.tail = text.pending
            return
        full = data.get("full_text") or data["text"]
        rest, goes_on = text.lacks(full)
        self._message, self._foot.tail = None, ""
        if self._out.is_terminal:
            self._print_blocks(rest)
        else:
            self._write(rest if full.endswith("\n") else f"{rest}\n", is_new=not (goes_on and text.printed))

    def _print_blocks(self, markdown: str) -> None:
        if markdown.strip():
            # No empty line from print: the segments end with their own.
            block = render_markdown(self._out, clean(markdown))
            self._print(self._out, "message", block, is_block=True, end="")

    def _write(self, text: str, *, is_new: bool) -> None:
        """To a file or a program, as it came; texts have an empty line between them."""
        if is_new and self._written and not self._written.endswith("\n\n"):
            text = f"\n{text}"
        self._out.file.write(text)
        self._out.file.flush()
        self._written = (self._written + text)[-2:]

    def _take_thinking(self, data: dict[str, Any]) -> None:
        if data.get("parent_id"):
            return
        text = self._thinking = self._thinking or Growing()
        if data["is_partial"]:
            text.add(data["text"])
            settled = text.take(settled_lines(text.pending))
            self._foot.thought = text.pending
            self._think(settled)
        else:
            rest, _ = text.lacks(data.get("full_text") or data["text"])
            self._thinking, self._foot.thought = None, ""
            self._think(rest)

    def _think(self, text: str) -> None:
        if text.strip():
            self._say("thinking", Text(clean(text).strip("\n"), "dim italic"))

    def _aside(self, data: dict[str, Any]) -> None:
        """What a helper of the agent said: in a line, since the agent sums it up itself."""
        self._say("tool", Text(f"  ┊ {one_line(data.get('full_text') or data['text'])}", "dim"), in_one_line=True)

    def _complete(self, data: dict[str, Any]) -> None:
        title = self._tools.pop(data["tool_id"], None) or one_line(data["tool_name"])
        self._foot.end(data["tool_id"])
        failed = bool(data["is_error"])
        mark = ("✗ ", "bold red") if failed else ("✓ ", "green")
        line = Text.assemble(mark, (f"{span(data['duration_ms'] / 1000):>7}  ", "dim"), title)
        if failed:
            said = data["result"] if isinstance(data["result"], str) else msgspec.json.encode(data["result"]).decode()
            line.append(f"  {one_line(said)}", "red")
        self._say("tool", line, in_one_line=True)

    def _display(self, data: dict[str, Any]) -> None:
        if self._out.is_terminal:
            self._print_blocks(data["output"])
        elif data["output"]:
            self._write(f"{data['output']}\n", is_new=True)
        if data["error"]:
            self._say("display", Text(clean(data["error"]), "red"))
        if data["comments"]:
            self._say("display", Text(clean(data["comments"]), "dim"))
        for path in data["result_files"]:
            self._say("display", Text(f"→ {one_line(path)}"))

    def _update_todos(self, todos: list[dict[str, Any]]) -> None:
        """The whole list at first, later only what has changed."""
        for todo in todos:
            content, status = one_line(todo["content"]), todo["status"]
            if self._todos.get(content) != status:
                self._todos[content] = status
                icon, style = TODO_ICONS.get(status, "·"), TODO_STYLES.get(status, "")
                self._say("todo", Text(f"  {icon} {content}", style), in_one_line=True)

    def _request(self, kind: str, data: dict[str, Any]) -> None:
        # The person must see what they allow, so this is not cut to a line.
        for line in asked.lines(kind, data):
            self._say("request", line)
        if not self._keyboard or kind == "question":
            how = asked.how(self._session_id, kind, data)
            until = f"{'declined' if kind == 'question' else 'denied'} at {clock(data['expires_at'])} if nobody does"
            self._say("request", Text(f"  answer in a terminal with: {how}; {until}", "dim"))

    def _resolve(self, data: dict[str, Any]) -> None:
        self._forget(data["request_id"])
        decision, by = str(data["decision"]), one_line(data["by"])
        mark, style = ("✓", "green") if decision.startswith("allow") else ("✗", "red")
        self._say("request", Text(f"{mark} {DECISIONS.get(decision, one_line(decision))} by {by}", style))

    def _forget(self, request_id: str) -> None:
        self._requests.pop(request_id, None)
        self._foot.ask(None)
        if self._keyboard:
            self._keyboard.settle(request_id)

    def _say(self, kind: str, what: RenderableType, *, in_one_line: bool = False) -> None:
        self._print(self._err, kind, what, in_one_line=in_one_line)

    def _print(
        self,
        console: Console,
        kind: str,
        what: RenderableType,
        *,
        is_block: bool = False,
        in_one_line: bool = False,
        end: str = "\n",
    ) -> None:
        """Prints with an empty line where the kind changes, and between blocks of text."""
        print_on = self._stage.print if self._stage and self._stage.console is console else console.print
        last = self._last_kind.get(console)
        if last is not None and (is_block or last != kind):
            print_on()
        self._last_kind[console] = kind
        if console.is_terminal:
            print_on(what, no_wrap=in_one_line, overflow="ellipsis" if in_one_line else "fold", end=end)
        else:
            print_on(what, soft_wrap=True, end=end)


def _can_redraw(console: Console) -> bool:
    return console.is_terminal and not console.is_dumb_terminal
