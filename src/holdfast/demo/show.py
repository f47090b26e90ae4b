"""What a prompt without words gets: a small real piece of work, told as a coding agent tells it.

Rule: the show is a list of steps, known before the first is taken, so that any time can be spread over them.
"""

# importing pathlib costs 5 ms of every start:
# ruff: noqa: PTH119
from __future__ import annotations

import os
import re
from itertools import pairwise

from holdfast.demo.note import Note, read_text
from holdfast.demo.pace import Pace
from holdfast.demo.shell import CommandFailed, run
from holdfast.demo.turn import text_content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.demo.turn import Turn

    Step = Callable[[], None]

SECONDS = 2.4
COMMAND = "ls -la"
PLAN = ("Write a note into the workspace", "Read it back", "Look at what is in the workspace")


def perform(turn: Turn, task: str, earlier: list[str], seconds: float) -> None:
    steps = Show(turn, task, earlier).steps()
    pace = Pace(turn.wait, steps=len(steps), seconds=seconds)
    for step in steps:
        pace.take()
        step()


class Show:
    def __init__(self, turn: Turn, task: str, earlier: list[str]) -> None:
        self._turn = turn
        self._task = shorten(task)
        self._earlier = earlier
        self._note = Note(turn.session, task[:2000])
        self._name = os.path.basename(self._note.path)
        self._call = ""
        self._results: list[str] = []  # a line of markdown for each thing done

    def steps(self) -> list[Step]:
        thought = (
            f"The task is “{self._task}”. There is no model behind me, so I cannot solve it; but I can show "
            "what work looks like from outside: a note, a look at it, a command."
        )
        return [
            *self._chunks("agent_thought_chunk", lambda: thought, 8),
            lambda: self._plan("pending", "pending", "pending"),
            *self._chunks("agent_message_chunk", lambda: f"I start with a note, `{self._name}`.\n\n", 4),
            lambda: self._plan("in_progress", "pending", "pending"),
            self._start_writing,
            self._write,
            lambda: self._plan("completed", "in_progress", "pending"),
            *self._chunks("agent_message_chunk", lambda: "Now I read it back, to be sure.\n\n", 4),
            self._start_reading,
            self._read,
            lambda: self._plan("completed", "completed", "in_progress"),
            self._start_command,
            self._run_command,
            lambda: self._plan("completed", "completed", "completed"),
            *self._chunks("agent_message_chunk", self._summary, 30),
        ]

    def _chunks(self, kind: str, text: Callable[[], str], count: int) -> list[Step]:
        """A message in `count` deltas. Its text is asked for only when it is sent: results stand in it."""
        message_id = self._turn.ids.new("message")

        def step(number: int) -> Step:
            return lambda: self._turn.chunk(kind, message_id, pieces(text(), count)[number])

        return [step(number) for number in range(count)]

    def _plan(self, *states: str) -> None:
        entries = [
            {"content": content, "priority": "medium", "status": status}
            for content, status in zip(PLAN, states, strict=True)
        ]
        self._turn.update({"sessionUpdate": "plan", "entries": entries})

    def _start_writing(self) -> None:
        note = self._note
        self._diff = {"type": "diff", "path": note.path, "oldText": note.before, "newText": note.after}
        self._start(f"Write {self._name}", "edit", {"path": note.path, "content": note.after}, note.path)

    def _write(self) -> None:
        try:
            self._note.write()
        except OSError as error:
            self._end("failed", str(error), {"error": str(error)}, f"could not write `{self._name}`: {error}")
            return
        size = len(self._note.after.encode())
        self._turn.move_call(self._call, "completed", content=[self._diff], rawOutput={"bytes": size})
        self._results.append(f"wrote `{self._name}` ({size} bytes)")

    def _start_reading(self) -> None:
        self._start(f"Read {self._name}", "read", {"path": self._note.path}, self._note.path)

    def _read(self) -> None:
        text = read_text(self._note.path)
        if text is None:
            self._end("failed", "There is no such file.", {}, f"could not read `{self._name}`")
            return
        lines = len(text.splitlines())
        self._end("completed", text, {"lines": lines}, f"read it back: {lines} lines, as expected")

    def _start_command(self) -> None:
        self._start(f"Run `{COMMAND}`", "execute", {"command": COMMAND}, self._turn.session.cwd)

    def _run_command(self) -> None:
        try:
            code, output = run(COMMAND, self._turn.session.cwd)
        except CommandFailed as error:
            self._end("failed", str(error), {"error": str(error)}, f"could not run `{COMMAND}`: {error}")
            return
        status = "completed" if code == 0 else "failed"
        done = f"ran `{COMMAND}`: exit code {code}, {len(output.splitlines())} lines"
        self._end(status, output, {"exitCode": code, "output": output}, done)

    def _start(self, title: str, kind: str, raw_input: dict[str, object], path: str) -> None:
        content = [self._diff] if kind == "edit" else []
        more = {"content": content, "locations": [{"path": path}]}
        self._call = self._turn.start_call(title, kind, raw_input, "in_progress", **more)

    def _end(self, status: str, text: str, raw_output: dict[str, object], result: str) -> None:
        self._turn.move_call(self._call, status, content=text_content(text), rawOutput=raw_output)
        self._results.append(result)

    def _summary(self) -> str:
        done = "\n".join(f"{number}. {result}" for number, result in enumerate(self._results, 1))
        return (
            f"## Done\n\nYou asked:\n\n> {self._task}\n\nI am the **demo agent**, I have no model; "
            f"what I did is real all the same:\n\n{done}\n\n{remembered(self._earlier)}"
            "Every word of this came as an event with a number: close this page, come back, and nothing is "
            "missing. Now try to break me, with a prompt like `flood 5000`, `ask`, `crash 3` or `hang`.\n"
        )


def remembered(earlier: list[str]) -> str:
    if not earlier:
        return ""
    count = "1 earlier task" if len(earlier) == 1 else f"{len(earlier)} earlier tasks"
    return f"I remember {count} of this session; the last one was “{shorten(earlier[-1])}”.\n\n"


def shorten(task: str) -> str:
    line = " ".join(task.split())
    return line if len(line) <= 120 else line[:119] + "…"


def pieces(text: str, count: int) -> list[str]:
    """The text in `count` pieces of whole words and about equal length; their join is the text."""
    words = re.findall(r"\s*\S+\s*$|\s*\S+\s?", text)
    marks = [len(words) * number // count for number in range(count + 1)]
    return ["".join(words[begin:end]) for begin, end in pairwise(marks)]
