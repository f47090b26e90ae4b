"""What a measurement came to: rows with a value, perhaps a bar and whether it is met; the table and the JSON file."""

import json
import os
import platform
import statistics
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

RESULTS = Path(__file__).parent / "results"


@dataclass
class Row:
    """One line of the table."""

    bench: str
    what: str
    value: float | None
    unit: str
    bar: str = ""
    met: bool | None = None


def under(bench: str, what: str, value: float | None, unit: str, limit: float) -> Row:
    return Row(bench, what, value, unit, f"< {limit:g}", value is not None and value < limit)


def most(bench: str, what: str, value: float | None, unit: str, limit: float) -> Row:
    return Row(bench, what, value, unit, f"≤ {limit:g}", value is not None and value <= limit)


def least(bench: str, what: str, value: float | None, unit: str, limit: float) -> Row:
    return Row(bench, what, value, unit, f"≥ {limit:,.0f}", value is not None and value >= limit)


def none(bench: str, what: str, faults: int) -> Row:
    return Row(bench, what, faults, "", "0", faults == 0)


def median(values: list[float]) -> float:
    return statistics.median(values)


def show(rows: list[Row]) -> None:
    table = Table(title="Holdfast bench")
    for name in ("bench", "what", "value", "unit", "bar", ""):
        table.add_column(name, justify="right" if name in ("value", "bar") else "left")
    before = None
    for row in rows:
        if before not in (None, row.bench):
            table.add_section()
        verdict = {None: "", True: "[green]pass[/]", False: "[bold red]FAIL[/]"}[row.met]
        table.add_row(row.bench if row.bench != before else "", row.what, number(row.value), row.unit, row.bar, verdict)
        before = row.bench
    # Without a terminal rich would cut the lines at 80.
    Console(width=None if os.isatty(1) else 130).print(table)


def number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.2f}"


def write(rows: list[Row], raw: dict, options: dict) -> Path:
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{time.strftime('%Y%m%d-%H%M%S')}.json"
    machine = {"cpus": os.cpu_count(), "kernel": platform.release(), "python": platform.python_version()}
    content = {"options": options, "machine": machine, "rows": [asdict(row) for row in rows], "raw": raw}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False))
    return path
