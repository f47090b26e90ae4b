"""`holdfast cancel`: stops a session's run."""

from holdfast.cli import documents
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Session, Token, Url
from holdfast.cli.output import print_json, say


def cancel(session: Session, url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """Stop what a session is doing; does nothing if it has ended already.

    Example: `holdfast cancel 3f2a`
    """
    holdfast = connect(url, token)
    before = documents.find(holdfast, session)
    record = documents.command(holdfast, before["session_id"], "cancel")
    if as_json:
        print_json(record)
    elif before["status"] == record["status"]:
        say(f"Session {record['session_id'][:8]} had ended already: {record['status']}.")
    elif record.get("resumable"):
        say(f'Cancelled. Go on with: holdfast task {record["session_id"][:8]} "…"')
    else:
        say("Cancelled.")
