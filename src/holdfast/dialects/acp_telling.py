"""A session's log as one ACP client is told it: a fold, from the beginning of the run in which the client stands.

Rule 1: texts are told as they grow (texts.py). A final adds only what its partials have not told, so it does not matter
which of them are still there. Clients can only append: a text that broke off and was begun again is another message,
and it is said that the first one is void.
Rule 2: what came before the client joined is history: the client's own prompts are told too, and what was asked then is
asked once history is complete, if it is still open.
Rule 3: a prompt of this client is answered by the end of its run.
"""

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from holdfast import events
from holdfast.dialects import acp_asking as asking
from holdfast.dialects import acp_ends as ends
from holdfast.dialects import acp_rpc as rpc
from holdfast.dialects import acp_updates as updates
from holdfast.dialects.acp_params import EVENTS, Abilities
from holdfast.dialects.acp_place import Place, Received
from holdfast.dialects.telling import Place as TextPlace
from holdfast.dialects.texts import Piece, Texts
from holdfast.entry import Entry

Asked = events.PermissionRequest | events.Question


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """Who is told, and from where on."""

    session_id: str
    connection_id: str
    abilities: Abilities = Abilities()
    since: int = 0
    """Nothing up to here is told."""
    joined: int = 0
    """Up to here it is history."""
    load_answer: bytes | None = None
    """What is said when history has been told."""


class Open(msgspec.Struct, frozen=True):
    """Which requests are open at a point of the log: those before it that are not among them need no answer."""

    head: int = 0
    requests: Collection[str] = ()


