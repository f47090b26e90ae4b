"""`holdfast ls`: the sessions, newest first."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.text import Text

from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import print_json, say
from holdfast.cli.text import age, money, now, one_line
from holdfast.cli.watch import consoles

COLUMNS = ("id", "status", "agent", "project", "task", "age", "cost")
GAP = 2
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
    for line in _table(sessions, out.width if out.is_terminal else None):
        out.print(line, soft_wrap=True)
    if page.get("next"):
        say("There are more; --all lists them.")


def _table(sessions: list[dict[str, Any]], width: int | None) -> Iterator[Text]:
    """The sessions as lines; where the width does not suffice, the task is cut and nothing else."""
    time_now = now()
    rows = [{name: name for name in COLUMNS}] + [_cells(record, time_now) for record in sessions]
    # What no session has needs no column.
    names = [name for name in COLUMNS if any(row[name] for row in rows[1:])]
    widths = {name: max(cell_len(row[name]) for row in rows) for name in names}
    if width is not None:
        others = sum(widths[name] + GAP for name in names if name != "task")
        widths["task"] = max(len("task"), min(widths["task"], width - others))
    for number, row in enumerate(rows):
        line = Text(style="dim" if number == 0 else "")
        for name in names:
            cell = Text(row[name], STATUS_STYLES.get(row[name], "") if name == "status" else "")
            cell.truncate(widths[name], overflow="ellipsis")
            cell.align("right" if name in ("age", "cost") else "left", widths[name])
            line.append_text(cell).append(" " * GAP)
        line.rstrip()
        yield line


def _cells(record: dict[str, Any], time_now: datetime) -> dict[str, str]:
    cost = record.get("total_cost_usd")
    return {
        "id": record["session_id"][:8],
        "status": one_line(record["status"]),
        "agent": one_line(record["agent"], 16),
        "project": one_line(record.get("project_id", ""), 16),
        "task": one_line(record.get("task", "")),
        "age": age(record["created_at"], time_now),
        "cost": "" if cost is None else money(cost),
    }
