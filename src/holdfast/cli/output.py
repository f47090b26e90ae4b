"""What commands print besides events: a document or a line for stdout, a sentence for stderr."""

import sys
from typing import Any

import msgspec
from rich.console import Console

from holdfast.client import Refused
from holdfast.errors import HoldfastError


def consoles() -> tuple[Console, Console]:
    """Stdout and stderr, which take what agents wrote literally: no markup, no emoji codes, no guessed colours."""
    plain: dict[str, bool] = {"markup": False, "emoji": False, "highlight": False}
    return Console(**plain), Console(stderr=True, **plain)  # pyright: ignore[reportArgumentType]


def print_json(document: Any) -> None:
    """One JSON document; indented on a terminal, in one line elsewhere."""
    encoded = msgspec.json.encode(document)
    sys.stdout.buffer.write((msgspec.json.format(encoded) if sys.stdout.isatty() else encoded) + b"\n")
    sys.stdout.buffer.flush()


def print_line(content: str) -> None:
    sys.stdout.write(f"{content}\n")


def say(sentence: str) -> None:
    """Words for a person."""
    sys.stderr.write(f"{sentence}\n")


def problem_json(error: HoldfastError) -> str:
    """An error for a program, in the shape that the server gives its own."""
    if isinstance(error, Refused):
        return msgspec.json.encode(error.problem).decode()
    problem = {"type": "about:blank", "title": error.title, "code": error.code, "detail": str(error)}
    return msgspec.json.encode(problem).decode()
