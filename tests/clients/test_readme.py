"""The programs of the README, taken from it as they stand: each follows its run through a killed server, to its end."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import TOKEN, Server

ROOT = Path(__file__).parents[2]
PLACE = "import {{ built }} from '{}'; process.stdout.write(built())"
LANGUAGES = ("python", "ts")
PATIENCE_S = 100


def program(language: str) -> str:
    """The only program in this language in the section; ten lines, and not one more."""
    section = (ROOT / "README.md").read_text().partition("\n## From your program\n")[2].partition("\n## ")[0]
    (found,) = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    assert len(found.splitlines()) <= 10
    return found


def command(language: str, source: str, folder: Path) -> list[str]:
    """As a user runs it; in Node with the package as npm would install it."""
    if language == "python":
        return [sys.executable, "-W", "error", "-c", source]
    built = PLACE.format((ROOT / "clients/typescript/scripts/built.mjs").as_uri())
    where = subprocess.run(["node", "--input-type=module", "-e", built], capture_output=True, text=True, check=True)
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "holdfast-client").symlink_to(where.stdout)
    (folder / "program.mjs").write_text(source)
    return ["node", "program.mjs"]


@pytest.mark.timeout(2 * PATIENCE_S)
@pytest.mark.requirement("R143", "R144")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_program_follows_its_run_through_a_killed_server_and_says_why_it_ended(
    language: str, make_server: Callable[..., Server], tmp_path: Path
) -> None:
    # As it stands, only quicker. Whether the agent is still at work when the server is back must not matter.
    quick = program(language).replace("tools 50 slow 20", "tools 50 slow 4")
    assert quick != program(language)
    server = make_server().start()
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "XDG_"))}
    with (tmp_path / "stderr").open("w") as stderr:
        running = subprocess.Popen(
            command(language, quick, tmp_path),
            env=environ | {"HOME": str(tmp_path), "HOLDFAST_URL": server.url, "HOLDFAST_TOKEN": TOKEN},
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            cwd=tmp_path,
        )
    # One that hangs is ended, and then says too little.
    watch = threading.Timer(PATIENCE_S, running.kill)
    watch.start()
    with running:
        try:
            assert running.stdout is not None
            lines = [running.stdout.readline().rstrip("\n") for _ in range(3)]
            server.kill()
            server.start()
            lines += running.stdout.read().splitlines()
            running.wait(PATIENCE_S)
        finally:
            watch.cancel()
            running.kill()
    assert (running.returncode, (tmp_path / "stderr").read_text()) == (0, "")
    assert lines[-1] == "success: completed by agent"
    with server.client() as client:
        (record,) = client.get("/sessions").json()["sessions"]
        started = [event for event in client.history(record["session_id"]) if event["type"] == "tool_start"]
    assert len(started) == 50
    assert lines[:-1] == [f"{event['sequence']} {event['data']['title']}" for event in started]
