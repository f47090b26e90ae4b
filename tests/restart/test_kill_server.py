"""kill -9 of the server while sessions are at work: their agents work on, and the next server takes them up again.

One server is killed once, with all of these sessions under way; each test looks at one of them.
"""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually, is_alive, marked
from tests.runs.agents import configure, note_of

# Works before, during and after the server's absence, each time when it is told to.
AT_WORK = """
def tools(when):
    for n in range(50):
        update("tool_call", toolCallId=f"{when} {n}", title="Work", status="in_progress")
        update("tool_call_update", toolCallId=f"{when} {n}", status="completed")
    Path(f"{when} done").touch()

tools("before"); until("down"); tools("during"); until("up"); tools("after")
"""


class Story:
    """What was seen before the kill, and the server after it."""

    def __init__(self, server: Server, client: Client) -> None:
        self.server, self.client = server, client
        self.sessions: dict[str, str] = {}
        self.seen: dict[str, list[dict[str, Any]]] = {}
        self.notes: dict[str, dict[str, Any]] = {}
        self.records: dict[str, dict[str, Any]] = {}

    def begin(self, name: str, task: str, **config: object) -> None:
        self.sessions[name] = self.client.run_task(task, **config)

    def watch(self, name: str, until: str) -> None:
        """Reads up to the first event of a type, as a client that is cut off there."""
        with self.client.stream(f"/sessions/{self.sessions[name]}/events") as stream:
            seen = self.seen[name] = []
            for frame in stream:
                if frame.is_event:
                    seen.append(frame.data)
                    if frame.data["type"] == until:
                        break
        self.records[name] = self.client.record(self.sessions[name])
        note = note_of(self.server, self.sessions[name])
        if note is not None:
            self.notes[name] = note

    def rest(self, name: str) -> list[dict[str, Any]]:
        """What the client gets that comes back with the last id it has seen."""
        return self.client.follow(self.sessions[name], after=self.seen[name][-1]["sequence"])

    def whole(self, name: str) -> list[dict[str, Any]]:
        return self.client.follow(self.sessions[name])


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("killed")
    server = configure(Server(folder / "data", HOLDFAST_LOG_FORMAT="json"))
    try:
        with server.start().client() as client:
            yield lived(Story(server, client), folder)
    finally:
        server.close()


def lived(story: Story, folder: Path) -> Story:
    """All that happens before the kill, while there is no server, and until there is one again."""
    (folder / "at work").mkdir()
    story.begin("at work", AT_WORK, agent="scripted", workspace=str(folder / "at work"))
    story.begin("waiting", "ask")
    story.begin("lost", "orphan tools 3 hang")
    for name in ("finishing", "crashing"):
        (folder / name).mkdir()
        end = "os._exit(3)" if name == "crashing" else "say('the end')"
        story.begin(name, f"say('a'); until('go'); {end}", agent="scripted", workspace=str(folder / name))
    story.begin("over", "tools 2")
    for name, until in {
        "at work": "tool_complete",
        "waiting": "permission_request",
        "lost": "tool_complete",
        "finishing": "message",
        "crashing": "message",
        "over": "agent_complete",
    }.items():
        story.watch(name, until)
    story.server.kill()
    # What happens while there is no server:
    for name in ("finishing", "crashing"):
        (folder / name / "go").touch()
        eventually(lambda name=name: not is_alive(story.notes[name]["agent_pid"]), 30, f"the end of the agent {name}")
    (folder / "at work" / "down").touch()
    eventually((folder / "at work" / "during done").exists, 30, "work without a server")
    kill_all(story.notes["lost"])
    story.server.start()
    return story


def kill_all(note: dict[str, Any]) -> None:
    """The keeper's whole life goes with it, as when the machine is switched off."""
    os.kill(note["guard_pid"], signal.SIGSTOP)  # or it would see the keeper die, and do its work
    os.kill(note["pid"], signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):  # an agent dies with its keeper
        os.kill(note["agent_pid"], signal.SIGKILL)
    os.kill(note["guard_pid"], signal.SIGKILL)
    for name in ("guard_pid", "pid", "agent_pid"):
        eventually(lambda name=name: not is_alive(note[name]), 30, f"the end of {name}")


def numbers(events: list[dict[str, Any]]) -> list[int]:
    return [event["sequence"] for event in events]


@pytest.mark.requirement("R143", "R144", "R003")
def test_an_agent_works_on_through_the_kill_and_its_log_has_no_gap(story: Story) -> None:
    note = story.notes["at work"]
    assert is_alive(note["agent_pid"])
    assert note_of(story.server, story.sessions["at work"]) == note
    Path(story.records["at work"]["workspace"], "up").touch()
    rest = story.rest("at work")
    whole = story.whole("at work")
    assert whole == story.seen["at work"] + rest
    assert numbers(whole) == list(range(1, len(whole) + 1))
    completed = [event["data"]["tool_id"] for event in whole if event["type"] == "tool_complete"]
    assert completed == [f"{when} {n}" for when in ("before", "during", "after") for n in range(50)]
    assert [event["type"] for event in whole].count("agent_start") == 1
    assert [event["type"] for event in whole].count("session_connect") == 1
    assert whole[-1]["type"] == "agent_complete"


