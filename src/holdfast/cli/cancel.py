"""`holdfast cancel`: stops a session's run."""

from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Session, Token, Url
from holdfast.cli.output import print_json, say


def cancel(session: Session, url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """Stop what a session is doing; does nothing if it has ended already."""
    client = connect(url, token)
    before = client.find(session)
    record = client.cancel(before["session_id"])
    if as_json:
        print_json(record)
    elif before["status"] == record["status"]:
        say(f"Session {record['session_id'][:8]} had ended already: {record['status']}.")
    elif record.get("resumable"):
        say(f'Cancelled. Go on with: holdfast task {record["session_id"][:8]} "…"')
    else:
        say("Cancelled.")
