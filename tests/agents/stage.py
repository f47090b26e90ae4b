"""`python -m tests.agents.stage`: plays ACP turns with the real adapter, one order a line, each in its own process.

Its own, because an adapter ends everything below its process and takes the exit status of all its children: within
the tests' process that would hit the servers of other tests.
"""

import asyncio
import json
import os
import sys
import time
import traceback

import msgspec

from holdfast.agents import tree
from holdfast.agents.acp import AcpAdapter
from holdfast.agents.interface import Means, Reply, Task
from holdfast.agents.stderr import StderrCollector
from holdfast.events import NAMES
from holdfast.policy import Policy

_LIMIT_S = 30


async def play(order):
    tree.become_subreaper()
    emitted = []
    pids = []
    began = time.monotonic()
    reactions = dict(order["reactions"])

    def emit(event):
        type_ = NAMES[type(event)]
        if reactions.get(type_) == "fail":
            raise OSError("the log is full")
        emitted.append([type_, msgspec.to_builtins(event)])
        if type_ in reactions:
            asyncio.get_running_loop().call_soon(react, reactions.pop(type_), event)

    def react(what, event):
        if what == "cancel":
            adapter.cancel()
        elif what == "pause":
            adapter.pause()
            asyncio.get_running_loop().call_later(0.3, adapter.resume)
        else:
            reply = dict(what) if isinstance(what, dict) else {"decision": what}
            if "switch" in reply:
                adapter.switch(msgspec.convert(reply.pop("switch"), Policy))
            adapter.answer(event.request_id, msgspec.convert({"by": "somebody", **reply}, Reply))

    stderr = StderrCollector(head=50, tail=50)
    task = msgspec.convert(order["task"], Task)
    ahead = msgspec.structs.replace(task, text="", shown="", files=[], mode=None, model=None, options={})
    means = Means(
        emit=emit,
        keep=lambda _: None,
        stderr=stderr,
        started=pids.append,
        now_ms=lambda: time.time_ns() // 1_000_000,
        start_timeout_s=order["start_timeout_s"],
        permission_ttl_s=order["permission_ttl_s"],
    )
    adapter = AcpAdapter(ahead if order["prepared"] else task, means)
    if order["prepared"]:
        await asyncio.wait_for(adapter.prepare(), _LIMIT_S)
        assert emitted == []
        adapter.begin(task)
    outcome = await asyncio.wait_for(adapter.run(), _LIMIT_S)
    took_s = time.monotonic() - began
    adapter.finish()
    is_ended = await adapter.end(patience_s=order["patience_s"])
    return {
        "events": emitted,
        "outcome": msgspec.to_builtins(outcome),
        "agent_session_id": adapter.agent_session_id,
        "stderr": msgspec.to_builtins(stderr.result()),
        "took_s": took_s,
        "pids": pids,
        "is_ended": is_ended,
        "left": tree.descendants(os.getpid()),
    }


def perform(line):
    try:
        answer = asyncio.run(play(json.loads(line)))
    except BaseException:
        answer = {"failed": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
    os._exit(0)


def main():
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            perform(line)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
