"""Claude Code asks, and a person answers from a shell."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import TOKEN, Server
from tests.models.actions import Say, Shell
from tests.models.client import Models


@pytest.fixture
def answer(claude_server: Server, tmp_path: Path) -> Callable[..., str]:
    def answer(*words: str, stdin: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", "answer", *words],
            env=os.environ | {"HOLDFAST_URL": claude_server.url, "HOLDFAST_TOKEN": TOKEN},
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done.stderr

    return answer


@pytest.mark.requirement("R182")
def test_a_call_runs_with_the_input_that_was_given_at_the_command_line(
    claude_server: Server, models_process: Models, answer: Callable[..., str], tmp_path: Path
) -> None:
    calls = ["touch one.txt", "touch two.txt", "touch three.txt"]
    script = models_process.add([*([Shell(command=call)] for call in calls), [Say(text="That was all.")]])
    (tmp_path / "input.json").write_text('{"command": "touch from-a-file.txt"}')
    with claude_server.client() as client:
        session_id = client.run_task(script, profile="careful", workspace=str(tmp_path))
        after = 0
        for words, stdin in [
            (["--input", '{"command": "touch given.txt"}'], ""),
            (["--input", "@input.json"], ""),
            (["allow", "--input", "-"], '{"command": "touch piped.txt"}'),
        ]:
            after = client.until(session_id, "permission_request", after=after)["sequence"]
            assert answer(session_id[:8], *words, stdin=stdin) == "Allowed once.\n"
        assert client.end_of(session_id)["data"]["stop_reason"] == "success"
    made = {path.name for path in tmp_path.glob("*.txt")}
    assert made == {"given.txt", "from-a-file.txt", "piped.txt"}
