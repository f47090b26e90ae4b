"""`holdfast logs`: the history as text or as it is, its end only, since when, and what follows."""

import json
import signal
import subprocess
import sys

import pytest

from holdfast.cli import exits
from holdfast.cli.journal import Journal

# Two tools, and a text in pieces so long that none of them joins the one before it, however busy the machine is: they
# lie between what a history has.
TOOL = "update('tool_call{}', toolCallId='{}', title='Look', kind='other', status='{}')"
TOOLS = [
    TOOL.format(kind, number, status)
    for number in (1, 2)
    for kind, status in (("", "in_progress"), ("_update", "completed"))
]
TASK = "; ".join([*TOOLS, "[say('word ' * 3_500) for _ in range(80)]"])


@pytest.fixture(scope="module")
def told(house):
    """A session that has ended, with a tool, a text and pieces of it."""
    with house.client() as client:
        session_id = client.run_task(TASK, agent="scripted")
        client.end_of(session_id)
        return session_id


def test_json_prints_the_history_event_by_event(command, agents, told):
    done = command("logs", told, "--json")
    assert done.exit_code == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == agents.history(told)


def test_text_says_when_and_what_each_in_a_line_that_can_be_searched(command, told):
    lines = command("logs", told).stdout.splitlines()
    assert lines[0].startswith("── ")
    assert lines[1].split(maxsplit=2)[1:] == ["task", TASK]
    labels = [line.split()[1] for line in lines[1:] if line[:1].isdigit()]
    assert labels.count("tool") == labels.count("done") == 2
    assert labels[-1] == "end"
    assert "✓ Done" in lines[-1]


@pytest.mark.parametrize("count", [0, 1, 7, 1000])
def test_tail_shows_the_last_ones_however_many_pieces_of_texts_lie_between(command, agents, told, count):
    shown = command("logs", told, "--json", "--tail", str(count)).stdout.splitlines()
    history = agents.history(told)
    assert agents.record(told)["head"] > len(history) + 50, "there must be pieces to look behind"
    assert [json.loads(line) for line in shown] == history[len(history) - min(count, len(history)) :]


def test_tail_of_the_text_counts_what_is_shown(command, told):
    lines = command("logs", told, "--tail", "2").stdout.splitlines()
    assert len([line for line in lines if line[:1].isdigit()]) == 2


def test_since_takes_a_time_or_how_long_ago_and_refuses_anything_else(command, told):
    assert command("logs", told, "--since", "1h").stdout.splitlines()[1].endswith(TASK)
    assert command("logs", told, "--since", "2099-01-05").stdout == ""
    wrong = command("logs", told, "--since", "yesterday-ish")
    assert wrong.exit_code == exits.USAGE
    assert "'yesterday-ish'" in wrong.stderr


def test_after_begins_behind_a_sequence(command, told):
    assert json.loads(command("logs", told, "--json", "--after", "3").stdout.splitlines()[0])["sequence"] == 4


def test_follow_goes_on_from_the_history_without_a_hole_or_a_double_and_ends_with_the_session(agents, at_home):
    session_id = agents.run_task("slow 2 tools 6 flood 20")
    agents.until(session_id, "tool_start")
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", "logs", session_id, "-f", "--json"],
        env=at_home, capture_output=True, timeout=90,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in done.stdout.splitlines()] == agents.history(session_id)


def test_ctrl_c_ends_the_following_without_a_word_and_the_agent_works_on(agents, at_home):
    session_id = agents.run_task("hang")
    agents.until(session_id, "agent_start")
    command = [sys.executable, "-m", "holdfast", "logs", session_id, "-f"]
    with subprocess.Popen(command, env=at_home, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        # The history has been printed, so that it is about to follow, or does already.
        assert any(b" start " in line for line in iter(process.stdout.readline, b""))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (exits.DETACHED, b"")
    assert agents.record(session_id)["status"] == "running"
    agents.post(f"/sessions/{session_id}/cancel")


def test_a_reader_that_has_seen_enough_ends_it_without_a_word(house, at_home, agents):
    session_id = agents.run_task("tools 3000")
    agents.end_of(session_id)
    command = f"{sys.executable} -m holdfast logs {session_id} | head -n 1"
    done = subprocess.run(["sh", "-c", command], env=at_home, capture_output=True, timeout=90)
    assert done.stdout.startswith("── ".encode())
    assert done.stderr == b""


def test_an_agents_words_cannot_reach_the_terminal_and_lines_of_a_text_are_indented():
    data = {"text": "", "is_partial": False, "full_text": "one\x1b[2J\ntwo"}
    first, second = list(Journal("s").lines("message", data, "2026-01-05T12:00:00.000Z"))[1:]
    assert first.plain.endswith("message   one[2J")
    assert second.plain.strip() == "two"
    assert second.plain.index("two") == first.plain.index("one")
    assert list(Journal("s").lines("message", data | {"is_partial": True}, "2026-01-05T12:00:00.000Z")) == []
    assert list(Journal("s").lines("of_a_later_version", {"x": 1}, "2026-01-05T12:00:00.000Z")) == []
