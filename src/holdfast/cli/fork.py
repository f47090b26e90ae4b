"""`holdfast fork`: starts a new session where another one stands."""

from typing import Annotated

import typer

from holdfast.cli import documents, options
from holdfast.cli.connect import connect
from holdfast.cli.following import follow_run
from holdfast.cli.orders import read_files, read_task, said


def fork(
    session: options.Session,
    task: options.Task,
    run: Annotated[
        int | None, typer.Option("--run", metavar="N", min=1, help="Begin after its Nth run. [default: the last]")
    ] = None,
    files: options.Files = None,
    model: options.Model = None,
    mode: options.Mode = None,
    profile: options.Profile = None,
    allow: options.Allow = None,
    ask: options.Ask = None,
    deny: options.Deny = None,
    unattended: options.Unattended = None,
    timeout: options.Timeout = None,
    max_turns: options.MaxTurns = None,
    max_budget: options.MaxBudget = None,
    on_limit: options.OnLimit = None,
    detach: options.Detach = False,
    give_up_after: options.GiveUpAfter = None,
    url: options.Url = None,
    token: options.Token = None,
    as_json: options.Json = False,
) -> None:
    """Start a new session that begins where another one stands, and follow it; the other one stays as it is.

    Example: `holdfast fork 3f2a --run 2 "Try it the other way"`
    """
    attachments = read_files(files)
    holdfast = connect(url, token)
    origin = documents.find(holdfast, session)
    config = said(
        run=run, model=model, mode=mode, profile=profile, allow=allow, ask=ask, deny=deny, unattended=unattended,
        timeout_s=timeout, max_turns=max_turns, max_budget_usd=max_budget, on_limit=on_limit,
    )  # fmt: skip
    started = documents.fork(holdfast, origin["session_id"], read_task(task), config, attachments)
    raise typer.Exit(follow_run(holdfast, started, None, detach=detach, as_json=as_json, give_up_after=give_up_after))
