"""`holdfast resume`: goes on with what was paused, cancelled, interrupted, failed or reached a limit."""

from typing import Annotated

import typer

from holdfast.cli import documents, options
from holdfast.cli.connect import connect
from holdfast.cli.following import follow_run
from holdfast.cli.orders import said


def resume(
    session: options.Session,
    rerun: Annotated[
        bool, typer.Option("--rerun", metavar="", help="Give it the last task again, instead of asking it to go on.")
    ] = False,
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
    """Go on with a session whose run did not come to its end, and follow it as `run` does.

    A limit that was reached can be raised on the way.

    Example: `holdfast resume 3f2a --max-turns 60`
    """
    holdfast = connect(url, token)
    before = documents.find(holdfast, session)
    body = said(
        how="rerun" if rerun else None, model=model, mode=mode, profile=profile, allow=allow, ask=ask, deny=deny,
        unattended=unattended, timeout_s=timeout, max_turns=max_turns, max_budget_usd=max_budget, on_limit=on_limit,
    )  # fmt: skip
    started = documents.command(holdfast, before["session_id"], "resume", body)
    raise typer.Exit(follow_run(holdfast, started, before, detach=detach, as_json=as_json, give_up_after=give_up_after))
