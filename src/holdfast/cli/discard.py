"""`holdfast discard`: gives up what a paused or interrupted session could still go on with."""

import shlex
from typing import Any

from holdfast.cli import documents
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Session, Token, Url
from holdfast.cli.output import print_json, say
from holdfast.cli.text import one_line


def discard(session: Session, url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """Give up what a paused or interrupted session could go on with; its log stays. Does nothing to one that is over.

    It takes no more tasks; its project, if it has one, is free for a new run.

    Example: `holdfast discard 3f2a`
    """
    holdfast = connect(url, token)
    before = documents.find(holdfast, session)
    record = documents.command(holdfast, before["session_id"], "discard")
    if as_json:
        print_json(record)
    elif record["status"] == before["status"]:
        say(f"Session {record['session_id'][:8]} has nothing to discard: {record['status']}.")
    else:
        say(f"Discarded. Session {record['session_id'][:8]} is {record['status']}; {_instead(record)}")


def _instead(record: dict[str, Any]) -> str:
    """Where the next task goes: a session that was discarded takes none."""
    if not record.get("project_id"):
        return "begin a new one with: holdfast run TASK"
    project = shlex.quote(one_line(record["project_id"]))
    return f"its project is free, begin anew with: holdfast run --project {project} TASK"
