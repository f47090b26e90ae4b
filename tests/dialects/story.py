"""What a session comes to, whoever tells it: per run the task, what the agent said, what it called, and its end."""

import dataclasses
import itertools
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

import msgspec

ENDS = ("agent_complete", "error", "cancelled")


class _Unsaid:
    """What a tongue has no word for; it agrees with everything."""

    def __repr__(self) -> str:
        return "unsaid"


UNSAID: Any = _Unsaid()


@dataclasses.dataclass(kw_only=True)
class Call:
    name: str
    id: Any = UNSAID
    input: Any = UNSAID
    result: Any = UNSAID
    is_error: Any = None


@dataclasses.dataclass
class Run:
    task: Any
    # By name where they come in pieces. A tongue that has just one text for a run says it under one name.
    texts: dict[str, str] = dataclasses.field(default_factory=dict)
    calls: dict[str, Call] = dataclasses.field(default_factory=dict)
    end: Any = None

    def says(self, name: str, piece: str) -> None:
        self.texts[name] = self.texts.get(name, "") + piece

    def calls_tool(self, key: str, call: Call) -> None:
        assert key not in self.calls, f"told twice: {call}"
        self.calls[key] = call

    def has_result(self, key: str, *, is_error: bool, result: Any) -> None:
        call = self.calls[key]
        assert call.is_error is None, f"its result was told twice: {call}"
        call.is_error, call.result = is_error, result


class Story:
    def __init__(self) -> None:
        self.runs: list[Run] = []

    @property
    def now(self) -> Run:
        return self.runs[-1]

    @property
    def ended(self) -> int:
        return sum(run.end is not None for run in self.runs)

    def begin(self, task: Any) -> None:
        self.runs.append(Run(task))

    def end(self, reason: Any) -> None:
        assert self.now.end is None, f"two ends: {self.now.end}, {reason}"
        self.now.end = reason


def difference(expected: Story, told: Story, *, is_joined: bool = False) -> str:
    """Empty if what was told is what is expected, as far as it was said. `is_joined`: a run's texts are one there."""
    for number, (one, other) in enumerate(itertools.zip_longest(expected.runs, told.runs), start=1):
        if one is None or other is None:
            return f"run {number}: {one} is not {other}"
        texts = ["\n\n".join(one.texts.values())] if is_joined else list(one.texts.values())
        for name, mine, theirs in (
            ("task", one.task, other.task),
            ("texts", [text for text in texts if text], [text for text in other.texts.values() if text]),
            ("calls", *_calls(one, other)),
            ("end", one.end, other.end),
        ):
            if theirs is not UNSAID and mine != theirs:
                return f"run {number}, {name}:\n{mine}\nis not\n{theirs}"
    return ""


def _calls(one: Run, other: Run) -> tuple[list[Any], list[Any]]:
    mine = [dataclasses.asdict(call) for call in one.calls.values()]
    theirs = [dataclasses.asdict(call) for call in other.calls.values()]
    for known, told in zip(mine, theirs, strict=False):
        for name in known:
            if told[name] is UNSAID or isinstance(told[name], _Unsaid):
                told[name] = known[name]
    return mine, theirs


def plain(result: Any) -> str:
    """A tool's result, for tongues that have only texts for it."""
    return "" if result is None else result if isinstance(result, str) else msgspec.json.encode(result).decode()


def tell(story: Story, event: dict[str, Any]) -> None:
    """Takes in an event of the log."""
    data = event["data"]
    match event["type"]:
        case "user_message":
            story.begin(data["text"])
        case "message" if not data["is_partial"] and "parent_id" not in data:
            story.now.says(str(event["sequence"]), data["full_text"])
        case "tool_start":
            call = Call(name=data["tool_name"], id=data["tool_id"], input=data.get("tool_input") or {})
            story.now.calls_tool(data["tool_id"], call)
        case "tool_complete":
            story.now.has_result(data["tool_id"], is_error=data["is_error"], result=plain(data.get("result")))
        case kind if kind in ENDS:
            story.end(data["stop_reason"])
        case _:
            pass


def story_of(events: Iterable[dict[str, Any]]) -> Story:
    story = Story()
    for event in events:
        tell(story, event)
    return story


class Stage:
    """A session that is to be read while it is played: how many runs it will have, which have begun, and, once it is
    over, what it came to."""

    def __init__(self, runs: int) -> None:
        self.runs = runs
        self.session_id: Future[str] = Future()
        self.expected: Future[Story] = Future()
        self._begun = [threading.Event() for _ in range(runs)]

    def begin(self, run: int) -> None:
        self._begun[run].set()

    def wait_for(self, run: int) -> None:
        assert self._begun[run].wait(90), f"the run {run + 1} did not begin"


def played(session_id: str, story: Story) -> Stage:
    """One that is over."""
    stage = Stage(len(story.runs))
    stage.session_id.set_result(session_id)
    stage.expected.set_result(story)
    for run in range(stage.runs):
        stage.begin(run)
    return stage
