"""`holdfast permissions`: what waits for a person, over all sessions."""

from holdfast.cli import asked
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import consoles, print_json, say
from holdfast.cli.table import print_table
from holdfast.cli.text import age, now, one_line

COLUMNS = ("session", "agent", "project", "asks", "asked", "left")


def permissions(url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """List what agents wait for: permission requests and questions of all sessions, the oldest first.

    Example: `holdfast permissions`, and then `holdfast answer 3f2a allow`
    """
    document = connect(url, token).request("GET", "/permissions")
    if as_json:
        print_json(document)
        return
    waiting = document["permissions"]
    if not waiting:
        say("No agent waits for an answer.")
        return
    out, _ = consoles()
    time_now = now()
    rows = [
        {
            "session": entry["session_id"][:8],
            "agent": one_line(entry["agent"], 16),
            "project": one_line(entry.get("project_id", ""), 16),
            "asks": asked.headline(entry["type"], entry["request"]),
            "asked": f"{age(entry['asked_at'], time_now)} ago",
            "left": asked.time_left(entry["request"], time_now),
        }
        for entry in waiting
    ]
    print_table(out, COLUMNS, rows, stretch="asks", right=("asked", "left"))
    say("holdfast answer ID shows one and answers it.")
