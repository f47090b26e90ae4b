"""What becomes of a connection, told once each to the person who watches."""

from collections.abc import Callable
from typing import Literal

from holdfast import client
from holdfast.client import StreamInfo, StreamState

Notice = Literal["lost", "back", "reset"]

# A server that is only restarted, or a connection that was only cut, is back by then: not worth a word.
_QUIET_ATTEMPTS = 2


class Notices:
    """Hears everything of a stream, and passes on what is news."""

    def __init__(self, notify: Callable[[Notice], None]) -> None:
        self._notify = notify
        self._was_told = False

    def on_state(self, state: StreamState, info: StreamInfo) -> None:
        if state == "reconnecting" and info.attempt > _QUIET_ATTEMPTS and not self._was_told:
            self._was_told = True
            self._notify("lost")
        elif state == "streaming" and self._was_told:
            self._was_told = False
            self._notify("back")

    def on_notice(self, notice: client.Notice) -> None:
        if notice.resume == "reset":
            self._notify("reset")
