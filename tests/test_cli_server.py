"""The commands against a real server, a real keeper and the demo agent."""

import json
import os
import subprocess
import sys

import pytest

from holdfast.cli import exits
from tests.conftest import TOKEN
from tests.processes import eventually

ISOLATED = {k: v for k, v in os.environ.items() if not k.startswith(("HOLDFAST_", "XDG_"))}


def start(server, home, *arguments, stdout=subprocess.PIPE):
    env = ISOLATED | {"HOME": str(home), "HOLDFAST_TOKEN": TOKEN, "HOLDFAST_URL": server.url}
    return subprocess.Popen(
        [sys.executable, "-m", "holdfast", *arguments],
        env=env,
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def holdfast(shared_server, tmp_path):
    """Runs the command to its end; answers its exit code, stdout and stderr."""

    def run(*arguments):
        process = start(shared_server, tmp_path, *arguments)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    return run


def test_run_shows_the_demo_agent_at_work_in_the_current_folder(holdfast, tmp_path):
    code, out, err = holdfast("run", "Show me what you can do")
    assert code == 0, err
    assert "## Done" in out
    assert "✓ Done" in err
    assert list(tmp_path.glob("holdfast-demo*.md"))


@pytest.mark.parametrize(
    ("task", "seconds", "code", "told"),
    [
        ("crash 3", 60, exits.STOP_REASONS["process_exit"], "exit code 3"),
        ("crash SIGKILL", 60, exits.STOP_REASONS["process_exit"], "SIGKILL, killed from outside"),
        ("hang", 2, exits.STOP_REASONS["timeout"], "took longer than was allowed"),
    ],
)
def test_a_bad_end_is_told_by_words_and_exit_code(holdfast, task, seconds, code, told):
    done, _, err = holdfast("run", task, "--timeout", str(seconds))
    assert done == code, err
    assert told in err


def test_task_goes_on_with_a_session_and_cancel_stops_it(holdfast):
    _, session_id, _ = holdfast("run", "--detach", "crash")
    session_id = session_id.strip()
    holdfast("attach", session_id)
    _, answer, _ = holdfast("task", session_id[:13], "hang", "--detach", "--json")
    assert json.loads(answer)["session_id"] == session_id
    code, record, _ = holdfast("cancel", session_id, "--json")
    assert (code, json.loads(record)["status"]) == (0, "cancelled")
    code, _, err = holdfast("attach", session_id, "--tail")
    assert code == exits.STOP_REASONS["cancelled"], err
    assert "Cancelled" in holdfast("show", session_id)[1]
    assert session_id[:8] in holdfast("ls", "--status", "cancelled")[1]


def test_a_busy_session_refuses_a_task_with_the_servers_sentence(holdfast):
    _, session_id, _ = holdfast("run", "hang", "--detach")
    code, out, err = holdfast("task", session_id.strip(), "more", "--json")
    assert (code, out) == (exits.FAILURE, "")
    assert json.loads(err)["code"] == "session_busy"
    holdfast("cancel", session_id.strip())


def test_an_unknown_agent_is_refused_with_those_there_are(holdfast):
    code, _, err = holdfast("run", "x", "--agent", "nobody")
    assert code == exits.FAILURE
    assert "demo" in err


@pytest.mark.requirement("R144")
def test_attach_goes_through_kills_of_the_server_and_reads_the_log_byte_for_byte(server, tmp_path):
    lines, text = tmp_path / "lines", tmp_path / "text"
    with server.client() as client, lines.open("wb") as lines_out, text.open("wb") as text_out:
        session_id = client.run_task("slow 600 flood 20000 show")
        readers = [
            start(server, tmp_path, "attach", session_id, "--json", stdout=lines_out),
            start(server, tmp_path, "attach", session_id, stdout=text_out),
        ]
        eventually(lambda: text.stat().st_size, what="both readers have begun")
        for _ in range(2):
            seen = lines.stat().st_size
            eventually(lambda seen=seen: lines.stat().st_size > seen, what="the reader goes on")
            server.kill()
            server.start()
        seen = lines.stat().st_size
        eventually(lambda: lines.stat().st_size > seen, what="the reader goes on to the end")
        assert client.post(f"/sessions/{session_id}/cancel").status_code == 200
        errors = [reader.communicate(timeout=60)[1] for reader in readers]
        assert [reader.returncode for reader in readers] == [exits.STOP_REASONS["cancelled"]] * 2, errors
        read = [json.loads(line) for line in lines.read_text().splitlines()]
        assert [event["sequence"] for event in read] == list(range(1, len(read) + 1))
        assert read == client.follow(session_id, after=0)
    assert errors[0] == ""
    assert "reconnecting" in errors[1]
    texts = [e["data"]["full_text"] for e in read if e["type"] == "message" and not e["data"]["is_partial"]]
    # Texts are set apart by an empty line, so the words are compared.
    assert text.read_text().split() == " ".join(texts).split()
