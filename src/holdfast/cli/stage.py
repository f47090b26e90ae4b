"""A terminal on which lines are printed for good above a foot that is redrawn."""

import threading
from typing import Any

from rich.console import Console, RenderableType
from rich.live import Live
from rich.markdown import Heading, Markdown
from rich.segment import Segment, Segments

from holdfast.cli.foot import Foot

REDRAW_S = 0.125


class Stage:
    """Prints and redraws under one lock.

    rich's own refresh thread takes its lock only to find where the foot begins, not until it is drawn: a print in
    between leaves pieces of the foot behind. So the thread is ours, and its lock holds from the one to the other.
    """

    def __init__(self, console: Console, foot: Foot) -> None:
        self.console = console
        self._foot = foot
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._live = Live(
            console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
        )
        self._drawer = threading.Thread(target=self._draw, name="foot", daemon=True)

    def start(self) -> None:
        self._live.start()
        self._drawer.start()

    def stop(self) -> None:
        self._ended.set()
        self._drawer.join()
        self._live.update(self._foot.render(self.console.width))
        self._live.stop()

    def print(self, *what: RenderableType, **options: Any) -> None:
        with self._lock:
            # The foot as it is now: it must not show once more what is printed above it.
            self._live.update(self._foot.render(self.console.width))
            self.console.print(*what, **options)

    def _draw(self) -> None:
        while not self._ended.wait(REDRAW_S):
            with self._lock:
                self._live.update(self._foot.render(self.console.width), refresh=True)


class _LeftHeading(Heading):
    LEVEL_ALIGN = dict.fromkeys(Heading.LEVEL_ALIGN, "left")  # pyright: ignore[reportAssignmentType]


class _LeftMarkdown(Markdown):
    elements = {**Markdown.elements, "heading_open": _LeftHeading}  # noqa: RUF012


def render_markdown(console: Console, markdown: str) -> Segments:
    """Markdown without the empty lines that rich puts around some blocks and not around others.

    Links show where they lead, and colours are the terminal's own, so that they fit its background.
    """
    document = _LeftMarkdown(markdown, hyperlinks=False, code_theme="ansi_dark")
    lines = console.render_lines(document, pad=False)
    while lines and _is_blank(lines[0]):
        lines.pop(0)
    while lines and _is_blank(lines[-1]):
        lines.pop()
    return Segments([segment for line in lines for segment in (*line, Segment.line())])


def _is_blank(line: list[Segment]) -> bool:
    return not "".join(segment.text for segment in line).strip()
