"""What an ACP agent asks of us: permissions and questions go over the desk, all else is refused.

Rule: each request gets exactly one answer, whatever happens to it: a decision, its expiry, a cancel, or the agent's
own change of mind.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from holdfast.agents import acp_wire as wire
from holdfast.agents.acp_events import Translation
from holdfast.agents.acp_permissions import Asked
from holdfast.agents.acp_questions import Elicitation
from holdfast.agents.desk import Desk
from holdfast.agents.interface import Decision, Reply
from holdfast.agents.values import as_object, as_objects, as_text, bounded
from holdfast.events import Event
from holdfast.policy import call_of

_asked = msgspec.json.Decoder(Asked).decode
_elicitation = msgspec.json.Decoder(Elicitation).decode
_NO_MESSAGE = "The agent asks something."
_AGENTS_WISH = "The rules allow this call, but the agent's own settings want a person to say so."


class Requests:
    def __init__(
        self,
        desk: Desk,
        translation: Translation,
        *,
        write: Callable[[bytes], None],
        emit: Callable[[Event], None],
        unparsed: Callable[[str], None],
        workspace: str,
        waits: Callable[[bool], None],
    ) -> None:
        self._desk = desk
        self._translation = translation
        self._write = write
        self._emit = emit
        self._unparsed = unparsed
        self._workspace = workspace
        self._waits = waits
        self._open: dict[int | str, str] = {}
        self._addresses: dict[str, int | str] = {}
        self._is_cancelled = False

    def take(self, id_: int | str, method: str, params: msgspec.Raw) -> None:
        try:
            if method == "session/request_permission":
                self._permission(id_, _asked(params))
            elif method == "elicitation/create":
                self._question(id_, _elicitation(params))
            else:
                self._write(wire.error(id_, wire.METHOD_NOT_FOUND, f"{method} is not offered by this client"))
        except wire.UNDECODABLE as error:
            self._refuse(id_, method, params, str(error))

    def _refuse(self, id_: int | str, method: str, params: msgspec.Raw, why: str) -> None:
        self._unparsed(f"{method}: {why}: {wire.shown(bytes(params))}")
        self._write(wire.error(id_, wire.INVALID_PARAMS, f"cannot be understood: {why}"))

    def notified(self, method: str, params: msgspec.Raw) -> bool:
        """What the agent says of a request of its own; false if it is about none that is open."""
        if method == "elicitation/complete":
            # The person has done what the address was for: that is the answer, whoever saw it.
            id_ = self._addresses.get(str(_object(params).get("elicitationId")))
            request_id = None if id_ is None else self._open.get(id_)
            return request_id is not None and self._desk.answer(request_id, Reply(decision="allow_once", by="agent"))
        if method == "$/cancel_request":
            withdrawn: Any = _object(params).get("requestId")
            request_id = self._open.get(withdrawn) if isinstance(withdrawn, (int, str)) else None
            self._desk.withdraw(request_id)
            return request_id is not None
        return False

    def cancel(self) -> None:
        """The turn is being cancelled: the protocol wants every request answered so, and those that still come."""
        self._is_cancelled = True
        self._desk.cancel_all()

    # Permissions

    def _permission(self, id_: int | str, asked: Asked) -> None:
        is_ours = not self._translation.is_others(asked.sessionId)
        if is_ours:
            for event in self._translation.announce(asked.toolCall):
                self._emit(event)
        tool_id = asked.toolCall.toolCallId if is_ours else ""
        tool = self._translation.called(asked.toolCall)

        def settle(decision: Decision) -> None:
            self._write(wire.result(id_, asked.result(decision)))
            if decision == "deny":
                self._translation.deny(tool_id)

        if self._is_cancelled:
            settle("cancelled")
            return
        # What a call would touch may stand in its input, beside it, or only in the change that it shows.
        places = [*as_objects(tool.locations), *as_objects(tool.content)]
        call = call_of(tool.name, tool.input, self._workspace, kind=tool.kind, locations=places)
        verdict = self._desk.judge(call, tool.name)
        if verdict.decision == "deny":
            settle("deny")
        elif verdict.decision == "allow" and (self._desk.policy.questions == "policy" or verdict.granted):
            settle("allow_once")
        else:
            request_id = self._desk.ask(
                call,
                tool_name=tool.name,
                tool_input={} if tool.input is None else bounded(tool.input),
                done=lambda reply: self._done(id_, lambda: settle(reply.decision)),
                tool_id=tool_id or None,
                title=as_text(tool.title),
                reason=verdict.reason if verdict.decision == "ask" else _AGENTS_WISH,
            )
            self._wait(id_, request_id)

    # Questions

    def _question(self, id_: int | str, asked: Elicitation) -> None:
        if not asked.is_understood:
            raise msgspec.ValidationError(f"no such mode or address: {asked.mode} {asked.url}")

        def settle(reply: Reply) -> None:
            self._write(wire.result(id_, asked.result(reply)))

        if self._is_cancelled:
            settle(Reply(decision="cancelled", by="daemon"))
            return
        request_id = self._desk.question(
            as_text(asked.message) or _NO_MESSAGE,
            asked.items,
            done=lambda reply: self._done(id_, lambda: settle(reply)),
            tool_id=asked.toolCallId,
            url=asked.url if asked.mode == "url" else None,
        )
        if asked.mode == "url" and asked.elicitationId:
            self._addresses[asked.elicitationId] = id_
        self._wait(id_, request_id)

    # Waiting

    def _wait(self, id_: int | str, request_id: str | None) -> None:
        if request_id is not None:
            self._open[id_] = request_id
            self._waits(True)

    def _done(self, id_: int | str, settle: Callable[[], None]) -> None:
        was_open = self._open.pop(id_, None) is not None
        settle()
        if was_open and not self._open:
            self._waits(False)


def _object(params: msgspec.Raw) -> dict[str, Any]:
    return as_object(msgspec.json.decode(params))
