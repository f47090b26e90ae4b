"""One session's log, live: its history, then what the combined stream brings; the text that is growing at the foot."""

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, RichLog, Static

from holdfast.cli.dashboard.board import Row
from holdfast.cli.journal import Journal
from holdfast.cli.text import clean, one_line
from holdfast.client import Event, Session
from holdfast.errors import HoldfastError

# How far back it begins: nobody scrolls further on a screen, and `logs` has all of it.
BACK = 2_000
GROWING_LINES = 4


class LogScreen(Screen[None]):
    DEFAULT_CSS = """
    LogScreen #title { height: 1; background: $panel; color: $text; padding: 0 1; }
    LogScreen #title { text-wrap: nowrap; text-overflow: ellipsis; }
    LogScreen RichLog { height: 1fr; padding: 0 1; }
    LogScreen #growing { height: auto; max-height: 4; color: $text-muted; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "leave", "Back")]

    def __init__(self, session: Session, row: Row) -> None:
        super().__init__()
        self.session_id = session.id
        self._session = session
        self._row = row
        self._journal = Journal(session.id)
        self._head: int | None = None
        self._early: list[Event] = []
        self._growing = ""
        # Held, not looked up: events come while the screen is put up and taken down.
        self._title = Static(id="title")
        self._log = RichLog(wrap=True, max_lines=10_000, min_width=20)
        self._foot = Static(id="growing")

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._log
        yield self._foot
        yield Footer()

    def on_mount(self) -> None:
        self.describe(self._row)
        self._log.focus()
        self.run_worker(self._load(), exclusive=True)

    def describe(self, row: Row) -> None:
        """How the session stands now."""
        self._row = row
        words = f"{row.session_id[:8]} · {row.status} · {one_line(row.agent)} · {one_line(row.task)}"
        self._title.update(Text(words))

    def take(self, events: Iterable[Event]) -> None:
        """Of all that came, what is of this session."""
        mine = [event for event in events if event.session_id == self.session_id]
        if self._head is None:
            # The history is still being read, and may or may not have them.
            self._early += mine
            return
        for event in mine:
            if event.sequence > self._head:
                self._head = event.sequence
                self._show(event)
        if mine:
            self._show_growing()

    def action_leave(self) -> None:
        self.dismiss(None)

    async def _load(self) -> None:
        try:
            after = max(0, self._row.head - BACK)
            if after:
                self._log.write(
                    Text(f"… what came before event {after + 1:,}: holdfast logs {self.session_id[:8]}", "dim")
                )
            head = after
            async for page in self._session.all_history(after):
                head = page.head
                for event in page.events:
                    self._show(event)
        except HoldfastError as error:
            self.notify(str(error), severity="error")
            return
        self._head = head
        early, self._early = self._early, []
        self.take(early)

    def _show(self, event: Event) -> None:
        data = event.plain()
        if event.type in ("message", "thinking") and not data.get("parent_id"):
            self._growing = self._growing + data["text"] if data["is_partial"] else ""
        elif event.is_terminal:
            self._growing = ""
        for line in self._journal.lines(event.type, data, event.timestamp):
            self._log.write(line)

    def _show_growing(self) -> None:
        lines = clean(self._growing).splitlines()[-GROWING_LINES:]
        self._foot.update(Text("\n".join(lines)))
