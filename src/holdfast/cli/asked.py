"""What agents ask of people, as lines on a terminal: all that one must see to decide, and how to answer. Pure."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.text import Text

from holdfast.cli.text import clean, describe_input, one_line, span
from holdfast.waiting import detail_of

KINDS = {"number": "a number", "boolean": "yes or no", "text": "a text"}


def headline(kind: str, request: Mapping[str, Any]) -> str:
    """In one line, for lists."""
    if kind == "question":
        return one_line(request["text"])
    return one_line(request.get("title") or f"{request['tool_name']} {detail_of(request.get('tool_input')) or ''}")


def lines(kind: str, request: Mapping[str, Any]) -> Iterator[Text]:
    """All of it; what a person allows is never cut."""
    if kind == "question":
        yield Text(f"? {clean(request['text'])}", "bold yellow")
        if request.get("url"):
            yield Text(f"    {one_line(request['url'], 4096)}")
        for item in request.get("questions", ()):
            yield from _item(item, request)
        if not request.get("questions"):
            when = " when you have been there" if request.get("url") else ""
            yield Text(f"    (nothing to fill in; say done{when})", "dim")
        return
    yield Text(f"? The agent asks for permission: {one_line(request['tool_name'])}", "bold yellow")
    if request.get("reason"):
        yield Text(f"    {clean(request['reason'])}", "dim")
    yield from (Text(f"    {line}") for line in describe_input(request.get("tool_input")).splitlines())


def _item(item: Mapping[str, Any], request: Mapping[str, Any]) -> Iterator[Text]:
    options = item.get("options") or ()
    if item["text"] != request["text"] or len(request["questions"]) > 1:
        yield Text.assemble((f"  {one_line(item['id'], 40)}: ", "bold"), clean(item["text"]))
    for number, option in enumerate(options, 1):
        about = f"  {one_line(option['description'])}" if option.get("description") else ""
        yield Text.assemble(f"    {number}  {one_line(option['name'])}", (about, "dim"))
    wanted = "one of them" if options else KINDS.get(item.get("kind", "text"), "a text")
    if options and item.get("many"):
        wanted = "any of them"
    facts = [wanted + (", or a text of your own" if options and item.get("free_text") else "")]
    if item.get("default") is not None:
        facts.append(f"default: {one_line(item['default'])}")
    if not item.get("required"):
        facts.append("may be left out")
    yield Text(f"    ({'; '.join(facts)})", "dim")


def how(session_id: str, kind: str, request: Mapping[str, Any]) -> str:
    """The command that answers it."""
    short = session_id[:8]
    if kind != "question":
        return f"holdfast answer {short} allow|session|project|deny"
    items: list[Mapping[str, Any]] = request.get("questions", [])
    if not items:
        return f"holdfast answer {short} done"
    if len(items) == 1:
        return f"holdfast answer {short} {'NUMBER' if items[0].get('options') else 'ANSWER'}"
    return f"holdfast answer {short} {' '.join(one_line(item['id'], 40) + '=…' for item in items)}"


def time_left(request: Mapping[str, Any], now: datetime) -> str:
    left = (datetime.fromisoformat(request["expires_at"]) - now).total_seconds()
    return span(max(0.0, round(left)))
