"""Schemathesis reads the OpenAPI document and asks the real server whatever it allows, and much that it does not."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import TOKEN, Server

# It knows no JSON Lines: what is to be such a file goes as the text that it is.
PROGRAM = """
import schemathesis
from schemathesis.cli import schemathesis as command

@schemathesis.serializer("application/jsonl")
def lines(context, value):
    return value.encode(errors="surrogatepass") if isinstance(value, str) else str(value).encode()

command()
"""


@pytest.mark.timeout(600)
def test_no_request_that_the_document_suggests_breaks_the_server(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    server = make_server()
    # Thousands of tasks are started: by an agent that costs next to nothing.
    server.config.write_text('default_agent = "quick"\n[agents.quick]\ncommand = ["/bin/true"]\n')
    server.start()
    done = subprocess.run(
        [
            *(sys.executable, "-c", PROGRAM),
            *("run", f"{server.url}/api/v1/openapi.json", "--no-color", "--continue-on-failure"),
            *("--header", f"Authorization: Bearer {TOKEN}", "--phases", "coverage,fuzzing", "--max-examples", "4"),
            # Streams go on for ever; tests/stream has them.
            *("--exclude-path-regex", "/events$", "--request-timeout", "60", "--seed", "4653", "--warnings", "off"),
            # Whether a workspace is a folder here and a cursor is one of ours, no schema can say.
            *("--checks", "all", "--exclude-checks", "positive_data_acceptance"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=580,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    with server.client() as client:
        paths = client.get("/openapi.json").json()["paths"]
        count = sum(len(methods) for path, methods in paths.items() if not path.endswith("/events"))
        assert f"Tested: {count}\n" in done.stdout, done.stdout[-2000:]
        assert client.get("/health").json()["status"] == "ok"
    assert "a request failed" not in server.log.read_text()
