"""Logs for translations to read: recorded ones, and ones made by hand."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from holdfast.dialects.telling import Place, Told, Translate, rest
from holdfast.entry import Entry, read
from holdfast.events import Message, Recorded, Thinking, envelope

FOLDER = Path(__file__).parents[1] / "recordings"
NAMES: list[str] = [entry["name"] for entry in json.loads((FOLDER / "index.json").read_text())]


def recording(name: str) -> list[Entry]:
    return [read(line.encode()) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def log(*recorded: Recorded) -> list[Entry]:
    return [read(envelope(one, sequence)) for sequence, one in enumerate(recorded, start=1)]


def without_partials(entries: Iterable[Entry]) -> list[Entry]:
    """As the store gives them when the partials were dropped."""
    return [entry for entry in entries if not (isinstance(entry.data, (Message, Thinking)) and entry.data.is_partial)]


def told(translate: Translate, entries: Sequence[Entry], received: Place | None = None) -> list[tuple[str, Told]]:
    """What somebody who stands at the place is told, with the ids."""
    return [found for entry in entries for found in rest(entry, translate(entry), received or Place())]
