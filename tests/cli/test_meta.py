"""The commands themselves: each explains itself, stands in docs/cli.md, and starts without what it does not need."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from holdfast.cli import PANELS, build, exits
from tests.conftest import TOKEN

ROOT = typer.main.get_command(build())
PAGE = Path(__file__).parents[2] / "docs/cli.md"
# These speak a protocol of their own, or are for people only, or are the server.
WITHOUT_JSON = {"serve", "acp", "mcp", "top"}
# These are not about a server that runs.
WITHOUT_SERVER = {"serve"}


def commands():
    for name, found in ROOT.commands.items():
        if hasattr(found, "commands"):
            yield from ((f"{name} {inner}", command) for inner, command in found.commands.items())
        else:
            yield name, found


NAMED = dict(commands())


@pytest.mark.parametrize("name", sorted(NAMED))
def test_every_command_explains_itself_with_an_example_and_can_speak_to_any_server(name):
    found = NAMED[name]
    assert f"holdfast {name}" in found.help or name in ("acp",), "its help has an example"
    flags = {flag for parameter in found.params for flag in parameter.opts}
    assert name in WITHOUT_JSON or "--json" in flags
    assert name in WITHOUT_SERVER or {"--url", "--token"} <= flags
    assert all(parameter.help for parameter in found.params if hasattr(parameter, "help")), "each option is described"


def test_the_help_groups_all_commands(command):
    shown = command("--help").stdout
    for panel, grouped in PANELS.items():
        assert panel in shown
        assert all(re.search(rf"│ {each.__name__.rstrip('_')} ", shown) for each in grouped)


def test_the_page_describes_every_command_and_no_other():
    headed = re.findall(r"^###? `holdfast ([a-z ]+?)(?: [^a-z`].*)?`", PAGE.read_text(), re.MULTILINE)
    assert sorted(headed) == sorted(NAMED), "docs/cli.md and the commands"


def test_every_option_that_the_page_names_is_one_of_its_command():
    known = {flag for found in NAMED.values() for parameter in found.params for flag in parameter.opts}
    known |= {flag for found in NAMED.values() for parameter in found.params for flag in parameter.secondary_opts}
    known |= {"--help", "--version", "--install-completion", "--show-completion"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE.read_text())) <= known


def test_every_exit_code_stands_on_the_page():
    page = PAGE.read_text()
    assert [code for code in exits.MEANINGS if f"| {code} |" not in page] == []


def test_a_command_brings_neither_the_dashboard_nor_the_server_nor_the_sdk_of_mcp():
    code = (
        "import sys, holdfast.cli as c; sys.argv=['holdfast','--help']\n"
        "try: c.main()\n"
        "except SystemExit: pass\n"
        "heavy = {'textual', 'mcp', 'sqlalchemy', 'alembic', 'uvicorn', 'starlette', 'holdfast.serve'}\n"
        "sys.exit(str(sorted(heavy & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == "[]"


def test_token_prints_the_token_or_the_address_that_logs_in_and_nothing_else(command, house):
    assert (command("token").stdout, command("token").stderr) == (f"{TOKEN}\n", "")
    assert command("token", "--link").stdout == f"{house.url}/?token={TOKEN}\n"
    assert json.loads(command("token", "--json", "--url", "http://127.0.0.1:1").stdout)["url"] == "http://127.0.0.1:1"


def test_a_reader_that_is_gone_before_anything_is_printed_is_no_matter_for_words(at_home):
    read_end, write_end = os.pipe()
    os.close(read_end)
    # What is buffered is written at the end, when nobody can catch what goes wrong any more.
    buffered = {name: value for name, value in at_home.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "token"], env=buffered, stdout=write_end, stderr=subprocess.PIPE, timeout=60
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (exits.FAILURE, b"")


def test_without_a_token_one_is_told_where_it_was_looked_for(command, monkeypatch, tmp_path):
    monkeypatch.delenv("HOLDFAST_TOKEN")
    monkeypatch.setenv("HOLDFAST_DATA", str(tmp_path / "none"))
    done = command("token")
    assert (done.exit_code, done.stdout) == (exits.USAGE, "")
    assert f"there is no token in {tmp_path}/none/token" in done.stderr


def test_openapi_prints_the_servers_document(command, agents):
    assert json.loads(command("openapi").stdout) == agents.get("/openapi.json").json()


def test_top_needs_a_terminal_and_says_what_programs_use_instead(command):
    done = command("top")
    assert done.exit_code == exits.USAGE
    assert "holdfast ls --json" in done.stderr
