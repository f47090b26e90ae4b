"""`holdfast doctor`: names what is broken, and ends keepers that no server owns any more."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from holdfast.cli import checks, exits
from holdfast.cli.checks import Check
from holdfast.cli.options import Json, Token, Url
from holdfast.cli.output import consoles, print_json, say
from holdfast.cli.text import clean, count, now, span
from holdfast.config import Settings, find_file, load
from holdfast.errors import ConfigError

if TYPE_CHECKING:
    from holdfast.keeper.census import FoundKeeper

MARKS = {"ok": ("✓", "green"), "warning": ("!", "bold yellow"), "broken": ("✗", "bold red")}


def doctor(
    end_keepers: Annotated[
        bool, typer.Option("--end-keepers", metavar="", help="End the agents that work without a server, after asking.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", metavar="", help="Do not ask.")] = False,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="The settings file.")] = None,
    data: Annotated[str | None, typer.Option(metavar="FOLDER", help="The data folder.")] = None,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Look for what is broken, and say what to do about it. The exit code is 1 if something is.

    Example: `holdfast doctor`
    """
    found = [checks.check_python()]
    lonely: list[FoundKeeper] = []
    try:
        settings = load({"data": data}, os.environ, config)
    except ConfigError as error:
        # The rest would be about settings that nobody meant.
        found.append(checks.broken("settings", str(error), _remedy(config)))
    else:
        found.append(checks.check_settings_file(os.environ, config, settings))
        found += checks.check_default_profile(settings)
        found += _examine(settings, url, token)
        lonely = _lonely_keepers(settings)
        found += [_describe(keeper) for keeper in lonely]
    if as_json:
        print_json({"ok": not _is_broken(found), "checks": found})
    else:
        _print(found)
    if end_keepers and lonely:
        _end(lonely, yes=yes or as_json)
    raise typer.Exit(exits.FAILURE if _is_broken(found) else exits.SUCCESS)


def _remedy(config: Path | None) -> str:
    path = find_file(os.environ, config)
    if path is None or path.exists():
        return "correct it"
    return "name a file that is there with --config or HOLDFAST_CONFIG, or name none"


def _examine(settings: Settings, url: str | None, token: str | None) -> Iterator[Check]:
    yield checks.check_data(settings.data)
    yield checks.check_token(settings)
    yield checks.check_disk(settings.data)
    yield checks.check_store(settings)
    yield checks.check_server(settings, url, token, os.environ)
    yield from checks.check_agents(settings, os.environ)
    if settings.auth_check:
        yield from checks.check_agent_auth(settings, os.environ)


def _lonely_keepers(settings: Settings) -> "list[FoundKeeper]":
    # Imported here because of what the keeper's package brings; other commands must be quick.
    from holdfast.keeper.census import census

    return [keeper for keeper in census(settings.data) if not keeper.has_server]


def _describe(keeper: "FoundKeeper") -> Check:
    since = span(max(0.0, now().timestamp() - keeper.since))
    detail = f"session {keeper.session_id[:8]}, keeper {keeper.pid}"
    detail += f", agent {keeper.agent_pid}" if keeper.agent_pid else ""
    return checks.warning(
        "keeper", f"{detail}: without a server, started {since} ago",
        "holdfast serve takes it up again; holdfast doctor --end-keepers ends it",
    )  # fmt: skip


def _end(lonely: "list[FoundKeeper]", *, yes: bool) -> None:
    from holdfast.keeper.census import end

    agents = "its agent" if len(lonely) == 1 else "their agents"
    if not yes and not typer.confirm(f"End {count(len(lonely), 'keeper')} and {agents}?", err=True):
        return
    for keeper in lonely:
        if end(keeper):
            say(f"Ended keeper {keeper.pid} of session {keeper.session_id[:8]}.")
        else:
            say(f"Keeper {keeper.pid} of session {keeper.session_id[:8]} cannot be ended.")


def _is_broken(found: list[Check]) -> bool:
    return any(check.state == "broken" for check in found)


def _print(found: list[Check]) -> None:
    out, _ = consoles()
    for check in found:
        mark, style = MARKS[check.state]
        out.print(Text.assemble((mark, style), f" {check.name:<9}", clean(check.detail)), soft_wrap=not out.is_terminal)
        if check.advice:
            out.print(Text(f"           → {clean(check.advice)}", "dim"), soft_wrap=not out.is_terminal)
