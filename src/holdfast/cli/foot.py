"""The lines at the foot of the screen: what is under way and not printed yet."""

import textwrap
import time
from datetime import datetime

from rich.console import Group
from rich.text import Text

from holdfast.cli.keys import HINT
from holdfast.cli.text import clean, now, stopwatch

FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
# So few that the foot always fits on the screen: what is taller than the screen cannot be redrawn.
TAIL_LINES = 6
TOOL_LINES = 4


class Foot:
    """Changed by the one who shows events, rendered by the thread that redraws; each attribute is replaced whole."""

    def __init__(self) -> None:
        self.tail = ""
        self.thought = ""
        self.is_lost = False
        self._tools: tuple[tuple[str, str, float], ...] = ()
        self._since: float | None = time.monotonic()
        self._asked_until: str | None = None

    def begin(self) -> None:
        self._since = time.monotonic()

    def clear(self) -> None:
        """The run is over: nothing is under way."""
        self.tail = self.thought = ""
        self._tools, self._since, self._asked_until = (), None, None

    def start(self, tool_id: str, title: str) -> None:
        self._tools = (*self._tools, (tool_id, title, time.monotonic()))

    def end(self, tool_id: str) -> None:
        self._tools = tuple(tool for tool in self._tools if tool[0] != tool_id)

    def ask(self, until: str | None) -> None:
        self._asked_until = until

    def render(self, width: int) -> Group:
        lines = [*_tail(self.thought, width, "dim italic"), *_tail(self.tail, width, "")]
        time_now = time.monotonic()
        frame = FRAMES[int(time_now * 8) % len(FRAMES)]
        tools = self._tools
        for _, title, since in tools[-TOOL_LINES:]:
            line = Text.assemble((f"{frame} ", "cyan"), (f"{stopwatch(time_now - since):>7}  ", "dim"), title)
            lines.append(_cut(line, width))
        if (status := self._status(frame, time_now)) is not None:
            lines += [Text(), _cut(status, width)]
        return Group(*lines)

    def _status(self, frame: str, time_now: float) -> Text | None:
        if self._asked_until:
            left = (datetime.fromisoformat(self._asked_until) - now()).total_seconds()
            return Text(f"{HINT} · {stopwatch(left)} left", "bold yellow")
        if self.is_lost:
            return Text(f"{frame} reconnecting · Ctrl-C detaches", "yellow")
        if self._since is None:
            return None
        return Text(f"{frame} working {stopwatch(time_now - self._since)} · Ctrl-C detaches", "dim")


def _tail(text: str, width: int, style: str) -> list[Text]:
    """The last lines of a text, wrapped each from its beginning, so that a word keeps its place while more come."""
    if not text.strip():
        return []
    lines = [part for line in clean(text).split("\n")[-TAIL_LINES:] for part in textwrap.wrap(line, width) or [""]]
    return [Text(), *(_cut(Text(line, style), width) for line in lines[-TAIL_LINES:])]


def _cut(line: Text, width: int) -> Text:
    line.no_wrap = True
    line.truncate(width, overflow="ellipsis")
    return line
