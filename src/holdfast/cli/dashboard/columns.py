"""A row as a line of the list: which columns fit, how wide each is, and what stands in it. Pure."""

from collections.abc import Callable
from datetime import datetime

from rich.style import Style
from rich.text import Text

from holdfast.cli.dashboard.board import Row
from holdfast.cli.text import age, money, one_line

GAP = 2
# Wide enough for their words; the two that are left share the rest.
FIXED = {"status": 11, "agent": 10, "turns": 5, "cost": 8, "age": 6}
# Only where there is room: whoever has less sees it at the foot.
ID_FROM = 110
RIGHT = frozenset({"turns", "cost", "age"})

StyleOf = Callable[[str], Style]
"""The style of a status, or of a column's name."""


def widths(total: int) -> dict[str, int]:
    """The columns from left to right."""
    fixed = {**({"id": 8} if total >= ID_FROM else {}), **FIXED}
    rest = max(20, total - sum(fixed.values()) - GAP * (len(fixed) + 1))
    task = max(10, rest * 3 // 5)
    order = ("id", "status", "agent", "task", "waits for", "turns", "cost", "age")
    found = {**fixed, "task": task, "waits for": max(10, rest - task)}
    return {name: found[name] for name in order if name in found}


def heading(columns: dict[str, int]) -> Text:
    return _line(columns, {name: Text("project / task" if name == "task" else name) for name in columns})


def line(row: Row, columns: dict[str, int], now: datetime, style_of: StyleOf) -> Text:
    task = Text(f"{one_line(row.project_id, 24)} ", style_of("project")) if row.project_id else Text()
    return _line(
        columns,
        {
            "id": Text(row.session_id[:8], style_of("muted")),
            "status": Text(one_line(row.status), style_of(row.status)),
            "agent": Text(one_line(row.agent, 24)),
            "task": task.append(one_line(row.task), Style()),
            "waits for": Text(row.waits_for, style_of(row.status if row.requests else "muted")),
            "turns": Text("" if row.turns is None else str(row.turns)),
            "cost": Text("" if row.cost is None else money(row.cost)),
            "age": Text(age(row.created_at, now), style_of("muted")),
        },
    )


def _line(columns: dict[str, int], cells: dict[str, Text]) -> Text:
    line = Text(no_wrap=True)
    for name, width in columns.items():
        cell = cells[name]
        cell.truncate(width, overflow="ellipsis")
        cell.align("right" if name in RIGHT else "left", width)
        line.append_text(cell).append(" " * GAP)
    return line
