"""`holdfast show`: a session's record."""

from typing import Any

from rich.table import Table
from rich.text import Text

from holdfast.cli import ending
from holdfast.cli.connect import connect
from holdfast.cli.ls import STATUS_STYLES
from holdfast.cli.options import Json, Session, Token, Url
from holdfast.cli.output import print_json
from holdfast.cli.render import TODO_ICONS, TODO_STYLES
from holdfast.cli.text import age, clean, count, now, one_line
from holdfast.cli.watch import consoles


def show(session: Session, url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """Show a session's record: what it is, how it stands, and how it ended."""
    record = connect(url, token).find(session)
    if as_json:
        print_json(record)
        return
    out, _ = consoles()
    out.print(_facts(record))
    for todo in record.get("todos", ()):
        icon = TODO_ICONS.get(todo["status"], "·")
        out.print(Text(f"  {icon} {one_line(todo['content'])}", TODO_STYLES.get(todo["status"], "")))
    if "stop_reason" in record:
        out.print()
        for line in ending.describe(record, record["session_id"], stderr_lines=None):
            out.print(line, soft_wrap=not out.is_terminal)
    else:
        out.print(Text(f"\nfollow it: holdfast attach {record['session_id'][:8]}", "dim"))


def _facts(record: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    time_now = now()
    facts: list[tuple[str, str | Text]] = [
        ("session", record["session_id"]),
        ("status", Text(record["status"], STATUS_STYLES.get(record["status"], ""))),
        ("agent", " · ".join(one_line(record[key]) for key in ("agent", "model") if record.get(key))),
        ("project", one_line(record.get("project_id", ""))),
        ("workspace", one_line(record.get("workspace", ""), 4096)),
        ("task", clean(record.get("task", ""))),
        ("log", f"{count(record['runs'], 'run')}, {count(record['head'], 'event')}"),
        ("created", f"{age(record['created_at'], time_now)} ago ({record['created_at']})"),
        ("updated", f"{age(record['updated_at'], time_now)} ago ({record['updated_at']})"),
        ("agent's id", one_line(record.get("agent_session_id", ""))),
    ]
    for name, value in facts:
        if value:
            table.add_row(name, value)
    return table
