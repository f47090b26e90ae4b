"""The verdict on one call: allow, ask or deny, and why.

Rule 1: what is always refused comes first, then deny, then what a person has granted, then ask, then allow.
Rule 2: what cannot be checked is never allowed. It is asked, or denied if something that can be checked denies it.
"""

from collections.abc import Callable, Iterable
from typing import Literal, TypeVar

import msgspec

from holdfast.policy import paths
from holdfast.policy.calls import EDITS, Call
from holdfast.policy.profiles import Policy
from holdfast.policy.refused import refusal
from holdfast.policy.rules import Rule, covers, parse, touches
from holdfast.policy.shell import take_apart
from holdfast.policy.shell.commands import Line

_Value = TypeVar("_Value")


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    decision: Literal["allow", "ask", "deny"]
    reason: str
    """One sentence, for a person and for the agent."""
    rule: str | None = None
    """The rule that decided, if one did."""
    granted: bool = False
    """Whether a person's earlier answer allows it, all of it."""


class _Failed(msgspec.Struct, frozen=True):
    """A check that raised: whatever it would have found counts as possible."""


def decide(policy: Policy, call: Call) -> Verdict:
    """Never raises, and never allows what it could not look at."""
    verdict = _tried(lambda: _decide(policy, call))
    if isinstance(verdict, _Failed):
        return _ask("The policy could not check this call, so a person is asked.")
    return verdict


def _decide(policy: Policy, call: Call) -> Verdict:
    line = None if call.command is None else _line(call.command, call.workspace)
    refused = _tried(lambda: refusal(call, line))
    if isinstance(refused, str):
        return Verdict(decision="deny", reason=refused)
    denied, is_vague = _touched(policy.deny, call, line)
    if denied is not None:
        reason = f"The rule `{denied}` of the permission profile `{policy.profile}` denies this call."
        return Verdict(decision="deny", reason=reason, rule=denied)
    doubt = _doubt(call, line)
    if doubt is None and (is_vague or isinstance(refused, _Failed)):
        doubt = "It cannot be told whether a rule denies this call, so a person is asked."
    if doubt is not None:
        return _ask(doubt)
    granted = _covering(policy.granted, call, line)
    if granted is not None:
        return Verdict(decision="allow", reason=f"A person has allowed `{granted}`.", rule=granted, granted=True)
    asked, is_vague = _touched(policy.ask, call, line)
    if asked is not None:
        return _ask(f"The rule `{asked}` of the permission profile `{policy.profile}` asks a person first.", asked)
    if is_vague:
        return _ask("It cannot be told whether a rule asks for a person, so one is asked.")
    allowed = _covering([*policy.allow, *policy.granted], call, line)
    if allowed is not None:
        return Verdict(decision="allow", reason=f"The rule `{allowed}` allows this call.", rule=allowed)
    return _ask(_unnamed(policy, call))


def _line(command: str, workspace: str) -> Line:
    line = _tried(lambda: take_apart(command, workspace))
    return Line(text=command, commands=[], seen=[], trouble="it cannot be read") if isinstance(line, _Failed) else line


def _ask(reason: str, rule: str | None = None) -> Verdict:
    return Verdict(decision="ask", reason=reason, rule=rule)


def _doubt(call: Call, line: Line | None) -> str | None:
    """Why not even what is always refused can be excluded."""
    if line is not None and line.trouble is not None:
        return f"The command line cannot be checked, because {line.trouble}, so a person is asked."
    if call.tool == "Bash" and line is None:
        return "The agent does not say which command it would run, so a person is asked."
    if call.tool in EDITS and not call.paths:
        return "The agent does not say which file it would change, so a person is asked."
    return None


def _unnamed(policy: Policy, call: Call) -> str:
    for path in call.paths:
        if not all(
            paths.is_inside(place, paths.real(".", call.workspace)) for place in paths.places(path, call.workspace)
        ):
            return f"{call.tool} would reach {path!r}, outside of the workspace, so a person is asked."
    return (
        f"No rule of the permission profile `{policy.profile}` allows this call of {call.tool}, so a person is asked."
    )


def _touched(rules: Iterable[str], call: Call, line: Line | None) -> tuple[str | None, bool]:
    """The first rule that means a part of the call; if none does, whether one might."""
    is_vague = False
    for text in rules:
        found = _tried(lambda text=text: touches(parse(text), call, line))
        if found is True:
            return text, False
        is_vague = is_vague or found is not False
    return None, is_vague


def _covering(rules: Iterable[str], call: Call, line: Line | None) -> str | None:
    known: dict[Rule, str] = {}
    for text in rules:
        rule = _tried(lambda text=text: parse(text))
        if isinstance(rule, Rule):
            known.setdefault(rule, text)
    found = _tried(lambda: covers(list(known), call, line))
    return known[found] if isinstance(found, Rule) else None


def _tried(check: Callable[[], _Value]) -> _Value | _Failed:
    """An input that no one thought of must not get its way by breaking a check."""
    try:
        return check()
    except Exception:
        return _Failed()
