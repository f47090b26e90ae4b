"""The server's own token: made once, kept private, printed for its owner, and in no log."""

import json
import os
import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.conftest import TOKEN, Server, free_port

GREETING = re.compile(rb"http://127\.0\.0\.1:(\d+)/\?token=(\S+)")


class Started:
    """`holdfast serve` without a token of the user's: what it prints and what it logs, apart."""

    def __init__(self, data: Path, *flags: str) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
        self.log = data.parent / "stderr"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "holdfast", "serve", "--data", data, "--port", str(free_port()), *flags],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=data.parent,
            )
        assert self.process.stdout is not None
        found = GREETING.search(self.process.stdout.readline())
        assert found, self.log.read_text()
        self.url = found[0].decode()
        self.token = found[2].decode()

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


@pytest.mark.requirement("R052")
def test_the_first_start_makes_a_private_token_and_prints_the_address_that_lets_its_owner_in(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    data.parent.mkdir()
    first = Started(data)
    try:
        file = data / "token"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        assert file.read_text().strip() == first.token
        assert len(first.token) >= 32
        with httpx.Client(timeout=10, verify=False) as browser:
            answer = browser.get(first.url)
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
            home = first.url.partition("?")[0]
            assert browser.get(f"{home}api/v1/sessions").status_code == 200
        assert httpx.get(f"{home}api/v1/sessions", timeout=10, verify=False).status_code == 401
    finally:
        first.stop()
    again = Started(data)
    again.stop()
    assert again.token == first.token, "the cookie of yesterday still works"
    assert first.token not in first.log.read_text(), "printed, not logged"


@pytest.mark.parametrize("format_", ["json", "text"])
def test_no_credential_is_in_the_log_even_at_level_debug_and_when_the_server_fails(
    make_server: Callable[..., Server], format_: str
) -> None:
    secret = "token-of-a-further-user"
    server = make_server(HOLDFAST_LOG_LEVEL="debug", HOLDFAST_LOG_FORMAT=format_)
    server.config.write_text(f'[users.ada]\ntoken = "{secret}"\n[agents.quick]\ncommand = ["/bin/true"]\n')
    server.start()
    with (
        server.client() as local,
        server.client(secret) as ada,
        httpx.Client(base_url=server.url, timeout=10, verify=False) as bare,
    ):
        tickets = []
        for token, client in ((TOKEN, local), (secret, ada)):
            session_id = client.run_task("x", agent="quick")
            client.end_of(session_id)
            path = f"/api/v1/sessions/{session_id}"
            _break(server, session_id)
            tickets.append(client.post("/tickets").json()["ticket"])
            cookie = {"cookie": f"holdfast_token={token}"}
            wrong_ticket = {"ticket": f"{tickets[-1]}x"}
            bare.get("/", params={"token": token})
            bare.get("/", params={"token": f"{token}x"})
            bare.get(f"{path}/events", params=wrong_ticket)
            for query, headers in (
                ({"token": token}, {}),
                ({}, cookie),
                ({}, {"authorization": f"Bearer {token}"}),
                ({"ticket": tickets[-1]}, {}),
            ):
                answer = bare.get(f"{path}/events" if "ticket" in query else path, params=query, headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (500, "internal")
                assert token not in answer.text
    server.stop()
    logged = [line for line in server.log.read_text().splitlines() if not line.startswith("Holdfast is ready.")]
    text = "\n".join(logged)
    assert "DecodeError" in text, "the failures are in the log"
    assert "/api/v1/sessions" in text, "the requests are in the log"
    for secret_ in (TOKEN, secret, *tickets):
        assert secret_ not in text
    if format_ == "json":
        assert [json.loads(line)["event"] for line in logged].count("a request failed") == 8


def _break(server: Server, session_id: str) -> None:
    """A row that no Holdfast has written: whoever reads it fails."""
    with sqlite3.connect(server.data / "holdfast.db") as store:
        store.execute("update sessions set state = ? where id = ?", (b"{not json", session_id))
    store.close()


@pytest.mark.requirement("R052")
def test_no_answer_repeats_the_token_of_the_query(shared_server: Server) -> None:
    """A redirect or a problem that repeats the query would put the token into logs on the way."""
    for path in ("/api/v1/nothing", "/api/v1/sessions/", "/api/v1/sessions/unknown", "/api/v1/sessions?limit=x"):
        separator = "&" if "?" in path else "?"
        answer = httpx.get(f"{shared_server.url}{path}{separator}token={TOKEN}", timeout=10, verify=False)
        assert TOKEN not in answer.text
        assert TOKEN not in str(answer.headers)
