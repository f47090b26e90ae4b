"""Pause, resume, discard, profile, fork: what a session can be told from a shell."""

import json

from holdfast.cli import exits


def test_pause_says_how_to_go_on_and_resume_goes_on_to_the_end(command, agents):
    session_id = agents.run_task("hang")
    agents.until(session_id, "agent_start")
    done = command("pause", session_id[:8])
    assert done.exit_code == 0, done.stderr
    assert done.stderr == f"Paused. Go on with: holdfast resume {session_id[:8]}\n"
    assert agents.record(session_id)["status"] == "paused"
    assert "had ended already: paused" in command("pause", session_id).stderr
    assert command("resume", session_id, "--rerun", "--timeout", "1").exit_code == exits.STOP_REASONS["timeout"]
    assert agents.history(session_id)[-1]["data"]["limit"] == "timeout_s"


def test_resume_detached_prints_the_id_and_refuses_what_has_nothing_to_go_on_with(command, agents):
    session_id = agents.run_task("flood 3")
    agents.end_of(session_id)
    done = command("resume", session_id, "--json")
    assert done.exit_code == exits.FAILURE
    assert json.loads(done.stderr)["code"] == "not_resumable"
    assert done.stdout == ""


def test_discard_gives_up_what_was_paused(command, agents):
    session_id = agents.run_task("hang")
    agents.until(session_id, "agent_start")
    assert json.loads(command("pause", session_id, "--json").stdout)["status"] == "paused"
    told = f"Discarded. Session {session_id[:8]} is cancelled; begin a new one with: holdfast run TASK\n"
    assert command("discard", session_id).stderr == told
    assert agents.record(session_id)["status"] == "cancelled"
    assert "It was discarded; start anew" in command("show", session_id).stdout
    assert command("discard", session_id).stderr == f"Session {session_id[:8]} has nothing to discard: cancelled.\n"
    assert "start a new one" in command("task", session_id, "flood 1").stderr


def test_discard_frees_the_project_and_says_how_to_begin_anew(command, agents):
    session_id = agents.run_task("hang", project_id="a shelf")
    agents.until(session_id, "agent_start")
    command("pause", session_id)
    assert "its project is free, begin anew with: holdfast run --project 'a shelf' TASK" in (
        command("discard", session_id).stderr
    )
    assert command("run", "flood 1", "--project", "a shelf").exit_code == 0


def test_profile_switches_and_a_wrong_name_is_told_with_those_there_are(command, agents):
    session_id = agents.run_task("hang")
    agents.until(session_id, "agent_start")
    done = command("profile", session_id, "careful")
    assert (done.exit_code, "under the profile careful" in done.stderr) == (0, True), done.stderr
    assert agents.until(session_id, "profile_switch")["data"]["profile_name"] == "careful"
    wrong = command("profile", session_id, "cautious")
    assert wrong.exit_code == exits.FAILURE
    assert "'cautious'" in wrong.stderr
    assert "careful" in wrong.stderr
    assert "Cancelled." in command("cancel", session_id).stderr


def test_profiles_lists_those_of_the_settings_too(command):
    done = command("profiles")
    assert "standard (default)" in done.stdout
    assert "trusting" in done.stdout
    assert {"name", "allow", "deny"} <= json.loads(command("profiles", "--json").stdout)["profiles"][0].keys()


def test_fork_begins_where_the_other_session_stands_and_follows_the_new_one(command, agents, tmp_path):
    (tmp_path / "forks").touch()
    parent = agents.run_task("go", agent="echoing", workspace=str(tmp_path))
    agents.end_of(parent)
    done = command("fork", parent, "Try it the other way", "--run", "1", "--json")
    assert done.exit_code == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    forked = next(event for event in events if event["type"] == "forked")
    assert forked["data"] == {"from_session_id": parent, "from_run": 1}
    assert events[-1]["type"] == "agent_complete"


def test_run_says_all_that_it_was_told_and_reads_the_files_that_go_with_the_task(command, agents, tmp_path):
    (tmp_path / "note.txt").write_text("hello")
    told = ("--profile", "careful", "--deny", "Bash(rm *)", "--max-turns", "7", "--unattended", "--file", "note.txt")
    session_id = command("run", "flood 2", "--detach", *told).stdout.strip()
    message = agents.follow(session_id)[0]["data"]
    assert message["attachments"] == [{"name": "note.txt", "media_type": "text/plain", "size": 5}]
    wrong = command("run", "flood 2", "--file", "nowhere.txt")
    assert wrong.exit_code == exits.USAGE
    assert "'nowhere.txt'" in wrong.stderr
    wrong = command("run", "flood 2", "--profile", "cautious")
    assert wrong.exit_code == exits.FAILURE
    assert "'cautious'" in wrong.stderr
