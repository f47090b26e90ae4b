"""`holdfast export` and `holdfast import`: a session as a file, to keep it or to take it to another server."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from holdfast.cli import documents, streams
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Session, Token, Url
from holdfast.cli.output import print_json, print_line, say
from holdfast.cli.paths import path_of
from holdfast.cli.text import count
from holdfast.errors import ConfigError
from holdfast.state import ACTIVE

# An answer takes as long as the file takes to be looked through.
IMPORT_TIMEOUT_S = 300.0


def export(
    session: Session,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Where to; a file there is replaced. [default: stdout]"),
    ] = "-",
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Write a session with its whole history as a file (JSON Lines), which `import` takes.

    With --json the file's name and its size in bytes are printed, if it does not go to stdout itself.

    Example: `holdfast export 3f2a -o session.jsonl`
    """
    path = path_of(output)
    holdfast = connect(url, token)
    record = documents.find(holdfast, session)
    text = holdfast.session(record["session_id"]).export()
    if record["status"] in ACTIVE:
        say(f"Session {record['session_id'][:8]} is {record['status']}; a file of a run under way cannot be imported.")
    if output == "-":
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
        return
    _write(path, text)
    if as_json:
        print_json({"file": str(path), "bytes": len(text)})
    else:
        say(f"{path}: {count(len(text.splitlines()) - 1, 'event')}")


def _write(path: Path, text: bytes) -> None:
    """Whole or not at all: a file that was there before stays until the new one is complete."""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(text)  # a pipe or a device
            return
        descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(text)
            # A file of its owner alone: a session may have anything in it.
            Path(draft).replace(path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as cause:
        raise ConfigError(f"The file {str(path)!r} cannot be written: {cause.strerror}.") from cause


def import_(
    file: Annotated[
        str, typer.Argument(metavar="FILE", show_default=False, help="What `export` wrote; - reads it from stdin.")
    ],
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Take a session from a file into the server, and print its id.

    It keeps its id, unless the server has a session of that id already. Its agent remembers nothing: a next task
    begins anew.

    Example: `holdfast import session.jsonl --url https://other.example --token …`
    """
    try:
        text = streams.read_bytes() if file == "-" else path_of(file).read_bytes()
    except OSError as cause:
        raise ConfigError(f"The file {file!r} cannot be read: {cause.strerror}.") from cause
    started = connect(url, token).request("POST", "/sessions/import", body=text, timeout_s=IMPORT_TIMEOUT_S)
    if as_json:
        print_json(started)
    else:
        print_line(started["session_id"])
