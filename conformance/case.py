"""A case: what is done, what is expected, and which requirements of PROTOCOL.md that concerns."""

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import yaml
from msgspec import Meta, Struct

from conformance.damage import Faults
from conformance.steps import Step

CASES = Path(__file__).parent / "cases"
Setting = Annotated[str | int | float | bool, Meta(description="a setting of holdfast.toml")]


class CaseError(Exception):
    """A case file says what no case can say."""


class Place(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    after: int
    head: int
    resume: Literal["ok", "gap", "reset"] = "ok"


class Piece(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of what a scripted stream sends."""

    place: Place | None = None
    events: tuple[int, int] | None = None
    """Messages with these sequences, from the first to the last."""
    ends: int | None = None
    """The terminal event with this sequence."""
    event: dict[str, Any] | None = None
    """An envelope of one's own; its sequence is its id."""
    closing: str | None = None
    text: str | None = None
    """These very characters."""


class Answer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a scripted server answers to one request."""

    status: int = 200
    code: str | None = None
    """A problem with this code."""
    body: str | None = None
    """Neither problem nor stream, but this, as text/html."""
    send: list[Piece] = []
    bytes_at_once: Annotated[int, Meta(ge=1)] | None = None
    then: Literal["finish", "break", "hold"] = "finish"
    """Ends the answer properly, breaks the connection, or says nothing more."""


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]
    about: str
    requirements: list[Annotated[str, Meta(pattern=r"^R\d{3}$")]] = []
    holds: Literal["both", "server", "client"] = "both"
    """Whom it tests: a server's case needs no client, and a client's no server."""
    settings: dict[str, Setting] = {}
    faults: Faults = Faults()
    quiet_s: float | None = None
    """After how much silence the client is to take a connection for dead."""
    script: list[Answer] | None = None
    """What a stand-in answers, request by request, in the server's place."""
    steps: Annotated[list[Step], Meta(min_length=1)]

    def __post_init__(self) -> None:
        if (self.script is not None) != (self.holds == "client"):
            raise ValueError("a case that holds the client has a script, and only such a case")

    @property
    def ends_the_server(self) -> bool:
        return any(step.server is not None for step in self.steps)


def load(file: Path) -> list[Case]:
    """The cases of a file. Raises CaseError, which says where it is wrong and how."""
    try:
        documents = [document for document in yaml.safe_load_all(file.read_text("utf-8")) if document is not None]
    except (OSError, yaml.YAMLError) as cause:
        raise CaseError(f"{file}: {cause}") from cause
    found: list[Case] = []
    for number, document in enumerate(documents, 1):
        try:
            found.append(msgspec.convert(document, Case))
        except msgspec.ValidationError as cause:
            name = document.get("name", f"document {number}") if isinstance(document, dict) else f"document {number}"
            raise CaseError(f"{file}: {name}: {cause}") from cause
    return found


def load_all(folder: Path = CASES) -> list[Case]:
    """All cases, by their names."""
    cases = [case for file in sorted(folder.glob("*.yaml")) for case in load(file)]
    names = [case.name for case in cases]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CaseError(f"{folder}: two cases are called {', '.join(twice)}")
    return cases


def schema() -> dict[str, Any]:
    """The JSON schema of a case, for editors."""
    return msgspec.json.schema(Case)
