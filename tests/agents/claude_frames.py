"""The frames that were recorded from the real CLI (record_claude.py), and events made of them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from holdfast.agents.claude_events import Translation
from holdfast.events import NAMES

Frame = dict[str, Any]
Events = list[tuple[str, dict[str, Any]]]

RECORDED: dict[str, list[Frame]] = json.loads(Path(__file__).with_name("claude_frames.json").read_text())


class Clock:
    """Ten milliseconds pass each time somebody looks."""

    def __init__(self) -> None:
        self._now = 0

    def __call__(self) -> int:
        self._now += 10
        return self._now


def translated(frames: Iterable[Frame], translation: Translation | None = None) -> Events:
    """The events of frames: their wire names, and what they say."""
    translation = translation or Translation(Clock())
    return [(NAMES[type(event)], msgspec.to_builtins(event)) for frame in frames for event in translation.frame(frame)]


def of(events: Events, kind: str) -> list[dict[str, Any]]:
    return [data for name, data in events if name == kind]


def result_of(name: str) -> Frame:
    return next(frame for frame in reversed(RECORDED[name]) if frame["type"] == "result")
