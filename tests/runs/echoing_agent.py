"""An ACP agent that keeps what it was asked: each prompt and each fork becomes a file; a file of the test has its plan.

Where there is a file `forgetful`, it has no memory of earlier runs; where there is one `forks`, it can fork a session.
"""

import json
import os
import sys
from pathlib import Path


def send(**message: object) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


while line := sys.stdin.readline():
    message = json.loads(line)
    match message.get("method"):
        case "initialize":
            can = {"loadSession": not Path("forgetful").exists()}
            if Path("forks").exists():
                can["sessionCapabilities"] = {"fork": {}}
            send(id=message["id"], result={"protocolVersion": 1, "agentCapabilities": can})
        case "session/new":
            send(id=message["id"], result={"sessionId": "echo"})
        case "session/load":
            send(id=message["id"], result={})
        case "session/fork":
            Path(f"fork-{len(list(Path().glob('fork-*'))) + 1}").touch()
            send(id=message["id"], result={"sessionId": f"fork of {message['params']['sessionId']}"})
        case "session/prompt":
            text = message["params"]["prompt"][0]["text"]
            Path(f"prompt-{len(list(Path().glob('prompt-*'))) + 1}").write_text(text)
            if Path("plan.json").exists():
                plan = {"sessionUpdate": "plan", "entries": json.loads(Path("plan.json").read_text())}
                send(method="session/update", params={"sessionId": "echo", "update": plan})
            if "wait" in text:
                os.read(0, 1)  # for the cancel that comes
                sys.exit(0)
            send(id=message["id"], result={"stopReason": "end_turn"})
