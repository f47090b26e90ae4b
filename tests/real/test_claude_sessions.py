"""Claude Code's own sessions: their ids, what they remember, and how that outlives folders and machines.

One family of sessions is brought up at the beginning: a session of two runs, and two forks of it.
"""

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast.agents.installed import bundled_claude
from holdfast.sessions.ids import deterministic_session_id
from tests.client import Client
from tests.conftest import Server
from tests.models.client import Models
from tests.models.marker import do
from tests.real import agents
from tests.runs.agents import note_of

PROJECT = "heathland"
SESSION = deterministic_session_id(PROJECT)
ID_FLAGS = ("--session-id", "--resume=", "--continue")


def start(data: Path, home: Path, models: Models) -> Server:
    """A server of these data whose Claude Code keeps its transcripts below `home`."""
    server = Server(data, HOLDFAST_DEFAULT_AGENT="claude")
    server.config.write_text(
        agents.settings(
            claude=agents.claude_agent(home, models.url),
            goose=agents.goose_agent(home, models.url),
        )
    )
    return server.start()


class Family:
    """Of each run: which ids its CLI was started with, what the model had said before, and how it ended."""

    def __init__(self, folder: Path, models: Models) -> None:
        self.home = folder / "home"
        self.work = folder / "work"
        self.work.mkdir()
        self.models = models
        self.server = start(folder / "data", self.home, models)
        self.client = self.server.client()
        self.sessions: dict[str, str] = {}
        self.told: dict[str, list[str]] = {}
        self.ids: dict[str, dict[str, str]] = {}
        self.ends: dict[str, dict[str, Any]] = {}

    def held(self, name: str, path: str, number: int, **body: object) -> None:
        """A run that says its name, looked at while its CLI is alive."""
        hold = self.models.hold(at="text", text=f"I am {name}.")
        answer = self.client.post(path, json={"task": hold.marker, **body})
        assert answer.status_code == 200, answer.text
        session_id = self.sessions[name] = answer.json()["session_id"]
        hold.until_reached()
        note = note_of(self.server, session_id, number)
        assert note is not None
        words = Path(f"/proc/{note['agent_pid']}/cmdline").read_text().split("\0")
        self.ids[name] = dict(word.split("=") for word in words if word.startswith(ID_FLAGS))
        hold.release()
        self.ends[name] = self.client.end_of(session_id)["data"]
        self.told[name] = said(self.models, "hold", id_=hold.id)


def said(models: Models, script: str, id_: str | None = None) -> list[str]:
    """What the model had said before it was asked this, as it was told."""
    requests = [one for one in models.requests(script) if id_ is None or one.arguments["id"] == id_]
    return [message.text for message in requests[-1].messages if message.role == "assistant"]


@pytest.fixture(scope="module")
def family(tmp_path_factory, models_process) -> Iterator[Family]:
    family = Family(tmp_path_factory.mktemp("family"), models_process)
    config = {"project_id": PROJECT, "workspace": str(family.work)}
    try:
        family.held("one", "/sessions/run", 1, config=config)
        family.held("two", f"/sessions/{SESSION}/task", 2)
        family.held("fork", f"/sessions/{SESSION}/fork", 1)
        family.held("early fork", f"/sessions/{SESSION}/fork", 1, run=1)
        yield family
    finally:
        family.client.close()
        family.server.close()


@pytest.mark.requirement("R014", "R006", "R016")
def test_a_first_start_gives_claude_code_the_deterministic_id(family):
    assert family.sessions["one"] == SESSION
    assert family.ids["one"] == {"--session-id": SESSION}
    assert family.client.record(SESSION)["agent_session_id"] == SESSION


@pytest.mark.requirement("R015", "R005")
def test_a_resume_passes_the_stored_id_and_no_other(family):
    assert family.ids["two"] == {"--resume": SESSION}
    assert family.told["two"] == ["I am one."]


@pytest.mark.requirement("R015")
def test_a_fork_passes_both_ids(family):
    new = family.sessions["fork"]
    assert new != SESSION
    assert family.ids["fork"] == {"--resume": SESSION, "--session-id": new}
    assert family.client.record(new)["agent_session_id"] == new


def test_a_fork_begins_where_its_parent_stood_at_its_end_or_after_an_earlier_run(family):
    assert family.told["fork"] == ["I am one.", "I am two."]
    assert family.told["early fork"] == ["I am one."]
    for name, run in (("fork", 2), ("early fork", 1)):
        events = family.client.history(family.sessions[name])
        [forked] = [event["data"] for event in events if event["type"] == "forked"]
        assert forked == {"from_session_id": SESSION, "from_run": run}
        record = family.client.record(family.sessions[name])
        assert record["forked_from"] == {"session_id": SESSION, "run": run}


