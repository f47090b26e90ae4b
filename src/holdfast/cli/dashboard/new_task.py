"""The window for a new task: what is to be done, and by whom, where and under which profile."""

from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static

from holdfast.cli.dashboard.dialogs import BOX


class NewTask(ModalScreen[dict[str, Any] | None]):
    """Answers the fields that were filled in; None if it was left."""

    DEFAULT_CSS = f"NewTask {{ {BOX} Input {{ margin-bottom: 1; }} }}"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "start", "Start", priority=True),
        Binding("escape", "dismiss(None)", "Leave", priority=True),
    ]

    def __init__(self, agents: list[str], profiles: list[str], workspace: str) -> None:
        super().__init__()
        self._agents = agents
        self._profiles = profiles
        self._workspace = workspace

    def compose(self) -> ComposeResult:
        agents = f"agent: {', '.join(self._agents)} [the server's default]" if self._agents else "agent"
        profiles = f"profile: {', '.join(self._profiles)} [the default]" if self._profiles else "profile"
        with VerticalScroll(id="box"):
            yield Static(Text("New task\n", "bold"))
            yield Input(placeholder="what the agent shall do", id="task", compact=True)
            yield Input(placeholder=agents, id="agent", suggester=SuggestFromList(self._agents), compact=True)
            yield Input(placeholder="project [none]", id="project_id", compact=True)
            yield Input(self._workspace, placeholder="folder [a fresh one]", id="workspace", compact=True)
            yield Input(placeholder=profiles, id="profile", suggester=SuggestFromList(self._profiles), compact=True)
            yield Static("", id="wrong")
            yield Static(Text("Ctrl+S or Enter starts it   Tab next field   Escape leaves", "bold"))

    def on_mount(self) -> None:
        self.query_one("#task", Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_start()

    def action_start(self) -> None:
        given = {str(field.id): field.value.strip() for field in self.query(Input) if field.value.strip()}
        if "task" not in given:
            self.query_one("#wrong", Static).update(Text("There is no task.", "bold red"))
            self.query_one("#task", Input).focus()
            return
        self.dismiss(given)
