"""The same suite over every kind of agent: the demo agent, Claude Code, codex and goose.

Each agent has one session that goes through all ends, one after the other: so each run is also the one that takes up
the session after the end before, and what the last one remembers went through all of them. The agents' stories are
told at the same time; each test looks at a part of one.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.client import TERMINAL, Client
from tests.conftest import Server
from tests.processes import eventually, marked
from tests.real.actors import AGENTS, PLACES, Actor, Events, Scene, actor_named, new_server, pieces_and_finals
from tests.runs.agents import note_of
from tests.stream.reading import conversation

# The first test of an agent waits for its whole story.
pytestmark = pytest.mark.timeout(300)

# So soon must an end be in the log that was asked for.
STOP_S = 3.0
AGAIN = ("", ", again", ", once more")


class Part:
    """One run: what came live, how long its end took once it was asked for, and whether it made its file."""

    def __init__(self) -> None:
        self.events: Events = []
        self.took_s = 0.0
        self.made = False

    def of(self, *kinds: str) -> Events:
        return [event for event in self.events if event["type"] in kinds]

    @property
    def end(self) -> dict[str, Any]:
        return self.events[-1]


class Story:
    """An agent's session, from its first run to its last."""

    def __init__(self, server: Server, actor: Actor, workspace: Path) -> None:
        self.server, self.actor, self.workspace = server, actor, workspace
        self.client = server.client()
        self.session_id = ""
        self.events: Events = []
        self.history: Events = []
        self.parts: dict[str, Part] = {}

    def tell(self) -> "Story":
        actor = self.actor
        with self.client:
            self.run("completed", Scene(actor.text))
            for name, decision in (("allowed", "allow_once"), ("denied", "deny")):
                asking, made = actor.asking(self.workspace, is_seen_through=decision == "allow_once")
                made.unlink(missing_ok=True)
                self.run(name, asking, lambda asking=asking, decision=decision: asking.let_go(*self.at, decision))
                self.parts[name].made = made.exists()
            self.stop("cancelled in text", lambda: actor.in_text(60), self.cancel)
            self.stop("cancelled in tool", lambda: actor.in_tool(self.workspace), self.cancel)
            paused = self.stop("paused in text", lambda: actor.in_text(60), self.pause)
            paused.let_go(*self.at)  # what goes on with it is not to be held again
            self.resume("resumed")
            for place in PLACES:
                self.run(f"agent killed in {place}", actor.at(place, self.workspace), lambda: self.kill("agent_pid"))
            for place in PLACES:
                self.run(f"keeper killed in {place}", actor.at(place, self.workspace), lambda: self.kill("pid"))
            self.run("remembering", Scene(actor.recall))
            self.history = self.client.history(self.session_id)
        return self

    def of(self, kind: str) -> Events:
        return [event for event in self.events if event["type"] == kind]

    @property
    def at(self) -> tuple[Client, str]:
        return self.client, self.session_id

    def run(self, name: str, scene: Scene, act=None) -> None:
        """Lets the agent come to its place, if there is something to be done there, and the run to its end."""
        part = self.parts[name] = Part()
        if self.session_id:
            body = {"task": scene.task, **scene.config}
            answer = self.client.post(f"/sessions/{self.session_id}/task", json=body)
        else:
            # The time limit is for all runs, should one of them never end.
            place = {"agent": self.actor.name, "workspace": str(self.workspace), "timeout_s": 120}
            answer = self.client.post("/sessions/run", json={"task": scene.task, "config": {**scene.config, **place}})
        assert answer.status_code == 200, answer.text
        self.session_id = self.session_id or answer.json()["session_id"]
        after = self.events[-1]["sequence"] if self.events else 0
        if act is not None:
            scene.until_reached(*self.at, after)
            began = time.monotonic()
            act()
            part.took_s = time.monotonic() - began
            scene.see_through(*self.at, after)
        part.events = self.client.follow(self.session_id, after=after)
        self.events += part.events

    def stop(self, name: str, scene_of: Callable[[], Scene], act: Callable[[], None]) -> Scene:
        """Answers the scene that was stopped last.

        How long it takes is a matter of the best of three: a machine that is busy slows down one of them, a defect all.
        """
        for again in AGAIN:
            scene = scene_of()
            self.run(f"{name}{again}", scene, act)
            if self.parts[f"{name}{again}"].took_s < STOP_S:
                break
        return scene

    def stopped(self, name: str) -> list[Part]:
        return [self.parts[f"{name}{again}"] for again in AGAIN if f"{name}{again}" in self.parts]

    def resume(self, name: str) -> None:
        part = self.parts[name] = Part()
        assert self.client.post(f"/sessions/{self.session_id}/resume", json={"how": "continue"}).status_code == 200
        part.events = self.client.follow(self.session_id, after=self.events[-1]["sequence"])
        self.events += part.events

    def pause(self) -> None:
        assert self.client.post(f"/sessions/{self.session_id}/pause").json()["status"] == "paused"

    def cancel(self) -> None:
        assert self.client.post(f"/sessions/{self.session_id}/cancel").json()["status"] == "cancelled"

    def kill(self, whom: str) -> None:
        note = note_of(self.server, self.session_id, len(self.parts))
        assert note is not None
        os.kill(note[whom], signal.SIGKILL)


