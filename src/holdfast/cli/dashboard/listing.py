"""The list of sessions: only the lines in sight are made, so a thousand sessions cost what twenty do."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from holdfast.cli.dashboard import columns
from holdfast.cli.dashboard.board import Row
from holdfast.cli.text import age, now

STATUSES = ("pending", "running", "waiting", "complete", "failed", "cancelled", "paused", "interrupted")


class SessionList(ScrollView, can_focus=True):
    """What is chosen is a session, not a place: it stays chosen wherever it moves to."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "list--cursor", "list--heading", "list--muted", "list--project", *(f"list--{status}" for status in STATUSES),
    }  # fmt: skip
    DEFAULT_CSS = """
    SessionList { height: 1fr; }
    SessionList > .list--cursor { background: $block-cursor-blurred-background; text-style: bold; }
    SessionList:focus > .list--cursor { background: $primary-muted; }
    SessionList > .list--heading { color: $text-muted; background: $panel; }
    SessionList > .list--muted { color: $text-muted; }
    SessionList > .list--project { color: $text-accent; }
    SessionList > .list--waiting { color: $text-warning; text-style: bold; }
    SessionList > .list--running, SessionList > .list--pending { color: $text-primary; }
    SessionList > .list--complete { color: $text-success; }
    SessionList > .list--failed { color: $text-error; }
    SessionList > .list--cancelled, SessionList > .list--paused { color: $text-muted; }
    SessionList > .list--interrupted { color: $text-secondary; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "move(-1000000)", "First", show=False),
        Binding("end", "move(1000000)", "Last", show=False),
        Binding("enter", "open", "Open"),
    ]

    class Opened(Message):
        """Somebody wants to look into a session."""

        def __init__(self, session_id: str) -> None:
            super().__init__()
            self.session_id = session_id

    class Chosen(Message):
        """Another session is chosen."""

    def __init__(self) -> None:
        super().__init__(id="sessions")
        self._rows: list[Row] = []
        self._chosen: str | None = None
        self._drawn: dict[int, object] = {}

    @property
    def chosen(self) -> str | None:
        """The session under the cursor."""
        return self._chosen

    def show(self, rows: list[Row]) -> None:
        """These, in this order. The cursor stays on its session; if that is gone, at its place."""
        place = self._place()
        self._rows = rows
        if self._place() is None:
            self._chosen = rows[min(place or 0, len(rows) - 1)].session_id if rows else None
            self.post_message(self.Chosen())
        if self.virtual_size.height != len(rows) + 1:
            self.virtual_size = Size(0, len(rows) + 1)
        self.freshen()

    def freshen(self) -> None:
        """Draws the lines anew in which something has changed, if only an age: a line costs more than a look at it."""
        for y in range(1, self.size.height):
            if self._looks(y) != self._drawn.get(y):
                self.refresh(Region(0, y, self.size.width, 1))

    def _looks(self, y: int) -> object:
        """All that decides how a line looks."""
        place = y - 1 + round(self.scroll_offset.y)
        if place >= len(self._rows):
            return None
        row = self._rows[place]
        is_chosen = row.session_id == self._chosen
        facts = (row.status, row.agent, row.project_id, row.task, row.waits_for, row.turns, row.cost)
        return row.session_id, is_chosen, age(row.created_at, now()), self.size.width, *facts

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        layout = columns.widths(width)
        if y == 0:
            # The heading stays where it is, whatever is scrolled.
            return self._strip(columns.heading(layout), self.get_component_rich_style("list--heading"), width)
        place = y - 1 + round(self.scroll_offset.y)
        self._drawn[y] = self._looks(y)
        if place >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        row = self._rows[place]
        name = "list--cursor" if row.session_id == self._chosen else None
        style = self.get_component_rich_style(name) if name else self.rich_style
        return self._strip(columns.line(row, layout, now(), self._style_of), style, width)

    def _strip(self, text: columns.Text, style: Style, width: int) -> Strip:
        console = self.app.console  # pyright: ignore[reportUnknownMemberType] - whatever the app's answer may be
        segments = list(Segment.apply_style(text.render(console, end=""), style))
        return Strip(segments).adjust_cell_length(width, style)

    def _style_of(self, name: str) -> Style:
        """Only its colour and weight: the background is the line's."""
        if f"list--{name}" not in self.COMPONENT_CLASSES:
            return Style()
        full = self.get_component_rich_style(f"list--{name}")
        return Style(color=full.color, bold=full.bold)

    def _place(self) -> int | None:
        return next((place for place, row in enumerate(self._rows) if row.session_id == self._chosen), None)

    def _choose(self, place: int) -> None:
        if not self._rows:
            return
        place = max(0, min(place, len(self._rows) - 1))
        self._chosen = self._rows[place].session_id
        top, height = round(self.scroll_offset.y), max(1, self.size.height - 1)
        if place < top:
            self.scroll_to(y=place, animate=False)
        elif place >= top + height:
            self.scroll_to(y=place - height + 1, animate=False)
        self.post_message(self.Chosen())
        self.freshen()

    def action_move(self, by: int) -> None:
        self._choose((self._place() or 0) + by)

    def action_page(self, by: int) -> None:
        self._choose((self._place() or 0) + by * max(1, self.size.height - 2))

    def action_open(self) -> None:
        if self._chosen is not None:
            self.post_message(self.Opened(self._chosen))

    def on_click(self, event: events.Click) -> None:
        place = event.y - 1 + round(self.scroll_offset.y)
        if event.y > 0 and place < len(self._rows):
            if event.chain == 2 and self._rows[place].session_id == self._chosen:
                self.action_open()
            else:
                self._choose(place)
