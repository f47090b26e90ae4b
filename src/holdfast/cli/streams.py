"""Stdin, stdout and stderr as whoever started us left them: closed ones, and bytes that are no text."""

import os
import sys

from holdfast.cli import exits
from holdfast.cli.output import say
from holdfast.errors import ConfigError


def prepare() -> None:
    """Makes all three usable, or ends the program: what was asked for must not get lost without a word."""
    # Python has None for one that is closed. In this order, so that each gets the number that is its own.
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115 - it stays open as long as we run
    if sys.stdout is None:
        if sys.stderr is not None:
            say("stdout is closed (`>&-`), and what was asked for goes there; `>/dev/null` throws it away.")
        sys.exit(exits.USAGE)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
    # A terminal that cannot show a character shows a question mark instead of ending the command.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def forget_stdout() -> None:
    """What is written there goes nowhere any more: Python would complain, at its end, of what it cannot flush."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def read_bytes() -> bytes:
    """All that comes on stdin."""
    try:
        return sys.stdin.buffer.read()
    except OSError as cause:
        raise ConfigError(f"stdin cannot be read: {cause.strerror}.") from cause


def read_text() -> str:
    """The same for an agent: a diff may have lines in any encoding, and is worth reading all the same."""
    return read_bytes().decode(errors="replace")
