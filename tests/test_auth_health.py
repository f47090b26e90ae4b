"""Whether Claude Code can log in: found out at boot, told in the log and kept for the health endpoint."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
import structlog

from holdfast.agent_settings import AgentSettings
from holdfast.config import Settings
from holdfast.sessions.agents import Agents
from holdfast.sessions.auth_health import AuthHealth, configured_credential
from tests.processes import eventually
from tests.programs import claude_program

pytestmark = pytest.mark.anyio

SECRET = "s3cret-" + "x" * 20
FAILED_END = " -- Agent sessions will fail until auth is configured correctly"


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}


def agents_with(environ: dict[str, str], tmp_path: Path, program: Path | None = None, **more: Any) -> Agents:
    command = (str(program),) if program is not None else ()
    claude = AgentSettings(kind="claude", command=command, **more)
    return Agents(Settings(data=tmp_path / "data", agents={"claude": claude}), environ)


async def outcome(agents: Agents) -> tuple[Any, list[tuple[str, str]]]:
    """The status after the check, and what the log says with its level."""
    health = AuthHealth(agents, enabled=True)
    with structlog.testing.capture_logs() as logged:
        await health.check()
    await agents.close()
    assert all(line["event"].startswith("[agent-auth] ") for line in logged)
    return health.status(), [(line["log_level"], line["event"].removeprefix("[agent-auth] ")) for line in logged]


@pytest.mark.requirement("R149", "R150")
@pytest.mark.parametrize(
    ("account", "told"),
    [
        ({}, "Token verified: ada@example.org"),
        ({"subscriptionType": "max"}, "Token verified: ada@example.org (max)"),
        ({"organization": "Engines"}, "Token verified: ada@example.org [Engines]"),
        (
            {"subscriptionType": "max", "organization": "Engines"},
            "Token verified: ada@example.org (max) [Engines]",
        ),
    ],
)
async def test_a_verified_token_is_logged_with_the_parts_that_there_are(
    environ: dict[str, str], tmp_path: Path, account: dict[str, str], told: str
) -> None:
    environ["CLAUDE_CODE_OAUTH_TOKEN"] = SECRET
    told_by_cli = {"email": "ada@example.org", "tokenSource": "CLAUDE_CODE_OAUTH_TOKEN", **account}
    program = claude_program(tmp_path / "bin", told_by_cli)
    status, logged = await outcome(agents_with(environ, tmp_path, program))
    assert logged == [("info", "Credential configured: CLAUDE_CODE_OAUTH_TOKEN"), ("info", told)]
    assert (status.state, status.message) == ("ok", told)
    assert status.checked_at is not None
    assert status.account.email == "ada@example.org"
    assert SECRET not in repr(status)


@pytest.mark.requirement("R151")
async def test_a_key_without_an_account_behind_it_is_accepted_with_a_warning(
    environ: dict[str, str], tmp_path: Path
) -> None:
    """The real CLI, with a key that is none: it cannot know."""
    environ["ANTHROPIC_API_KEY"] = SECRET
    status, logged = await outcome(agents_with(environ, tmp_path))
    told = "Token accepted but account details unavailable"
    assert logged == [("info", "Credential configured: ANTHROPIC_API_KEY"), ("warning", told)]
    assert (status.state, status.message) == ("no_details", told)


@pytest.mark.requirement("R148", "R152")
async def test_without_a_credential_the_check_fails_and_says_how_to_log_in(
    environ: dict[str, str], tmp_path: Path
) -> None:
    agents = agents_with(environ, tmp_path)
    how = f"run `{agents.path('claude')}` and type /login"
    status, logged = await outcome(agents)
    assert [level for level, _ in logged] == ["warning", "error"]
    assert logged[0][1].startswith(f"No credential configured; to log in: {how}")
    assert logged[1][1].startswith(f"Token verification FAILED: not logged in; {how}")
    assert logged[1][1].endswith(FAILED_END)
    assert (status.state, status.message) == ("failed", logged[1][1])


@pytest.mark.requirement("R152")
async def test_a_claude_that_does_not_start_is_a_failure_with_its_reason(
    environ: dict[str, str], tmp_path: Path
) -> None:
    program = claude_program(tmp_path / "bin", {}, before="print('no license', file=sys.stderr)\nsys.exit(5)")
    status, logged = await outcome(agents_with(environ, tmp_path, program))
    reason = "Claude Code exited with status 5 before it answered; its last words: no license"
    assert logged[-1] == ("error", f"Token verification FAILED: {reason}{FAILED_END}")
    assert status.state == "failed"


async def test_credentials_of_another_provider_are_not_the_clis_to_know(
    environ: dict[str, str], tmp_path: Path
) -> None:
    environ["CLAUDE_CODE_USE_BEDROCK"] = "1"
    program = claude_program(tmp_path / "bin", {"tokenSource": "none", "apiProvider": "bedrock"})
    agents = agents_with(environ, tmp_path, program, pass_env=("CLAUDE_CODE_USE_BEDROCK", "AWS_*"))
    status, logged = await outcome(agents)
    assert logged[0] == ("info", "Credential configured: CLAUDE_CODE_USE_BEDROCK")
    assert status.state == "no_details"


async def test_where_claude_is_not_there_nothing_is_checked_and_nothing_logged(
    environ: dict[str, str], tmp_path: Path
) -> None:
    status, logged = await outcome(agents_with(environ, tmp_path, enabled=False))
    assert (status.state, logged) == ("not_installed", [])
    status, logged = await outcome(agents_with(environ, tmp_path, tmp_path / "none"))
    assert (status.state, logged) == ("not_installed", [])
    assert f"'{tmp_path / 'none'}' of the agent 'claude' was not found" in status.message


@pytest.mark.requirement("R147")
async def test_nothing_waits_for_it_and_it_can_be_switched_off(environ: dict[str, str], tmp_path: Path) -> None:
    program = claude_program(tmp_path / "bin", {}, before="import time\ntime.sleep(600)")
    agents = agents_with(environ, tmp_path, program)
    health = AuthHealth(agents, enabled=True)
    assert health.status().state == "unchecked"
    health.start()
    assert health.status().state == "unchecked", "it has not even begun"
    await asyncio.to_thread(eventually, lambda: health.status().state == "checking", 30, "it has begun")
    await health.close()
    await agents.close()
    off = AuthHealth(agents, enabled=False)
    off.start()
    await asyncio.sleep(0)
    assert off.status().state == "unchecked"
    assert "switched off" in off.status().message
    await off.close()


@pytest.mark.requirement("R148")
def test_a_credential_is_seen_without_being_read(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path)}
    assert configured_credential(home) is None
    assert configured_credential({**home, "ANTHROPIC_API_KEY": ""}) is None
    assert configured_credential({**home, "ANTHROPIC_AUTH_TOKEN": "x"}) == "ANTHROPIC_AUTH_TOKEN"
    file = tmp_path / ".claude/.credentials.json"
    file.parent.mkdir()
    file.touch(mode=0o000)
    assert configured_credential(home) == str(file)
    assert configured_credential({**home, "CLAUDE_CONFIG_DIR": str(tmp_path)}) is None
    assert configured_credential({}) is None
