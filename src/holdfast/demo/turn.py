"""One prompt being worked on: says what happens, records it, and notices the client in between."""

from __future__ import annotations

import os
import signal

from holdfast.demo.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from holdfast.demo.rpc import Connection
    from holdfast.demo.store import Session

OVER = ("completed", "failed")


class Cancelled(Exception):
    """The client cancelled this turn."""


class Ids:
    """Ids that are distinct over the process and, by their random part, over all processes of a session."""

    def __init__(self) -> None:
        self.tag = os.urandom(3).hex()
        self._next = 1

    def reserve(self, count: int) -> int:
        first = self._next
        self._next += count
        return first

    def new(self, kind: str) -> str:
        return f"{kind}-{self.tag}-{self.reserve(1)}"


class Turn:
    def __init__(self, connection: Connection, session: Session, ids: Ids) -> None:
        self.session = session
        self.ids = ids
        self.record = Record()
        self.cancelled = False
        self._connection = connection
        self._open_calls: dict[str, None] = {}

    def update(self, update: dict[str, Any]) -> None:
        kind = update["sessionUpdate"]
        if kind == "tool_call" and update["status"] not in OVER:
            self._open_calls[update["toolCallId"]] = None
        elif kind == "tool_call_update" and update["status"] in OVER:
            self._open_calls.pop(update["toolCallId"], None)
        self.record.add(update)
        self._connection.notify("session/update", {"sessionId": self.session.id, "update": update})

    def chunk(self, kind: str, message_id: str, text: str) -> None:
        content = {"type": "text", "text": text}
        self.update({"sessionUpdate": kind, "messageId": message_id, "content": content})

    def say(self, text: str) -> None:
        """A whole message at once."""
        self.chunk("agent_message_chunk", self.ids.new("message"), text)

    def start_call(self, title: str, kind: str, raw_input: dict[str, Any], status: str, **more: Any) -> str:
        call_id = self.ids.new("call")
        named = {"toolCallId": call_id, "title": title, "kind": kind, "status": status}
        self.update({"sessionUpdate": "tool_call", **named, "rawInput": raw_input, **more})
        return call_id

    def move_call(self, call_id: str, status: str, **more: Any) -> None:
        self.update({"sessionUpdate": "tool_call_update", "toolCallId": call_id, "status": status, **more})

    def write(self, lines: bytes) -> None:
        """Says lines that were built elsewhere; recording them is left to the caller."""
        self._connection.wire.write(lines)

    def wait(self, until: float) -> None:
        """Listens until then, at least to what has come already; a cancel ends the turn."""
        while self._connection.listen(until):
            self._notice_cancel()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Asks the client and waits for its response, however long that takes."""
        number = self._connection.request(method, {"sessionId": self.session.id, **params})
        try:
            while (response := self._connection.answer(number)) is None:
                self._connection.listen(None)
                self._notice_cancel()
        finally:
            self._connection.give_up(number)
        return response

    def hang(self) -> NoReturn:
        """What the client sends is read and dropped: a full pipe would hang the client as well."""
        while True:
            self._connection.wire.next_line(None)

    @property
    def is_stubborn(self) -> bool:
        return self._connection.wire.stubborn

    def become_stubborn(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        self._connection.wire.stubborn = True

    def fail_open_calls(self) -> None:
        """So that nothing seems to be at work for ever in a turn that was cancelled."""
        for call_id in list(self._open_calls):
            self.move_call(call_id, "failed", content=text_content("Cancelled."))

    def _notice_cancel(self) -> None:
        if self.cancelled and not self.is_stubborn:
            raise Cancelled


def text_content(text: str) -> list[dict[str, Any]]:
    """The content of a tool call that is only text."""
    return [{"type": "content", "content": {"type": "text", "text": text}}]
