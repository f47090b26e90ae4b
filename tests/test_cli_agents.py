"""`holdfast agents` as a shell sees it, against a real server."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.cli import exits
from tests.client import Client
from tests.conftest import TOKEN, Server
from tests.processes import eventually
from tests.programs import acp_program, claude_program

ISOLATED = {k: v for k, v in os.environ.items() if not k.startswith(("HOLDFAST_", "XDG_"))}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("bench")
    acp_program(folder / "bin", "gemini")
    acp_program(folder / "bin", "goose", before="print('no provider', file=sys.stderr); sys.exit(4)")
    claude = claude_program(folder / "opt", {"tokenSource": "none", "apiProvider": "firstParty"})
    switches = {"HOLDFAST_AUTH_CHECK": "false", "HOLDFAST_WARM_SESSIONS": "0"}
    server = Server(folder / "data", PATH=str(folder / "bin"), HOME=str(folder), **switches)
    server.config.write_text(f"[agents.claude]\ncommand = ['{claude}']\n")
    try:
        server.start()
        with server.client() as client:
            # A list does not wait for long until a program has told its version.
            eventually(lambda: {"claude", "gemini", "goose"} <= names_with_version(client), what="their versions")
        yield server
    finally:
        server.close()


def names_with_version(client: Client) -> set[str]:
    return {agent["name"] for agent in client.get("/agents").json()["agents"] if agent.get("version")}


@pytest.fixture
def holdfast(bench: Server, tmp_path: Path):
    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        env = {"HOME": str(tmp_path), "HOLDFAST_URL": bench.url, "HOLDFAST_TOKEN": TOKEN}
        return subprocess.run(
            [sys.executable, "-m", "holdfast", "agents", *arguments],
            env=ISOLATED | env,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


def test_the_table_shows_what_is_there_first_and_how_to_log_in(holdfast) -> None:
    done = holdfast()
    assert done.returncode == exits.SUCCESS
    rows = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert done.stdout.splitlines()[0].split() == ["name", "installed", "version", "login"]
    assert rows["demo"].split() == ["demo", "(default)", "yes"]
    assert rows["gemini"].split()[:3] == ["gemini", "yes", "3.2.1"]
    assert "GEMINI_API_KEY" in rows["gemini"]
    assert rows["kilo"].split()[:2] == ["kilo", "no"]
    names = list(rows)
    assert names.index("goose") < names.index("kilo")
    assert "how to install" in done.stderr


def test_as_json_it_is_what_the_server_says(holdfast, bench: Server) -> None:
    document = json.loads(holdfast("--json").stdout)
    with bench.client() as client:
        assert document == client.get("/agents").json()
    assert json.loads(holdfast("gemini", "--json").stdout)["name"] == "gemini"


def test_one_agent_is_shown_with_all_that_is_known_of_it(holdfast) -> None:
    done = holdfast("kilo")
    assert done.returncode == exits.SUCCESS
    assert "npm install -g @kilocode/cli" in done.stdout
    assert "kilo auth login" in done.stdout


def test_a_check_asks_the_agent_itself(holdfast) -> None:
    done = holdfast("gemini", "--check")
    assert done.returncode == exits.SUCCESS
    for words in ("load, resume, list, images, MCP over HTTP", "key: API key: Set SOME_KEY"):
        assert words in done.stdout
    assert re.search(r"\b\d{1,2} s ago", done.stdout)


def test_a_check_that_fails_says_why_and_has_an_exit_code(holdfast) -> None:
    done = holdfast("goose", "--check")
    assert done.returncode == exits.FAILURE
    assert "exited with status 4" in done.stdout
    assert "no provider" in done.stdout
    done = holdfast("kilo", "--check", "--json")
    assert done.returncode == exits.FAILURE
    assert json.loads(done.stdout)["error"] == "Kilo is not installed: 'kilo' was not found"


def test_all_that_are_installed_can_be_checked_at_once(holdfast) -> None:
    done = holdfast("--check")
    assert done.returncode == exits.FAILURE, "goose does not start"
    rows = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert "exited with status 4" in rows["goose"]
    assert re.search(r"not logged in: run `/\S+/opt/claude`", rows["claude"])
    assert "exited" not in rows["gemini"] + rows["demo"] + rows["kilo"]


def test_an_agent_that_there_is_not_is_one_sentence(holdfast) -> None:
    done = holdfast("hal")
    assert done.returncode == exits.FAILURE
    assert done.stderr.startswith("There is no agent 'hal'; there are: ")
    assert "qwen" in done.stderr, "known, though it is not installed"
    assert done.stdout == ""


def test_the_help_says_what_can_be_asked(holdfast) -> None:
    done = holdfast("--help")
    assert done.returncode == exits.SUCCESS
    for words in ("NAME", "--check", "--json", "how to log in"):
        assert words in done.stdout
