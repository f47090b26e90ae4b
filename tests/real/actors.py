"""How each agent is made to do the same things: say something, run a command, ask first, be in the middle of it.

The demo agent obeys the words in its task; the real ones do what the scripted model tells them.
"""

import os
from pathlib import Path
from typing import Any

from tests.client import Client
from tests.conftest import Server
from tests.models.client import Held, Models
from tests.models.marker import do
from tests.processes import eventually
from tests.real import agents

AGENTS = ("demo", "claude", "codex", "goose")
PLACES = ("text", "tool", "question")
"""Where an agent may be in the middle of something."""
MADE = "made.txt"

Events = list[dict[str, Any]]


class Scene:
    """A task in which the agent comes to a point and stays there until it is let go."""

    def __init__(self, task: str, *, answer: Held | None = None, **config: object) -> None:
        """`answer`: where the model waits when it has been told what came of the command."""
        self.task = task
        self.config = config
        self._answer = answer

    def until_reached(self, client: Client, session_id: str, after: int) -> dict[str, Any]:
        """Answers the event by which it is seen, the first of its type behind `after`."""
        raise NotImplementedError

    def let_go(self, client: Client, session_id: str) -> None:
        raise NotImplementedError

    def see_through(self, client: Client, session_id: str, after: int = 0) -> None:
        """What it needs a server for once it was let go; most need nothing."""
        # codex forgets to tell what became of a command of 150 ms or more if the model is done a moment after it.
        if self._answer is not None:
            client.until(session_id, "tool_complete", after=after)
            self._answer.release()


class InText(Scene):
    """After the first half of its text."""

    def __init__(self, models: Models) -> None:
        self._hold = models.hold(at="text", text="Half one. Half two.")
        super().__init__(self._hold.marker)

    def until_reached(self, client: Client, session_id: str, after: int) -> dict[str, Any]:
        self._hold.until_reached()
        return client.until(session_id, "message", after=after)

    def let_go(self, client: Client, session_id: str) -> None:
        self._hold.release()


