"""The command `holdfast`: its commands, its help, and the one place where errors become words and exit codes."""

import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from holdfast import __version__
from holdfast.cli import exits
from holdfast.cli.agents import agents
from holdfast.cli.attach import attach
from holdfast.cli.cancel import cancel
from holdfast.cli.client import Refused, Unreachable
from holdfast.cli.doctor import doctor
from holdfast.cli.ls import ls
from holdfast.cli.output import problem_json, say
from holdfast.cli.run import run
from holdfast.cli.serve import serve
from holdfast.cli.show import show
from holdfast.cli.task import task
from holdfast.errors import ConfigError, HoldfastError

# Two spaces at the end of a line are Markdown for a line break.
EPILOG = """
The agent's messages, and what was asked for, go to stdout; words for people go to stderr. With --json, run, attach and
task print one event per line and the others one document; an error is then one problem (RFC 9457) on stderr.

Exit codes:

""" + "  \n".join(f"**{code}** {meaning}" for code, meaning in exits.MEANINGS.items())


class Commands(TyperGroup):
    """Turns what a command could not do into one sentence (or one JSON document) and the exit code for it."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except HoldfastError as error:
            say(problem_json(error) if ctx.meta.get("json") else str(error))
            code = _code_for(error)
        except KeyboardInterrupt:
            code = exits.DETACHED
        except BrokenPipeError:
            # Whoever read our output has gone. Python would complain at exit about what it cannot flush.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = exits.FAILURE
        raise typer.Exit(code)


def _code_for(error: HoldfastError) -> int:
    match error:
        case ConfigError():
            return exits.USAGE
        case Unreachable():
            return exits.UNREACHABLE
        case Refused() if error.http_status == 401:
            return exits.NOT_ALLOWED
        case _:
            return exits.FAILURE


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"holdfast {__version__}")
        raise typer.Exit


def _holdfast(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, metavar="", help="Show the version and exit.")
    ] = False,
) -> None:
    """Run coding agents as durable sessions: whoever comes and goes, nothing is lost and nothing comes twice."""


def build() -> typer.Typer:
    app = typer.Typer(
        name="holdfast",
        cls=Commands,
        epilog=EPILOG,
        rich_markup_mode="markdown",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_holdfast)
    for command in (serve, run, attach, ls, show, task, cancel, agents, doctor):
        app.command(command.__name__)(command)
    return app


def main() -> None:
    # A terminal that cannot show a character shows a question mark instead of ending the command.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    build()()
