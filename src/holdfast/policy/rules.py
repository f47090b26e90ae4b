"""Rules: `Tool` or `Tool(pattern)`, what they mean, and the narrowest one for a call.

    Read, mcp__github__*              the tool, whatever it is called with
    Bash(git *), Bash(npm test:*)     a simple command; `git *` means `git` as well, `x:*` all that begins with x
    Edit(src/**), Read(~/.ssh/)       a path (see paths.py)
    WebFetch(domain:example.com)      an address (see urls.py)

Rules that allow must mean all of a call: each simple command of a line, each path. One that denies or asks need mean
only a part of it. To allow, a name must be the tool's own; to deny or ask by a path, Edit stands for every tool that
changes files and Read for every one that reads them, as nobody who closes a folder thinks of all the tools there are.
"""

import os.path
import re
from collections.abc import Sequence

import msgspec

from holdfast.policy import paths, urls
from holdfast.policy.calls import EDITS, READS, Call
from holdfast.policy.command_rules import command_is_covered, command_is_touched
from holdfast.policy.globs import PATH_SPECIAL, escaped, matches, tokens
from holdfast.policy.shell.commands import Line

_TEXT = re.compile(r"(?P<tool>(?:\\.|[^ \t\n\r\v\f()\\])+)(?P<rest>\(.*\))?", re.DOTALL)
_TOOL_SPECIAL = "\\*?() \t\n\r\v\f"


class Rule(msgspec.Struct, frozen=True):
    tool: str
    pattern: str | None = None


def parse(text: str) -> Rule:
    """Raises ValueError with a sentence that names the text."""
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no rule: it must be like `Read`, `mcp__github__*` or `Bash(git *)`.")
    rule = Rule(found["tool"], None if found["rest"] is None else found["rest"][1:-1])
    try:
        tokens(rule.tool)
        if rule.pattern is not None:
            _check(rule.tool, rule.pattern)
    except ValueError as reason:
        raise ValueError(f"{text!r} is no rule: {reason}.") from reason
    return rule


def _check(tool: str, pattern: str) -> None:
    if not pattern.strip():
        raise ValueError("nothing stands between its parentheses")
    if tool == "Bash":
        tokens(pattern)
    elif tool in READS | EDITS:
        paths.check(pattern)
    elif tool == "WebFetch":
        urls.check(pattern)
    else:
        raise ValueError(f"{tool} takes no pattern, only Bash, WebFetch and the tools with paths do")


def covers(rules: Sequence[Rule], call: Call, line: Line | None) -> Rule | None:
    """The (first) rule by which these allow the call, all of it; None if they do not."""
    mine = [rule for rule in rules if matches(rule.tool, call.tool)]
    patterns = [rule.pattern for rule in mine if rule.pattern is not None]
    bare = next((rule for rule in mine if rule.pattern is None), None)
    if bare is not None or not patterns:
        return bare
    if call.tool == "Bash":
        is_covered = line is not None and command_is_covered(patterns, line)
    elif call.tool == "WebFetch":
        is_covered = call.url is not None and any(urls.means(pattern, call.url) for pattern in patterns)
    else:
        is_covered = bool(call.paths) and all(
            any(paths.means(pattern, path, call.workspace) for pattern in patterns) for path in call.paths
        )
    if not is_covered:
        return None
    # Of several rules that together mean the call, the first that alone means it, if there is one.
    alone = (rule for rule in mine if len(mine) > 1 and covers([rule], call, line))
    return next(alone, mine[0])


def touches(rule: Rule, call: Call, line: Line | None) -> bool | None:
    """Whether the rule denies (or asks for) a part of the call; None if nobody can tell."""
    if rule.pattern is None:
        return matches(rule.tool, call.tool)
    if rule.tool == "Bash":
        if call.tool != "Bash":
            return False
        return None if line is None else command_is_touched(rule.pattern, line)
    if rule.tool == "WebFetch":
        if call.tool != "WebFetch":
            return False
        return None if call.url is None else urls.touches(rule.pattern, call.url)
    family = {"Edit": EDITS, "Read": READS}.get(rule.tool, {rule.tool})
    if call.tool not in family:
        return False
    if not call.paths:
        return None
    return any(paths.touches(rule.pattern, path, call.workspace) for path in call.paths)


def rule_for(call: Call) -> str:
    """The narrowest rule that means the call: what a person allows who allows it from now on."""
    tool = escaped(call.tool, _TOOL_SPECIAL)
    if call.tool == "Bash" and call.command is not None and call.command.strip():
        return f"{tool}({escaped(call.command.strip())})"
    if call.tool in READS | EDITS and call.paths:
        named = list(dict.fromkeys(name for path in call.paths for name in _named(path, call.workspace)))
        return f"{tool}({named[0] if len(named) == 1 else '{' + ','.join(named) + '}'})"
    if call.tool == "WebFetch" and call.url and (host := urls.host(call.url)):
        return f"{tool}(domain:{host})"
    return tool


def _named(path: str, workspace: str) -> list[str]:
    """Where a path leads, as patterns that mean it alone; from the workspace if it is in there, to be read."""
    try:
        root, places = paths.real(".", workspace), paths.places(path, workspace)
    except ValueError:
        return [escaped(path, PATH_SPECIAL)]  # no path at all, so there is nothing that it could mean
    found: list[str] = []
    for place in places:
        if paths.is_inside(place, root):
            below = os.path.relpath(place, root)
            found.append("." if below == "." else "./" + escaped(below, PATH_SPECIAL))
        else:
            found.append(escaped(place, PATH_SPECIAL))
    return found
