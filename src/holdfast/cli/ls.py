"""`holdfast ls`: the sessions, newest first."""

from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import print_json, say
from holdfast.cli.text import age, money, now, one_line
from holdfast.cli.watch import consoles

STATUS_STYLES = {
    "pending": "cyan",
    "running": "bold cyan",
    "waiting": "bold yellow",
    "complete": "green",
    "failed": "red",
    "cancelled": "yellow",
    "paused": "yellow",
    "interrupted": "magenta",
}


def ls(
    status: Annotated[
        list[str] | None, typer.Option("--status", "-s", metavar="STATUS", help="Only these; may be repeated.")
    ] = None,
    agent: Annotated[
        list[str] | None, typer.Option("--agent", "-a", metavar="NAME", help="Only these; may be repeated.")
    ] = None,
    project: Annotated[
        list[str] | None, typer.Option("--project", "-p", metavar="NAME", help="Only these; may be repeated.")
    ] = None,
    show_all: Annotated[bool, typer.Option("--all", metavar="", help="All of them, however many.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=200, metavar="N", help="At most so many.")] = 20,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """List the sessions, newest first."""
    client = connect(url, token)
    filters = {"status": status, "agent": agent, "project_id": project}
    if show_all:
        page: dict[str, Any] = {"sessions": list(client.all_sessions(**filters))}
    else:
        page = client.sessions(limit, **filters)
    if as_json:
        print_json(page)
        return
    sessions: list[dict[str, Any]] = page["sessions"]
    if not sessions:
        say("No session fits." if any(filters.values()) else 'No sessions yet; begin with: holdfast run "…"')
        return
    out, _ = consoles()
    out.print(_table(sessions), soft_wrap=not out.is_terminal)
    if page.get("next"):
        say("There are more; --all lists them.")


def _table(sessions: list[dict[str, Any]]) -> Table:
    time_now = now()
    table = Table(box=None, pad_edge=False, header_style="dim", expand=False)
    for name in ("id", "status", "agent", "project"):
        table.add_column(name, no_wrap=True, overflow="ellipsis", max_width=16)
    # The task takes what is left, so that a narrow terminal cuts it and nothing else.
    table.add_column("task", no_wrap=True, overflow="ellipsis", min_width=8, ratio=1)
    table.add_column("age", no_wrap=True, justify="right")
    table.add_column("cost", no_wrap=True, justify="right")
    for record in sessions:
        cost = record.get("total_cost_usd")
        table.add_row(
            record["session_id"][:8],
            Text(record["status"], STATUS_STYLES.get(record["status"], "")),
            one_line(record["agent"]),
            one_line(record.get("project_id", "")),
            one_line(record.get("task", "")),
            age(record["created_at"], time_now),
            "" if cost is None else money(cost),
        )
    return table
