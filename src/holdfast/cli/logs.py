"""`holdfast logs`: a session's history as text, and what follows."""

import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from holdfast.cli import documents, exits
from holdfast.cli.connect import connect
from holdfast.cli.journal import Journal, has_lines
from holdfast.cli.moments import moment
from holdfast.cli.notices import Notice, Notices
from holdfast.cli.options import GiveUpAfter, Json, Session, Token, Url
from holdfast.cli.output import consoles, say
from holdfast.cli.text import now
from holdfast.client.sync import Holdfast

LOST = {
    "lost": "Connection lost; reconnecting …",
    "back": "Connected again.",
    "reset": "The server's log is another one than before; it comes from its beginning.",
}

Envelope = dict[str, Any]
Show = Callable[[Envelope], None]
Fits = Callable[[Envelope], bool]


def logs(
    session: Session,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", metavar="", help="Go on with what happens, until the session is over.")
    ] = False,
    tail: Annotated[
        int | None, typer.Option("--tail", "-n", metavar="N", min=0, help="Only the last N events.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="TIME", help="Only since then: 2026-01-05, 2026-01-05T12:30, 2h.")
    ] = None,
    after: Annotated[int, typer.Option("--after", metavar="N", min=0, help="Only after this sequence.")] = 0,
    give_up_after: GiveUpAfter = None,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Print a session's history as text, an event a line or a few; with --json one event per line.

    Texts come whole; the pieces that they grew from are left out. `attach` shows them grow.

    Example: `holdfast logs 3f2a --tail 20 -f`
    """
    begin = None if since is None else moment("--since", since, now())
    holdfast = connect(url, token)
    record = documents.find(holdfast, session)
    session_id = str(record["session_id"])
    show = _as_json() if as_json else _as_text(session_id)
    head = after
    if tail is None:
        for page in pages(holdfast, session_id, after):
            head = page.head
            _show(page.events, begin, show)
    else:
        fits = None if as_json else has_lines
        head, events = last_events(holdfast, session_id, tail, fits, after=after, head=record["head"])
        _show(events, begin, show)
    if follow:
        raise typer.Exit(_follow(holdfast, session_id, head, show, give_up_after, is_quiet=as_json))


class Page(NamedTuple):
    events: list[Envelope]
    head: int
    """Where what comes behind it goes on."""


def pages(holdfast: Holdfast, session_id: str, after: int) -> Iterator[Page]:
    """The history after a position, page by page."""
    position: int | None = after
    while position is not None:
        page = documents.history(holdfast, session_id, position)
        position = page.get("next_after")
        yield Page(page["events"], page["head"] if position is None else position)


def last_events(
    holdfast: Holdfast, session_id: str, count: int, fits: Fits | None, *, after: int, head: int
) -> tuple[int, list[Envelope]]:
    """The last so many that fit, and where live events go on. Partials have numbers too: it may look back far."""
    width = max(50, count * 4)
    while True:
        begin = max(after, head - width)
        found: list[Envelope] = []
        stands = begin
        for page in pages(holdfast, session_id, begin):
            stands = page.head
            found = (found + [event for event in page.events if fits is None or fits(event)])[-count:] if count else []
        if len(found) >= count or begin == after:
            return stands, found
        width *= 8


def _show(events: list[Envelope], begin: datetime | None, show: Show) -> None:
    for event in events:
        if begin is None or datetime.fromisoformat(event["timestamp"]) >= begin:
            show(event)


def _follow(
    holdfast: Holdfast, session_id: str, after: int, show: Show, give_up_after: float | None, *, is_quiet: bool
) -> int:
    def notify(notice: Notice) -> None:
        if not is_quiet:
            say(LOST[notice])

    notices = Notices(notify)
    listeners: dict[str, Any] = {"on_state": notices.on_state, "on_notice": notices.on_notice}
    stream = holdfast.session(session_id).events(after, partials=False, give_up_after=give_up_after, **listeners)
    with stream as events:
        for batch in events.batches():
            for event in batch:
                envelope = msgspec.json.decode(event.raw)
                # Pieces of a text that is not finished yet come all the same; history has none of them.
                if not envelope["data"].get("is_partial"):
                    show(envelope)
            sys.stdout.flush()
    return exits.SUCCESS


def _as_text(session_id: str) -> Show:
    journal = Journal(session_id)
    out, _ = consoles()

    def show(event: Envelope) -> None:
        for line in journal.lines(event["type"], event["data"], event["timestamp"]):
            out.print(line, soft_wrap=True)

    return show


def _as_json() -> Show:
    def show(event: Envelope) -> None:
        sys.stdout.buffer.write(msgspec.json.encode(event) + b"\n")

    return show
