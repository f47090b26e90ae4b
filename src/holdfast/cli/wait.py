"""`holdfast wait`: blocks until runs have ended, and tells how by its exit code."""

import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from holdfast.cli import asked, complete, documents, exits
from holdfast.cli.connect import connect
from holdfast.cli.options import GiveUpAfter, Json, Token, Url
from holdfast.cli.output import print_json, print_line, say
from holdfast.client import Event, StreamInfo, StreamLost, StreamState, Unreachable
from holdfast.client.sync import EventStream, Holdfast
from holdfast.state import ACTIVE, END

Record = dict[str, Any]
# What a record takes from the end of a run.
OF_AN_END = (
    "stop_reason", "agent_stop_reason", "termination_info", "resumable", "limit", "num_turns", "duration_ms",
    "total_cost_usd", "usage", "model", "agent_session_id",
)  # fmt: skip


def wait(
    sessions: Annotated[
        list[str],
        typer.Argument(
            metavar="ID",
            show_default=False,
            autocompletion=complete.sessions,
            help="The sessions' ids, or unambiguous beginnings of them.",
        ),
    ],
    any_: Annotated[bool, typer.Option("--any", metavar="", help="Only until the first of them has ended.")] = False,
    timeout: Annotated[
        float | None,
        # At most a year: a timer takes no inf.
        typer.Option(
            "--timeout", metavar="SECONDS", min=0, max=31_536_000, help="Give up after so long (exit code 124)."
        ),
    ] = None,
    give_up_after: GiveUpAfter = None,
    url: Url = None,
    token: Token = None,
    as_json: Json = False,
) -> None:
    """Wait until sessions have ended, and print how: a line each, with id and stop reason.

    The exit code is that of the stop reason; of several the first, in the order given, that is no success. A session
    that asks something waits for its answer, and so does this.

    Example: `holdfast wait 3f2a 91c0 --timeout 600 && make deploy`
    """
    holdfast = connect(url, token)
    # Where the combined log stands before the records are read: no end can fall between the two.
    position = documents.sessions(holdfast, 1)["position"]
    records = {record["session_id"]: record for record in (documents.find(holdfast, given) for given in sessions)}
    ended = [session_id for session_id, record in records.items() if record["status"] not in ACTIVE]
    heads = {session_id: record["head"] for session_id, record in records.items() if record["status"] in ACTIVE}
    is_done = not heads or (any_ and bool(ended))
    if not is_done:
        _tell_of_asking(holdfast, set(heads), is_quiet=as_json)
        for end in _ends(holdfast, heads, position, timeout, give_up_after, is_quiet=as_json):
            records[end.session_id] = _at_end(holdfast, records[end.session_id], end)
            ended.append(end.session_id)
            is_done = any_ or len(ended) == len(records)
            if is_done:
                break
    shown = ended[:1] if any_ else [session_id for session_id in records if session_id in ended]
    _print([records[session_id] for session_id in shown], as_json=as_json)
    if not is_done:
        left = ", ".join(session_id[:8] for session_id in records if session_id not in ended)
        say(f"Not ended within {timeout:g} s: {left}.")
        raise typer.Exit(exits.TIMED_OUT)
    codes = [exits.code_for(records[session_id].get("stop_reason")) for session_id in shown]
    raise typer.Exit(next((code for code in codes if code), exits.SUCCESS))


def _ends(
    holdfast: Holdfast,
    heads: Mapping[str, int],
    position: int,
    timeout: float | None,
    give_up_after: float | None,
    *,
    is_quiet: bool,
) -> Iterator[Event]:
    """The ends of the sessions, in their order; fewer if the time is over before.

    `heads` says up to where each record is known: an end before that is of a run that nobody waits for.
    """
    open_ = dict(heads)
    over = threading.Event()

    def told(state: StreamState, info: StreamInfo) -> None:
        # A stream that is not being read yet does not notice that it is closed.
        if state == "starting" and over.is_set():
            stream.close()

    stream = holdfast.events(position, give_up_after=give_up_after, on_state=told)
    with stream as events, _limit(events, over, timeout):
        try:
            for event in events:
                if event.session_id not in open_ or event.sequence <= open_[event.session_id]:
                    continue
                if event.is_terminal:
                    del open_[event.session_id]
                    yield event
                elif not is_quiet:
                    _tell(event)
        except StreamLost as lost:
            raise Unreachable(str(lost)) from lost


def _at_end(holdfast: Holdfast, before: Record, end: Event) -> Record:
    """The record as this end left it: what is read now may already be that of a next run."""
    said = end.plain()
    record = documents.record(holdfast, end.session_id)
    if record["runs"] == before["runs"]:
        return {**record, "stop_reason": said["stop_reason"]}
    return {
        **{name: value for name, value in before.items() if name != "waiting_on"},
        "status": END.get(said["stop_reason"], "failed"),
        "head": end.sequence,
        "updated_at": end.timestamp,
        **{name: said[name] for name in OF_AN_END if name in said},
    }


@contextmanager
def _limit(events: EventStream, over: threading.Event, seconds: float | None) -> Generator[None]:
    """Ends the reading after so long; `over` says it to a reading that begins later."""
    if seconds is None:
        yield
        return

    def end() -> None:
        over.set()
        events.close()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell_of_asking(holdfast: Holdfast, sessions: set[str], *, is_quiet: bool) -> None:
    """Without an answer there will be no end: who waits must know."""
    if not is_quiet:
        for entry in documents.waiting(holdfast):
            if entry["session_id"] in sessions:
                _say_asked(entry["session_id"], entry["type"], entry["request"])


def _tell(event: Event) -> None:
    if event.type in ("permission_request", "question"):
        _say_asked(event.session_id, event.type, event.plain())


def _say_asked(session_id: str, kind: str, request: dict[str, Any]) -> None:
    say(f"{session_id[:8]} asks: {asked.headline(kind, request)}; {asked.how(session_id, kind, request)}")


def _print(records: list[Record], *, as_json: bool) -> None:
    if as_json:
        print_json({"sessions": records})
        return
    for record in records:
        print_line(f"{record['session_id']}  {record.get('stop_reason', record['status'])}")
