"""What a run is told, from the options of the command that starts it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdfast.cli import streams
from holdfast.client.orders import attached
from holdfast.errors import ConfigError


def said(**options: Any) -> dict[str, Any]:
    """Those that were given: an option that was left out, or a list without an entry, says nothing."""
    return {name: value for name, value in options.items() if value is not None and value != []}


def read_task(given: str) -> str:
    return streams.read_text() if given == "-" else given


def read_files(paths: Sequence[Path] | None) -> Any:
    """The attachments of a task; None if there are none. Raises ConfigError, which names the file."""
    try:
        return attached(paths or ())
    except OSError as cause:
        raise ConfigError(f"The file {str(cause.filename)!r} cannot be read: {cause.strerror}.") from cause
