"""`holdfast mcp` as a program: its options, its end, and what it says when the SDK is not there."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import httpx

from tests.conftest import TOKEN, Server

MISSING = 'The Model Context Protocol needs the extra "mcp": install it with `pip install "holdfast[mcp]"`.'
# As if it were not installed: a module that is None cannot be imported, nor found.
WITHOUT_SDK = "import sys; sys.modules['mcp'] = None; from holdfast.cli import main; main()"


def ran(*command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    return subprocess.run(
        [sys.executable, *command],
        env={**own, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_it_ends_when_its_client_has_gone_also_without_a_server() -> None:
    done = ran("-m", "holdfast", "mcp", "--url", "http://127.0.0.1:9", HOLDFAST_TOKEN="x")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_signal_ends_it_at_once_although_its_client_is_there() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        command = [sys.executable, "-m", "holdfast", "mcp", "--url", "http://127.0.0.1:9", "--token", "x"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin
            assert process.stdout
            process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            process.stdin.flush()
            assert b'"result"' in process.stdout.readline(), "it is at work"
            process.send_signal(number)
            assert process.wait(30) == -number


def test_a_url_that_is_none_is_told_at_once() -> None:
    done = ran("-m", "holdfast", "mcp", "--url", "nowhere")
    assert done.returncode == 2
    assert "'nowhere'" in done.stderr


def test_without_the_sdk_the_command_says_what_to_install() -> None:
    done = ran("-c", WITHOUT_SDK, "mcp")
    assert (done.returncode, done.stdout, done.stderr.strip()) == (2, "", MISSING)


def test_without_the_sdk_the_server_says_so_and_serves_all_else(make_server: Callable[..., Server]) -> None:
    server = make_server()
    server.program = ("-c", WITHOUT_SDK)
    server.start()
    headers = {"authorization": f"Bearer {TOKEN}"}
    answer = httpx.post(f"{server.url}/mcp", json={}, headers=headers, timeout=60)
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (404, "not_found", MISSING)
    with server.client() as client:
        assert client.end_of(client.run_task("tools 1"))["type"] == "agent_complete"
