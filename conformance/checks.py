"""What came, compared with what should have come; each difference is told as one sentence."""

import json
from collections import Counter
from typing import Any

from conformance.steps import Expect

Event = dict[str, Any]
SHOWN = 300


class Failed(Exception):
    """What a case expects did not happen."""


def is_partial(event: Event) -> bool:
    return event["data"].get("is_partial") is True


def has(found: Any, wanted: Any, where: str) -> None:
    """Raises Failed unless everything that is wanted is there; a mapping may have more."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name, value in wanted.items():
            if name not in found:
                raise Failed(f"{where} has no {name}: {shown(found)}")
            has(found[name], value, f"{where}.{name}")
    elif found != wanted or isinstance(found, bool) != isinstance(wanted, bool):
        raise Failed(f"{where} is {shown(found)}, not {shown(wanted)}")


def same(found: list[Event], wanted: list[Event], what: str) -> None:
    """Raises Failed, naming the first event that is not as it should be."""
    for number, (one, other) in enumerate(zip(found, wanted, strict=False)):
        if one != other:
            raise Failed(f"{what}: event {number} is {shown(one)}, not {shown(other)}")
    if len(found) != len(wanted):
        which, rest = (
            ("missing", wanted[len(found) :]) if len(found) < len(wanted) else ("too many", found[len(wanted) :])
        )
        raise Failed(f"{what}: {len(rest)} of {len(wanted)} {which}, beginning with {shown(rest[0])}")


def each_once(events: list[Event], place: str, *, resets: int) -> None:
    """Positions only rise; after a reset they begin anew, once for each."""
    before = 0
    for event in events:
        position = event[place]
        if position <= before:
            resets -= 1
            if resets < 0:
                raise Failed(f"the event {position} came behind {before}")
        before = position


def received(expect: Expect, events: list[Event], notices: list[dict[str, Any]]) -> None:
    """Everything that can be said without the log."""
    if expect.sequences is not None and (numbers := [event["sequence"] for event in events]) != expect.sequences:
        raise Failed(f"the sequences are {numbers}, not {expect.sequences}")
    counted = Counter(event["type"] for event in events)
    for type_, times in expect.types.items():
        if counted[type_] != times:
            raise Failed(f"{counted[type_]} events are {type_}, not {times}: {dict(counted)}")
    for wanted, at, name in ((expect.first, 0, "the first event"), (expect.last, -1, "the last event")):
        if wanted:
            if not events:
                raise Failed(f"{name} is missing: none came")
            has(events[at], wanted, name)
    if expect.text is not None:
        _said(expect.text, events)
    if expect.notices is not None:
        said = [told(notice) for notice in notices if notice.get("resume") != "ok"]
        # A server that is about to stop may say so again to who comes back at once.
        found = [said[n] for n in range(len(said)) if n == 0 or said[n] != said[n - 1]]
        if found != expect.notices:
            raise Failed(f"the stream said {found} of itself, not {expect.notices}")


def _said(text: str, events: list[Event]) -> None:
    messages = [event for event in events if event["type"] == "message"]
    finals = "\n".join(event["data"].get("full_text", "") for event in messages if not is_partial(event))
    if text not in finals:
        raise Failed(f"the messages do not say {text!r}: {shown(finals)}")
    partials = "".join(event["data"]["text"] for event in messages if is_partial(event))
    if partials and text not in partials:
        raise Failed(f"the partials do not say {text!r}: {shown(partials)}")


def told(notice: dict[str, Any]) -> str:
    """The one word that cases have for what a stream says of itself."""
    return "closing" if "closing" in notice else str(notice.get("resume"))


def shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
