"""`holdfast attach`: replays a session and follows it, through restarts of the server."""

from typing import Annotated

import typer

from holdfast.cli import documents
from holdfast.cli.connect import connect
from holdfast.cli.options import GiveUpAfter, Json, Session, Token, Url
from holdfast.cli.watch import open_view, watch


def attach(
    session: Session,
    after: Annotated[
        int, typer.Option("--after", metavar="N", min=0, help="Begin with the event after this sequence.")
    ] = 0,
    tail: Annotated[bool, typer.Option("--tail", metavar="", help="Only what happens from now on.")] = False,
    partials: Annotated[
        bool | None,
        typer.Option(
            "--partials/--no-partials",
            metavar="",
            help="Whether pieces of texts that are finished come too. [default: with --json]",
            show_default=False,
        ),
    ] = None,
    give_up_after: GiveUpAfter = None,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Show a session from its beginning and follow it to its end.

    A lost connection is taken up again where it broke, without a limit of time. Ctrl-C detaches (exit code 130): the
    agent works on.

    Example: `holdfast attach 3f2a`
    """
    holdfast = connect(url, token)
    record = documents.find(holdfast, session)
    session_id = str(record["session_id"])
    raise typer.Exit(
        watch(
            holdfast,
            session_id,
            open_view(holdfast, session_id, as_json=as_json, shows_tasks=True),
            after=record["head"] if tail else after,
            partials=as_json if partials is None else partials,
            give_up_after=give_up_after,
        )
    )
