"""The scripts that a prompt can name: each is a function from its marker to the steps of the model."""

import json
from collections.abc import Callable

from tests.models.actions import (
    Break,
    Call,
    Drop,
    End,
    Headers,
    Hold,
    Say,
    Shell,
    Spend,
    Step,
    Structured,
    Think,
    Todos,
    Wait,
    Write,
)
from tests.models.failures import credit_too_low, failure, limit_headers, prompt_too_long
from tests.models.marker import Marker

Script = Callable[[Marker], list[Step]]

# Nobody releases it: whoever waits for it waits until its client goes away.
NEVER = "never"
_STORY = "The quick brown fox sat down by the river, looked at the lazy dog and thought about what it had done. "


def text(marker: Marker) -> list[Step]:
    said = marker.arguments.get("text", "Hello from the scripted model.")
    return [[Say(text=said, pieces=marker.count("pieces", 5), delay=marker.number("delay", 0))]]


def think(marker: Marker) -> list[Step]:
    thought = marker.arguments.get("thinking", "Let me think about this for a moment.")
    return [[Think(text=thought), Say(text=marker.arguments.get("text", "I have thought about it."))]]


def shell(marker: Marker) -> list[Step]:
    said = marker.arguments.get("text", "The command has run.")
    return [[Say(text="I will run a command."), Shell(command=_command(marker))], [Say(text=said)]]


def write(marker: Marker) -> list[Step]:
    path = marker.arguments.get("path", "written.txt")
    content = marker.arguments.get("content", "Written by the scripted model.\n")
    return [[Say(text="I will write a file."), Write(path=path, content=content)], [Say(text="The file is written.")]]


def parallel(marker: Marker) -> list[Step]:
    command = marker.arguments.get("command", "touch made-{n}.txt")
    calls = [Shell(command=command.replace("{n}", str(n))) for n in range(1, marker.count("count", 2) + 1)]
    return [[Say(text="I will run some commands at once."), *calls], [Say(text="All of them have run.")]]


def tool(marker: Marker) -> list[Step]:
    call = Call(tool=marker.arguments["name"], input=json.loads(marker.arguments.get("input", "{}")))
    return [[Say(text=f"I will use {call.tool}."), call], [Say(text="The tool has answered.")]]


def subagent(marker: Marker) -> list[Step]:
    asked = {
        "description": "A part of the work",
        "prompt": marker.arguments.get("prompt", "[[do:text]]"),
        "subagent_type": marker.arguments.get("type", "general-purpose"),
    }
    if "background" in marker.arguments:
        asked["run_in_background"] = marker.arguments["background"] == "true"
    name = marker.arguments.get("name", "Agent")
    return [
        [Say(text="I will hand this to another agent."), Call(tool=name, input=asked)],
        [Say(text="The other agent is done.")],
    ]


def todos(marker: Marker) -> list[Step]:
    first, second = "Read the file", "Write the output"
    return [
        [Todos(items=[(first, "in_progress"), (second, "pending")])],
        [Todos(items=[(first, "completed"), (second, "in_progress")])],
        *(
            []
            if marker.arguments.get("finish") == "false"
            else [[Todos(items=[(first, "completed"), (second, "completed")])]]
        ),
        [Say(text="That is the list.")],
    ]


def tasks(marker: Marker) -> list[Step]:
    def create(subject: str) -> Call:
        return Call(tool="TaskCreate", input={"subject": subject, "description": f"{subject}, with care"})

    def update(status: str) -> Call:
        return Call(tool="TaskUpdate", input={"taskId": "1", "status": status})

    return [
        [create("Read the file"), create("Write the output")],
        [update("in_progress")],
        [update("completed")],
        [Say(text="Those are the tasks.")],
    ]


def question(marker: Marker) -> list[Step]:
    options = [{"label": "Red", "description": "A warm colour"}, {"label": "Blue", "description": "A cool colour"}]
    asked = {
        "question": marker.arguments.get("question", "Which colour?"),
        "header": "Colour",
        "multiSelect": marker.arguments.get("multiple") == "true",
        "options": options,
    }
    return [[Call(tool="AskUserQuestion", input={"questions": [asked]})], [Say(text="Thank you for the answer.")]]


def structured(marker: Marker) -> list[Step]:
    value = json.loads(marker.arguments.get("value", "{}"))
    wrong: Step = [Structured(value={"not": "what was asked for"})]
    return [*([wrong] * marker.count("wrong", 0)), [Structured(value=value)], [Say(text="Here it is.")]]


