"""The screen with all sessions, live, and what its keys do."""

import os
from typing import Any, ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.notifications import SeverityLevel
from textual.widgets import Footer, Input, Static

from holdfast.cli.dashboard.answering import AskPermission, AskQuestion, window
from holdfast.cli.dashboard.board import Board, Row
from holdfast.cli.dashboard.dialogs import Confirm, Help
from holdfast.cli.dashboard.feed import MOST_ENDED, Feed
from holdfast.cli.dashboard.listing import SessionList
from holdfast.cli.dashboard.log_screen import LogScreen
from holdfast.cli.dashboard.new_task import NewTask
from holdfast.cli.text import clean, one_line
from holdfast.client import Event, Holdfast, StreamState
from holdfast.errors import HoldfastError

# So often at most is the list put in order and drawn anew, however much happens.
REDRAW_S = 0.2
STATES: dict[StreamState, tuple[str, str]] = {
    "idle": ("starting …", "$text-muted"),
    "starting": ("starting …", "$text-muted"),
    "streaming": ("live", "$text-success"),
    "reconnecting": ("reconnecting …", "$text-warning"),
    "done": ("reconnecting …", "$text-warning"),
    "error": ("reconnecting …", "$text-warning"),
}


class Dashboard(App[str]):
    """Ends with a sentence if it cannot go on."""

    TITLE = "holdfast"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #head { height: 1; background: $panel; color: $text; padding: 0 1; }
    #filter { display: none; height: 3; }
    #chosen { height: 2; padding: 0 1; background: $panel; color: $text; text-wrap: nowrap; text-overflow: ellipsis; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answer", "Answer"),
        Binding("p", "pause", "Pause"),
        Binding("r", "resume", "Resume"),
        Binding("c", "cancel", "Cancel"),
        Binding("n", "new", "New"),
        Binding("f,slash", "filter", "Filter"),
        Binding("t", "theme", "Theme", show=False),
        Binding("question_mark", "help", "Help"),
        Binding("q", "quit", "Quit"),
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("escape", "unfilter", show=False),
    ]

    def __init__(self, holdfast: Holdfast, *, theme: str) -> None:
        super().__init__()
        self._holdfast = holdfast
        self._board = Board()
        self._state: StreamState = "idle"
        self._is_stale = True
        self._said: dict[Static, str | Text] = {}
        # Held, not looked up: a timer may come once more while the screen is being taken down.
        self._list = SessionList()
        self._head = Static(id="head")
        self._foot = Static(id="chosen")
        self._words = Input(placeholder="words that must occur; Enter keeps, Escape shows all", id="filter")
        self.theme = theme

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._list
        yield self._foot
        yield self._words
        yield Footer()

    def on_mount(self) -> None:
        self._list.focus()
        # Also what does not change by itself grows older.
        self.set_interval(REDRAW_S, self._redraw)
        self.set_interval(1.0, self._list.freshen)
        self._follow()

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Literally, whoever asks for it: a path in an error may look like markup, and wrong markup ends the screen."""
        super().notify(clean(message), title=title, severity=severity, timeout=timeout, markup=False)

    @work(exclusive=True)
    async def _follow(self) -> None:
        feed = Feed(self._holdfast, self._board, on_events=self._take, on_state=self._tell_state, on_load=self._loaded)
        try:
            await feed.run()
        except HoldfastError as error:
            self.exit(str(error), return_code=1)

    def _take(self, events: list[Event]) -> None:
        self._is_stale = True
        for screen in self.screen_stack:
            if isinstance(screen, LogScreen):
                screen.take(events)
        open_ = self.screen
        if isinstance(open_, (AskPermission, AskQuestion)):
            row = self._board.get(open_.session_id)
            if row is None or open_.request_id not in row.requests:
                # Somebody else was quicker, or its time is over.
                open_.dismiss(None)
                self.notify("That has its answer already.")

    def _tell_state(self, state: StreamState) -> None:
        self._state = state
        self._is_stale = True

    def _loaded(self) -> None:
        self._is_stale = True

    def _redraw(self) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        self._list.show(self._board.shown())
        self._describe_all()
        self._describe_chosen()
        for screen in self.screen_stack:
            if isinstance(screen, LogScreen) and (row := self._board.get(screen.session_id)) is not None:
                screen.describe(row)

    def _describe_all(self) -> None:
        words, style = STATES[self._state]
        waiting, active = self._board.count("waiting"), self._board.count("running", "pending")
        total = f"{len(self._board):,} sessions" if len(self._board) < MOST_ENDED else f"the newest {MOST_ENDED:,}"
        needs = f"[b $text-warning]{waiting} need{'s' * (waiting == 1)} you[/]" if waiting else "nothing needs you"
        head = f"holdfast · {needs} · {active} at work · {total} · [{style}]{words}[/]"
        self._put(self._head, head)

    def _describe_chosen(self) -> None:
        """What does not fit into the line of the chosen one."""
        row = self._board.get(self._list.chosen)
        if row is None:
            self._put(
                self._foot, "No session fits." if len(self._board) else "No session yet; n gives an agent a task."
            )
            return
        waits = f"\n{row.waits_for}" + (" · a answers" if row.requests else "") if row.waits_for else ""
        place = f"{row.session_id[:8]} · {one_line(row.workspace, 400)} · {one_line(row.task)}"
        self._put(self._foot, Text(f"{place}{waits}"))

    def _put(self, where: Static, words: str | Text) -> None:
        """Whoever says the same again costs a layout of the whole screen."""
        if self._said.get(where) != words:
            self._said[where] = words
            where.update(words)

    def on_session_list_chosen(self) -> None:
        self._describe_chosen()

    def on_session_list_opened(self, message: SessionList.Opened) -> None:
        row = self._board.get(message.session_id)
        if row is not None:
            self.push_screen(LogScreen(self._holdfast.session(message.session_id), row))

    def _meant(self) -> Row | None:
        """The session that a key is about: the one whose log is open, else the chosen one."""
        if isinstance(self.screen, LogScreen):
            return self._board.get(self.screen.session_id)
        return self._board.get(self._list.chosen)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a window is open, its keys count and no others."""
        is_window = len(self.screen_stack) > 1 and not isinstance(self.screen, LogScreen)
        return not is_window or action not in {
            binding.action for binding in self.BINDINGS if isinstance(binding, Binding)
        }

    @work
    async def action_answer(self) -> None:
        row = self._meant()
        if row is None or not row.requests:
            self.notify("It asks nothing." if row else "There is no session.")
            return
        request_id, (kind, request) = next(iter(row.requests.items()))
        reply: dict[str, Any] | None = await self.push_screen_wait(window(row.session_id, kind, request))
        if reply is not None:
            session = self._holdfast.session(row.session_id)
            await self._do("Answered.", session.answer(request_id, **reply))

    @work
    async def action_pause(self) -> None:
        row = self._meant()
        if row is None or not row.is_active:
            self.notify(f"It is {row.status}: there is nothing to pause." if row else "There is no session.")
            return
        await self._do("Paused.", self._holdfast.session(row.session_id).pause())

    @work
    async def action_resume(self) -> None:
        row = self._meant()
        if row is None or row.is_active:
            self.notify(f"It is {row.status} already." if row else "There is no session.")
            return
        await self._do("It goes on.", self._holdfast.session(row.session_id).resume())

    @work
    async def action_cancel(self) -> None:
        row = self._meant()
        if row is None or not row.is_active:
            self.notify(f"It is {row.status}: there is nothing to cancel." if row else "There is no session.")
            return
        question = f"Cancel {row.session_id[:8]}?"
        if await self.push_screen_wait(Confirm(question, one_line(row.task, 300))):
            await self._do("Cancelled.", self._holdfast.session(row.session_id).cancel())

    @work
    async def action_new(self) -> None:
        try:
            agents = [info.name for info in await self._holdfast.agents() if info.installed]
            profiles = [info.name for info in await self._holdfast.profiles()]
        except HoldfastError as error:
            self.notify(str(error), severity="error")
            return
        given = await self.push_screen_wait(NewTask(agents, profiles, _here() if self._holdfast.is_local else ""))
        if given is not None:
            await self._do("Started.", self._holdfast.run(given.pop("task"), **given))

    async def _do(self, done: str, order: Any) -> None:
        try:
            await order
        except HoldfastError as error:
            self.notify(str(error), severity="error", timeout=10)
        else:
            self.notify(done)

    def action_filter(self) -> None:
        if isinstance(self.screen, LogScreen):
            return
        self._words.styles.display = "block"
        self._words.focus()

    def action_unfilter(self) -> None:
        self._words.value = ""
        self._words.styles.display = "none"
        self._list.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input is self._words:
            self._board.filter(event.value)
            self._is_stale = True

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input is self._words:
            event.input.styles.display = "block" if event.value.strip() else "none"
            self._list.focus()

    def action_theme(self) -> None:
        self.theme = "textual-light" if self.theme == "textual-dark" else "textual-dark"

    def action_help(self) -> None:
        self.push_screen(Help())


def run(url: str | None, token: str | None, theme: str | None) -> str | None:
    """Until the person leaves. Answers why it could not go on; None if it could."""
    holdfast = Holdfast(url, token, user_agent="holdfast-cli", credential_option="--token")
    return Dashboard(holdfast, theme=f"textual-{theme or _guessed()}").run()


def _here() -> str:
    """The current folder, for a field; nothing if it is gone."""
    try:
        return os.getcwd()  # noqa: PTH109 - a text
    except FileNotFoundError:
        return ""


def _guessed() -> str:
    """Some terminals say their colours as `text;background`; 7 and 15 are white."""
    return "light" if os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15") else "dark"
