"""The command line, and a server that says what the test wants it to say."""

import os
import subprocess
import sys

import pytest

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
