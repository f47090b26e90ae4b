"""Follows a session on the screen or as JSON Lines until its end, and says it as an exit code."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, Self

from holdfast.cli import documents, exits
from holdfast.cli.keys import can_ask
from holdfast.cli.lines import JsonLines
from holdfast.cli.notices import Notice, Notices
from holdfast.cli.output import consoles
from holdfast.client import AlreadyAnswered, Event, Refused, StreamLost, Unreachable
from holdfast.client.sync import Holdfast
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.cli.render import Screen


class View(Protocol):
    """Whatever shows events."""

    def __enter__(self) -> Self: ...
    def __exit__(self, kind: Any, error: Any, at: Any) -> None: ...
    def show(self, event: Event) -> None: ...
    def flush(self) -> None: ...
    def notice(self, notice: Notice) -> None: ...
    def say(self, words: str, style: str = "") -> None: ...
    def ended(self, end: dict[str, Any]) -> None: ...


def open_view(holdfast: Holdfast, session_id: str, *, as_json: bool, shows_tasks: bool) -> View:
    if as_json:
        return JsonLines()
    # Imported here because of its parser of Markdown, which takes longer than most commands.
    from holdfast.cli.render import Screen

    out, err = consoles()
    screen = Screen(session_id, out=out, err=err, shows_tasks=shows_tasks)
    if can_ask():
        screen.ask_with(_answering(holdfast, session_id, screen))
    return screen


def watch(
    holdfast: Holdfast,
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
    notices = Notices(view.notice)
    events = holdfast.session(session_id).events(
        after,
        partials=partials,
        give_up_after=give_up_after,
        on_state=notices.on_state,
        on_notice=notices.on_notice,
    )
    try:
        with view, events:
            for batch in events.batches():
                for event in batch:
                    view.show(event)
                    if event.is_terminal:
                        stop_reason = event.plain().get("stop_reason")
                        seen += 1
                    if seen == ends:
                        view.flush()
                        return exits.code_for(stop_reason)
                view.flush()
            if stop_reason is None:
                # Its end lay before the position; the record tells it just as well.
                record = documents.record(holdfast, session_id)
                stop_reason = record.get("stop_reason")
                view.ended(record)
    except KeyboardInterrupt:
        short = session_id[:8]
        view.say(
            f"Detached; the agent works on.\n  come back: holdfast attach {short}\n  stop it:   holdfast cancel {short}"
        )
        return exits.DETACHED
    except StreamLost as lost:
        raise Unreachable(str(lost)) from lost
    return exits.code_for(stop_reason)


def _answering(holdfast: Holdfast, session_id: str, screen: "Screen") -> Callable[[str, str], bool]:
    def answer(request_id: str, decision: str) -> bool:
        try:
            documents.answer(holdfast, session_id, request_id, {"decision": decision})
        except AlreadyAnswered:
            pass  # by somebody else; the log tells by whom
        except Refused as refusal:
            screen.say(f"The answer was refused: {refusal}", "red")
        except HoldfastError as error:
            screen.say(f"The answer did not arrive; press the key again. {error}", "red")
            return False
        return True

    return answer
