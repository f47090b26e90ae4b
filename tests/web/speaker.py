"""An agent that says exactly what a test wants to be seen: any text, in any pieces, and any number of tools."""

import json
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import Server
from tests.programs import INITIALIZED, program

_SPEAKER = """
import json, os, sys, time

def send(message):
    sys.stdout.write(json.dumps({{"jsonrpc": "2.0", **message}}) + "\\n")
    sys.stdout.flush()

def update(session, **fields):
    send({{"method": "session/update", "params": {{"sessionId": session, "update": fields}}}})

def wait_for(gate):
    end = time.monotonic() + 120
    while not os.path.exists(gate) and time.monotonic() < end:
        time.sleep(0.01)

def say(session, path, pieces, seconds, gates):
    text = open(path, encoding="utf-8").read()
    size = -(-len(text) // pieces)
    began = time.monotonic()
    for number, start in enumerate(range(0, len(text), size)):
        # Gates stand at equal distances in the text.
        part, rest = divmod(number * (len(gates) + 1), pieces)
        if part and rest < len(gates) + 1:
            wait_for(gates[part - 1])
        content = {{"type": "text", "text": text[start:start + size]}}
        update(session, sessionUpdate="agent_message_chunk", content=content)
        wait = began + seconds * (number + 1) / pieces - time.monotonic()
        if wait > 0:
            time.sleep(wait)

def tools(session, count):
    for number in range(count):
        call = f"call-{{number}}"
        update(session, sessionUpdate="tool_call", toolCallId=call, title=f"Read file-{{number}}.py", kind="read",
               status="in_progress", rawInput={{"path": f"src/file-{{number}}.py"}})
        content = [{{"type": "content", "content": {{"type": "text", "text": f"line {{number}}"}}}}]
        update(session, sessionUpdate="tool_call_update", toolCallId=call, status="completed", content=content)
        if number % 25 == 24:
            content = {{"type": "text", "text": f"Step {{number}} is done."}}
            update(session, sessionUpdate="agent_message_chunk", content=content)

for line in sys.stdin:
    request = json.loads(line)
    method = request.get("method")
    if method == "initialize":
        send({{"id": request["id"], "result": {answer!r}}})
    elif method in ("session/new", "session/load", "session/resume"):
        send({{"id": request["id"], "result": {{"sessionId": "speaker"}}}})
    elif method == "session/prompt":
        session = request["params"]["sessionId"]
        for order in request["params"]["prompt"][-1]["text"].splitlines():
            word, _, rest = order.partition(" ")
            if word == "say":
                say(session, **json.loads(rest))
            elif word == "tools":
                tools(session, int(rest))
        send({{"id": request["id"], "result": {{"stopReason": "end_turn"}}}})
"""


def with_speaker(server: Server, folder: Path) -> Server:
    """Names the agent `speaker` in the server's settings; to be called before it is started."""
    path = program(folder, "speaker", _SPEAKER.format(answer=INITIALIZED))
    server.config.write_text(f"[agents.speaker]\ncommand = [{json.dumps(str(path))}]\n")
    return server


def saying(path: Path, *, pieces: int = 20, seconds: float = 0.2, gates: Sequence[Path] = ()) -> str:
    """The task that makes it say what is in a file. At a gate it waits until somebody makes that file."""
    orders = {"path": str(path), "pieces": pieces, "seconds": seconds, "gates": [str(gate) for gate in gates]}
    return "say " + json.dumps(orders)
