"""Asks the person at the terminal what an agent wants to know, until the answer fits."""

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import typer

from holdfast.asking import QuestionItem
from holdfast.cli import asked, replies
from holdfast.cli.output import consoles, say
from holdfast.cli.text import one_line
from holdfast.errors import ConfigError

KEYS = {"a": "allow", "s": "session", "p": "project", "d": "deny"}
# Not d for done: whoever is used to permissions means deny by it.
DECLINES = ("n", "no", "decline", "deny", "!deny")


def prompt_for(kind: str, request: Mapping[str, Any]) -> dict[str, Any] | None:
    """The body of an answer; None if the person leaves it open."""
    _, err = consoles()
    for line in asked.lines(kind, request):
        err.print(line)
    if kind == "question":
        items = replies.items_of(request)
        return _question(items) if items else _done()
    return _permission(request)


def _permission(request: Mapping[str, Any]) -> dict[str, Any] | None:
    is_editable = bool(request.get("editable"))
    keys = "a allow once · s for the session · p for the project · d deny"
    keys += " · e edit the input" * is_editable + " · q leave it open"
    while True:
        given = str(typer.prompt(keys, prompt_suffix=" > ", err=True)).strip()
        if given in ("q", "quit"):
            return None
        try:
            if is_editable and given in ("e", "edit"):
                return {"decision": "allow_once", "input": edited(request["tool_input"])}
            return {"decision": replies.decision_of([KEYS.get(given, given)])}
        except ConfigError as error:
            say(str(error))


def _done() -> dict[str, Any] | None:
    """A question without items: it is answered when the person says so, and not because it was shown."""
    while True:
        keys = "y done · n decline · q leave it open"
        given = str(typer.prompt(keys, prompt_suffix=" > ", err=True)).strip().lower()
        if given in ("q", "quit"):
            return None
        if given in DECLINES:
            return {"decision": "deny"}
        try:
            return {"answers": replies.answers_of([], ["yes" if given == "y" else given])}
        except ConfigError:
            say(f"{given!r} is none of y, n and q.")


def _question(items: Sequence[QuestionItem]) -> dict[str, Any] | None:
    given: dict[str, Any] = {}
    for item in items:
        while True:
            label = one_line(item.header or item.id) + " (!deny declines)" * (item is items[0])
            value = str(typer.prompt(label, default="", show_default=False, prompt_suffix=" > ", err=True)).strip()
            if value == "!deny":
                return {"decision": "deny"}
            try:
                one = replies.checked([item], {item.id: replies.meant(item, value)} if value else {})
            except ConfigError as error:
                say(str(error))
                continue
            given |= one
            break
    return {"answers": given}


def edited(tool_input: Any) -> dict[str, Any]:
    """The input as the person leaves it in their editor. Raises ConfigError if that is no input of a tool."""
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with tempfile.TemporaryDirectory(prefix="holdfast-") as folder:
        file = Path(folder) / "input.json"
        file.write_bytes(msgspec.json.format(msgspec.json.encode(tool_input)) + b"\n")
        try:
            code = subprocess.run([*editor, str(file)], check=False).returncode
        except OSError as cause:
            raise ConfigError(
                f"The editor {editor[0]!r} does not start: {cause.strerror}; EDITOR names one."
            ) from cause
        if code:
            raise ConfigError(f"The editor {editor[0]!r} ended with {code}; nothing was sent.")
        return parse_input(file.read_bytes())


def parse_input(text: bytes | str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError) as cause:
        raise ConfigError(f"The input is no JSON object: {cause}.") from cause
