"""Where a recording is made: a real server with a folder of its own, and the tongs to steer a session with."""

import contextlib
import re
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from tests.agents.scripted import PRELUDE
from tests.client import Client
from tests.conftest import Server
from tests.models.actions import Step
from tests.models.client import Models
from tests.real import agents
from tests.runs.agents import note_of

Envelope = dict[str, Any]
# The scripted model's cue stands behind the words of the task; nobody else needs it.
_CUE = re.compile(r"\s*\[\[do:.*\]\]", re.DOTALL)
_ADDRESS = re.compile(r"127\.0\.0\.1:\d+")
_SCRATCH = re.compile(r"/tmp/claude-\d+")
_ASKING = ("permission_request", "question")


class Scene(msgspec.Struct, kw_only=True):
    """What is recorded: `play` answers the session's id once all is said that should be."""

    about: str
    status: str
    play: "Callable[[Studio], str]"
    settings: dict[str, str] = {}


class Studio:
    def __init__(self, models: Models, settings: dict[str, str]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="holdfast-recording-"))
        self.work = self._folder / "space"
        self.work.mkdir()
        self.models = models
        self.server = Server(self._folder / "data", **settings)
        self.server.config.write_text(agents.settings(**self._agents()))
        self.server.start()
        self.client: Client = self.server.client()

    def _agents(self) -> dict[str, agents.AgentTable]:
        own, url = self._folder / "me", self.models.url
        patient = agents.claude_agent(own, url)
        del patient["env"]["CLAUDE_CODE_MAX_RETRIES"]
        limited = agents.claude_agent(own, url, CLAUDE_CODE_OAUTH_TOKEN="sk-ant-oat01-dummy")
        del limited["env"]["ANTHROPIC_API_KEY"]
        tables = {
            "claude": agents.claude_agent(own, url),
            "patient": patient,
            "limited": limited,
        }
        for name, table in (("codex", agents.codex_agent), ("goose", agents.goose_agent)):
            with contextlib.suppress(AssertionError):  # not installed here
                tables[name] = table(own, url)
        return tables

    def close(self) -> None:
        self.client.close()
        self.server.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    # What a scene does

    def scripted(self, name: str, script: str) -> None:
        """An ACP agent of the scene's own, written in a few lines; before the first task."""
        source = self._folder / f"{name}.py"
        source.write_text(PRELUDE + textwrap.dedent(script))
        received = self._folder / f"{name}.received"
        table = {"command": [sys.executable, "-I", "-S", str(source)], "env": {"RECEIVED": str(received)}}
        self.server.stop()
        self.server.config.write_text(agents.settings(**self._agents(), **{name: table}))
        self.server.start()

    def cue(self, words: str, *steps: Step) -> str:
        """A task in these words, at which the scripted model takes these steps."""
        return f"{words} {self.models.add(list(steps))}"

    def run(self, task: str, agent: str = "demo", **config: object) -> str:
        return self.client.run_task(task, agent=agent, workspace=str(self.work), **config)

    def post(self, session_id: str, path: str, **body: object) -> Any:
        answer = self.client.post(f"/sessions/{session_id}/{path}", json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def end(self, session_id: str, *answers: dict[str, Any], otherwise: dict[str, Any] | None = None) -> str:
        """Waits for the end of the run; what it asks meanwhile gets the next of the answers, then `otherwise`."""
        left = list(answers)
        answered = {event["data"]["request_id"] for event in self.events(session_id, "permission_resolved")}
        for event in self.follow(session_id):
            if event["type"] in _ASKING and event["data"]["request_id"] not in answered:
                answer = left.pop(0) if left else otherwise
                assert answer is not None, f"nobody has an answer to {event}"
                self.post(session_id, f"permissions/{event['data']['request_id']}/answer", **answer)
        assert not left, f"nobody asked for {left}"
        return session_id

    def until(self, session_id: str, type_: str, count: int = 1) -> Envelope:
        """The `count`th event of this type, once it is there."""
        for event in self.follow(session_id):
            if event["type"] == type_:
                count -= 1
                if count == 0:
                    return event
        raise AssertionError(f"the run ended without {type_}")

    def follow(self, session_id: str) -> Iterator[Envelope]:
        with self.client.stream(f"/sessions/{session_id}/events") as stream:
            for frame in stream:
                if frame.is_event:
                    yield frame.data

    def events(self, session_id: str, type_: str) -> list[Envelope]:
        return [event for event in self.client.history(session_id) if event["type"] == type_]

    def agent_pid(self, session_id: str) -> int:
        return note_of(self.server, session_id)["agent_pid"]

    # What is kept of it

    def recording(self, session_id: str) -> list[Envelope]:
        """All that is in the log now, without what is of this machine only."""
        head = self.client.record(session_id)["head"]
        found: list[Envelope] = []
        for event in self.follow(session_id):
            found.append(self._scrubbed(event))
            if event["sequence"] == head:
                break
        return found

    def _scrubbed(self, value: Any) -> Any:
        match value:
            case str():
                return self._plain(value)
            case list():
                return [self._scrubbed(item) for item in value]
            case dict():
                return {self._plain(key): self._scrubbed(item) for key, item in value.items()}
            case _:
                return value

    def _plain(self, text: str) -> str:
        for path, name in (
            (self.work, "/home/me/space"),
            (self._folder / "me/home", "/home/me"),
            (self._folder / "me/claude", "/home/me/.claude"),
            (self._folder, "/home/me/holdfast"),
        ):
            # Claude Code makes names of folders out of paths, with a dash for each slash.
            text = text.replace(str(path), name).replace(str(path).replace("/", "-"), name.replace("/", "-"))
        return _SCRATCH.sub("/tmp/claude", _ADDRESS.sub("127.0.0.1:4700", _CUE.sub("", text)))
