"""A minimal ACP agent that emits exactly what its prompt orders; standard library only, run with `python -I`.

The prompt is words like `rate=40 seconds=10 size=60 gate=/path`. It waits until the file `gate` is there
(and up to `spread` seconds more), then sends

- `rate` with `seconds`: evenly spaced events, in turn a `tool_call` and the `tool_call_update` that completes it,
  each of which becomes one event (text deltas would be coalesced, so they cannot be counted);
- `burst`: so many of the same as fast as it can;
- `text` with `seconds`: so many text deltas a second.

Each carries the time of its making as @nanoseconds@ of CLOCK_MONOTONIC, which all processes of a machine share.
"""

import json
import os
import random
import sys
import time

SESSION = "bench-session"


def send(message: dict) -> None:
    sys.stdout.write(json.dumps(message, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def update(body: str) -> str:
    return (
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"' + SESSION + '","update":' + body + "}}\n"
    )


def tool(number: int, size: int) -> str:
    """Even numbers begin a tool call, odd ones complete it."""
    stamp = f"@{time.monotonic_ns()}@".ljust(size, ".")
    if number % 2 == 0:
        return update(
            f'{{"sessionUpdate":"tool_call","toolCallId":"call-{number // 2:06d}","title":"bench","kind":"other",'
            f'"status":"in_progress","rawInput":{{"at":"{stamp}"}}}}'
        )
    return update(
        f'{{"sessionUpdate":"tool_call_update","toolCallId":"call-{number // 2:06d}","status":"completed",'
        f'"content":[{{"type":"content","content":{{"type":"text","text":"{stamp}"}}}}]}}'
    )


def text(number: int, size: int) -> str:
    stamp = f"@{time.monotonic_ns()}@ ".ljust(size, ".")
    return update(f'{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":"{stamp}"}}}}')


def obey(order: dict[str, str]) -> None:
    size = int(order.get("size", 60))
    if gate := order.get("gate"):
        while not os.path.exists(gate):
            time.sleep(0.02)
    if burst := int(order.get("burst", 0)):
        lines = []
        for number in range(burst):
            lines.append(tool(number, size))
            if len(lines) == 200 or number == burst - 1:
                sys.stdout.write("".join(lines))
                sys.stdout.flush()
                lines = []
        return
    # Many agents that begin at once would also write at once, for ever; real ones do not.
    time.sleep(random.random() * float(order.get("spread", 0)))
    make, rate = (text, order["text"]) if "text" in order else (tool, order["rate"])
    start = time.monotonic()
    for number in range(int(float(rate) * float(order["seconds"]))):
        time.sleep(max(0.0, start + number / float(rate) - time.monotonic()))
        sys.stdout.write(make(number, size))
        sys.stdout.flush()


def answer(method: str, params: dict) -> dict:
    if method == "initialize":
        return {"protocolVersion": 1, "agentCapabilities": {}, "authMethods": []}
    if method == "session/new":
        return {"sessionId": SESSION}
    if method == "session/prompt":
        words = " ".join(block.get("text", "") for block in params["prompt"]).split()
        obey(dict(word.split("=", 1) for word in words if "=" in word))
        return {"stopReason": "end_turn"}
    return {}


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "method" in message and "id" in message:
            result = answer(message["method"], message.get("params", {}))
            send({"jsonrpc": "2.0", "id": message["id"], "result": result})


if __name__ == "__main__":
    main()
