"""What a person allows for longer than once: for the session, or for all of the project, and for nobody else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.runs.agents import configure

OFFERED = [{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]


def wanting(*commands: str, kind: str = "execute") -> str:
    """A task of the scripted agent: it asks for each command, and says what it was told."""
    calls = [
        {"toolCallId": f"t{number}", "title": "Run", "kind": kind, "rawInput": {"command": command}}
        for number, command in enumerate(commands)
    ]
    asked = [{"sessionId": "scripted", "toolCall": call, "options": OFFERED} for call in calls]
    return f"for one in {asked!r}: print(json.dumps(ask('session/request_permission', one)), file=open('told', 'a'))"


def told(workspace: Path) -> list[str]:
    """What the agent was told so far, of all that it asked."""
    file = workspace / "told"
    lines = file.read_text().splitlines() if file.exists() else []
    answers = [json.loads(line)["result"]["outcome"] for line in lines]
    return [answer.get("optionId", answer["outcome"]) for answer in answers]


class Folder:
    """Sessions of one folder, each of whose requests a person answers in the same way."""

    def __init__(self, client: Client, path: Path, **config: object) -> None:
        self.client = client
        self.path = path
        self.path.mkdir(exist_ok=True)
        self.config = {"agent": "scripted", "workspace": str(path), **config}

    def run(self, *commands: str, decision: str = "deny", session_id: str | None = None) -> str:
        """Has the agent ask for commands, in a new session or in the next run of one."""
        task = wanting(*commands)
        if session_id is None:
            session_id = self.client.run_task(task, **self.config)
        else:
            self.client.next_task(session_id, task)
        with self.client.stream(f"/sessions/{session_id}/events") as stream:
            for frame in stream:
                if frame.is_event and frame.data["type"] == "permission_request" and self._is_open(session_id):
                    request_id = frame.data["data"]["request_id"]
                    path = f"/sessions/{session_id}/permissions/{request_id}/answer"
                    self.client.post(path, json={"decision": decision})
        return session_id

    def _is_open(self, session_id: str) -> bool:
        return self.client.record(session_id)["status"] == "waiting"

    def asked(self, session_id: str) -> list[str]:
        """The commands of the last run that a person was asked about."""
        events = self.client.history(session_id)
        begin = max(number for number, event in enumerate(events) if event["type"] == "user_message")
        return [
            event["data"]["tool_input"]["command"] for event in events[begin:] if event["type"] == "permission_request"
        ]


@pytest.fixture
def folder(agents: Client, tmp_path: Path) -> Folder:
    return Folder(agents, tmp_path / "here")


def test_what_is_allowed_once_is_asked_again(folder: Folder) -> None:
    session_id = folder.run("make", "make", decision="allow_once")
    assert folder.asked(session_id) == ["make", "make"]
    folder.run("make", session_id=session_id)
    assert folder.asked(session_id) == ["make"]
    assert told(folder.path) == ["yes", "yes", "no"]


def test_what_is_denied_is_asked_again(folder: Folder) -> None:
    session_id = folder.run("make", "make")
    assert folder.asked(session_id) == ["make", "make"]
    assert told(folder.path) == ["no", "no"]


def test_what_is_allowed_for_the_session_is_not_asked_again_in_it_and_in_no_other(folder: Folder) -> None:
    session_id = folder.run("make", "make", "make install", decision="allow_session")
    assert folder.asked(session_id) == ["make", "make install"], "just the call that was shown, no more"
    folder.run("make", "ls", session_id=session_id)
    assert folder.asked(session_id) == ["ls"], "in its next run neither"
    other = folder.run("make")
    assert folder.asked(other) == ["make"]
    assert told(folder.path) == ["yes", "yes", "yes", "yes", "no", "no"]


def test_what_is_allowed_for_the_project_is_not_asked_again_in_any_session_of_its_folder(
    folder: Folder, agents: Client, ada: Client, tmp_path: Path
) -> None:
    folder.run("make", decision="allow_project")
    other = folder.run("make", "ls")
    assert folder.asked(other) == ["ls"]
    assert told(folder.path) == ["yes", "yes", "no"]
    elsewhere = Folder(agents, tmp_path / "there")
    assert elsewhere.asked(elsewhere.run("make")) == ["make"], "another folder is another project"
    hers = Folder(ada, tmp_path / "here")
    assert hers.asked(hers.run("make")) == ["make"], "and what one user allows, another has not allowed"


def test_a_project_with_a_name_is_one_wherever_it_lies(agents: Client, tmp_path: Path) -> None:
    here = Folder(agents, tmp_path / "here", project_id="wandering")
    here.run("make", decision="allow_project")
    there = Folder(agents, tmp_path / "there", project_id="wandering")
    session_id = there.run("make")
    assert there.asked(session_id) == []
    nameless = Folder(agents, tmp_path / "here")
    assert nameless.asked(nameless.run("make")) == ["make"], "its folder is not the project"


@pytest.mark.requirement("R143")
def test_grants_outlive_the_server(make_server: Callable[..., Server], tmp_path: Path) -> None:
    server = configure(make_server()).start()
    with server.client() as client:
        here = Folder(client, tmp_path / "here")
        session_id = here.run("make", decision="allow_session")
        here.run("ls", decision="allow_project")
    server.kill()
    server.start()
    with server.client() as client:
        here = Folder(client, tmp_path / "here")
        here.run("make", "ls", session_id=session_id)
        assert here.asked(session_id) == []
        assert here.asked(here.run("make", "ls")) == ["make"]


@pytest.mark.requirement("R182")
def test_a_grant_lifts_no_denial(folder: Folder, agents: Client, tmp_path: Path) -> None:
    session_id = folder.run("make", decision="allow_project")
    strict = Folder(agents, tmp_path / "here", deny=["Bash(make *)", "Bash(make)"])
    other = strict.run("make")
    assert strict.asked(other) == [], "what is denied nobody is asked about"
    assert told(folder.path) == ["yes", "no"]
    hooks: list[Any] = [event["data"] for event in agents.history(other) if event["type"] == "hook_triggered"]
    assert [hook["decision"] for hook in hooks] == ["deny"]
    assert "hook_triggered" not in [event["type"] for event in agents.history(session_id)]
