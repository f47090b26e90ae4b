"""What agents ask of people, and what they get to hear.

An answer may come from a page, a terminal or a script: so a number may be written as text, and a choice by its name.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from holdfast.event import Event


class PermissionOption(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    kind: str
    name: str
    description: str | None = None


class PermissionRequest(Event, frozen=True, kw_only=True):
    request_id: str
    tool_name: str
    tool_input: Any
    options: list[PermissionOption]
    expires_at: str
    tool_id: str | None = None
    title: str | None = None
    reason: str | None = None
    rule: str | None = None
    """What `allow_session` and `allow_project` would allow from then on."""
    editable: bool = False
    """Whether an answer may change the input."""


class PermissionResolved(Event, frozen=True, kw_only=True):
    request_id: str
    decision: str
    by: str
    message: str | None = None
    rule: str | None = None
    tool_input: Any = None
    answers: dict[str, Any] | None = None


class QuestionItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing to be answered: of the options if there are some, else in the form that `kind` says."""

    id: str
    text: str
    kind: Literal["choice", "text", "number", "boolean"] = "text"
    header: str | None = None
    options: list[PermissionOption] | None = None
    many: bool = False
    whole: bool = False
    """A number without a fraction."""
    free_text: bool = False
    """Whether one may also say something that is none of the options."""
    required: bool = False
    default: Any = None


class Question(Event, frozen=True, kw_only=True):
    request_id: str
    text: str
    questions: list[QuestionItem]
    expires_at: str
    tool_id: str | None = None
    url: str | None = None


class Misfit(Exception):
    """An answer that a question cannot have; its message names the item."""


def fitted(items: Sequence[QuestionItem], answers: Mapping[str, Any]) -> dict[str, Any]:
    """The answers in the forms that their items want. What is not answered is left out, unless it is required and has a
    default. Raises Misfit."""
    unknown = sorted(answers.keys() - {item.id for item in items})
    if unknown:
        raise Misfit(f"The question does not ask {', '.join(map(repr, unknown))}")
    missing = [item.id for item in items if item.required and item.default is None and answers.get(item.id) is None]
    if missing:
        raise Misfit(f"The answers lack {', '.join(map(repr, missing))}")
    said: dict[str, Any] = {}
    for item in items:
        given = answers.get(item.id)
        if given is not None:
            said[item.id] = _fitted(item, given)
        elif item.required:
            said[item.id] = item.default
    return said


def _fitted(item: QuestionItem, given: Any) -> Any:
    values: list[Any] = given if isinstance(given, list) else [given]  # pyright: ignore[reportUnknownVariableType]
    if item.many:
        return [_one(item, value) for value in values]
    if len(values) != 1:
        raise Misfit(f"The answer to {item.id!r} must be one, not {len(values)}")
    return _one(item, values[0])


def _one(item: QuestionItem, given: Any) -> Any:
    if item.kind == "number":
        return _number(item, given)
    if item.kind == "boolean":
        return _truth(item, given)
    if item.options:
        return _chosen(item, item.options, given)
    return _text(item, given)


def _chosen(item: QuestionItem, options: Sequence[PermissionOption], given: Any) -> str:
    """The option meant: named by what the agent calls it, else by what a person reads."""
    for option in options:
        if option.kind == given:
            return option.kind
    for option in options:
        if option.name == given:
            return option.kind
    if item.free_text:
        return _text(item, given)
    offered = ", ".join(repr(option.kind) for option in options)
    raise Misfit(f"The answer to {item.id!r} is none of its options, which are {offered}")


def _text(item: QuestionItem, given: Any) -> str:
    if isinstance(given, str):
        return given
    if isinstance(given, (bool, int, float)):
        return msgspec.json.encode(given).decode()
    raise Misfit(f"The answer to {item.id!r} must be a text")


def _number(item: QuestionItem, given: Any) -> int | float:
    number = _written(given) if isinstance(given, str) else given
    # Asked of floats only: a whole number may be too long to be one.
    is_finite = not isinstance(number, float) or math.isfinite(number)
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not is_finite:
        raise Misfit(f"The answer to {item.id!r} must be a number")
    if not item.whole:
        return number
    if number != int(number):
        raise Misfit(f"The answer to {item.id!r} must be a whole number")
    return int(number)


def _written(text: str) -> int | float | None:
    """The number that a text is; None if it is none."""
    for form in (int, float):
        try:
            return form(text)
        except ValueError:
            continue
    return None


def _truth(item: QuestionItem, given: Any) -> bool:
    if isinstance(given, bool):
        return given
    word = given.strip().lower() if isinstance(given, str) else ""
    if word not in ("true", "yes", "false", "no"):
        raise Misfit(f"The answer to {item.id!r} must be true or false")
    return word in ("true", "yes")
