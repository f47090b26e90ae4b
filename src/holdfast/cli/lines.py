"""Shows a session's events to a program: one envelope per line, the bytes that the server sent."""

import sys
from types import TracebackType
from typing import Any, Self

from holdfast.cli.notices import Notice
from holdfast.client import Event


class JsonLines:
    """Nothing but events reaches stdout, and nothing at all stderr: a program asks for no comment."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass

    def show(self, event: Event) -> None:
        # An envelope has no line end in it: JSON escapes those in strings, and the server puts none between.
        sys.stdout.buffer.write(event.raw + b"\n")

    def flush(self) -> None:
        sys.stdout.buffer.flush()

    def notice(self, notice: Notice) -> None:
        pass

    def say(self, words: str, style: str = "") -> None:
        pass

    def ended(self, end: dict[str, Any]) -> None:
        pass
