"""`holdfast task`: gives a session its next task and follows it."""

import typer

from holdfast.cli.connect import connect
from holdfast.cli.options import Detach, GiveUpAfter, Json, Session, Task, Timeout, Token, Url
from holdfast.cli.run import follow_run, read_task


def task(
    session: Session,
    text: Task,
    timeout: Timeout = None,
    detach: Detach = False,
    give_up_after: GiveUpAfter = None,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Give a session its next task, and follow it as `run` does."""
    client = connect(url, token)
    before = client.find(session)
    started = client.task(before["session_id"], read_task(text), timeout)
    raise typer.Exit(follow_run(client, started, before, detach=detach, as_json=as_json, give_up_after=give_up_after))
