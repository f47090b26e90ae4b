"""The command `holdfast`: its commands, its help, and the one place where errors become words and exit codes."""

import errno
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from holdfast import __version__
from holdfast.cli import exits, streams, webhooks
from holdfast.cli.acp import acp
from holdfast.cli.agents import agents
from holdfast.cli.answer import answer
from holdfast.cli.attach import attach
from holdfast.cli.cancel import cancel
from holdfast.cli.discard import discard
from holdfast.cli.doctor import doctor
from holdfast.cli.export import export, import_
from holdfast.cli.fork import fork
from holdfast.cli.logs import logs
from holdfast.cli.ls import ls
from holdfast.cli.mcp import mcp
from holdfast.cli.openapi import openapi
from holdfast.cli.output import problem_json, say
from holdfast.cli.pause import pause
from holdfast.cli.permissions import permissions
from holdfast.cli.profile import profile, profiles
from holdfast.cli.resume import resume
from holdfast.cli.run import run
from holdfast.cli.serve import serve
from holdfast.cli.show import show
from holdfast.cli.task import task
from holdfast.cli.text import one_line
from holdfast.cli.token import token
from holdfast.cli.top import top
from holdfast.cli.usage import usage
from holdfast.cli.wait import wait
from holdfast.client import Refused, Unreachable
from holdfast.errors import ConfigError, HoldfastError

# In the order in which one meets them.
PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Give work": (run, task, resume, fork),
    "Watch": (ls, top, show, attach, logs, wait),
    "Steer": (permissions, answer, pause, cancel, discard, profile),
    "Keep and count": (export, import_, usage),
    "The server": (serve, doctor, agents, profiles, token, openapi),
    "Other programs": (acp, mcp),
}

# Two spaces at the end of a line are Markdown for a line break.
EPILOG = """
The agent's messages, and what was asked for, go to stdout; words for people go to stderr. With --json,
the commands that follow a run, and logs, print one event per line and the others one document; an error is then one
problem (RFC 9457) on stderr.

Exit codes:

""" + "  \n".join(f"**{code}** {meaning}" for code, meaning in exits.MEANINGS.items())


class Commands(TyperGroup):
    """Turns what a command could not do into one sentence (or one JSON document) and the exit code for it."""

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                return super().invoke(ctx)
            except typer.BadParameter as refused:
                refused.message = _with_value(refused)
                raise
            except UnicodeEncodeError as cause:
                # Python keeps the bytes of an argument in another encoding, and no request can carry them.
                raise ConfigError(
                    f"The value {one_line(repr(cause.object), 80)} is not {cause.encoding.upper()} "
                    f"(character {cause.start + 1}) and cannot be sent."
                ) from cause
            finally:
                # Here, where a reader that has gone is noticed quietly, and not at Python's own end.
                sys.stdout.flush()
        except HoldfastError as error:
            say(problem_json(error) if ctx.meta.get("json") else str(error))
            code = _code_for(error)
        except KeyboardInterrupt:
            code = exits.DETACHED
        except BrokenPipeError:
            # Whoever read our output has gone.
            streams.forget_stdout()
            code = exits.FAILURE
        raise typer.Exit(code)


def _with_value(refused: typer.BadParameter) -> str:
    """What is wrong with a value, and the value: of a number typer tells only what it should be."""
    errors: Callable[[], list[dict[str, Any]]] | None = getattr(refused.__cause__, "errors", None)
    if errors is None:
        return refused.message
    given = one_line(repr(errors()[0]["input"]), 80)
    return refused.message if given in refused.message else f"{given}. {refused.message}"


def _code_for(error: HoldfastError) -> int:
    match error:
        case ConfigError():
            return exits.USAGE
        case Unreachable():
            return exits.UNREACHABLE
        case Refused() if error.status == 401:
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
    for panel, commands in PANELS.items():
        for command in commands:
            app.command(command.__name__.rstrip("_"), rich_help_panel=panel)(command)
    app.add_typer(webhooks.build(), name="webhooks", rich_help_panel="Other programs")
    return app


def main() -> None:
    streams.prepare()
    try:
        build()()
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        streams.forget_stdout()
        say(f"The output cannot be written: {error.strerror}.")
        sys.exit(exits.FAILURE)
