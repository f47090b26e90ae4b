"""Small agents, written in a few lines by the tests that need them, run as real processes under the real adapter."""

import json
import selectors
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

# What every scripted agent can say. Standard library only: such an agent starts in 20 ms.
PRELUDE = """
import json, os, signal, sys, time
SESSION = "s-1"
received = open(os.environ["RECEIVED"], "a")
def raw(data):
    sys.stdout.buffer.write(data); sys.stdout.buffer.flush()
def send(**message):
    raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\\n")
def read():
    line = sys.stdin.readline()
    if not line: sys.exit(0)
    received.write(line); received.flush()
    return json.loads(line)
def expect(method):
    message = read()
    assert message.get("method") == method, message
    return message
def reply(request, result): send(id=request["id"], result=result)
def refuse(request, code, message="no"): send(id=request["id"], error={"code": code, "message": message})
def update(what, /, **more):
    send(method="session/update", params={"sessionId": SESSION, "update": {"sessionUpdate": what, **more}})
def say(text): update("agent_message_chunk", content={"type": "text", "text": text})
def initialized(auth=[], version=1, **capabilities):
    answer = {"protocolVersion": version, "agentCapabilities": capabilities, "authMethods": auth}
    reply(expect("initialize"), answer)
def opened(session={}, **more):
    initialized(**more)
    reply(expect("session/new"), {"sessionId": SESSION, **session})
def prompted(**more):
    opened(**more)
    return expect("session/prompt")
def end(prompt, reason="end_turn", **more): reply(prompt, {"stopReason": reason, **more})
OPTIONS = [
    {"optionId": "yes!", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no!", "name": "No", "kind": "reject_once"},
]
def ask(id, call={"toolCallId": "t1", "kind": "execute", "rawInput": {"command": "ls"}}, options=OPTIONS):
    params = {"sessionId": SESSION, "toolCall": call, "options": options}
    send(id=id, method="session/request_permission", params=params)
def elicit(id, message="Tell me", mode="form", **params):
    params = {"sessionId": SESSION, "message": message, "mode": mode, **params}
    send(id=id, method="elicitation/create", params=params)
def stay():
    while True: read()
"""


class Played:
    """What came of a turn."""

    def __init__(self, answer, received):
        assert "failed" not in answer, answer["failed"]
        self.events = [(type_, data) for type_, data in answer["events"]]
        self.outcome = answer["outcome"]
        self.agent_session_id = answer["agent_session_id"]
        self.stderr = answer["stderr"]
        self.took_s = answer["took_s"]
        self.pids = answer["pids"]
        self.is_ended = answer["is_ended"]
        self.left = answer["left"]
        # Every message that the agent got from us. One that it was killed over has no line end.
        self.received = [json.loads(line) for line in received.split("\n")[:-1]]

    def data(self, type_):
        return [data for found, data in self.events if found == type_]

    @property
    def types(self):
        return [type_ for type_, _ in self.events]

    def sent(self, method):
        return [message["params"] for message in self.received if message.get("method") == method]

    def answers(self):
        return {message["id"]: message for message in self.received if "method" not in message}


class Stage:
    """Where turns are played; made once, since starting Python costs more than a turn."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.agents.stage"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ)

    def play(
        self,
        script: str = "",
        *,
        command: list[str] | None = None,
        environment: dict[str, str] | None = None,
        text: str = "Do it",
        shown: str = "Do it",
        agent_session_id: str | None = None,
        start_timeout_s: float = 20,
        permission_ttl_s: float = 20,
        patience_s: float = 0.5,
        task: dict[str, Any] | None = None,
        prepared: bool = False,
        **reactions: str | dict[str, Any],
    ) -> Played:
        """Plays one turn with the agent that the script makes. `task` has what else is in it; with `prepared` the agent
        is started before it is known. A reaction says what to do at the first event of a type: permission_request=
        "allow_once" or {"decision": "deny", "message": "no"} (with "switch": a policy, that counts first), message=
        "cancel", "pause" or "fail", which is what a defect of ours would do."""
        self._count += 1
        received = self._folder / f"received-{self._count}"
        received.touch()
        workspace = self._folder / f"workspace-{self._count}"
        workspace.mkdir()
        whole_task = {
            "session_id": "ours",
            "agent": "scripted",
            "text": text,
            "shown": shown,
            "command": command or [sys.executable, "-I", "-S", "-c", PRELUDE + textwrap.dedent(script)],
            "cwd": str(workspace),
            "environment": {"RECEIVED": str(received), **(environment or {})},
            "agent_session_id": agent_session_id,
            **(task or {}),
        }
        order = {
            "task": whole_task,
            "prepared": prepared,
            "reactions": reactions,
            "start_timeout_s": start_timeout_s,
            "permission_ttl_s": permission_ttl_s,
            "patience_s": patience_s,
        }
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        assert self._selector.select(60), "the turn did not end within 60 s"
        return Played(json.loads(self._process.stdout.readline()), received.read_text())

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()
        self._selector.close()
