"""The commands as a shell sees them: what goes to stdout, what to stderr, and the exit code."""

import json
import subprocess
import sys

import pytest

from holdfast.cli import exits
from tests.cli.conftest import ISOLATED
from tests.scripted_server import TOKEN


def posts(server):
    return [(path, headers, json.loads(body)) for method, path, headers, body in server.requests if method == "POST"]


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


def test_what_happens_beside_the_answer_is_told_in_a_line_each(server, holdfast):
    def work(session):
        session.add("forked", from_session_id="00000009", from_run=2)
        session.add("rate_limit", status="rejected", limit_type="five_hour", resets_at="2026-01-05T13:00:00.000Z")
        session.add("compacted", trigger="auto", tokens_before=150_000)
        session.add("stalled", waiting_on="model", idle_ms=310_000)
        session.add("stalled", waiting_on="tool", idle_ms=300_000, tool_name="Bash", tool_id="t", detail="make\x1b[2J")
        session.add("profile_switch", profile_type="permission", profile_name="careful", tools=["Read"])
        session.add("hook_triggered", hook_event="PreToolUse", tool_name="Bash", decision="deny", message="No sudo.")
        session.add("permission_resolved", request_id="r", decision="deny", by="expiry")
        session.add("something_of_a_later_version", colour="blue")
        session.end("paused", "cancelled", message="the run did not end within 9 s", reason="paused", resumable=True)

    server.on_run = work
    done = holdfast("run", "Do it")
    assert done.returncode == exits.STOP_REASONS["paused"]
    for expected in (
        "forked from 00000009, run 2",
        "rate limit five_hour: rejected, resets at 2026-01-05T13:00:00.000Z",
        "the agent has summed up its conversation",
        "nothing has happened for 5 min 10 s; waiting on model",
        "waiting on Bash make",
        "profile careful",
        "hook PreToolUse: deny No sudo.",
        "✗ denied by expiry",
        "■ Paused",
        "the run did not end within 9 s",
    ):
        assert expected in done.stderr
    assert "\x1b" not in done.stderr


def test_run_sends_what_it_was_told_and_the_current_folder(server, holdfast, tmp_path):
    holdfast("run", "Do it", "--agent", "other", "--project", "shop", "--timeout", "9", "--detach")
    assert posts(server)[0][2] == {
        "task": "Do it",
        "config": {"agent": "other", "project_id": "shop", "timeout_s": 9, "workspace": str(tmp_path)},
    }


@pytest.mark.parametrize(
    ("flag", "value"), [("--workspace", ""), ("--timeout", "inf"), ("--timeout", "nan"), ("--timeout", "0")]
)
def test_what_no_run_can_have_is_a_usage_error_and_nothing_is_sent(server, holdfast, flag, value):
    done = holdfast("run", "Do it", flag, value)
    assert done.returncode == exits.USAGE
    assert flag in done.stderr
    assert posts(server) == []


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
    assert holdfast("show", "").stderr == "The id is empty.\n"
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
