"""Text as a terminal may get it: what agents wrote made harmless, quantities made readable."""

import re
from datetime import UTC, datetime
from typing import Any, cast

import msgspec

# An agent's words could move the cursor, retitle the window or write to the clipboard: no control characters but
# line end and tab reach a terminal, and none that reverse the reading direction of what a person is asked to allow.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")

STATUS_STYLES = {
    "pending": "cyan",
    "running": "bold cyan",
    "waiting": "bold yellow",
    "complete": "green",
    "failed": "red",
    "cancelled": "yellow",
    "paused": "yellow",
    "interrupted": "magenta",
}
TODO_ICONS = {"completed": "✓", "in_progress": "→", "pending": "○", "cancelled": "✗"}
TODO_STYLES = {"completed": "green", "in_progress": "bold", "cancelled": "dim"}

DECISIONS = {
    "allow_once": "allowed once",
    "allow_session": "allowed for this session",
    "allow_project": "allowed for this project",
    "deny": "denied",
}


def clean(value: object) -> str:
    return _CONTROLS.sub("", str(value)).replace("\t", "    ")


def one_line(value: object, limit: int = 200) -> str:
    """The value in one line, cut at the limit."""
    text = " ".join(clean(value).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def span(seconds: float) -> str:
    """A length of time, in the unit that a person would use."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes == 0:
        return f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    if hours == 0:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{hours} h {minutes} min"


def stopwatch(seconds: float) -> str:
    minutes, seconds = divmod(max(0, round(seconds)), 60)
    return f"{minutes}:{seconds:02}"


def age(timestamp: str, now: datetime) -> str:
    """How long ago that was, in one unit."""
    seconds = max(0.0, (now - datetime.fromisoformat(timestamp)).total_seconds())
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:.0f} s"


def clock(timestamp: str) -> str:
    """The time of day here."""
    return f"{datetime.fromisoformat(timestamp).astimezone():%H:%M:%S}"


def now() -> datetime:
    return datetime.now(UTC)


def money(usd: float) -> str:
    return f"${usd:.2f}" if usd >= 1 or usd == 0 else f"${usd:.4f}"


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def describe_tool(name: str, title: str | None, tool_input: Any) -> str:
    """A tool call in a few words: its title, or its name and the argument that says most."""
    if title:
        return one_line(title)
    if isinstance(tool_input, dict):
        given = cast("dict[str, Any]", tool_input)
        for key in ("command", "file_path", "path", "pattern", "query", "url", "description", "prompt"):
            if isinstance(given.get(key), str):
                return one_line(f"{name} {given[key]}")
    return one_line(name)


def describe_input(tool_input: Any) -> str:
    """All that a tool is given, for a person who decides about it: nothing cut, lines as lines."""
    if not isinstance(tool_input, dict):
        return clean(msgspec.json.encode(tool_input).decode())
    lines: list[str] = []
    for key, value in cast("dict[str, Any]", tool_input).items():
        said = clean(value if isinstance(value, str) else msgspec.json.encode(value).decode())
        lines.append(f"{clean(key)}: {said}" if "\n" not in said else f"{clean(key)}:\n{said}")
    return "\n".join(lines)
