"""Follows the run that a command has just started, and no other."""

from typing import Any

from holdfast.cli import documents
from holdfast.cli.output import print_json, print_line
from holdfast.cli.watch import open_view, watch
from holdfast.client.sync import Holdfast


def follow_run(
    holdfast: Holdfast,
    started: dict[str, Any],
    before: dict[str, Any] | None,
    *,
    detach: bool,
    as_json: bool,
    give_up_after: float | None,
) -> int:
    """The exit code. `before` is the session's record from before the run; None for a new session."""
    session_id = str(started["session_id"])
    if detach:
        if as_json:
            print_json(started)
        else:
            print_line(session_id)
        return 0
    record = documents.record(holdfast, session_id)
    view = open_view(holdfast, session_id, as_json=as_json, shows_tasks=False)
    view.say(f"session {session_id[:8]} · {record['workspace']}", "dim")
    return watch(
        holdfast,
        session_id,
        view,
        after=before["head"] if before else 0,
        partials=True,
        give_up_after=give_up_after,
        # Usually one; more if somebody else's run came between our look at the session and our task.
        ends=record["runs"] - (before["runs"] if before else 0),
    )
