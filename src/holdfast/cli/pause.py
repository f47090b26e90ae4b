"""`holdfast pause`: ends a session's run so that it can go on later."""

from holdfast.cli import documents
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Session, Token, Url
from holdfast.cli.output import print_json, say
from holdfast.state import ACTIVE


def pause(session: Session, url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """End a session's run so that it can go on later; does nothing if it has ended already.

    Example: `holdfast pause 3f2a`, and later `holdfast resume 3f2a`
    """
    holdfast = connect(url, token)
    before = documents.find(holdfast, session)
    record = documents.command(holdfast, before["session_id"], "pause")
    short = record["session_id"][:8]
    if as_json:
        print_json(record)
    elif before["status"] not in ACTIVE:
        say(f"Session {short} had ended already: {record['status']}.")
    elif record["status"] == "paused":
        say(f"Paused. Go on with: holdfast resume {short}")
    else:
        # It ended by itself in the same moment; the first end counts.
        say(f"Session {short} ended before it could be paused: {record['status']}.")
