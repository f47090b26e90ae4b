"""Small windows over the screen: a question with yes and no, and the list of keys."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

KEYS = (
    ("↑ ↓ PgUp PgDn Home End", "choose a session"),
    ("Enter", "open its log, live; Escape comes back"),
    ("a", "answer what it asks"),
    ("p", "pause it: it can go on later"),
    ("r", "resume what was paused, interrupted or failed"),
    ("c", "cancel it, after asking"),
    ("n", "give an agent a new task"),
    ("f", "filter by words of task, project, agent, status, folder or id; Escape shows all"),
    ("t", "dark or light"),
    ("q", "quit; the agents work on"),
)

BOX = """
    align: center middle;
    #box { width: 90%; max-width: 100; height: auto; max-height: 90%; padding: 1 2; background: $surface; border: round $primary; }
"""  # noqa: E501 - CSS


class Confirm(ModalScreen[bool]):
    """Yes or no; Escape and everything else that is not yes is no."""

    DEFAULT_CSS = f"Confirm {{ {BOX} }}"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "choose(True)", "Yes"),
        Binding("n,escape,q", "choose(False)", "No"),
    ]

    def __init__(self, question: str, consequence: str) -> None:
        super().__init__()
        self._question = question
        self._consequence = consequence

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Static(Text.assemble((self._question, "bold"), f"\n{self._consequence}\n"))
            yield Static(Text.assemble(("y", "bold"), " yes   ", ("n", "bold"), " no"))

    def action_choose(self, is_yes: bool) -> None:
        self.dismiss(is_yes)


class Help(ModalScreen[None]):
    DEFAULT_CSS = f"Help {{ {BOX} }}"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter", "dismiss(None)", "Close")]

    def compose(self) -> ComposeResult:
        lines = [Text.assemble((f"{key:<24}", "bold"), words, "\n") for key, words in KEYS]
        with VerticalScroll(id="box"):
            yield Static(Text.assemble(("Keys\n\n", "bold"), *lines, "\nEscape closes this."))
