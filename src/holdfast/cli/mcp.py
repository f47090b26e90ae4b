"""`holdfast mcp`: sessions as tools of the Model Context Protocol, on stdin and stdout."""

import sys
from typing import Annotated

import typer

from holdfast.cli import options
from holdfast.cli.output import say
from holdfast.errors import ConfigError
from holdfast.mcp.installed import MISSING, is_installed


def mcp(
    url: options.Url = None,
    token: options.Token = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", metavar="", help="Offer only the tools that change nothing.")
    ] = False,
    no_answer: Annotated[
        bool, typer.Option("--no-answer", metavar="", help="Leave what agents ask to people: no tool `answer`.")
    ] = False,
) -> None:
    """Let agents use Holdfast: an MCP server on stdin and stdout, for programs that start one.

    For Claude Code: `claude mcp add holdfast -- holdfast mcp`.

    A running server offers the same tools over HTTP at its path `/mcp` (http://127.0.0.1:4653/mcp), with its token as
    `Authorization: Bearer`.
    """
    if not is_installed():
        raise ConfigError(MISSING)
    # Imported here because the SDK takes a second, and the other commands must be quick.
    from holdfast.mcp.stdio import run
    from holdfast.mcp.tools import offered

    if sys.stdin.isatty():
        say("This speaks MCP, which is for programs; Ctrl-C ends it. `holdfast mcp --help` tells how to use it.")
    run(url, token, offered(reads_only=read_only, may_answer=not no_answer))
