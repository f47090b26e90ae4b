"""What a script is made of. A script is a list of steps, one for each answer of the model; a step is a list of these.

As JSON (PUT /_models/scripts/NAME) an action is an object whose field `do` names it: {"do": "say", "text": "Hello"}.
"""

from typing import Any, Literal

import msgspec

Stop = Literal["end", "tools", "length", "refusal"]
Status = Literal["pending", "in_progress", "completed"]


class Action(msgspec.Struct, frozen=True, kw_only=True, tag=str.lower, tag_field="do", omit_defaults=True):
    pass


class Say(Action):
    """A block of text, in pieces. With `hold` it waits after its first piece until the test releases that hold."""

    text: str
    pieces: int = 5
    delay: float = 0.0
    hold: str = ""


class Think(Action):
    """A block of thinking, likewise."""

    text: str
    pieces: int = 3
    delay: float = 0.0
    hold: str = ""


class Call(Action):
    """A call of the tool with exactly this name; `hold` waits in the middle of its arguments."""

    tool: str
    input: dict[str, Any] = {}
    hold: str = ""


class Shell(Action):
    """A call of whatever tool the agent has for shell commands."""

    command: str
    hold: str = ""


class Write(Action):
    """A call of whatever tool the agent has for writing a file."""

    path: str
    content: str = "Written by the scripted model.\n"
    hold: str = ""


class Todos(Action):
    """A call of whatever tool the agent has for its list of things to do; pairs of (what, status)."""

    items: list[tuple[str, Status]]


class Structured(Action):
    """The structured output, by the tool that the agent has for it, else as text."""

    value: dict[str, Any]


class Hold(Action):
    """Waits until the test releases it. As the first action of a step: before a single byte of the answer."""

    id: str


class Wait(Action):
    seconds: float


class Fail(Action):
    """An HTTP error instead of an answer; only as long as nothing of the answer was sent."""

    status: int
    type: str
    message: str
    headers: dict[str, str] = {}


class Headers(Action):
    """Headers of the answer."""

    headers: dict[str, str]


class Drop(Action):
    """Breaks the connection."""


class Break(Action):
    """An error event in the stream, which ends there."""

    type: str = "overloaded_error"
    message: str = "Overloaded"


class Spend(Action):
    """The usage that the answer reports."""

    input: int = 100
    output: int = 20


class End(Action):
    """The stop reason, where it is not what the content says."""

    reason: Stop


AnyAction = (
    Say | Think | Call | Shell | Write | Todos | Structured | Hold | Wait | Fail | Headers | Drop | Break | Spend | End
)
Step = list[AnyAction]
