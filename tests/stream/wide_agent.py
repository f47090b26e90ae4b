"""An ACP agent whose tool calls have results of 4 kB each: started by a test, it makes as many as its prompt says."""

import json
import sys

RESULT = "wide " * 800


def say(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def work(calls: int) -> None:
    for number in range(calls):
        call = {"toolCallId": f"call-{number}", "title": "Look wide", "kind": "read"}
        for update in (
            {"sessionUpdate": "tool_call", **call, "status": "in_progress"},
            {"sessionUpdate": "tool_call_update", **call, "status": "completed", "rawOutput": RESULT},
        ):
            say({"method": "session/update", "params": {"sessionId": "wide", "update": update}})


for line in sys.stdin:
    request = json.loads(line)
    result = {"initialize": {"protocolVersion": 1}, "session/new": {"sessionId": "wide"}}.get(request["method"])
    if request["method"] == "session/prompt":
        work(int(request["params"]["prompt"][0]["text"]))
        result = {"stopReason": "end_turn"}
    if "id" in request:
        say({"id": request["id"], "result": result})
    sys.stdout.flush()
