"""`holdfast agents`: which agents the server has, and whether they work."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from holdfast.cli import exits
from holdfast.cli.client import Client
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import print_json
from holdfast.cli.text import age, clean, now, one_line
from holdfast.cli.watch import consoles

GAP = 2
ABILITIES = {
    "load": "load",
    "resume": "resume",
    "fork": "fork",
    "list": "list",
    "images": "images",
    "audio": "audio",
    "embedded_context": "embedded context",
    "mcp_http": "MCP over HTTP",
    "mcp_sse": "MCP over SSE",
}


def agents(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", show_default=False, help="Show all about this one.")
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", metavar="", help="Start it (or each that is installed) and ask it; no task, no cost."),
    ] = False,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """List the agents: which are installed, in which version, and how to log in.

    An agent that is installed can be used by its name: holdfast run --agent NAME "…". With --check the exit code is 1
    if an agent that was asked did not answer.
    """
    client = connect(url, token)
    if name is not None:
        info = client.check_agent(name) if check else client.agent(name)
        if as_json:
            print_json(info)
        else:
            _show(info)
        raise typer.Exit(exits.FAILURE if check and "error" in info else exits.SUCCESS)
    found = _checked(client) if check else client.agents()
    if as_json:
        print_json({"agents": found})
    else:
        _list(found)
    is_failure = check and any(info["installed"] and "error" in info for info in found)
    raise typer.Exit(exits.FAILURE if is_failure else exits.SUCCESS)


def _checked(client: Client) -> list[dict[str, Any]]:
    return [client.check_agent(info["name"]) if info["installed"] else info for info in client.agents()]


def _list(found: list[dict[str, Any]]) -> None:
    out, err = consoles()
    for line in _table(found, out.width if out.is_terminal else None):
        out.print(line, soft_wrap=True)
    if not all(info["installed"] for info in found):
        err.print(Text("holdfast agents NAME tells how to install one.", "dim"))


def _table(found: list[dict[str, Any]], width: int | None) -> Iterator[Text]:
    """The agents as lines; where the width does not suffice, the last column is cut and nothing else."""
    columns = ("name", "installed", "version", "login")
    rows = [{name: name for name in columns}] + [_cells(info) for info in found]
    widths = {name: max(cell_len(row[name]) for row in rows) for name in columns}
    if width is not None:
        others = sum(widths[name] + GAP for name in columns[:-1])
        widths["login"] = max(len("login"), min(widths["login"], width - others))
    for row, info in zip(rows, [None, *found], strict=True):
        line = Text(style="dim" if info is None or not info["installed"] else "")
        for name in columns:
            cell = Text(row[name], _style(name, info))
            cell.truncate(widths[name], overflow="ellipsis")
            cell.align("left", widths[name])
            line.append_text(cell).append(" " * GAP)
        line.rstrip()
        yield line


def _cells(info: dict[str, Any]) -> dict[str, str]:
    mark = " (default)" if info.get("default") else ""
    return {
        "name": one_line(info["name"], 24) + mark,
        "installed": "yes" if info["installed"] else "no",
        "version": one_line(info.get("version", ""), 20),
        "login": one_line(info["error"] if "error" in info else _login(info)),
    }


def _style(column: str, info: dict[str, Any] | None) -> str:
    if info is None:
        return ""
    if column == "login" and "error" in info:
        return "red"
    return "green" if column == "installed" and info["installed"] else ""


def _login(info: dict[str, Any]) -> str:
    """Who is logged in, as far as that is known, or how one logs in."""
    account = info.get("account", {})
    if account.get("email"):
        return f"as {account['email']}"
    for source in (account.get("api_key_source"), account.get("token_source")):
        if source and source != "none":
            return f"by {source}"
    if account.get("api_provider", "firstParty") != "firstParty":
        return f"by {account['api_provider']}"
    return f"not logged in: {info.get('login', '')}" if account else info.get("login", "")


def _show(info: dict[str, Any]) -> None:
    out, _ = consoles()
    facts = [(name, value) for name, value in _facts(info) if value]
    if not out.is_terminal:
        # A program reads lines as they are; only for people are they folded.
        for name, value in facts:
            out.print(Text.assemble(f"{name:<11}  ", value), soft_wrap=True)
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(name, value)
    out.print(table)


def _facts(info: dict[str, Any]) -> Iterator[tuple[str, str | Text]]:
    is_installed = info["installed"]
    yield "agent", f"{one_line(info['name'])} · {one_line(info['title'])} · {info['kind']}"
    yield "installed", Text("yes", "green") if is_installed else Text("no", "yellow")
    yield "install it", "" if is_installed else clean(info.get("install", ""))
    yield "command", one_line(" ".join(info["command"]), 4096)
    yield "version", one_line(info.get("version", ""))
    yield "error", Text(clean(info["error"]), "red") if "error" in info else ""
    yield "can", ", ".join(word for key, word in ABILITIES.items() if info.get("capabilities", {}).get(key))
    account: dict[str, Any] = info.get("account", {})
    said = " · ".join(
        one_line(account[key]) for key in ("email", "organization", "subscription_type") if key in account
    )
    yield "account", said or (_login(info) if account else "")
    yield "log in", clean(info.get("login", ""))
    for method in info.get("auth_methods", ()):
        yield (
            "auth method",
            one_line(": ".join(method[key] for key in ("id", "name", "description") if method.get(key))),
        )
    yield "models", ", ".join(one_line(model["id"]) for model in info.get("models", ()))
    checked_at = info.get("checked_at")
    yield "checked", f"{age(checked_at, now())} ago" if checked_at else ""
