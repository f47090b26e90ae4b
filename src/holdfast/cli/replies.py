"""The words of a person made into an answer to what an agent asks. Pure.

Rule: whatever cannot be meant is refused before it is sent, with the value and what there is to choose from.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from holdfast.asking import Misfit, QuestionItem, fitted
from holdfast.errors import ConfigError

DECISIONS = {
    "allow": "allow_once",
    "once": "allow_once",
    "yes": "allow_once",
    "session": "allow_session",
    "project": "allow_project",
    "deny": "deny",
    "no": "deny",
    **{name: name for name in ("allow_once", "allow_session", "allow_project")},
}
# What is said to a question that has nothing to fill in: an address that was opened, a notice that was read.
DONE = ("done", "yes")
CHOICES = "allow, session (allow for the session), project (allow for the project) or deny"


def decision_of(words: Sequence[str]) -> str:
    """What somebody decides on a permission request."""
    given = " ".join(words).strip().lower().replace("-", "_")
    if given not in DECISIONS:
        raise ConfigError(f"{' '.join(words)!r} is no decision; there are: {CHOICES}.")
    return DECISIONS[given]


def items_of(request: Mapping[str, Any]) -> list[QuestionItem]:
    return msgspec.convert(request.get("questions", []), list[QuestionItem])


def answers_of(items: Sequence[QuestionItem], words: Sequence[str]) -> dict[str, Any]:
    """The answers to a question: `id=value` for each item, or the values alone in the order of the items.

    A value is an option's number, its name, or a text; where several may be chosen, with commas between them. A
    question without items is answered with a word: silence must not pass for consent.
    """
    if not items:
        if " ".join(words).strip().lower() not in DONE:
            raise ConfigError(f"{' '.join(words)!r} is no answer: there is nothing to fill in; say done, or --deny.")
        return {}
    by_id = {item.id: item for item in items}
    given: dict[str, Any] = {}
    free = list(items)
    for word in words:
        name, sign, value = word.partition("=")
        if sign and name in by_id:
            item = by_id[name]
        elif free:
            item, value = free[0], word
        else:
            raise ConfigError(f"{word!r} is one answer too many; the question has {len(items)}.")
        free = [each for each in free if each is not item]
        chosen = meant(item, value)
        # Said twice, it is a choice of several.
        given[item.id] = [*_listed(given[item.id]), *_listed(chosen)] if item.id in given else chosen
    return checked(items, given)


def checked(items: Sequence[QuestionItem], given: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return fitted(items, given)
    except Misfit as misfit:
        raise ConfigError(f"{misfit}.") from misfit


def meant(item: QuestionItem, value: str) -> Any:
    """What somebody means by it; the option of that very name comes before the one of that number."""
    options = item.options or []
    names = {option.kind for option in options} | {option.name for option in options}
    if item.many and value not in names:
        return [_option(item, part.strip(), names) for part in value.split(",") if part.strip()]
    return _option(item, value, names)


def _option(item: QuestionItem, value: str, names: set[str]) -> str:
    options = item.options or []
    if value in names or not (value.isascii() and value.isdigit()) or not options:
        return value
    if not 1 <= int(value) <= len(options):
        if item.free_text:
            return value
        raise ConfigError(f"{item.id!r} has no option {value}; there are 1 to {len(options)}.")
    return options[int(value) - 1].kind


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
