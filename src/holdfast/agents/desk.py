"""Where an agent's requests are answered: by the policy, by a person, or by time. Each exactly once.

Rule 1: the policy comes first, and what it denies nobody is asked about.
Rule 2: an agent never hangs on a request: it expires, and with nobody there the fallback counts at once.
Rule 3: every denial is told, to the agent and in the log.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from holdfast import events
from holdfast.agents.interface import Decision, Reply
from holdfast.events import Event, PermissionOption, QuestionItem
from holdfast.policy import Call, Policy, Verdict, decide, rule_for
from holdfast.policy.calls import EDITS, READS
from holdfast.times import timestamp

OPTIONS = [
    PermissionOption(kind="allow_once", name="Allow once"),
    PermissionOption(kind="allow_session", name="Allow for this session"),
    PermissionOption(kind="allow_project", name="Allow for this project"),
    PermissionOption(kind="deny", name="Deny"),
]
ALLOWING: frozenset[Decision] = frozenset({"allow_once", "allow_session", "allow_project"})
_NOBODY = "Nobody is there to answer, so the profile's fallback counts."
_EXPIRED = "Nobody answered in time, so the profile's fallback counts."

Done = Callable[[Reply], None]


class _Open(msgspec.Struct):
    done: Done
    expiry: asyncio.TimerHandle
    tool_name: str
    rule: str | None
    is_question: bool = False


class Desk:
    def __init__(
        self, emit: Callable[[Event], None], policy: Policy, *, now_ms: Callable[[], int], ttl_s: float
    ) -> None:
        self._emit = emit
        self._now_ms = now_ms
        self._ttl_s = ttl_s
        self._open: dict[str, _Open] = {}
        self.policy = policy

    def judge(self, call: Call, tool_name: str) -> Verdict:
        """What the policy says to a call; a denial is told in the log."""
        verdict = decide(self.policy, call)
        if verdict.decision == "deny":
            self.tell_denial(tool_name, verdict.reason)
        return verdict

    def tell_denial(self, tool_name: str, message: str) -> None:
        self._emit(events.HookTriggered(hook_event="PreToolUse", tool_name=tool_name, decision="deny", message=message))

    def ask(
        self,
        call: Call,
        *,
        tool_name: str,
        tool_input: Any,
        done: Done,
        tool_id: str | None = None,
        title: str | None = None,
        reason: str | None = None,
        editable: bool = False,
    ) -> str | None:
        """Asks a person; `done` is called once with the reply. Answers the request's id; None if nobody was asked."""
        if self.policy.unattended:
            self._settle(done, tool_name, self._fallback(_NOBODY, "policy"))
            return None
        request_id, rule, expires_at = _new_id(), _rule_for(call), self._expires_at()
        self._open[request_id] = _Open(done, self._expiry(request_id), tool_name, rule)
        self._emit(
            events.PermissionRequest(
                request_id=request_id,
                tool_name=tool_name,
                tool_input=tool_input,
                options=OPTIONS,
                expires_at=expires_at,
                tool_id=tool_id,
                title=title,
                reason=reason,
                rule=rule,
                editable=editable,
            )
        )
        return request_id

    def question(
        self,
        text: str,
        items: Sequence[QuestionItem],
        *,
        done: Done,
        tool_id: str | None = None,
        url: str | None = None,
    ) -> str | None:
        """Puts an agent's own questions to a person."""
        if self.policy.unattended:
            done(Reply(decision="deny", by="policy", message=_NOBODY))
            return None
        request_id, expires_at = _new_id(), self._expires_at()
        self._open[request_id] = _Open(done, self._expiry(request_id), "question", None, is_question=True)
        self._emit(
            events.Question(
                request_id=request_id,
                text=text,
                questions=list(items),
                expires_at=expires_at,
                tool_id=tool_id,
                url=url,
            )
        )
        return request_id

    def answer(self, request_id: str, reply: Reply) -> bool:
        """False if the request is not open (any more)."""
        asked = self._open.pop(request_id, None)
        if asked is None:
            return False
        asked.expiry.cancel()
        # What was changed before it was allowed is another call than the rule's.
        lasts = reply.decision in ("allow_session", "allow_project") and reply.tool_input is None
        rule = asked.rule if lasts else None
        if rule is not None and rule not in self.policy.granted:
            self.policy = msgspec.structs.replace(self.policy, granted=[*self.policy.granted, rule])
        self._emit(
            events.PermissionResolved(
                request_id=request_id,
                decision=reply.decision,
                by=reply.by,
                message=reply.message,
                rule=rule,
                tool_input=reply.tool_input,
                answers=reply.answers,
            )
        )
        if asked.is_question:
            asked.done(reply)
        else:
            self._settle(asked.done, asked.tool_name, reply)
        return True

    def withdraw(self, request_id: str | None) -> None:
        """The agent no longer waits for this one."""
        if request_id is not None:
            self.answer(request_id, Reply(decision="cancelled", by="agent"))

    def cancel_all(self) -> None:
        """The turn is being cancelled, and what it asked with it."""
        for request_id in list(self._open):
            self.answer(request_id, Reply(decision="cancelled", by="daemon"))

    def _settle(self, done: Done, tool_name: str, reply: Reply) -> None:
        if reply.decision == "deny":
            self.tell_denial(tool_name, reply.message or f"Denied by {reply.by}.")
        done(reply)

    def _fallback(self, message: str, by: str) -> Reply:
        decision: Decision = "allow_once" if self.policy.fallback == "allow" else "deny"
        return Reply(decision=decision, by=by, message=message)

    def _expiry(self, request_id: str) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._ttl_s, self._expire, request_id)

    def _expire(self, request_id: str) -> None:
        asked = self._open.get(request_id)
        if asked is not None and asked.is_question:
            self.answer(request_id, Reply(decision="deny", by="expiry", message="Nobody answered in time."))
        else:
            self.answer(request_id, self._fallback(_EXPIRED, "expiry"))

    def _expires_at(self) -> str:
        """To be asked before the timer is set: nothing expires before the time that was announced."""
        return timestamp(self._now_ms() + int(self._ttl_s * 1000))


def _rule_for(call: Call) -> str | None:
    """None if the agent does not say what it would touch: a rule for that would allow everything."""
    has_pattern = call.tool in ("Bash", "WebFetch") or call.tool in READS | EDITS
    return rule_for(call) if not has_pattern or call.command or call.paths or call.url else None


def _new_id() -> str:
    return os.urandom(16).hex()
