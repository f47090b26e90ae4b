"""The marker in a prompt that chooses what the scripted model does: [[do:NAME key=value key="value with spaces"]].

A quoted value is a JSON string, so a value may hold anything, another marker included.
"""

import json
import re

import msgspec

_VALUE = r'"(?:[^"\\]|\\.)*"|[^\s\]"]+'
_ARGUMENT = re.compile(rf"(\w+)=({_VALUE})")
_MARKER = re.compile(rf"\[\[do:([\w-]+)((?:\s+\w+=(?:{_VALUE}))*)\s*\]\]")


class Marker(msgspec.Struct, frozen=True):
    name: str
    arguments: dict[str, str] = {}

    def number(self, key: str, default: float) -> float:
        return float(self.arguments.get(key, default))

    def count(self, key: str, default: int) -> int:
        return int(self.arguments.get(key, default))


def do(name: str, /, **arguments: object) -> str:
    """The marker for a prompt. What is not text is given as JSON: do("tool", name="Read", input={"file_path": "a"})."""
    given = (
        f" {key}={json.dumps(value if isinstance(value, str) else json.dumps(value))}"
        for key, value in arguments.items()
    )
    return f"[[do:{name}{''.join(given)}]]"


def find(text: str) -> Marker | None:
    """The last marker of a text: what stands before the task (context, reminders) may quote older ones."""
    found = list(_MARKER.finditer(text))
    if not found:
        return None
    name, rest = found[-1].groups()
    arguments = {key: json.loads(value) if value[0] == '"' else value for key, value in _ARGUMENT.findall(rest)}
    return Marker(name, arguments)
