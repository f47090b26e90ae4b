"""`holdfast profile` and `holdfast profiles`: what agents may do without asking."""

from typing import Annotated, Any

import typer
from rich.text import Text

from holdfast.cli import complete, documents
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Session, Token, Url
from holdfast.cli.output import consoles, print_json, say
from holdfast.cli.table import Row, print_table
from holdfast.cli.text import one_line

COLUMNS = ("name", "unanswered", "description")


def profile(
    session: Session,
    name: Annotated[
        str, typer.Argument(metavar="NAME", show_default=False, autocompletion=complete.profiles, help="The new one.")
    ],
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Let a session's run go on under another permission profile, and its next runs with it.

    Example: `holdfast profile 3f2a careful`
    """
    holdfast = connect(url, token)
    record = documents.find(holdfast, session)
    record = documents.command(holdfast, record["session_id"], "profile", {"profile": name})
    if as_json:
        print_json(record)
    else:
        say(f"Session {record['session_id'][:8]} goes on under the profile {name}.")


def profiles(url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """List the permission profiles: what each allows, and what it makes of a question that nobody answers.

    Example: `holdfast profiles`, and then `holdfast run --profile careful "…"`
    """
    document = connect(url, token).request("GET", "/profiles")
    if as_json:
        print_json(document)
        return
    out, _ = consoles()
    print_table(out, COLUMNS, [_cells(info) for info in document["profiles"]], stretch="description")


def _cells(info: dict[str, Any]) -> Row:
    mark = " (default)" if info["default"] else ""
    return {
        "name": Text(one_line(info["name"], 24) + mark, "bold"),
        # What becomes of a question that nobody answers.
        "unanswered": one_line(info["fallback"], 16),
        "description": one_line(info["description"]),
    }
