"""`holdfast task`: gives a session its next task and follows it."""

import typer

from holdfast.cli import documents, options
from holdfast.cli.connect import connect
from holdfast.cli.following import follow_run
from holdfast.cli.orders import read_files, read_task, said


def task(
    session: options.Session,
    text: options.Task,
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
    """Give a session its next task, and follow it as `run` does.

    Example: `holdfast task 3f2a "Now document it"`
    """
    attachments = read_files(files)
    holdfast = connect(url, token)
    before = documents.find(holdfast, session)
    config = said(
        model=model, mode=mode, profile=profile, allow=allow, ask=ask, deny=deny, unattended=unattended,
        timeout_s=timeout, max_turns=max_turns, max_budget_usd=max_budget, on_limit=on_limit,
    )  # fmt: skip
    started = documents.give_task(holdfast, before["session_id"], read_task(text), config, attachments)
    raise typer.Exit(follow_run(holdfast, started, before, detach=detach, as_json=as_json, give_up_after=give_up_after))