class Telling:
    def __init__(
        self,
        listening: Listening,
        received: Received | None,
        *,
        run: int,
        still_open: Open,
        answered: Collection[str],
    ) -> None:
        """`run` is that of the first entry to come. `received` is None for who has nothing yet. `answered` are requests
        that this client has answered itself."""
        self._who = listening
        self._place = received.place if received is not None else Place(listening.since, 0)
        self._run = run - 1
        self._still_open = still_open
        self._answered = answered
        self._origin: events.Origin | None = None
        is_between = self._place.part is not None
        mark = received.mark if received is not None else ""
        self._texts = Texts(TextPlace(self._place.sequence, int(is_between), mark), runs=run - 1)
        self._open: dict[str, Asked] = {}
        self._asked: set[str] = set()

    def tell(self, entry: Entry) -> Iterator[tuple[Received, bytes]]:
        """The messages of the next entry that the client has not got, and where it stands when it has."""
        self._texts.reach(entry.sequence)
        before = self._texts.mark
        told = self._told(entry)
        for part, data in enumerate(told, start=1):
            if data is not None and not self._place.has(entry.sequence, part):
                is_last = part == len(told)
                place = Place(entry.sequence, None if is_last else part)
                yield Received(place, self._texts.mark if is_last else before), data

    def _told(self, entry: Entry) -> list[bytes | None]:
        """All messages of an entry, the same ones whenever it is told; None for one that is not needed any more."""
        sequence = entry.sequence
        is_received = sequence < self._place.sequence or (sequence == self._place.sequence and self._place.part is None)
        if sequence <= self._who.since or is_received:
            self._pass(entry)
            told: list[bytes | None] = []
        else:
            told = [*self._messages(entry)]
        if sequence == self._who.joined and not is_received:
            told += self._arrival()
        return told

    def _pass(self, entry: Entry) -> None:
        """Takes in what is not told (again)."""
        event = entry.data
        match event:
            case events.Message() | events.Thinking():
                self._texts.take(event)
            case events.AgentRetry():
                self._texts.break_off(take_back=True)
            case events.UserMessage():
                self._begin(event)
            case events.PermissionRequest() | events.Question():
                self._open[event.request_id] = event
                if entry.sequence > self._who.since:
                    self._note(event)
            case events.PermissionResolved():
                self._open.pop(event.request_id, None)
            case _:
                pass
        if entry.sequence == self._who.joined:
            for asked in self._open.values():
                self._note(asked)

    def _messages(self, entry: Entry) -> list[bytes]:
        event = entry.data
        match event:
            case events.UserMessage():
                return self._user_message(event, entry)
            case events.Message() | events.Thinking():
                return self._text(event)
            case events.AgentRetry():
                return self._retry(entry)
            case events.ToolStart():
                return [self._update(updates.tool_start(event))]
            case events.ToolComplete():
                return [self._update(updates.tool_complete(event))]
            case events.TodoUpdate():
                return [self._update(updates.plan(event))]
            case events.Usage():
                update = updates.usage(event)
                return self._as_it_is(entry) if update is None else [self._update(update)]
            case events.OutputDisplay():
                return [self._update(updates.output(event, f"{self._run}-o{entry.sequence}"))]
            case events.ProfileSwitch():
                return [self._update(updates.mode(event))]
            case events.PermissionRequest() | events.Question():
                self._open[event.request_id] = event
                is_over = entry.sequence <= self._still_open.head and not self._is_open(event)
                return [] if is_over or entry.sequence <= self._who.joined else [self._ask(event)]
            case events.PermissionResolved():
                return self._resolved(event)
            case events.End():
                return self._end(event, entry)
            case _:
                return self._as_it_is(entry)

    # Texts

    def _text(self, event: events.Message | events.Thinking) -> list[bytes]:
        told: list[bytes] = []
        for piece in self._texts.take(event):
            if piece.text:
                told.append(self._update(updates.chunk(event, _message_id(piece), piece.text)))
            elif piece.next is not None:
                told.append(self._broken_off(piece))
        return told

    def _retry(self, entry: Entry) -> list[bytes]:
        broken = [self._broken_off(piece) for piece in self._texts.break_off(take_back=True)]
        return [*broken, *self._as_it_is(entry)]

    def _broken_off(self, piece: Piece) -> bytes:
        return self._update(updates.broken_off(_message_id(piece), is_message=piece.is_message))

    # The user

    def _begin(self, event: events.UserMessage) -> None:
        self._run += 1
        self._origin = event.origin
        self._texts.begin()
        self._open.clear()

    def _user_message(self, event: events.UserMessage, entry: Entry) -> list[bytes]:
        self._begin(event)
        is_own = self._is_ours(event.origin) and entry.sequence > self._who.joined
        found = [] if is_own else updates.user_message(event, f"{self._run}-u")
        if event.resume is None:
            found.append(updates.session_info(event, entry.timestamp))
        return [self._update(update) for update in found]

    def _is_ours(self, origin: events.Origin | None) -> bool:
        return origin is not None and origin.dialect == "acp" and origin.connection == self._who.connection_id

    # Asking

    def _is_open(self, event: Asked) -> bool:
        return event.request_id in self._still_open.requests

    def _note(self, event: Asked) -> None:
        if asking.is_request(event, self._who.abilities):
            self._asked.add(event.request_id)

    def _ask(self, event: Asked) -> bytes:
        self._note(event)
        if isinstance(event, events.PermissionRequest):
            return asking.permission(self._who.session_id, event)
        return asking.question(self._who.session_id, event, self._who.abilities)

    def _resolved(self, event: events.PermissionResolved) -> list[bytes]:
        was_open = self._open.pop(event.request_id, None) is not None
        if not was_open or event.request_id not in self._asked or event.request_id in self._answered:
            return []
        return [asking.withdrawn(self._who.session_id, event.request_id)]

    def _arrival(self) -> list[bytes | None]:
        """History is complete."""
        told = [] if self._who.load_answer is None else [self._who.load_answer]
        return [*told, *(self._ask(event) if self._is_open(event) else None for event in self._open.values())]

    # Ends

    def _end(self, event: events.End, entry: Entry) -> list[bytes]:
        origin, self._origin = self._origin, None
        # In history it has been answered.
        is_awaited = self._is_ours(origin) and entry.sequence > self._who.joined
        if origin is None or origin.request is None or not is_awaited:
            return []
        return [ends.answer(origin.request, event)]

    def _update(self, update: dict[str, Any]) -> bytes:
        return rpc.notification("session/update", {"sessionId": self._who.session_id, "update": update})

    def _as_it_is(self, entry: Entry) -> list[bytes]:
        """What the protocol has no word for, for those who want to hear it all the same."""
        if not self._who.abilities.events:
            return []
        event = {"type": entry.type, "data": entry.data, "timestamp": entry.timestamp, "sequence": entry.sequence}
        return [rpc.notification(EVENTS, {"sessionId": self._who.session_id, "event": event})]


def _message_id(piece: Piece) -> str:
    return piece.name if piece.part == 1 else f"{piece.name}.{piece.part}"
