"""`holdfast run`: starts a session with a task and follows it."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from holdfast.cli.client import Client
from holdfast.cli.connect import connect
from holdfast.cli.options import Detach, GiveUpAfter, Json, Task, Timeout, Token, Url
from holdfast.cli.output import print_json, print_line
from holdfast.cli.watch import open_view, watch
from holdfast.errors import ConfigError


def run(
    task: Task,
    agent: Annotated[
        str | None, typer.Option("--agent", "-a", metavar="NAME", help="Which agent. [default: the server's]")
    ] = None,
    project: Annotated[
        str | None,
        typer.Option("--project", "-p", metavar="NAME", help="The project; it has one session, which goes on."),
    ] = None,
    workspace: Annotated[
        str | None,
        typer.Option(
            "--workspace", "-w", metavar="FOLDER", help="Where the agent works. [default: the current folder]"
        ),
    ] = None,
    timeout: Timeout = None,
    detach: Detach = False,
    give_up_after: GiveUpAfter = None,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Give an agent a task in a new session, and follow it.

    The agent's messages go to stdout, everything else to stderr. The exit code tells how the run ended. Ctrl-C
    detaches (exit code 130): the agent works on.
    """
    if workspace == "":
        raise ConfigError("The flag --workspace is empty; leave it out for the current folder.")
    client = connect(url, token)
    config: dict[str, Any] = {}
    if agent is not None:
        config["agent"] = agent
    if project is not None:
        config["project_id"] = project
    # This folder means nothing on another machine; there the server chooses unless told.
    if workspace is not None or client.is_local:
        config["workspace"] = str(Path(workspace or ".").expanduser().absolute())
    if timeout is not None:
        config["timeout_s"] = timeout
    before = _project_session(client, project)
    started = client.run(read_task(task), config)
    raise typer.Exit(follow_run(client, started, before, detach=detach, as_json=as_json, give_up_after=give_up_after))


def read_task(given: str) -> str:
    return sys.stdin.read() if given == "-" else given


def follow_run(
    client: Client,
    started: dict[str, Any],
    before: dict[str, Any] | None,
    *,
    detach: bool,
    as_json: bool,
    give_up_after: float | None,
) -> int:
    """Follows the run that was just started, and no other, whatever the session had before."""
    session_id = str(started["session_id"])
    if detach:
        if as_json:
            print_json(started)
        else:
            print_line(session_id)
        return 0
    record = client.session(session_id)
    view = open_view(client, session_id, as_json=as_json, shows_tasks=False)
    view.say(f"session {session_id[:8]} · {record['workspace']}", "dim")
    return watch(
        client,
        session_id,
        view,
        after=before["head"] if before else 0,
        partials=True,
        give_up_after=give_up_after,
        # Usually one; more if somebody else's run came between our look at the session and our task.
        ends=record["runs"] - (before["runs"] if before else 0),
    )


def _project_session(client: Client, project: str | None) -> dict[str, Any] | None:
    if not project:
        return None
    found = client.sessions(1, project_id=project)["sessions"]
    return found[0] if found else None
