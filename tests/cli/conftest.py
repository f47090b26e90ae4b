"""The command line: as a process against a server that follows a script, or in this process against a real one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdfast.cli import build
from tests.client import Client
from tests.conftest import TOKEN as HOUSE_TOKEN
from tests.conftest import Server
from tests.runs.agents import configure
from tests.scripted_server import TOKEN, running

ISOLATED = {k: v for k, v in os.environ.items() if not k.startswith(("HOLDFAST_", "XDG_"))}


@pytest.fixture
def server():
    with running() as server:
        yield server


@pytest.fixture
def holdfast(tmp_path, request):
    """Runs the command to its end, in an empty home."""

    def run(*arguments, stdin=None, **env):
        if "server" in request.fixturenames and "HOLDFAST_URL" not in env:
            env["HOLDFAST_URL"] = request.getfixturevalue("server").url
        env = ISOLATED | {"HOME": str(tmp_path), "HOLDFAST_TOKEN": TOKEN} | env
        return subprocess.run(
            [sys.executable, "-m", "holdfast", *arguments],
            env={k: v for k, v in env.items() if v is not None},
            cwd=tmp_path,
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server with the agents of tests/runs, for the tests that neither stop it nor count what is in it."""
    server = configure(Server(tmp_path_factory.mktemp("cli") / "data"))
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def agents(house: Server) -> Iterator[Client]:
    with house.client() as client:
        yield client


@pytest.fixture
def at_home(house: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of somebody who uses the house, in a folder of their own; this process is in it too."""
    mine = {"HOME": str(tmp_path), "HOLDFAST_URL": house.url, "HOLDFAST_TOKEN": HOUSE_TOKEN}
    for name in tuple(os.environ):
        if name.startswith(("HOLDFAST_", "XDG_")):
            monkeypatch.delenv(name)
    for name, value in mine.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return ISOLATED | mine


class Command:
    """Does a command in this process: where the shell's part adds nothing, it is a second quicker."""

    def __init__(self) -> None:
        self._app = build()
        self._runner = CliRunner()

    def __call__(self, *arguments: str, stdin: str | bytes | None = None) -> Result:
        done = self._runner.invoke(self._app, list(arguments), input=stdin)
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done


@pytest.fixture
def command(at_home: dict[str, str]) -> Command:
    return Command()
