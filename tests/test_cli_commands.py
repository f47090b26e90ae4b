"""The commands as a shell sees them: what goes to stdout, what to stderr, and the exit code."""

import json
import os
import socket
import subprocess
import sys

import pytest

from holdfast.cli import exits
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


def posts(server):
    return [(path, headers, json.loads(body)) for method, path, headers, body in server.requests if method == "POST"]


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
    with socket.create_server(("127.0.0.1", 0)) as taken:
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


def test_the_token_is_found_in_the_data_folder(server, holdfast, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/token").write_text(f"{TOKEN}\n")
    assert holdfast("ls", HOLDFAST_TOKEN=None, HOLDFAST_DATA=str(tmp_path / "data")).returncode == 0


def test_the_servers_address_is_found_in_the_settings(server, holdfast, tmp_path):
    (tmp_path / "holdfast.toml").write_text(f"port = {server.port}\ntoken = '{TOKEN}'")
    assert holdfast("ls", HOLDFAST_TOKEN=None, HOLDFAST_URL=None).returncode == 0


def test_this_machines_token_does_not_go_to_another_machine(tmp_path, monkeypatch):
    from holdfast.cli.connect import connect

    (tmp_path / "token").write_text("secret")
    env = {"HOLDFAST_DATA": str(tmp_path)}
    there = connect("http://holdfast.example:4653", None, env)
    here = connect("http://127.0.0.1:4653", None, env)
    assert "authorization" not in there._http.headers
    assert here._http.headers["authorization"] == "Bearer secret"


@pytest.mark.parametrize("url", ["localhost:4653", "ftp://x", "http://", "http://x:port", "nonsense"])
def test_an_address_that_is_none_is_a_usage_error(holdfast, url):
    done = holdfast("ls", "--url", url)
    assert done.returncode == exits.USAGE
    assert done.stderr.count("\n") == 1


def test_what_is_not_a_holdfast_server_is_said_to_be_none(server, holdfast):
    done = holdfast("ls", "--url", f"{server.url}/elsewhere")
    assert done.returncode in (exits.FAILURE, exits.NOT_ALLOWED)
    assert "Traceback" not in done.stderr


def test_run_prints_the_messages_on_stdout_and_everything_else_on_stderr(server, holdfast):
    def work(session):
        session.add("thinking", text="Hmm.", is_partial=False, full_text="Hmm.")
        session.add("tool_start", tool_name="read", tool_id="1", tool_input={"path": "a.py"})
        session.add("tool_complete", tool_name="read", tool_id="1", result="x", duration_ms=1500, is_error=False)
        session.say("Hello **world**", pieces=["Hello ", "**world**"])
        session.say("Bye\n")
        session.end(num_turns=2)

    server.on_run = work
    done = holdfast("run", "Say hello")
    assert done.returncode == 0
    assert done.stdout == "Hello **world**\n\nBye\n"
    for expected in ("Hmm.", "✓   1.5 s  read a.py", "✓ Done · 2 turns", "holdfast task 00000001"):
        assert expected in done.stderr


def test_run_sends_what_it_was_told_and_the_current_folder(server, holdfast, tmp_path):
    holdfast("run", "Do it", "--agent", "other", "--project", "shop", "--timeout", "9", "--detach")
    assert posts(server)[0][2] == {
        "task": "Do it",
        "config": {"agent": "other", "project_id": "shop", "timeout_s": 9, "workspace": str(tmp_path)},
    }


def test_run_takes_its_task_from_stdin(server, holdfast):
    holdfast("run", "-", "--detach", stdin="a long\ntask")
    assert posts(server)[0][2]["task"] == "a long\ntask"


def test_detach_prints_the_id_and_nothing_else(server, holdfast):
    server.on_run = lambda session: None
    done = holdfast("run", "Do it", "--detach")
    assert (done.returncode, done.stdout, done.stderr) == (0, "00000001-0000-4000-8000-000000000000\n", "")
    assert json.loads(holdfast("run", "Do it", "-d", "--json").stdout)["status"] == "running"


def test_a_post_whose_answer_is_lost_is_repeated_with_its_key_and_done_once(server, holdfast):
    server.drops = 2
    done = holdfast("run", "Do it")
    assert done.returncode == 0
    keys = [headers["Idempotency-Key"] for _, headers, _ in posts(server)]
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert len(server.sessions["00000001-0000-4000-8000-000000000000"].events) == 2


@pytest.mark.parametrize(
    ("stop_reason", "kind"),
    [("cancelled", "cancelled"), ("timeout", "error"), ("process_exit", "error"), ("max_tokens", "agent_complete")],
)
def test_the_exit_code_tells_how_the_run_ended(server, holdfast, stop_reason, kind):
    server.on_run = lambda session: session.end(stop_reason, kind)
    done = holdfast("run", "Do it")
    assert done.returncode == exits.STOP_REASONS[stop_reason]
    session = "00000001"
    assert holdfast("attach", session, "--tail").returncode == exits.STOP_REASONS[stop_reason]


def test_task_shows_its_own_run_only(server, holdfast):
    session = server.session(project_id="shop")
    session.add("user_message", text="first")
    session.say("old")
    session.end("timeout", "error")

    def work(session):
        session.say("new")
        session.end()

    server.on_run = work
    done = holdfast("task", "0000", "second")
    assert (done.returncode, done.stdout) == (0, "new\n")


def test_run_in_a_project_that_has_a_session_shows_the_new_run_only(server, holdfast):
    session = server.session(project_id="shop")
    session.add("user_message", text="first")
    session.say("old")
    session.end("timeout", "error")

    def work(session):
        session.say("new")
        session.end()

    server.on_run = work
    done = holdfast("run", "second", "--project", "shop")
    assert (done.returncode, done.stdout) == (0, "new\n")
    assert session.record["runs"] == 2


def test_json_prints_the_envelopes_byte_for_byte(server, holdfast):
    session = server.session()
    session.add("user_message", text='Grüße, 世界 \u2028 \\ " \x7f')
    session.say("a\nb", pieces=["a", "\nb"])
    session.end()
    done = holdfast("attach", session.id, "--json")
    assert done.stdout.encode() == b"".join(event + b"\n" for event in session.events)
    assert done.stderr == ""


def test_attach_for_people_leaves_out_pieces_of_finished_texts_and_json_does_not(server, holdfast):
    session = server.session()
    session.add("user_message", text="t")
    session.say("ab", pieces=["a", "b"])
    session.end()
    assert holdfast("attach", "0").stdout == "ab\n"
    assert holdfast("attach", "0", "--json", "--no-partials").stdout.count("\n") == 3
    assert holdfast("attach", "0", "--json").stdout.count("\n") == 5


def test_attach_begins_after_the_given_sequence(server, holdfast):
    session = server.session()
    for number in range(5):
        session.add("user_message", text=str(number))
    session.end()
    lines = holdfast("attach", "0", "--json", "--after", "3").stdout.splitlines()
    assert [json.loads(line)["sequence"] for line in lines] == [4, 5, 6]


def test_an_ambiguous_beginning_of_an_id_is_refused_with_the_candidates(server, holdfast):
    for number in range(0x10, 0x18):
        server.session(number)
    done = holdfast("show", "0000001")
    assert done.returncode == exits.FAILURE
    assert "8 sessions begin with '0000001'" in done.stderr
    assert holdfast("show", "00000017", "--json").returncode == 0
    assert "no session whose id begins with 'abc'" in holdfast("show", "abc").stderr


def test_ls_lists_filters_and_tells_of_more(server, holdfast):
    for number in range(1, 6):
        server.session(number, task=f"task\n{number}", status="failed" if number == 2 else "complete")
    done = holdfast("ls")
    assert done.stdout.count("\n") == 4
    assert "task 1" in done.stdout
    assert "--all" in done.stderr
    assert len(json.loads(holdfast("ls", "--all", "--json").stdout)["sessions"]) == 5
    assert [s["task"] for s in json.loads(holdfast("ls", "--status", "failed", "--json").stdout)["sessions"]] == [
        "task\n2"
    ]
    assert "No session fits" in holdfast("ls", "--agent", "none").stderr


def test_show_tells_the_record_and_the_end(server, holdfast):
    session = server.session()
    session.add("user_message", text="t")
    session.end("process_exit", "error", termination_info={"reason": "error", "terminated_by": "agent", "exit_code": 3})
    done = holdfast("show", "0")
    assert done.returncode == 0
    assert session.id in done.stdout
    assert "exit code 3" in done.stdout
    assert json.loads(holdfast("show", "0", "--json").stdout) == session.record


def test_cancel_stops_the_run_and_cancelling_again_changes_nothing(server, holdfast):
    session = server.session()
    session.add("user_message", text="t")
    assert "Cancelled. Go on with: holdfast task 00000001" in holdfast("cancel", "0").stderr
    assert "had ended already: cancelled" in holdfast("cancel", "0").stderr
    assert json.loads(holdfast("cancel", "0", "--json").stdout)["status"] == "cancelled"


def test_a_reader_of_our_output_that_goes_away_ends_us_without_a_word(server, tmp_path):
    session = server.session()
    for _ in range(2000):
        session.add("user_message", text="x" * 200)
    session.end()
    command = f"{sys.executable} -m holdfast attach 0 --json | head -n 1"
    env = ISOLATED | {"HOME": str(tmp_path), "HOLDFAST_TOKEN": TOKEN, "HOLDFAST_URL": server.url}
    done = subprocess.run(["sh", "-c", command], env=env, capture_output=True, timeout=60)
    assert done.stdout == session.events[0] + b"\n"
    assert done.stderr == b""


def test_a_wrong_setting_is_a_usage_error_in_one_sentence(holdfast):
    done = holdfast("serve", "--port", "70000")
    assert done.returncode == exits.USAGE
    assert done.stderr.startswith("The setting port (the flag --port) must be")