def test_the_cost_and_the_usage_of_a_run_are_its_own(family):
    ends = [family.ends[name] for name in ("one", "two", "fork", "early fork")]
    assert [end["usage"]["input_tokens"] for end in ends] == [100] * 4
    assert [end["total_cost_usd"] for end in ends] == [pytest.approx(ends[0]["total_cost_usd"])] * 4
    assert ends[0]["total_cost_usd"] > 0
    assert [end["num_turns"] for end in ends] == [1] * 4


def next_task(client: Client, models: Models, text: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Gives the session its next task; answers the run's events and what the model had said before."""
    after = client.record(SESSION)["head"]
    client.next_task(SESSION, do("text", text=text))
    return client.follow(SESSION, after=after), said(models, "text")


@pytest.mark.requirement("R017")
def test_a_session_is_remembered_after_the_clis_folder_is_lost_and_forks_have_left_their_parent_alone(family, models):
    shutil.rmtree(family.home / "claude")
    events, told = next_task(family.client, models, "I am three.")
    assert told == ["I am one.", "I am two."]
    assert "recovered" not in {event["type"] for event in events}
    assert events[-1]["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R017")
def test_what_was_added_to_a_session_in_a_terminal_is_not_overwritten(family, models):
    """After the test before: the transcript lies where it was put back."""
    ran = subprocess.run(
        [str(bundled_claude()), "--print", "--resume", SESSION, do("text", text="I am from the terminal.")],
        cwd=family.work,
        env={"PATH": "/usr/bin:/bin", **agents.claude_environment(family.home, models.url)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert ran.stdout.decode().strip() == "I am from the terminal."
    _, told = next_task(family.client, models, "I am four.")
    assert told[-1] == "I am from the terminal."


@pytest.mark.requirement("R014")
def test_an_id_that_is_in_use_is_taken_up(family, models, tmp_path):
    """A server that knows nothing of the project, and a CLI that does: as after a kill in the moment of the start."""
    server = start(tmp_path / "data", family.home, models)
    try:
        with server.client() as client:
            session_id = client.run_task(do("text", text="Here again."), project_id=PROJECT, workspace=str(family.work))
            assert session_id == SESSION
            events = client.follow(session_id)
            assert events[-1]["data"]["stop_reason"] == "success"
            assert client.record(session_id)["agent_session_id"] == SESSION
        assert said(models, "text")[0] == "I am one."
    finally:
        server.close()


@pytest.fixture
def moved(family, models, tmp_path) -> Iterator[Server]:
    """The same store on another machine, where Claude Code has never run; not started."""
    data = tmp_path / "data"
    data.mkdir()
    with sqlite3.connect(family.server.data / "holdfast.db") as store, sqlite3.connect(data / "holdfast.db") as copy:
        store.backup(copy)
    server = Server(data, HOLDFAST_DEFAULT_AGENT="claude")
    server.config.write_text(agents.settings(claude=agents.claude_agent(tmp_path / "home", models.url)))
    yield server
    server.close()


@pytest.mark.requirement("R017", "R018")
def test_a_session_is_remembered_on_another_machine(family, moved, models):
    with moved.start().client() as client:
        events, told = next_task(client, models, "I am elsewhere.")
    assert events[-1]["data"]["stop_reason"] == "success"
    assert told[:2] == ["I am one.", "I am two."]


def test_a_session_that_is_lost_is_said_to_be_lost_and_goes_on_without_memory(family, moved, models):
    with sqlite3.connect(moved.data / "holdfast.db") as store:
        store.execute("delete from transcripts")
    with moved.start().client() as client:
        events, told = next_task(client, models, "Who am I?")
        [recovered] = [event["data"] for event in events if event["type"] == "recovered"]
        assert recovered["agent_session_id"] == SESSION
        assert events[-1]["data"]["stop_reason"] == "success"
        assert told == []
        # Nothing to begin from: a fork of one that is lost does not pretend.
        answer = client.post(f"/sessions/{family.sessions['fork']}/fork", json={"task": do("text")})
        end = client.end_of(answer.json()["session_id"])["data"]
        assert (end["stop_reason"], end["termination_info"]["terminated_by"]) == ("start_failed", "daemon")
        assert "No conversation found" in end["message"]


def test_an_agent_that_cannot_fork_says_so(family):
    session_id = family.client.run_task(do("text"), agent="goose")
    family.client.follow(session_id)
    answer = family.client.post(f"/sessions/{session_id}/fork", json={"task": do("text")})
    assert (answer.status_code, answer.json()["code"]) == (422, "unsupported")
    missing = family.client.post(f"/sessions/{SESSION}/fork", json={"task": do("text"), "run": 99})
    assert missing.status_code == 404
