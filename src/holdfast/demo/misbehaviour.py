"""What the words in a prompt do, in the order in which they stand."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from holdfast.demo.orphans import leave_orphans
from holdfast.demo.pace import Pace
from holdfast.demo.permission import ask
from holdfast.demo.rpc import encode
from holdfast.demo.wire import BLOCK, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.demo.turn import Turn
    from holdfast.demo.words import Act

TRACEBACK = """\
Traceback (most recent call last):
  File "/opt/agent/loop.py", line 214, in run_turn
    result = await self.model.complete(messages)
  File "/opt/agent/model.py", line 87, in complete
    raise ModelUnreachable(self.address) from error
agent.errors.ModelUnreachable: the demo agent was asked to crash
"""


def perform(turn: Turn, acts: list[Act], seconds: float) -> None:
    pace = Pace(turn.wait, steps=sum(act.steps for act in acts), seconds=seconds)
    for act in acts:
        ACTIONS[act.word](turn, act, pace)
    if turn.is_stubborn:
        turn.hang()
    turn.say("Done: " + ", ".join(f"`{act}`" for act in acts) + ".")


def crash(turn: Turn, act: Act, pace: Pace) -> None:
    pace.take()
    complain(TRACEBACK.encode())
    if act.signal is not None:
        die_of(act.signal)
    os._exit(act.number)


def die_of(number: signal.Signals) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # SIGSEGV must not leave a core file in the workspace
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    os.kill(os.getpid(), number)
    # Reached only with a signal that does not kill (SIGCHLD, SIGWINCH …) or after SIGSTOP and SIGCONT.
    os._exit(128 + number)


def stderr(turn: Turn, act: Act, pace: Pace) -> None:
    done = 0
    while done < act.number:
        count = pace.take(min(act.number - done, BLOCK // 16))
        complain("".join([f"line {n}\n" for n in range(done + 1, done + count + 1)]).encode())
        done += count


def flood(turn: Turn, act: Act, pace: Pace) -> None:
    message_id = turn.ids.new("message")
    head, tail = line_around(
        turn,
        {
            "sessionUpdate": "agent_message_chunk",
            "messageId": message_id,
            "content": {"type": "text", "text": "word-@ "},
        },
    )
    done = 0
    most = per_block(head + tail)
    while done < act.number:
        count = pace.take(min(act.number - done, most))
        numbers = range(done + 1, done + count + 1)
        turn.write("".join([f"{head}{n}{tail}" for n in numbers]).encode())
        turn.record.add_text("agent_message_chunk", message_id, "".join([f"word-{n} " for n in numbers]))
        done += count


def tools(turn: Turn, act: Act, pace: Pace) -> None:
    first = turn.ids.reserve(act.number)
    call_id = f"call-{turn.ids.tag}-@"
    started = {"toolCallId": call_id, "title": "Do nothing", "kind": "other", "status": "in_progress"}
    ended = {"toolCallId": call_id, "status": "completed"}
    start_head, start_tail = line_around(turn, {"sessionUpdate": "tool_call", **started})
    end_head, end_tail = line_around(turn, {"sessionUpdate": "tool_call_update", **ended})
    middle = start_tail + end_head
    done = 0
    most = per_block(start_head + middle + end_tail)
    while done < act.number:
        count = pace.take(min(act.number - done, most))
        numbers = range(first + done, first + done + count)
        turn.write("".join([f"{start_head}{n}{middle}{n}{end_tail}" for n in numbers]).encode())
        for n in numbers:
            if turn.record.full:
                break
            call = {**started, "toolCallId": call_id.replace("@", str(n)), "status": "completed"}
            turn.record.add({"sessionUpdate": "tool_call", **call})
        done += count


def hang(turn: Turn, act: Act, pace: Pace) -> None:
    # Without listening first: a cancel that follows the last thing said must not be noticed by chance.
    turn.hang()


def garbage(turn: Turn, act: Act, pace: Pace) -> None:
    pace.take()
    unknown = {"sessionUpdate": "unheard_of", "content": {"type": "text", "text": "?"}}
    lines = [
        b"this line is no JSON",
        b"\xff\xfe bad \x80 UTF-8 \xc3",
        b"[1, 2, 3]",
        b"42",
        b"null",
        b'{"jsonrpc": "2.0", "method": "session/upd',
        b'{"jsonrpc": "2.0", "method": "demo/unheard_of", "params": {}}',
        b'{"jsonrpc": "2.0", "id": "garbage-1", "method": "demo/unheard_of", "params": {}}',
        b'{"jsonrpc": "2.0", "id": 987654321, "result": {}}',
        "".join(line_around(turn, unknown)).strip().encode(),
    ]
    turn.write(b"\n".join(lines) + b"\n")


def orphan(turn: Turn, act: Act, pace: Pace) -> None:
    pace.take()
    away, near = leave_orphans()
    turn.say(f"Left behind: {away} (a session of its own), {near} (in my group, holds stdout).")


def stubborn(turn: Turn, act: Act, pace: Pace) -> None:
    turn.become_stubborn()


ACTIONS = {
    "crash": crash,
    "stderr": stderr,
    "flood": flood,
    "tools": tools,
    "hang": hang,
    "garbage": garbage,
    "ask": ask,
    "orphan": orphan,
    "stubborn": stubborn,
}


def line_around(turn: Turn, update: Mapping[str, object]) -> tuple[str, str]:
    """A whole session/update line, as what stands before and after the one "@" in it.

    Encoding 10 million updates one by one would take a minute; putting numbers into text takes seconds.
    """
    params = {"sessionId": turn.session.id, "update": update}
    line = encode({"jsonrpc": "2.0", "method": "session/update", "params": params}) + "\n"
    head, _, tail = line.partition("@")
    return head, tail


def per_block(line: str) -> int:
    return BLOCK // (len(line) + 2 * len("10000000"))


def complain(text: bytes) -> None:
    with suppress(BrokenPipeError):  # nobody reads our stderr, and that is nobody's fault
        write_all(2, text)
