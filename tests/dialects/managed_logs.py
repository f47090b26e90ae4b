"""Logs, recorded ones and ones made by hand, and what is told of them as events of Anthropic's sessions API."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from anthropic.types.beta.sessions import BetaManagedAgentsSessionEvent, BetaManagedAgentsStreamSessionEvents
from pydantic import TypeAdapter

from holdfast import events
from holdfast.dialects.managed import Piece, Translation
from holdfast.entry import Entry, read
from holdfast.event import Event
from tests.test_recordings import recording

SESSION = "0f0e0d0c-0b0a-4908-8706-050403020100"
PREVIEWS = frozenset({"agent.message", "agent.thinking"})
STORED: TypeAdapter[Any] = TypeAdapter(BetaManagedAgentsSessionEvent)
STREAMED: TypeAdapter[Any] = TypeAdapter(BetaManagedAgentsStreamSessionEvents)


@cache
def whole(name: str) -> list[Entry]:
    return [read(json.dumps(envelope).encode()) for envelope in recording(name)]


def entries(name: str, *, partials: bool = True) -> list[Entry]:
    found = whole(name)
    return [entry for entry in found if partials or not events.is_partial(entry.data)]


def told(log: Iterable[Entry], **options: Any) -> list[Piece]:
    translation = Translation(SESSION, **options)
    return [piece for entry in log for piece in translation.pieces(entry)]


def log_of(*said: Event) -> list[Entry]:
    return [
        Entry(number, events.NAMES[type(event)], event, f"2026-01-05T12:00:{number:02d}.000Z")
        for number, event in enumerate(said, start=1)
    ]


def types(pieces: Iterable[Piece]) -> list[str]:
    return [piece.type for piece in pieces]