def slow(marker: Marker) -> list[Step]:
    pieces = marker.count("pieces", 200)
    said = "".join(f"word{n:04d} " for n in range(pieces))
    return [[Say(text=said, pieces=pieces, delay=marker.number("delay", 0.1))]]


def hold(marker: Marker) -> list[Step]:
    id_ = marker.arguments["id"]
    said = marker.arguments.get("text", "The first half, and now the second half.")
    match marker.arguments.get("at", "text"):
        case "start":
            return [[Hold(id=id_), Say(text=said)]]
        case "thinking":
            return [[Think(text="Let me think about this.", hold=id_), Say(text=said)]]
        case "text":
            return [[Say(text=said, pieces=2, hold=id_)]]
        case "tool":
            return [[Say(text="I will run a command."), Shell(command=_command(marker), hold=id_)], [Say(text=said)]]
        case "result":
            return [
                [Say(text="I will run a command."), Shell(command=_command(marker))],
                [Hold(id=id_), Say(text=said)],
            ]
        case "end":
            return [[Say(text=said), Hold(id=id_)]]
        case other:
            raise ValueError(f"A hold can be at start, thinking, text, tool, result or end; not at {other!r}.")


def hang(marker: Marker) -> list[Step]:
    return hold(Marker("hold", {**marker.arguments, "id": NEVER, "at": marker.arguments.get("at", "start")}))


def error(marker: Marker) -> list[Step]:
    return [[failure(marker)]]


def drop(marker: Marker) -> list[Step]:
    return [[Say(text=_STORY, pieces=marker.count("pieces", 8)), Drop()]]


def break_(marker: Marker) -> list[Step]:
    type_ = marker.arguments.get("type", "overloaded_error")
    event = Break(type=type_, message=marker.arguments.get("message", "Overloaded"))
    return [[Say(text=_STORY, pieces=marker.count("pieces", 8)), event]]


def warning(marker: Marker) -> list[Step]:
    limit = marker.arguments.get("limit", "five_hour")
    told = limit_headers(limit, "allowed_warning", marker.count("reset", 3600), marker.number("used", 0.92))
    return [[Headers(headers=told), Say(text="The limit is near.")]]


def max_tokens(marker: Marker) -> list[Step]:
    return [[Say(text=marker.arguments.get("text", "This text is cut off in the mid")), End(reason="length")]] * 50


def refusal(marker: Marker) -> list[Step]:
    return [[Say(text=marker.arguments.get("text", "")), End(reason="refusal")]] * 50


def full(marker: Marker) -> list[Step]:
    spent = Spend(input=marker.count("input", 1_000_000), output=marker.count("output", 1_000))
    return [[Say(text=marker.arguments.get("text", "That was a lot to read.")), spent]]


def loop(marker: Marker) -> list[Step]:
    spent = Spend(input=marker.count("input", 100), output=marker.count("output", 20))
    again: Step = [Shell(command=_command(marker)), spent]
    return [again] * marker.count("count", 1000) + [[Say(text="The loop is over.")]]


def big(marker: Marker) -> list[Step]:
    size = marker.count("bytes", 2_000_000)
    content = (_STORY * (size // len(_STORY) + 1))[:size]
    if marker.arguments.get("what") == "tool":
        path = marker.arguments.get("path", "big.txt")
        return [[Write(path=path, content=content)], [Say(text="That was big.")]]
    return [[Say(text=content, pieces=marker.count("pieces", 20))]]


def wait(marker: Marker) -> list[Step]:
    return [[Wait(seconds=marker.number("seconds", 1)), Say(text="That took a while.")]]


def _command(marker: Marker) -> str:
    # Not echo or ls: agents run what only reads without asking.
    return marker.arguments.get("command", "touch made.txt")


SCRIPTS: dict[str, Script] = {
    "text": text,
    "think": think,
    "shell": shell,
    "write": write,
    "parallel": parallel,
    "tool": tool,
    "subagent": subagent,
    "todos": todos,
    "tasks": tasks,
    "question": question,
    "structured": structured,
    "slow": slow,
    "wait": wait,
    "hold": hold,
    "hang": hang,
    "error": error,
    "credit-too-low": lambda _: [[credit_too_low()]],
    "prompt-too-long": lambda _: [[prompt_too_long()]],
    "drop": drop,
    "break": break_,
    "warning": warning,
    "empty": lambda _: [[]],
    "max-tokens": max_tokens,
    "refusal": refusal,
    "full": full,
    "loop": loop,
    "big": big,
}
