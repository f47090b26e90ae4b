"""`holdfast run`: starts a session with a task and follows it."""

from typing import Annotated, Any

import typer

from holdfast.cli import complete, documents, options
from holdfast.cli.connect import connect
from holdfast.cli.following import follow_run
from holdfast.cli.orders import read_files, read_task, said
from holdfast.cli.paths import folder_of
from holdfast.client.sync import Holdfast
from holdfast.errors import ConfigError


def run(
    task: options.Task,
    agent: options.Agent = None,
    project: Annotated[
        str | None,
        typer.Option(
            "--project",
            "-p",
            metavar="NAME",
            autocompletion=complete.projects,
            help="The project; it has one session, which goes on.",
        ),
    ] = None,
    workspace: Annotated[
        str | None,
        typer.Option(
            "--workspace", "-w", metavar="FOLDER", help="Where the agent works. [default: the current folder]"
        ),
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
    """Give an agent a task in a new session, and follow it.

    The agent's messages go to stdout, everything else to stderr. The exit code tells how the run ended. Ctrl-C
    detaches (exit code 130): the agent works on.

    Example: `holdfast run --agent claude --max-turns 30 "Add a test for the parser"`
    """
    if workspace == "":
        raise ConfigError("The flag --workspace is empty; leave it out for the current folder.")
    attachments = read_files(files)
    holdfast = connect(url, token)
    config = said(
        agent=agent, project_id=project, model=model, mode=mode, profile=profile, allow=allow, ask=ask, deny=deny,
        unattended=unattended, timeout_s=timeout, max_turns=max_turns, max_budget_usd=max_budget, on_limit=on_limit,
    )  # fmt: skip
    # This folder means nothing on another machine; there the server chooses unless told.
    if workspace is not None or holdfast.is_local:
        config["workspace"] = str(folder_of(workspace))
    before = _project_session(holdfast, project)
    started = documents.run(holdfast, read_task(task), config, attachments)
    raise typer.Exit(follow_run(holdfast, started, before, detach=detach, as_json=as_json, give_up_after=give_up_after))


def _project_session(holdfast: Holdfast, project: str | None) -> dict[str, Any] | None:
    if not project:
        return None
    found = documents.sessions(holdfast, 1, project_id=project)["sessions"]
    return found[0] if found else None
