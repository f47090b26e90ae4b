"""The options that several commands share, each described once."""

from typing import Annotated

import typer


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
    str, typer.Argument(metavar="ID", show_default=False, help="The session's id, or an unambiguous beginning of it.")
]
Task = Annotated[
    str, typer.Argument(metavar="TASK", show_default=False, help="What the agent shall do; - reads it from stdin.")
]
Timeout = Annotated[
    float | None,
    # At most a year, as the server takes it: inf is refused here too.
    typer.Option("--timeout", metavar="SECONDS", min=0.001, max=31_536_000, help="End the run after so long."),
]
Detach = Annotated[
    bool, typer.Option("--detach", "-d", metavar="", help="Start, print the session's id, and do not follow.")
]
GiveUpAfter = Annotated[
    float | None,
    typer.Option("--give-up-after", metavar="SECONDS", min=0, help="Stop reconnecting to a lost server after so long."),
]