class InTool(Scene):
    """In a command that reads from a pipe to which nobody has written yet."""

    COMMAND = f"cat gate > {MADE}"

    def __init__(self, workspace: Path, answer: Held | None = None) -> None:
        task = answer.marker if answer else do("shell", command=self.COMMAND)
        # Nobody is asked: the agents that ask by themselves are answered by the profile.
        super().__init__(task, answer=answer, profile="autonomous")
        self._gate = workspace / "gate"
        self._gate.unlink(missing_ok=True)
        os.mkfifo(self._gate)
        self._writer: int | None = None

    def until_reached(self, client: Client, session_id: str, after: int) -> dict[str, Any]:
        start = client.until(session_id, "tool_start", after=after)
        eventually(self._has_reader, 20, "the command reads from the pipe")
        return start

    def _has_reader(self) -> bool:
        try:
            self._writer = os.open(self._gate, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return False
        return True

    def let_go(self, client: Client, session_id: str) -> None:
        assert self._writer is not None
        os.close(self._writer)


class Asking(Scene):
    """With a question for permission open."""

    def until_reached(self, client: Client, session_id: str, after: int) -> dict[str, Any]:
        return client.until(session_id, "permission_request", after=after)

    def let_go(self, client: Client, session_id: str, decision: str = "allow_once", **more: object) -> None:
        [waiting] = [one for one in client.get("/permissions").json()["permissions"] if one["session_id"] == session_id]
        path = f"/sessions/{session_id}/permissions/{waiting['request']['request_id']}/answer"
        answer = client.post(path, json={"decision": decision, **more})
        assert answer.status_code == 200, answer.text


class DemoText(Scene):
    """The demo agent holds nowhere; it takes its time, and then it is done."""

    def until_reached(self, client: Client, session_id: str, after: int) -> dict[str, Any]:
        return client.until(session_id, "message", after=after)

    def let_go(self, client: Client, session_id: str) -> None:
        pass


class Actor:
    """One of the real agents."""

    def __init__(self, name: str, models: Models) -> None:
        self.name = name
        self._models = models.since_now()  # what other tests had the same API told is not this actor's
        self.text = do("text", text="The word is heather.", pieces=3)
        self.recall = do("think", text=f"I am {name}, and I remember.")

    def memory(self, tasks: int) -> str:
        """What it remembers of the session, with so many tasks behind it."""
        return "The word is heather."

    def in_text(self, seconds: float) -> Scene:
        """Those that hold nowhere take so many seconds for it."""
        return InText(self._models)

    def in_tool(self, workspace: Path, *, is_seen_through: bool = False) -> Scene:
        answer = self._models.hold(at="result", command=InTool.COMMAND) if is_seen_through else None
        return InTool(workspace, answer)

    def asking(self, workspace: Path, *, is_seen_through: bool = False) -> tuple[Asking, Path]:
        """A command that makes a file, and the file."""
        command = f"touch {MADE}"
        answer = self._models.hold(at="result", command=command) if is_seen_through else None
        task = answer.marker if answer else do("shell", command=command)
        return Asking(task, answer=answer, profile="careful"), workspace / MADE

    def at(self, place: str, workspace: Path, *, seconds: float = 60, is_seen_through: bool = False) -> Scene:
        if place == "text":
            return self.in_text(seconds)
        if place == "tool":
            return self.in_tool(workspace, is_seen_through=is_seen_through)
        return self.asking(workspace, is_seen_through=is_seen_through)[0]

    def remembered(self, _: Events) -> str:
        """All that the model was told with the task `recall`; `memory` should be in it."""
        [request] = [one for one in self._models.requests("think") if self.name in one.arguments["text"]]
        return "\n".join(message.text for message in request.messages)


class DemoActor(Actor):
    """The demo agent. Its one tool that takes time is the one that waits for a permission."""

    def __init__(self, name: str, models: Models) -> None:
        super().__init__(name, models)
        self.text = "flood 40"
        self.recall = "slow 0.3: what did I say?"

    def memory(self, tasks: int) -> str:
        return f"I remember {tasks} earlier tasks of this session"

    def in_text(self, seconds: float) -> Scene:
        return DemoText(f"slow {seconds:g} flood {seconds * 20:.0f}")

    def in_tool(self, workspace: Path, *, is_seen_through: bool = False) -> Scene:
        return Asking("ask")

    def asking(self, workspace: Path, *, is_seen_through: bool = False) -> tuple[Asking, Path]:
        return Asking("ask"), workspace / "holdfast-permission.txt"

    def remembered(self, events: Events) -> str:
        """It has no model to tell anything to; it says itself how much it remembers."""
        return "\n".join(event["data"].get("full_text", "") for event in events)


def new_server(folder: Path, models: Models) -> Server:
    server = Server(folder / "data")
    server.config.write_text(
        agents.settings(
            claude=agents.claude_agent(folder, models.url),
            codex=agents.codex_agent(folder, models.url),
            goose=agents.goose_agent(folder, models.url),
        )
    )
    return server.start()


def actor_named(name: str, models: Models) -> Actor:
    return (DemoActor if name == "demo" else Actor)(name, models)


def pieces_and_finals(events: Events) -> list[tuple[str, list[str], str]]:
    """Each text with its pieces and its final, in the order of the finals."""
    texts: list[tuple[str, list[str], str]] = []
    pieces: dict[str, list[str]] = {}
    for event in events:
        if event["type"] in ("message", "thinking"):
            if event["data"]["is_partial"]:
                pieces.setdefault(event["type"], []).append(event["data"]["text"])
            else:
                texts.append((event["type"], pieces.pop(event["type"], []), event["data"]["full_text"]))
    assert not pieces, "a text without its final"
    return texts
