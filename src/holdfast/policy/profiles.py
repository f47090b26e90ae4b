"""Permission profiles: the built-in ones, and what a run's policy is made of.

What is always refused (refused.py) is in no profile, so that none can leave it out.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from holdfast.policy.globs import matches
from holdfast.policy.rules import parse


class Profile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Rules like `Read`, `Bash(git *)`, `Edit(src/**)`: deny beats ask, ask beats allow; what none names is asked."""

    allow: list[str] = []
    ask: list[str] = []
    deny: list[str] = []
    questions: Literal["person", "policy"] = "person"
    """Who answers an agent that asks by itself although the rules allow the call: its own settings wanted a person."""
    fallback: Literal["deny", "allow"] = "deny"
    """What counts when nobody answers in time, or nobody is there to answer."""
    description: str = ""
    """A sentence for those who choose among profiles."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What counts for one run: a profile, with the rules of the session and of its project."""

    profile: str = "standard"
    allow: list[str] = []
    ask: list[str] = []
    deny: list[str] = []
    granted: list[str] = []
    """Allowed by a person's answer: beats ask, and answers the agent's own questions too."""
    questions: Literal["person", "policy"] = "person"
    fallback: Literal["deny", "allow"] = "deny"
    unattended: bool = False
    """Nobody is there to answer: the fallback counts at once."""


# `**` is everything in the workspace and nothing outside of it, wherever links lead.
_WORKSPACE = "**"
_READS = ("Read", "Glob", "Grep", "LS", "NotebookRead")
_EDITS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
# They change only the agent's own list of what is to be done.
_TODOS = ("TodoWrite", "TodoRead", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "Think")
_COMMANDS = ("Bash", "BashOutput", "KillShell", "TaskOutput", "TaskStop")


def _in_workspace(tools: Sequence[str]) -> list[str]:
    return [f"{tool}({_WORKSPACE})" for tool in tools]


BUILT_IN: Mapping[str, Profile] = {
    # Edits outside of the workspace are named by no rule, so they are asked, like every other tool.
    "standard": Profile(
        allow=[
            *_READS,
            *_in_workspace(_EDITS),
            *_COMMANDS,
            *("WebSearch", "WebFetch", "Task", "Agent", "Skill", "ToolSearch"),
            *_TODOS,
        ],
        ask=["EnterPlanMode", "ExitPlanMode"],
        description="Works freely inside the workspace; edits outside of it and unknown tools are asked.",
    ),
    "careful": Profile(
        allow=[*_in_workspace(_READS), *_TODOS],
        description="Reads and searches the workspace by itself; everything else is asked.",
    ),
    "read_only": Profile(
        allow=[*_READS, "WebSearch", "WebFetch", *_TODOS],
        deny=[*_EDITS, "Delete", "Move", "Bash"],
        description="Reads and searches, also the web; edits and commands are denied.",
    ),
    "autonomous": Profile(
        allow=["*"],
        questions="policy",
        description="Does everything without asking, except what is always refused.",
    ),
}


def policy_for(
    name: str,
    profile: Profile,
    *,
    allow: Sequence[str],
    ask: Sequence[str],
    deny: Sequence[str],
    granted: Sequence[str],
    unattended: bool,
) -> Policy:
    """The profile, and the session's rules beside its own: they add to it and take nothing away."""
    return Policy(
        profile=name,
        allow=_merged(profile.allow, allow),
        ask=_merged(profile.ask, ask),
        deny=_merged(profile.deny, deny),
        granted=_merged(granted),
        questions=profile.questions,
        fallback=profile.fallback,
        unattended=unattended,
    )


def _merged(*rules: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(rule for some in rules for rule in some))


def check_profile(profile: Profile) -> None:
    """Raises ValueError, naming the first rule that is none."""
    for rule in (*profile.allow, *profile.ask, *profile.deny):
        parse(rule)


def tools_of(policy: Policy) -> list[str]:
    """The tools that it allows, at least in all of the workspace; not those of which it allows a part (`git *`)."""
    closed = [rule for rule in map(parse, (*policy.deny, *policy.ask)) if rule.pattern is None]
    allowed = [rule.tool for rule in map(parse, policy.allow) if rule.pattern in (None, _WORKSPACE)]
    return [tool for tool in dict.fromkeys(allowed) if not any(matches(rule.tool, tool) for rule in closed)]
