"""`holdfast usage`: what runs have cost."""

from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from holdfast.cli.connect import connect
from holdfast.cli.moments import moment
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import consoles, print_json, say
from holdfast.cli.table import print_table
from holdfast.cli.text import count, money, now, one_line, span

NUMBERS = ("runs", "turns", "time", "cost", "input", "output", "cached")


def usage(
    by: Annotated[
        Literal["agent", "project", "model", "day", "session"] | None,
        typer.Option("--by", help="Also in parts: one for each of these."),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="Only runs that ended since: 2026-01-05, 12h, 7d.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="TIME", help="Only runs that ended before.")] = None,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Add up what the runs that have ended took: turns, time, money and tokens.

    Example: `holdfast usage --by project --since 7d`
    """
    time_now = now()
    query = {
        "by": by,
        **{
            name: None if given is None else moment(f"--{name}", given, time_now).isoformat()
            for name, given in (("since", since), ("until", until))
        },
    }
    report = connect(url, token).request("GET", "/usage", query=query)
    if as_json:
        print_json(report)
        return
    name = by or "all"
    rows: list[dict[str, str | Text]] = [_cells(name, part) for part in report["parts"]]
    rows.append({column: Text(str(cell), "bold") for column, cell in _cells(name, report["total"]).items()})
    rows[-1][name] = Text("total", "bold")
    out, _ = consoles()
    print_table(out, (name, *NUMBERS), rows, stretch=name, right=NUMBERS)
    if silent := report["total"]["runs_without_cost"]:
        say(f"{count(silent, 'run')} did not tell the cost.")


def _cells(name: str, part: dict[str, Any]) -> dict[str, str | Text]:
    title = one_line(part["name"]) or "(none)"
    return {
        name: title[:8] if name == "session" else title,
        "runs": f"{part['runs']:,}",
        "turns": f"{part['num_turns']:,}",
        "time": span(part["duration_ms"] / 1000),
        # Nothing told is not nothing spent.
        "cost": "–" if part["runs_without_cost"] == part["runs"] else money(part["total_cost_usd"]),
        "input": f"{part['input_tokens']:,}",
        "output": f"{part['output_tokens']:,}",
        "cached": f"{part['cache_read_tokens'] + part['cache_write_tokens']:,}",
    }
