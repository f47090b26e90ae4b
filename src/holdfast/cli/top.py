"""`holdfast top`: all sessions on one screen, live."""

import sys
from typing import Annotated, Literal

import typer

from holdfast.cli.options import Token, Url
from holdfast.errors import ConfigError, HoldfastError


def top(
    theme: Annotated[
        Literal["dark", "light"] | None,
        typer.Option("--theme", help="Of the screen; t changes it. [default: as the terminal says, else dark]"),
    ] = None,
    url: Url = None,
    token: Token = None,
) -> None:
    """Show all sessions live, those that need you first, and steer them with a key each; ? lists the keys.

    It goes on through restarts of the server, and says while it reconnects.

    Example: `holdfast top`
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError("`holdfast top` needs a terminal; for programs there is `holdfast ls --json`.")
    # Imported here because textual takes longer than most commands.
    from holdfast.cli.dashboard.app import run

    if trouble := run(url, token, theme):
        raise HoldfastError(trouble)
