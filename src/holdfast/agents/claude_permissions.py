"""Claude's tool calls before the policy, and its questions before a person.

Every call passes the hook, whatever the CLI thinks of it; what the policy leaves open comes back as a request.
"""

import asyncio
from typing import Any

from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny

from holdfast.agents.claude_events import STRUCTURED_OUTPUT
from holdfast.agents.desk import ALLOWING, Desk
from holdfast.agents.interface import Reply
from holdfast.agents.stderr import plain
from holdfast.agents.values import as_objects, as_texts, bounded
from holdfast.asking import Misfit, fitted
from holdfast.events import PermissionOption, QuestionItem
from holdfast.policy import call_of

ASK = "AskUserQuestion"
# Not deeds: what they do is done by us, or by nobody.
_FREE = frozenset({ASK, STRUCTURED_OUTPUT})


class ClaudePermissions:
    def __init__(self, desk: Desk, *, cwd: str, mode: str | None) -> None:
        self._desk = desk
        self._cwd = cwd
        self._mode = mode

    async def before_tool(self, given: Any, _tool_id: str | None, _context: Any) -> Any:
        """The hook before every tool call."""
        name = str(given.get("tool_name") or "tool")
        if name in _FREE:
            return {}
        verdict = self._desk.judge(call_of(name, given.get("tool_input"), self._cwd), name)
        # As it is now: a plan that was accepted ends the mode.
        if verdict.decision == "allow" and (given.get("permission_mode") or self._mode) == "plan":
            return {}  # the mode allows less than the policy
        return {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": verdict.decision,
                "permissionDecisionReason": verdict.reason,
            }
        }

    async def can_use_tool(
        self, name: str, given: dict[str, Any], context: Any
    ) -> PermissionResultAllow | PermissionResultDeny:
        if name == ASK:
            return await self._question(given, context)
        call = call_of(name, given, self._cwd)
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        request_id = self._desk.ask(
            call,
            tool_name=name,
            tool_input=bounded(given),
            done=lambda reply: _resolve(waiting, reply),
            tool_id=context.tool_use_id,
            title=_text(context.title) or _text(context.display_name),
            reason=_text(context.decision_reason),
            editable=True,
        )
        reply = await self._wait(waiting, request_id)
        if reply.decision in ALLOWING:
            if reply.tool_input is None:
                return PermissionResultAllow(updated_input=given)
            # Another call than the one that was judged, and what the policy denies no person's answer lifts.
            verdict = self._desk.judge(call_of(name, reply.tool_input, self._cwd), name)
            if verdict.decision == "deny":
                return PermissionResultDeny(message=verdict.reason)
            return PermissionResultAllow(updated_input=reply.tool_input)
        if reply.decision == "deny":
            return PermissionResultDeny(message=reply.message or "The user denied this.")
        return PermissionResultDeny(message="The run is being stopped.", interrupt=True)

    async def _question(self, given: dict[str, Any], context: Any) -> PermissionResultAllow | PermissionResultDeny:
        items = _items(given.get("questions"))
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        request_id = self._desk.question(
            "\n".join(item.text for item in items) or "The agent asks something.",
            items,
            done=lambda reply: _resolve(waiting, reply),
            tool_id=context.tool_use_id,
        )
        reply = await self._wait(waiting, request_id)
        if reply.decision in ALLOWING:
            try:
                answers = fitted(items, reply.answers or {})
            except Misfit as misfit:
                return PermissionResultDeny(message=f"{misfit}.")
            return PermissionResultAllow(updated_input={**given, "answers": _answers(answers)})
        if reply.decision == "deny":
            return PermissionResultDeny(message=reply.message or "The user did not want to answer.")
        return PermissionResultDeny(message="The run is being stopped.", interrupt=True)

    async def _wait(self, waiting: "asyncio.Future[Reply]", request_id: str | None) -> Reply:
        try:
            return await waiting
        except asyncio.CancelledError:
            self._desk.withdraw(request_id)  # the CLI no longer wants to know
            raise


def _resolve(waiting: "asyncio.Future[Reply]", reply: Reply) -> None:
    if not waiting.done():
        waiting.set_result(reply)


def _text(value: Any) -> str | None:
    return plain(value) if isinstance(value, str) and value else None


def _items(questions: Any) -> list[QuestionItem]:
    return [
        QuestionItem(
            id=str(question.get("question", "")),
            text=plain(str(question.get("question", ""))),
            kind="choice",
            header=_text(question.get("header")),
            options=[_option(option) for option in as_objects(question.get("options"))],
            many=question.get("multiSelect") is True,
            free_text=True,  # its tool promises the model that people can always say something else
            required=True,
        )
        for question in as_objects(questions)
    ]


def _option(option: dict[str, Any]) -> PermissionOption:
    label = str(option.get("label", ""))
    return PermissionOption(kind=label, name=plain(label), description=_text(option.get("description")))


def _answers(answers: dict[str, Any]) -> dict[str, str]:
    return {
        question: ", ".join(as_texts(answer)) if isinstance(answer, list) else answer
        for question, answer in answers.items()
    }
