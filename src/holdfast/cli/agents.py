"""`holdfast agents`: which agents the server has, and whether they work."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from holdfast.cli import complete, documents, exits
from holdfast.cli.connect import connect
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import consoles, print_json
from holdfast.cli.table import Row, print_table
from holdfast.cli.text import age, clean, now, one_line
from holdfast.client.sync import Holdfast

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
        str | None,
        typer.Argument(
            metavar="NAME", show_default=False, autocompletion=complete.agents, help="Show all about this one."
        ),
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

    Example: `holdfast agents claude --check`
    """
    holdfast = connect(url, token)
    if name is not None:
        info = documents.check_agent(holdfast, name) if check else documents.agent(holdfast, name)
        if as_json:
            print_json(info)
        else:
            _show(info)
        raise typer.Exit(exits.FAILURE if check and "error" in info else exits.SUCCESS)
    found = _checked(holdfast) if check else documents.agents(holdfast)
    if as_json:
        print_json({"agents": found})
    else:
        _list(found)
    is_failure = check and any(info["installed"] and "error" in info for info in found)
    raise typer.Exit(exits.FAILURE if is_failure else exits.SUCCESS)


def _checked(holdfast: Holdfast) -> list[dict[str, Any]]:
    found = documents.agents(holdfast)
    return [documents.check_agent(holdfast, info["name"]) if info["installed"] else info for info in found]


def _list(found: list[dict[str, Any]]) -> None:
    out, err = consoles()
    print_table(out, ("name", "installed", "version", "login"), list(map(_cells, found)), stretch="login")
    if not all(info["installed"] for info in found):
        err.print(Text("holdfast agents NAME tells how to install one.", "dim"))


def _cells(info: dict[str, Any]) -> Row:
    mark = " (default)" if info.get("default") else ""
    is_installed, has_failed = info["installed"], "error" in info
    style = "" if is_installed else "dim"
    return {
        "name": Text(one_line(info["name"], 24) + mark, style),
        "installed": Text("yes", "green") if is_installed else Text("no", "dim"),
        "version": Text(one_line(info.get("version", ""), 20), style),
        "login": Text(one_line(info["error"] if has_failed else _login(info)), "red" if has_failed else style),
    }


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