@pytest.fixture(scope="module")
def stories(tmp_path_factory, models_process) -> Iterator[dict[str, "Future[Story]"]]:
    folder = tmp_path_factory.mktemp("suite")
    server = new_server(folder, models_process)

    def tell(name: str) -> Story:
        workspace = folder / "work" / name
        workspace.mkdir(parents=True)
        return Story(server, actor_named(name, models_process), workspace).tell()

    with ThreadPoolExecutor(len(AGENTS)) as threads:
        yield {name: threads.submit(tell, name) for name in AGENTS}
    server.close()


@pytest.fixture(params=AGENTS)
def story(request, stories) -> Story:
    return stories[request.param].result()


@pytest.mark.requirement("R023", "R033", "R001", "R085", "R103")
def test_a_text_comes_in_pieces_that_join_to_its_final_and_no_number_is_missing(story):
    assert [event["sequence"] for event in story.events] == list(range(1, len(story.events) + 1))
    part = story.parts["completed"]
    assert part.end["type"] == "agent_complete"
    assert part.end["data"]["stop_reason"] == "success"
    [(kind, pieces, final), *_] = pieces_and_finals(part.events)
    assert (kind, "".join(pieces)) == ("message", final)
    assert len(part.of("agent_start")) == 1
    for _, pieces, final in pieces_and_finals(story.events):
        assert "".join(pieces).strip() == final.strip()


@pytest.mark.requirement("R034", "R035", "R036", "R085")
def test_a_permission_that_is_given_lets_the_command_run(story):
    part = story.parts["allowed"]
    assert part.made
    assert part.end["data"]["stop_reason"] == "success"
    [asked] = part.of("permission_request")
    [resolved] = part.of("permission_resolved")
    assert resolved["data"]["request_id"] == asked["data"]["request_id"]
    assert (resolved["data"]["decision"], resolved["data"]["by"]) == ("allow_once", "local")
    [start] = part.of("tool_start")
    [complete] = part.of("tool_complete")
    assert start["data"]["tool_id"] == complete["data"]["tool_id"] == asked["data"].get("tool_id")
    assert not complete["data"]["is_error"]
    assert 0 <= complete["data"]["duration_ms"] < 60_000


@pytest.mark.requirement("R042", "R182", "R036")
def test_a_permission_that_is_denied_keeps_the_command_from_running(story):
    part = story.parts["denied"]
    assert not part.made
    [resolved] = part.of("permission_resolved")
    assert resolved["data"]["decision"] == "deny"
    [hook] = part.of("hook_triggered")
    assert hook["data"]["decision"] == "deny"
    assert len(part.of("tool_complete")) == len(part.of("tool_start"))
    assert all(event["data"]["is_error"] for event in part.of("tool_complete"))
    # codex ends its turn when it is refused something; the others go on and say so.
    assert part.end["data"]["stop_reason"] == ("cancelled" if story.actor.name == "codex" else "success")


