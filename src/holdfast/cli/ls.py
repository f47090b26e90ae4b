"""`holdfast ls`: the sessions, newest first."""

from datetime import datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from holdfast.cli import complete, documents
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import consoles, print_json, say
from holdfast.cli.table import Row, print_table
from holdfast.cli.text import STATUS_STYLES, age, money, now, one_line

COLUMNS = ("id", "status", "agent", "project", "task", "age", "cost")


def ls(
    status: Annotated[
        list[str] | None,
        typer.Option(
            "--status",
            "-s",
            metavar="STATUS",
            autocompletion=lambda: list(STATUS_STYLES),
            help="Only these; may be repeated.",
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", "-a", metavar="NAME", autocompletion=complete.agents, help="Only these; may be repeated."
        ),
    ] = None,
    project: Annotated[
        list[str] | None,
        typer.Option(
            "--project", "-p", metavar="NAME", autocompletion=complete.projects, help="Only these; may be repeated."
        ),
    ] = None,
    search: Annotated[
        str | None,
        typer.Option("--search", "-q", metavar="WORDS", help="Only those that have all these words in task or name."),
    ] = None,
    show_all: Annotated[bool, typer.Option("--all", metavar="", help="All of them, however many.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, metavar="N", help="At most so many.")] = 20,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """List the sessions, newest first.

    Example: `holdfast ls --status waiting --status running`
    """
    holdfast = connect(url, token)
    filters = {"status": status, "agent": agent, "project_id": project, "q": search}
    if show_all:
        page: dict[str, Any] = {"sessions": list(documents.all_sessions(holdfast, **filters))}
    else:
        page = documents.sessions(holdfast, limit, **filters)
    if as_json:
        print_json(page)
        return
    sessions: list[dict[str, Any]] = page["sessions"]
    if not sessions:
        say("No session fits." if any(filters.values()) else 'No sessions yet; begin with: holdfast run "…"')
        return
    out, _ = consoles()
    time_now = now()
    rows = [_cells(record, time_now) for record in sessions]
    print_table(out, COLUMNS, rows, stretch="task", right=("age", "cost"))
    if page.get("next"):
        say("There are more; --all lists them.")


def _cells(record: dict[str, Any], time_now: datetime) -> Row:
    cost = record.get("total_cost_usd")
    return {
        "id": record["session_id"][:8],
        "status": Text(one_line(record["status"]), STATUS_STYLES.get(record["status"], "")),
        "agent": one_line(record["agent"], 16),
        "project": one_line(record.get("project_id", ""), 16),
        "task": one_line(record.get("task", "")),
        "age": age(record["created_at"], time_now),
        "cost": "" if cost is None else money(cost),
    }
