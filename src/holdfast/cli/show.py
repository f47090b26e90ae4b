"""`holdfast show`: a session's record."""

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from holdfast.cli import asked, documents, ending
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Session, Token, Url
from holdfast.cli.output import consoles, print_json
from holdfast.cli.text import STATUS_STYLES, TODO_ICONS, TODO_STYLES, age, clean, count, now, one_line


def show(session: Session, url: Url = None, token: Token = None, as_json: Json = False) -> None:
    """Show a session's record: what it is, how it stands, what it waits for, and how it ended.

    Example: `holdfast show 3f2a`
    """
    holdfast = connect(url, token)
    record = documents.find(holdfast, session)
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
        if record["status"] == "waiting":
            _requests(out, documents.waiting(holdfast), record["session_id"])
        out.print(Text(f"\nfollow it: holdfast attach {record['session_id'][:8]}", "dim"))


def _requests(out: Console, waiting: list[dict[str, Any]], session_id: str) -> None:
    """What it asks, and the command that answers it."""
    for entry in waiting:
        if entry["session_id"] != session_id:
            continue
        out.print()
        for line in asked.lines(entry["type"], entry["request"]):
            out.print(line, soft_wrap=not out.is_terminal)
        left = asked.time_left(entry["request"], now())
        command = asked.how(session_id, entry["type"], entry["request"])
        out.print(Text(f"  answer it ({left} left): {command}", "dim"), soft_wrap=not out.is_terminal)


def _waits(record: dict[str, Any]) -> str:
    """What the run needs to go on."""
    waiting: dict[str, Any] = record.get("waiting_on") or {}
    if not waiting:
        return ""
    words = {"start": "the agent's start", "model": "the model", "person": "an answer of yours"}.get(waiting["kind"])
    words = words or one_line(f"{waiting.get('tool_name', waiting['kind'])} {waiting.get('detail', '')}")
    stalled = "; nothing has happened for long" if waiting.get("stalled") else ""
    return f"{words}, for {age(waiting['since'], now())}{stalled}"


def _facts(record: dict[str, Any]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    time_now = now()
    facts: list[tuple[str, str | Text]] = [
        ("session", record["session_id"]),
        ("status", Text(record["status"], STATUS_STYLES.get(record["status"], ""))),
        ("waits for", _waits(record)),
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