@pytest.mark.requirement("R143", "R144")
def test_an_agent_that_finished_without_a_server_is_complete(story: Story) -> None:
    whole = story.seen["finishing"] + story.rest("finishing")
    assert whole == story.whole("finishing")
    assert numbers(whole) == list(range(1, len(whole) + 1))
    finals = [event["data"]["full_text"] for event in whole if "full_text" in event["data"]]
    assert finals == ["athe end"]
    record = story.client.record(story.sessions["finishing"])
    assert (record["status"], record["stop_reason"], record["runs"]) == ("complete", "success", 1)


@pytest.mark.requirement("R143", "R119")
def test_an_agent_that_crashed_without_a_server_has_its_own_end(story: Story) -> None:
    end = (story.seen["crashing"] + story.rest("crashing"))[-1]
    assert (end["type"], end["data"]["stop_reason"]) == ("error", "process_exit")
    assert end["data"]["termination_info"]["exit_code"] == 3
    assert story.client.record(story.sessions["crashing"])["status"] == "failed"


@pytest.mark.requirement("R143")
def test_a_question_outlives_the_server_and_can_be_answered(story: Story) -> None:
    session_id = story.sessions["waiting"]
    request_id = story.seen["waiting"][-1]["data"]["request_id"]
    assert story.client.record(session_id)["status"] == "waiting"
    url = f"/sessions/{session_id}/permissions/{request_id}/answer"
    answer = story.client.post(url, json={"decision": "allow_once"})
    assert answer.status_code == 200, answer.text
    rest = story.rest("waiting")
    assert [event["data"]["decision"] for event in rest if event["type"] == "permission_resolved"] == ["allow_once"]
    assert rest[-1]["data"]["stop_reason"] == "success"
    assert Path(story.records["waiting"]["workspace"], "holdfast-permission.txt").exists()


@pytest.mark.requirement("R063", "R134", "R135", "R136", "R036")
def test_a_session_whose_agent_was_lost_as_well_is_interrupted(story: Story) -> None:
    session_id = story.sessions["lost"]
    whole = story.seen["lost"] + story.rest("lost")
    assert numbers(whole) == list(range(1, len(whole) + 1))
    end = whole[-1]
    assert (end["type"], end["data"]["error_type"]) == ("error", "interrupted")
    assert (end["data"]["stop_reason"], end["data"]["resumable"]) == ("interrupted", True)
    assert (end["data"]["synthetic"], end["data"]["termination_info"]["terminated_by"]) == (True, "daemon")
    assert end["data"]["agent_session_id"].startswith("demo-")
    starts = [event["data"]["tool_id"] for event in whole if event["type"] == "tool_start"]
    completes = [event["data"]["tool_id"] for event in whole if event["type"] == "tool_complete"]
    assert starts == completes
    record = story.client.record(session_id)
    assert (record["status"], record["resumable"]) == ("interrupted", True)
    recoverable = story.client.get("/sessions/recoverable").json()["sessions"]
    assert recoverable == [record]
    assert "Recovered 1 resumable session(s)" in story.server.log.read_text()
    # Nobody was left to end the agent's orphans: the next server finds them by what it had put into their environment.
    eventually(lambda: not marked(f"HOLDFAST_RUN={session_id}-1"), 15, "the end of what the agent left behind")


@pytest.mark.requirement("R137", "R113")
def test_what_was_over_is_as_it_was(story: Story) -> None:
    assert story.client.record(story.sessions["over"]) == story.records["over"]
    assert story.whole("over") == story.seen["over"]
    session_id, last = story.sessions["over"], story.seen["over"][-1]["sequence"]
    again = story.client.get(f"/sessions/{session_id}/events", headers={"last-event-id": str(last)})
    assert again.status_code == 204


@pytest.mark.requirement("R138", "R102")
def test_an_interrupted_session_goes_on_with_the_same_agent_context(story: Story) -> None:
    session_id = story.sessions["lost"]
    before = story.client.record(session_id)
    story.client.next_task(session_id, "slow 0.3: what did I want?")
    events = story.client.follow(session_id, after=before["head"])
    assert "recovered" not in {event["type"] for event in events}
    texts = [event["data"]["full_text"] for event in events if "full_text" in event["data"]]
    assert any("orphan tools 3 hang" in text for text in texts)
    record = story.client.record(session_id)
    assert (record["status"], record["agent_session_id"]) == ("complete", before["agent_session_id"])
    assert story.client.get("/sessions/recoverable").json() == {"sessions": []}
