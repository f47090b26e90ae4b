"""Before a command does anything: its help, its settings, the server and the token that it finds."""

import json
import socket
import subprocess
import sys

import pytest

from holdfast.cli import exits
from tests.scripted_server import TOKEN


def test_help_lists_the_commands_and_the_exit_codes_and_loads_neither_database_nor_server(holdfast):
    code = (
        "import sys, holdfast.cli as c; sys.argv=['holdfast','--help']\n"
        "try: c.main()\n"
        "except SystemExit: pass\n"
        "sys.exit(str(sorted({'sqlalchemy', 'alembic', 'uvicorn', 'starlette'} & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.strip() == "[]"
    for word in ("serve", "run", "attach", "ls", "show", "task", "cancel", "doctor", "130"):
        assert word in done.stdout


def test_without_a_server_one_sentence_says_how_to_start_one(holdfast):
    # Bound, so that nobody else gets the port, but not listening.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        done = holdfast("ls", HOLDFAST_URL=url)
    assert done.returncode == exits.UNREACHABLE
    assert done.stderr == f"No Holdfast server answers at {url}; start one with `holdfast serve`.\n"
    assert done.stdout == ""


def test_with_json_an_error_is_one_problem_on_stderr_and_stdout_stays_empty(server, holdfast):
    done = holdfast("show", "f" * 36, "--json")
    assert done.returncode == exits.FAILURE
    assert json.loads(done.stderr)["code"] == "not_found"
    assert done.stdout == ""


def test_a_wrong_token_has_its_own_exit_code(server, holdfast):
    done = holdfast("ls", HOLDFAST_TOKEN="wrong")
    assert done.returncode == exits.NOT_ALLOWED
    assert done.stderr.count("\n") == 1
    assert "the token is that of --token or HOLDFAST_TOKEN" in done.stderr


def test_without_a_token_one_is_told_where_it_was_looked_for_and_how_to_give_one(server, holdfast, tmp_path):
    done = holdfast("ls", HOLDFAST_TOKEN=None, HOLDFAST_DATA=str(tmp_path / "none"))
    assert done.returncode == exits.NOT_ALLOWED
    for expected in (f"there is no token in {tmp_path}/none/token", "--token", "HOLDFAST_TOKEN", "HOLDFAST_DATA"):
        assert expected in done.stderr
    (tmp_path / "token").write_text("wrong")
    done = holdfast("ls", "--json", HOLDFAST_TOKEN=None, HOLDFAST_DATA=str(tmp_path))
    assert f"the token is that in {tmp_path}/token" in json.loads(done.stderr)["detail"]


def test_the_token_is_found_in_the_data_folder(server, holdfast, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/token").write_text(f"{TOKEN}\n")
    assert holdfast("ls", HOLDFAST_TOKEN=None, HOLDFAST_DATA=str(tmp_path / "data")).returncode == 0


def test_the_servers_address_is_found_in_the_settings(server, holdfast, tmp_path):
    (tmp_path / "holdfast.toml").write_text(f"port = {server.port}\ntoken = '{TOKEN}'")
    assert holdfast("ls", HOLDFAST_TOKEN=None, HOLDFAST_URL=None).returncode == 0


def test_this_machines_token_does_not_go_to_another_machine(tmp_path, monkeypatch):
    from holdfast.client.address import locate

    (tmp_path / "token").write_text("secret")
    env = {"HOLDFAST_DATA": str(tmp_path)}
    assert locate("http://holdfast.example:4653", None, env).token is None
    assert locate("http://127.0.0.1:4653", None, env).token == "secret"


@pytest.mark.parametrize("url", ["localhost:4653", "ftp://x", "http://", "http://x:port", "nonsense"])
def test_an_address_that_is_none_is_a_usage_error(holdfast, url):
    done = holdfast("ls", "--url", url)
    assert done.returncode == exits.USAGE
    assert done.stderr.count("\n") == 1


def test_what_is_not_a_holdfast_server_is_said_to_be_none(server, holdfast):
    done = holdfast("ls", "--url", f"{server.url}/elsewhere")
    assert done.returncode in (exits.FAILURE, exits.NOT_ALLOWED)
    assert "Traceback" not in done.stderr


def test_a_wrong_setting_is_a_usage_error_in_one_sentence(holdfast):
    done = holdfast("serve", "--port", "70000")
    assert done.returncode == exits.USAGE
    assert done.stderr.startswith("The setting port (the flag --port) must be")
