"""What cannot be meant, or cannot be read, is told in a sentence with the value in it; a traceback is for defects."""

import shlex
import socket
import subprocess
import sys

import pytest

from holdfast.cli import documents, exits


def assert_refused(done, *told):
    assert done.exit_code == exits.USAGE, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    for words in told:
        assert words in done.stderr


def test_a_task_on_stdin_that_is_not_utf_8_reaches_the_agent_with_its_strange_bytes_marked(command, agents):
    done = command("run", "-", "--detach", stdin=b"flood 1\n+caf\xe9\r\n")
    assert done.exit_code == 0, done.stderr
    assert agents.record(done.stdout.strip())["task"] == "flood 1\n+caf\ufffd\r\n"


@pytest.mark.parametrize(
    "arguments", [("run", "caf\udce9", "--detach"), ("ls", "--search", "caf\udce9"), ("show", "caf\udce9" * 9)]
)
def test_an_argument_that_is_not_utf_8_is_named(command, arguments):
    assert_refused(command(*arguments), r"'caf\udce9", "not UTF-8 (character 4)")


def test_an_input_on_stdin_that_is_not_utf_8_is_refused_and_not_mended(command, monkeypatch):
    request = {"request_id": "r", "tool_name": "Bash", "tool_input": {}, "editable": True}
    entry = {"session_id": "3f2a", "type": "permission_request", "request": request}
    monkeypatch.setattr(documents, "waiting", lambda _: [entry])
    assert_refused(command("answer", "--input", "-", stdin=b'{"command": "cat caf\xe9"}'), "no JSON object")


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "flood 1", "--workspace", "~nosuchuser/x"),
        ("export", "3f2a", "--output", "~nosuchuser/x"),
        ("import", "~nosuchuser/x"),
    ],
)
def test_a_home_folder_that_nobody_has_is_named(command, arguments):
    assert_refused(command(*arguments), "'~nosuchuser/x'")


@pytest.mark.parametrize(
    ("options", "told"), [((), "the current folder, which is gone"), (("--workspace", "sub"), "'sub'")]
)
def test_who_works_in_a_folder_that_is_gone_is_told_to_name_another(command, tmp_path, monkeypatch, options, told):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert_refused(command("run", "flood 1", *options), told, "--workspace")


@pytest.mark.parametrize("ago", ["999999d", "999999w"])
def test_a_time_before_all_calendars_is_named(command, ago):
    assert_refused(command("usage", "--since", ago), "--since", repr(ago))


def test_a_data_folder_that_cannot_be_made_is_named_to_who_needs_a_server(holdfast, tmp_path):
    (tmp_path / "file").touch()
    # Bound, so that nobody else gets the port, but not listening.
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = str(taken.getsockname()[1])
        done = holdfast("acp", HOLDFAST_DATA=str(tmp_path / "file/data"), HOLDFAST_PORT=port)
    assert (done.returncode, done.stdout) == (exits.USAGE, ""), done.stderr
    assert f"'{tmp_path}/file/data' cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("closed", "code", "told"), [(">&-", exits.USAGE, "stdout is closed"), ("2>&-", 0, ""), ("<&-", 0, "")]
)
def test_a_stream_that_is_closed_from_the_start_ends_a_command_only_if_something_would_get_lost(
    at_home, closed, code, told
):
    line = f"{shlex.join([sys.executable, '-m', 'holdfast', 'profiles'])} {closed}"
    done = subprocess.run(["sh", "-c", line], env=at_home, capture_output=True, text=True, timeout=60)
    assert (done.returncode, told in done.stderr) == (code, True), done.stderr
    assert done.stderr.count("\n") == bool(told)
    assert ("standard" in done.stdout) == (code == 0)


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (("run", "x", "--max-turns", "zero"), "'zero'"),
        (("run", "x", "--max-turns", "0"), "'0'"),
        (("run", "x", "--timeout", "-5"), "'-5'"),
        (("run", "x", "--max-budget", "a\x1bb"), r"'a\x1bb'"),
        (("run", "x", "--on-limit", "maybe"), "'maybe'"),
        (("serve", "--port", "http"), "'http'"),
        (("ls", "--limit", "many"), "'many'"),
    ],
)
def test_a_value_that_an_option_cannot_have_is_named(command, arguments, value):
    done = command(*arguments)
    assert done.exit_code == exits.USAGE
    assert done.stderr.count(value) == 1, done.stderr
