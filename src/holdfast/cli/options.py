"""The options that several commands share, each described once."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from holdfast.cli import complete


def _remember_json(context: typer.Context, value: bool) -> bool:
    # The one place that prints errors (cli/__init__.py) must know it, and it sees only the outer context.
    context.find_root().meta["json"] = value
    return value


Url = Annotated[
    str | None,
    typer.Option("--url", metavar="URL", help="The server. [env: HOLDFAST_URL] [default: from the settings]"),
]
Token = Annotated[
    str | None,
    typer.Option("--token", metavar="TOKEN", help="[env: HOLDFAST_TOKEN] [default: the data folder's token]"),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json", metavar="", callback=_remember_json, help="For programs: JSON on stdout, an error as JSON on stderr."
    ),
]
Session = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        show_default=False,
        autocompletion=complete.sessions,
        help="The session's id, or an unambiguous beginning of it.",
    ),
]
Task = Annotated[
    str, typer.Argument(metavar="TASK", show_default=False, help="What the agent shall do; - reads it from stdin.")
]
Agent = Annotated[
    str | None,
    typer.Option(
        "--agent", "-a", metavar="NAME", autocompletion=complete.agents, help="Which agent. [default: the server's]"
    ),
]
Detach = Annotated[
    bool, typer.Option("--detach", "-d", metavar="", help="Start, print the session's id, and do not follow.")
]
GiveUpAfter = Annotated[
    float | None,
    typer.Option("--give-up-after", metavar="SECONDS", min=0, help="Stop reconnecting to a lost server after so long."),
]

# How a run is to be done: for all commands that start one. What is not said comes from the session's run before.
RUN = "How the run is done"

Timeout = Annotated[
    float | None,
    # At most a year, as the server takes it: inf is refused here too.
    typer.Option(
        "--timeout",
        metavar="SECONDS",
        min=0.001,
        max=31_536_000,
        help="End the run after so long.",
        rich_help_panel=RUN,
    ),
]
MaxTurns = Annotated[
    int | None,
    typer.Option(
        "--max-turns", metavar="N", min=1, help="End it after so many answers of the model.", rich_help_panel=RUN
    ),
]
MaxBudget = Annotated[
    float | None,
    typer.Option("--max-budget", metavar="USD", min=0, help="End it when it has cost so much.", rich_help_panel=RUN),
]
OnLimit = Annotated[
    Literal["end", "pause"] | None,
    typer.Option("--on-limit", help="What reaching a limit does to it. [default: end]", rich_help_panel=RUN),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        autocompletion=complete.profiles,
        help="The permission profile; `holdfast profiles` lists them.",
        rich_help_panel=RUN,
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option("--allow", metavar="RULE", help="Like 'Bash(git *)'; may be repeated.", rich_help_panel=RUN),
]
Ask = Annotated[
    list[str] | None, typer.Option("--ask", metavar="RULE", help="Ask a person first.", rich_help_panel=RUN)
]
Deny = Annotated[list[str] | None, typer.Option("--deny", metavar="RULE", help="Refuse it.", rich_help_panel=RUN)]
Unattended = Annotated[
    bool | None,
    typer.Option(
        "--unattended/--attended",
        metavar="",
        show_default=False,
        help="Nobody is there to answer: the profile decides.",
        rich_help_panel=RUN,
    ),
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="One that the agent offers.", rich_help_panel=RUN)
]
Mode = Annotated[
    str | None, typer.Option("--mode", metavar="NAME", help="One that the agent offers.", rich_help_panel=RUN)
]
Files = Annotated[
    list[Path] | None,
    typer.Option("--file", "-f", metavar="FILE", help="Goes with the task; may be repeated.", rich_help_panel=RUN),
]
