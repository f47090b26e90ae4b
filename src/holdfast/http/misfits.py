"""Why a body does not fit, with the value that is wrong and, where they can be counted, those that would be right."""

import re
from typing import Any

import msgspec
from msgspec import inspect

# msgspec says where it stopped: "… - at `$.config.allow[0]`"; it has no words for the key of a table: [...].
_PLACE = re.compile(r" - at `\$([^`]*)`$")
_STEP = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_SHOWN_CHARACTERS = 100


def explained(message: str, raw: bytes, kind: type) -> str:
    """The sentence for a client, from what msgspec said of a body of this kind."""
    sentence = f"The body does not fit: {message}"
    place = _PLACE.search(message)
    if place is None or message.startswith("Object "):
        return sentence  # about the whole body, or a field that is missing or unknown: that one is named
    steps: list[str] = [name or index for name, index in _STEP.findall(place[1])]
    if not steps or steps[-1] in ("token", "secret"):
        return sentence  # such a value is not repeated
    if message.startswith("Invalid enum value"):
        there = ", ".join(_choices(inspect.type_info(kind), steps))
        return f"{sentence}; there are: {there}" if there else sentence
    try:
        value = _value(msgspec.json.decode(raw), steps)
        shown = _shown(value)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LookupError, TypeError):
        return sentence  # what comes behind the mistake is not even JSON, or the value has no place of its own
    if isinstance(value, str) and not value.strip() and steps[-1].isidentifier():
        return f"The {steps[-1]} is empty"
    return f"{sentence}, {'in' if '...' in steps else 'not'} {shown}"


def _value(body: Any, steps: list[str]) -> Any:
    for step in steps:
        if step == "...":
            break
        body = body[int(step)] if step.isdigit() else body[step]
    return body


def _shown(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"


def _choices(info: inspect.Type, steps: list[str]) -> list[str]:
    """What the type at this place lists; nothing if it lists none."""
    for step in steps:
        info = _plain(info)
        if isinstance(info, inspect.StructType):
            info = next(field.type for field in info.fields if field.encode_name == step)
        elif isinstance(info, inspect.ListType | inspect.VarTupleType):
            info = info.item_type
        else:
            return []
    info = _plain(info)
    return [str(value) for value in info.values] if isinstance(info, inspect.LiteralType) else []


def _plain(info: inspect.Type) -> inspect.Type:
    """Without its description, and without the None that says it may be left out."""
    while True:
        if isinstance(info, inspect.Metadata):
            info = info.type
        elif isinstance(info, inspect.UnionType):
            info = next(part for part in info.types if not isinstance(part, inspect.NoneType))
        else:
            return info
