"""`holdfast wait`: until the end, and the exit code tells which."""

import json
import subprocess
import sys
import threading

import pytest

from holdfast.cli import documents, exits
from tests.processes import eventually


def test_what_has_ended_is_told_at_once_by_its_exit_code(command, agents):
    crashed, done = agents.run_task("crash 3"), agents.run_task("flood 1")
    agents.end_of(crashed)
    agents.end_of(done)
    assert command("wait", done).exit_code == 0
    waited = command("wait", done[:8], crashed[:8])
    assert waited.exit_code == exits.STOP_REASONS["process_exit"]
    assert waited.stdout == f"{done}  success\n{crashed}  process_exit\n"
    records = json.loads(command("wait", done, crashed, "--json").stdout)["sessions"]
    assert [record["session_id"] for record in records] == [done, crashed]


def test_it_blocks_until_the_last_has_ended(command, agents):
    slow, slower = agents.run_task("slow 0.5 flood 2"), agents.run_task("slow 1.5 flood 2")
    waited = command("wait", slower, slow)
    assert waited.exit_code == 0, waited.stderr
    assert waited.stdout == f"{slower}  success\n{slow}  success\n"


def test_any_is_content_with_the_first(command, agents):
    hanging, quick = agents.run_task("hang"), agents.run_task("slow 0.5 crash 2")
    waited = command("wait", hanging, quick, "--any")
    assert waited.exit_code == exits.STOP_REASONS["process_exit"]
    assert waited.stdout == f"{quick}  process_exit\n"
    agents.post(f"/sessions/{hanging}/cancel")


def test_the_timeout_has_an_exit_code_of_its_own_and_names_who_has_not_ended(command, agents):
    hanging = agents.run_task("hang")
    waited = command("wait", hanging, "--timeout", "0.3")
    assert (waited.exit_code, waited.stdout) == (exits.TIMED_OUT, "")
    assert waited.stderr == f"Not ended within 0.3 s: {hanging[:8]}.\n"
    agents.post(f"/sessions/{hanging}/cancel")


@pytest.mark.parametrize("seconds", ["inf", "nan"])
def test_a_timeout_that_is_no_time_is_a_usage_error(command, seconds):
    refused = command("wait", "3f2a", "--timeout", seconds)
    assert (refused.exit_code, "--timeout" in refused.stderr) == (exits.USAGE, True)


def test_a_timeout_that_is_over_before_the_reading_begins_is_not_lost(command, agents, monkeypatch):
    hanging = agents.run_task("hang")
    monkeypatch.setattr(threading.Timer, "start", lambda timer: timer.function())
    assert command("wait", hanging, "--timeout", "9").exit_code == exits.TIMED_OUT
    agents.post(f"/sessions/{hanging}/cancel")


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_a_next_task_does_not_hide_how_the_run_that_was_waited_for_ended(
    command, agents, monkeypatch, tmp_path, option
):
    seen = tmp_path / "seen under way"
    session_id = agents.run_task(f"until({str(seen)!r}); os._exit(3)", agent="scripted")
    read = documents.record
    reads = []

    def late(holdfast, asked):
        reads.append(asked)
        if len(reads) == 2:
            agents.next_task(session_id, "time.sleep(3600)")
        record = read(holdfast, asked)
        seen.touch()
        return record

    monkeypatch.setattr(documents, "record", late)
    waited = command("wait", session_id, *option)
    assert waited.exit_code == exits.STOP_REASONS["process_exit"]
    if option:
        (record,) = json.loads(waited.stdout)["sessions"]
        assert (record["status"], record["stop_reason"], record["runs"]) == ("failed", "process_exit", 1)
        assert record["termination_info"]["exit_code"] == 3
    else:
        assert waited.stdout == f"{session_id}  process_exit\n"
    assert agents.record(session_id)["runs"] == 2
    agents.post(f"/sessions/{session_id}/cancel")


def test_an_end_that_the_record_has_behind_it_is_not_taken_for_that_of_the_run_under_way(command, agents, monkeypatch):
    session_id = agents.run_task("hang")
    agents.until(session_id, "agent_start")
    read = documents.sessions

    def early(holdfast, limit):
        page = read(holdfast, limit)
        agents.post(f"/sessions/{session_id}/cancel")
        agents.next_task(session_id, "slow 0.5 flood 2")
        return page

    monkeypatch.setattr(documents, "sessions", early)
    assert command("wait", session_id).stdout == f"{session_id}  success\n"


def test_who_waits_is_told_that_an_answer_is_needed(command, agents):
    asking = agents.run_task("ask")
    agents.until(asking, "permission_request")
    waited = command("wait", asking, "--timeout", "0.3")
    assert waited.exit_code == exits.TIMED_OUT
    assert f"holdfast answer {asking[:8]}" in waited.stderr
    agents.post(f"/sessions/{asking}/cancel")


@pytest.mark.requirement("R144")
def test_a_server_that_is_killed_and_comes_back_is_waited_for(server_of_its_own, tmp_path):
    server = server_of_its_own
    with server.client() as client:
        session_id = client.run_task("hang")
        client.until(session_id, "agent_start")
        eventually(lambda: not client.get("/health").json()["streams"], what="this test's own stream is over")
    command = [sys.executable, "-m", "holdfast", "wait", session_id, "--url", server.url, "--token", "test-token"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        with server.client() as client:
            eventually(lambda: process.poll() is not None or client.get("/health").json()["streams"])
            assert process.poll() is None
        server.kill()
        server.start()
        with server.client() as client:
            client.post(f"/sessions/{session_id}/cancel")
        out, err = process.communicate(timeout=60)
    assert process.returncode == exits.STOP_REASONS["cancelled"], err
    assert out == f"{session_id}  cancelled\n".encode()


@pytest.fixture
def server_of_its_own(make_server):
    return make_server().start()
