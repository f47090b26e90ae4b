"""An ACP agent that does what its task says: the task is Python code, run with the functions below at hand."""

import json
import os
import resource
import signal  # noqa: F401 - for the tasks
import sys
import time
from pathlib import Path

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
Path("agent.pid").write_text(str(os.getpid()))


def raw(line: bytes) -> None:
    """Prints a line as it is, whatever it is."""
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def send(**message: object) -> None:
    raw(json.dumps({"jsonrpc": "2.0", **message}).encode())


def update(kind: str, /, **fields: object) -> None:
    send(method="session/update", params={"sessionId": "scripted", "update": {"sessionUpdate": kind, **fields}})


def say(text: str, message_id: str = "m") -> None:
    update("agent_message_chunk", messageId=message_id, content={"type": "text", "text": text})


def ask(method: str, params: object, id_: object = "asked") -> dict:
    """Sends a request and waits for its answer."""
    send(id=id_, method=method, params=params)
    return json.loads(sys.stdin.readline())


def until(path: str) -> None:
    """Waits until the test has made the file."""
    while not Path(path).exists():
        time.sleep(0.005)


def dying() -> None:
    """Notes the moment of what comes next."""
    Path("died").write_text(repr(time.time()))


def answer(reason: str) -> None:
    """The stop reason that the turn shall have."""
    global stop_reason
    stop_reason = reason


prompt_id = None
stop_reason = "end_turn"
while line := sys.stdin.readline():
    message = json.loads(line)
    if message.get("method") == "session/prompt":
        prompt_id = message["id"]
        exec(message["params"]["prompt"][0]["text"])
        send(id=prompt_id, result={"stopReason": stop_reason})
    elif message.get("method") == "initialize":
        send(id=message["id"], result={"protocolVersion": 1, "agentCapabilities": {}})
    elif message.get("method") == "session/new":
        send(id=message["id"], result={"sessionId": "scripted"})
