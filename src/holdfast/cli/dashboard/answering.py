"""The window in which a person answers what an agent asks: one key for a permission, a field for each question."""

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static, TextArea

from holdfast.cli import asked, replies
from holdfast.cli.dashboard.dialogs import BOX
from holdfast.cli.prompting import parse_input
from holdfast.cli.text import clean, one_line
from holdfast.errors import ConfigError

Reply = dict[str, Any]


class _Asking(ModalScreen[Reply | None]):
    """What both kinds have in common: what is asked, and what was wrong with the answer."""

    def __init__(self, session_id: str, kind: str, request: Mapping[str, Any]) -> None:
        super().__init__()
        self.session_id = session_id
        self.request_id = str(request["request_id"])
        self._kind = kind
        self._request = request

    def _asked(self) -> Static:
        return Static(Text("\n").join([*asked.lines(self._kind, self._request), Text()]), id="asked")

    def _complain(self, error: ConfigError) -> None:
        self.query_one("#wrong", Static).update(Text(str(error), "bold red"))


class AskPermission(_Asking):
    DEFAULT_CSS = f"AskPermission {{ {BOX} TextArea {{ height: 8; display: none; }} }}"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "decide('allow_once')", "Allow once"),
        Binding("s", "decide('allow_session')", "For the session"),
        Binding("p", "decide('allow_project')", "For the project"),
        Binding("d", "decide('deny')", "Deny"),
        Binding("e", "edit", "Edit the input"),
        Binding("ctrl+s", "send_edited", "Allow the edited input", show=False, priority=True),
        Binding("escape", "leave", "Leave it open", priority=True),
    ]

    def compose(self) -> ComposeResult:
        edit = "   e edit the input" if self._request.get("editable") else ""
        keys = f"a allow once   s for the session   p for the project   d deny{edit}\nEscape leaves it open"
        if self._request.get("rule"):
            keys += f"\ns and p allow from then on: {clean(self._request['rule'])}"
        with VerticalScroll(id="box"):
            yield self._asked()
            yield TextArea(id="input")
            yield Static("", id="wrong")
            yield Static(Text(keys, "bold"), id="keys")

    def action_decide(self, decision: str) -> None:
        self.dismiss({"decision": decision})

    def action_edit(self) -> None:
        if not self._request.get("editable"):
            self._complain(ConfigError("The agent does not take another input for this."))
            return
        area = self.query_one("#input", TextArea)
        area.text = msgspec.json.format(msgspec.json.encode(self._request["tool_input"])).decode()
        area.styles.display = "block"
        area.focus()
        self.query_one("#keys", Static).update(Text("Ctrl+S allows it with this input   Escape goes back", "bold"))

    def action_send_edited(self) -> None:
        area = self.query_one("#input", TextArea)
        if area.styles.display != "block":
            return
        try:
            self.dismiss({"decision": "allow_once", "input": parse_input(area.text)})
        except ConfigError as error:
            self._complain(error)

    def action_leave(self) -> None:
        area = self.query_one("#input", TextArea)
        if area.styles.display == "block":
            area.styles.display = "none"
            self.query_one("#wrong", Static).update("")
            self.set_focus(None)
        else:
            self.dismiss(None)


class AskQuestion(_Asking):
    """Each item has a field that takes what `holdfast answer` takes: an option's number or name, or a text.

    Without items there is no field: Enter alone says that it is done.
    """

    DEFAULT_CSS = f"AskQuestion {{ {BOX} }}"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "done", "Done"),
        Binding("ctrl+d", "decline", "Decline", priority=True),
        Binding("escape", "dismiss(None)", "Leave it open", priority=True),
    ]

    def __init__(self, session_id: str, kind: str, request: Mapping[str, Any]) -> None:
        super().__init__(session_id, kind, request)
        self._items = replies.items_of(request)

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="box"):
            yield self._asked()
            for number, item in enumerate(self._items):
                yield Label(Text(one_line(item.header or item.id), "bold"))
                hint = "numbers with commas, or names" if item.many else "a number, or a name" if item.options else ""
                yield Input(placeholder=hint, id=f"item-{number}")
            yield Static("", id="wrong")
            enter = "Enter answers" if self._items else "Enter says done"
            yield Static(Text(f"{enter}   Ctrl+D declines   Escape leaves it open", "bold"))

    def on_mount(self) -> None:
        if self._items:
            self.query(Input).first().focus()

    def action_done(self) -> None:
        # With items it is their last field that answers, wherever the focus is.
        if not self._items:
            self.dismiss({"answers": {}})

    def on_input_submitted(self, event: Input.Submitted) -> None:
        fields = list(self.query(Input))
        place = fields.index(event.input)
        if place + 1 < len(fields):
            fields[place + 1].focus()
            return
        try:
            given = {
                item.id: replies.meant(item, field.value.strip())
                for item, field in zip(self._items, fields, strict=True)
                if field.value.strip()
            }
            self.dismiss({"answers": replies.checked(self._items, given)})
        except ConfigError as error:
            self._complain(error)

    def action_decline(self) -> None:
        self.dismiss({"decision": "deny"})


def window(session_id: str, kind: str, request: Mapping[str, Any]) -> AskPermission | AskQuestion:
    return (AskQuestion if kind == "question" else AskPermission)(session_id, kind, request)
