"""/api/v1/agents on a real server: which agents it has, what each says of itself, and who can log in."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.http.conftest import ADA
from tests.processes import eventually
from tests.programs import acp_program, claude_program

SECRET = "s3cret-" + "x" * 20
SWITCHES = {"HOLDFAST_AUTH_CHECK": "true", "HOLDFAST_WARM_SESSIONS": "0"}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with `gemini` in its PATH, a `claude` that tells an account, and an agent that does not start."""
    folder = tmp_path_factory.mktemp("bench")
    acp_program(folder / "bin", "gemini")
    claude = claude_program(
        folder / "opt", {"email": "ada@example.org", "subscriptionType": "max", "tokenSource": "claude.ai"}
    )
    server = Server(
        folder / "data", PATH=str(folder / "bin"), HOME=str(folder), CLAUDE_CODE_OAUTH_TOKEN=SECRET, **SWITCHES
    )
    server.config.write_text(
        f"""
        [users.ada]
        token = "{ADA}"
        [agents.claude]
        command = ["{claude}"]
        [agents.broken]
        command = ["/bin/sh", "-c", "echo the key is $MY_KEY >&2; exit 3"]
        env = {{ MY_KEY = "{SECRET}" }}
        [agents.hidden]
        command = ["/bin/true"]
        enabled = false
        """
    )
    try:
        yield server.start()
    finally:
        server.close()


@pytest.fixture
def asked(bench: Server) -> Iterator[Client]:
    with bench.client() as client:
        yield client


def found(client: Client) -> dict[str, dict[str, Any]]:
    answer = client.get("/agents")
    assert answer.status_code == 200, answer.text
    return {agent["name"]: agent for agent in answer.json()["agents"]}


def test_the_list_has_what_is_installed_what_is_set_up_and_what_is_known(asked: Client, bench: Server) -> None:
    agents = found(asked)
    assert "hidden" not in agents
    assert agents["demo"]["default"] is True
    gemini = agents["gemini"]
    assert (gemini["installed"], gemini["configured"], gemini["version"]) == (True, False, "3.2.1")
    assert gemini["command"] == [str(bench.data.parent / "bin/gemini"), "--acp"]
    assert agents["claude"]["kind"] == "claude"
    assert agents["broken"]["configured"] is True
    assert agents["kilo"]["installed"] is False
    assert agents["kilo"]["install"] == "npm install -g @kilocode/cli"
    assert set(asked.get("/health").json()["agents"]) == {
        name for name, agent in agents.items() if agent["installed"] or agent["configured"]
    }


def test_a_check_is_kept_and_shown_to_every_user(asked: Client, bench: Server) -> None:
    checked = asked.post("/agents/gemini/check")
    assert checked.status_code == 200, checked.text
    assert checked.json()["capabilities"]["load"] is True
    assert checked.json()["checked_at"].endswith("Z")
    with bench.client(ADA) as ada:
        assert ada.get("/agents/gemini").json() == checked.json()
        assert found(ada)["gemini"] == checked.json()


def test_an_agent_that_does_not_start_is_told_without_its_secrets(asked: Client) -> None:
    checked = asked.post("/agents/broken/check", json={}).json()
    assert checked["error"] == "broken exited with status 3 before it answered; its last words: the key is [secret]"
    assert SECRET not in asked.get("/agents").text


def test_a_check_of_one_that_is_not_installed_says_how_to_install_it(asked: Client) -> None:
    checked = asked.post("/agents/kilo/check")
    assert checked.status_code == 200
    assert checked.json()["error"] == "Kilo is not installed: 'kilo' was not found"
    assert checked.json()["install"]


@pytest.mark.parametrize("name", ["hal", "hidden", "%00", "a%2Fb"])
def test_an_agent_that_there_is_not_is_not_found(asked: Client, name: str) -> None:
    for answer in (asked.get(f"/agents/{name}"), asked.post(f"/agents/{name}/check")):
        assert answer.status_code == 404
        assert answer.json()["code"] == "not_found"


def test_what_nobody_reads_is_refused(asked: Client) -> None:
    assert asked.get("/agents", params={"check": "true"}).status_code == 400
    assert asked.post("/agents/gemini/check", json={"deep": True}).status_code == 400


def test_nobody_sees_the_agents_without_a_credential(bench: Server) -> None:
    with Client(bench.url, None) as stranger:
        assert stranger.get("/agents").status_code == 401
        assert stranger.get("/agents/demo").status_code == 401
        assert stranger.post("/agents/demo/check").status_code == 401
        assert "agent_auth" not in stranger.get("/health").json()


def test_a_session_with_an_agent_that_is_not_installed_is_refused_with_how_to_install_it(asked: Client) -> None:
    answer = asked.post("/sessions/run", json={"task": "Do it", "config": {"agent": "kilo"}})
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_agent")
    assert "npm install -g @kilocode/cli" in answer.json()["detail"]


@pytest.mark.requirement("R149", "R150", "R154")
def test_who_is_logged_in_is_told_by_the_health_endpoint_and_the_log(asked: Client, bench: Server) -> None:
    eventually(lambda: asked.get("/health").json()["agent_auth"]["state"] == "ok", 60, "the check at start is over")
    status = asked.get("/health").json()["agent_auth"]
    assert status["message"] == "Token verified: ada@example.org (max)"
    assert status["account"]["email"] == "ada@example.org"
    verified = "[agent-auth] Token verified: ada@example.org (max)"
    eventually(lambda: verified in bench.log.read_text(), what="it is in the log")
    log = bench.log.read_text()
    assert "[agent-auth] Credential configured: CLAUDE_CODE_OAUTH_TOKEN" in log
    assert SECRET not in log


@pytest.mark.requirement("R147", "R153")
def test_the_server_serves_although_nobody_can_log_in_and_before_that_is_known(
    make_server: Any, tmp_path: Path
) -> None:
    claude = claude_program(tmp_path / "opt", {}, before="import time\ntime.sleep(600)")
    server: Server = make_server(PATH=os.environ["PATH"], HOME=str(tmp_path), **SWITCHES)
    server.config.write_text(f"[agents.claude]\ncommand = ['{claude}']\n")
    server.start()
    with server.client() as client:
        eventually(lambda: client.get("/health").json()["agent_auth"]["state"] == "checking", 60, "it is being checked")
        assert client.get("/agents").status_code == 200
    began = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - began < 10, "and stops although it is still being checked"
    eventually(lambda: not server.below(), what="nothing of the check is left")
