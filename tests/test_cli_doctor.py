"""`holdfast doctor`: what is well, what is broken, and what it says to do."""

import json
import os
import subprocess
import sys

import pytest

from holdfast.cli import exits
from tests.conftest import TOKEN
from tests.processes import eventually

ISOLATED = {k: v for k, v in os.environ.items() if not k.startswith(("HOLDFAST_", "XDG_", "ANTHROPIC_", "CLAUDE_"))}
# Its login is looked at by starting it, which takes seconds; one test does.
WITHOUT_CLAUDE = "[agents.claude]\nenabled = false\n"


@pytest.fixture
def doctor(tmp_path):
    def run(*arguments, stdin="", **env):
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        (home / "holdfast.toml").write_text(WITHOUT_CLAUDE)
        # Port 1 belongs to nobody: no other server on this machine answers by chance.
        env = {"HOME": str(home), "HOLDFAST_DATA": str(tmp_path / "data"), "HOLDFAST_PORT": "1"} | env
        return subprocess.run(
            [sys.executable, "-m", "holdfast", "doctor", *arguments],
            env=ISOLATED | env,
            cwd=home,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


def checks(done):
    found = json.loads(done.stdout)["checks"]
    return {check["name"]: check for check in found}


def test_before_the_first_start_all_is_well_and_only_the_server_is_missing(doctor):
    done = doctor("--json")
    assert done.returncode == 0
    states = {name: check["state"] for name, check in checks(done).items()}
    assert states.pop("server") == "warning"
    assert set(states.values()) == {"ok"}


def test_a_wrong_setting_is_named_and_makes_it_fail(doctor):
    done = doctor(HOLDFAST_LOG_LEVEL="loud")
    assert done.returncode == exits.FAILURE
    assert "✗ settings The setting log_level (the variable HOLDFAST_LOG_LEVEL)" in done.stdout


def test_a_settings_file_that_is_not_there_cannot_be_corrected(doctor):
    done = doctor("--config", "/nope.toml")
    assert done.returncode == exits.FAILURE
    assert "→ name a file that is there" in done.stdout


def test_a_default_profile_that_there_is_not_is_broken(doctor):
    profile = checks(doctor("--json", HOLDFAST_DEFAULT_PROFILE="nope"))["profile"]
    assert profile["state"] == "broken"
    assert "standard" in profile["advice"]


def test_a_token_that_others_can_read_is_broken(doctor, tmp_path):
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data/token").write_text("x")
    (tmp_path / "data/token").chmod(0o644)
    done = doctor("--json")
    assert done.returncode == exits.FAILURE
    assert "chmod 600" in checks(done)["token"]["advice"]
    (tmp_path / "data/token").chmod(0o600)
    assert doctor().returncode == 0


def test_a_data_folder_that_others_can_see_is_worth_a_warning(doctor, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o755)
    assert checks(doctor("--json"))["data"]["state"] == "warning"


def test_a_data_folder_that_is_a_file_is_broken(doctor, tmp_path):
    (tmp_path / "data").write_text("")
    assert checks(doctor("--json"))["data"]["state"] == "broken"


def test_an_agent_whose_program_is_not_there_is_broken(doctor, tmp_path):
    config = tmp_path / "holdfast.toml"
    config.write_text(f'default_agent = "b"\n{WITHOUT_CLAUDE}[agents.a]\ncommand = ["no-such-program-anywhere"]')
    done = doctor("--config", str(config))
    assert done.returncode == exits.FAILURE
    assert "✗ agent    a: 'no-such-program-anywhere' is not a program on the PATH" in done.stdout
    assert "✗ agent    the default agent 'b' is not set up" in done.stdout


@pytest.mark.parametrize(("default", "state"), [("demo", "warning"), ("claude", "broken")])
def test_a_claude_code_that_nobody_has_logged_in_is_told_with_how_to(doctor, tmp_path, default, state):
    config = tmp_path / "holdfast.toml"
    config.write_text(f'default_agent = "{default}"')
    done = doctor("--json", "--config", str(config))
    login = checks(done)["login"]
    # Who works with another agent is not kept from that.
    assert (login["state"], done.returncode) == (state, exits.FAILURE if state == "broken" else 0)
    assert "Token verification FAILED" in login["detail"]
    assert login["advice"]


def test_a_store_that_is_no_database_is_broken(doctor, tmp_path):
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data/holdfast.db").write_text(
        "this is no database, but long enough to look like a file with something in it"
    )
    done = doctor("--json")
    assert done.returncode == exits.FAILURE
    assert checks(done)["store"]["state"] == "broken"


def test_a_running_server_is_asked_for_its_version_and_whether_it_takes_the_token(doctor, server):
    env = {"HOLDFAST_PORT": str(server.port), "HOLDFAST_DATA": str(server.data), "HOLDFAST_TOKEN": TOKEN}
    done = doctor("--json", **env)
    assert done.returncode == 0
    assert checks(done)["server"]["detail"].startswith(server.url)
    assert checks(doctor("--json", **env | {"HOLDFAST_TOKEN": "wrong"}))["server"]["state"] == "broken"


def test_agents_without_a_server_are_listed_and_ended_after_asking(doctor, server):
    with server.client() as client:
        session_id = client.run_task("hang")
        client.until(session_id, "agent_start")
    server.kill()
    env = {"HOLDFAST_DATA": str(server.data)}
    done = doctor("--end-keepers", stdin="n\n", **env)
    assert done.returncode == 0
    assert "End 1 keeper and its agent?" in done.stderr
    assert f"! keeper   session {session_id[:8]}" in done.stdout
    assert server.below()
    done = doctor("--end-keepers", "--yes", **env)
    assert "Ended keeper" in done.stderr
    eventually(lambda: not server.below(), what="nothing of the run is left")
    assert "keeper" not in checks(doctor("--json", **env))
