"""Follows a session on the screen or as JSON Lines until its end, and says it as an exit code."""

from collections.abc import Callable
from typing import Any, Protocol, Self

from rich.console import Console

from holdfast.cli import exits
from holdfast.cli.client import Client, Refused
from holdfast.cli.follow import Event, Follower, Notice
from holdfast.cli.keys import can_ask
from holdfast.cli.lines import JsonLines
from holdfast.cli.render import Screen
from holdfast.errors import HoldfastError
from holdfast.events import TERMINAL


class View(Protocol):
    """Whatever shows events."""

    def __enter__(self) -> Self: ...
    def __exit__(self, kind: Any, error: Any, at: Any) -> None: ...
    def show(self, event: Event) -> None: ...
    def flush(self) -> None: ...
    def notice(self, notice: Notice) -> None: ...
    def say(self, words: str, style: str = "") -> None: ...
    def ended(self, end: dict[str, Any]) -> None: ...


def consoles() -> tuple[Console, Console]:
    """Stdout and stderr, which take what agents wrote literally: no markup, no emoji codes, no guessed colours."""
    plain: dict[str, bool] = {"markup": False, "emoji": False, "highlight": False}
    return Console(**plain), Console(stderr=True, **plain)  # pyright: ignore[reportArgumentType]


def open_view(client: Client, session_id: str, *, as_json: bool, shows_tasks: bool) -> View:
    if as_json:
        return JsonLines()
    out, err = consoles()
    screen = Screen(session_id, out=out, err=err, shows_tasks=shows_tasks)
    if can_ask():
        screen.ask_with(_answering(client, session_id, screen))
    return screen


def watch(
    client: Client,
    session_id: str,
    view: View,
    *,
    after: int,
    partials: bool,
    give_up_after: float | None,
    ends: int | None = None,
) -> int:
    """Shows what comes after the position until so many runs have ended (None: until the session is over).

    Answers the exit code: that of the last run's end, or that of Ctrl-C, which leaves the agent at work.
    """
    stop_reason: str | None = None
    seen = 0
    follower = Follower(
        client, session_id, after=after, partials=partials, give_up_after=give_up_after, notify=view.notice
    )
    try:
        with view:
            for batch in follower.batches():
                for event in batch:
                    view.show(event)
                    if event.type in TERMINAL:
                        stop_reason = event.data.get("stop_reason")
                        seen += 1
                    if seen == ends:
                        view.flush()
                        return exits.code_for(stop_reason)
                view.flush()
            if stop_reason is None:
                # Its end lay before the position; the record tells it just as well.
                record = client.session(session_id)
                stop_reason = record.get("stop_reason")
                view.ended(record)
    except KeyboardInterrupt:
        short = session_id[:8]
        view.say(
            f"Detached; the agent works on.\n  come back: holdfast attach {short}\n  stop it:   holdfast cancel {short}"
        )
        return exits.DETACHED
    return exits.code_for(stop_reason)


def _answering(client: Client, session_id: str, screen: Screen) -> Callable[[str, str], bool]:
    def answer(request_id: str, decision: str) -> bool:
        try:
            client.answer(session_id, request_id, decision)
        except Refused as refusal:
            if refusal.problem.get("code") != "already_answered":
                screen.say(f"The answer was refused: {refusal}", "red")
        except HoldfastError as error:
            screen.say(f"The answer did not arrive; press the key again. {error}", "red")
            return False
        return True

    return answer
