"""`holdfast serve`: the server."""

import os
from pathlib import Path
from typing import Annotated

import typer

from holdfast.config import check_defaults, load


def serve(
    host: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Where to listen. [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(metavar="PORT", help="0 takes any free one. [default: 4653]")] = None,
    data: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Everything is kept here. [default: ~/.local/share/holdfast]")
    ] = None,
    token: Annotated[
        str | None, typer.Option(metavar="TOKEN", help="Seen by all who can list processes; better: HOLDFAST_TOKEN.")
    ] = None,
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="postgresql:// or sqlite:/// [default: SQLite in the data folder]")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The settings file. [default: ./holdfast.toml, if there]")
    ] = None,
    keep_agents: Annotated[
        bool | None,
        typer.Option(
            "--keep-agents/--end-agents",
            metavar="",
            show_default=False,
            help="Whether running agents outlive a stop of the server. [default: they end]",
        ),
    ] = None,
    log_level: Annotated[str | None, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")] = None,
    log_format: Annotated[str | None, typer.Option(metavar="FORMAT", help="text, json or auto.")] = None,
) -> None:
    """Start the server.

    Each setting can also be given as HOLDFAST_NAME in the environment or in holdfast.toml; a flag beats the
    environment, which beats the file.

    Example: `holdfast serve --port 8080 --keep-agents`
    """
    flags = {
        "host": host,
        "port": port,
        "data": data,
        "token": token,
        "store": store,
        "keep_agents": keep_agents,
        "log_level": log_level,
        "log_format": log_format,
    }
    settings = load(flags, os.environ, config)
    check_defaults(settings)
    # Imported here because the server brings the database and the web stack, and the other commands must be quick.
    from holdfast.serve import run

    raise typer.Exit(run(settings))