@pytest.mark.requirement("R040", "R091", "R093", "R036")
@pytest.mark.parametrize("place", ["text", "tool"])
def test_a_cancel_ends_the_run_within_three_seconds(story, place):
    parts = story.stopped(f"cancelled in {place}")
    assert min(part.took_s for part in parts) < STOP_S
    for part in parts:
        assert part.end["type"] == "cancelled"
        assert part.end["data"]["resumable"]
        assert part.end["data"]["termination_info"] == {"reason": "terminated", "terminated_by": "daemon"}
        if place == "text":
            assert part.of("message")[-1]["data"]["full_text"]
        else:
            assert len(part.of("tool_start")) == len(part.of("tool_complete")) == 1
            assert part.of("tool_complete")[0]["data"]["is_error"]


@pytest.mark.requirement("R040", "R085", "R101")
def test_a_pause_ends_the_run_within_three_seconds_and_a_resume_goes_on(story):
    parts, resumed = story.stopped("paused in text"), story.parts["resumed"]
    assert min(part.took_s for part in parts) < STOP_S
    for paused in parts:
        assert paused.end["type"] == "cancelled"
        assert (paused.end["data"]["reason"], paused.end["data"]["stop_reason"]) == ("paused", "paused")
        assert paused.end["data"]["resumable"]
    assert resumed.of("user_message")[0]["data"]["resume"] == "continue"
    assert resumed.end["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R119", "R121", "R084", "R036")
@pytest.mark.parametrize("place", PLACES)
def test_an_agent_that_is_killed_ends_its_run_with_the_signal(story, place):
    part = story.parts[f"agent killed in {place}"]
    assert part.end["type"] == "error"
    assert part.end["data"]["error_type"] == part.end["data"]["stop_reason"] == "process_exit"
    info = part.end["data"]["termination_info"]
    assert (info["signal"], info["terminated_by"]) == ("SIGKILL", "agent")
    assert info["message"].startswith("agent exited with status")
    assert "exit_code" not in info
    assert len(part.of("tool_start")) == len(part.of("tool_complete"))
    assert all(event["data"]["outcome"] == "unknown" for event in part.of("tool_complete"))
    assert len(part.of("permission_resolved")) == len(part.of("permission_request"))


@pytest.mark.requirement("R036", "R063", "R118", "R136")
@pytest.mark.parametrize("place", PLACES)
def test_a_keeper_that_is_killed_leaves_an_interrupted_run(story, place):
    part = story.parts[f"keeper killed in {place}"]
    assert part.end["type"] == "error"
    assert part.end["data"]["error_type"] == part.end["data"]["stop_reason"] == "interrupted"
    assert (part.end["data"]["resumable"], part.end["data"]["synthetic"]) == (True, True)
    assert len(part.of("tool_start")) == len(part.of("tool_complete"))
    assert all(event["data"]["outcome"] == "unknown" for event in part.of("tool_complete"))
    assert [event["data"]["decision"] for event in part.of("permission_resolved")] == ["cancelled"] * len(
        part.of("permission_request")
    )
    if place == "text":
        assert part.of("message")[-1]["data"]["full_text"]
    if place == "tool":
        assert len(part.of("tool_complete")) == 1


@pytest.mark.requirement("R004", "R005", "R099", "R101", "R138")
def test_the_last_run_remembers_the_first_through_all_the_ends_between_them(story):
    part = story.parts["remembering"]
    assert part.end["data"]["stop_reason"] == "success"
    assert not story.of("recovered")
    told = story.actor.remembered(part.events)
    assert story.actor.memory(len(story.parts) - 1) in told
    if story.actor.name != "demo":
        # What was cancelled is told to the model, and to nobody else.
        assert "[RESUME CONTEXT]" in told
    assert "RESUME CONTEXT" not in "".join(event["data"]["text"] for event in story.of("user_message"))


@pytest.mark.requirement("R083", "R084")
def test_each_run_has_one_end_and_nothing_behind_it(story):
    ends = [event for event in story.events if event["type"] in TERMINAL]
    assert ends == [part.end for part in story.parts.values()]


@pytest.mark.requirement("R074", "R078")
def test_history_tells_the_same_conversation_as_the_stream_did(story):
    assert story.history == [event for event in story.events if not event["data"].get("is_partial")]
    assert conversation(story.history) == conversation(story.events)


@pytest.mark.requirement("R146")
def test_nothing_of_any_run_is_alive(story):
    for number in range(1, len(story.parts) + 1):
        eventually(lambda number=number: not marked(f"HOLDFAST_RUN={story.session_id}-{number}"))
