"""The verdict: what beats what, and what holds for every policy and every call."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from holdfast.policy import BUILT_IN, Call, Policy, Verdict, call_of, decide, parse, rule_for
from holdfast.policy.calls import CANONICAL
from holdfast.policy.rules import covers
from holdfast.policy.shell import take_apart
from tests.policy.commands import HARMLESS, HOSTILE

HERE = "/srv/workspace"
RANK = {"deny": 0, "ask": 1, "allow": 2}


def bash(command: str | None) -> Call:
    return call_of("Bash", {"command": command}, HERE)


def test_deny_beats_granted_beats_ask_beats_allow() -> None:
    def decision(**rules: list[str]) -> str:
        return decide(Policy(**rules), bash("git push")).decision

    assert decision() == "ask"
    assert decision(allow=["Bash"]) == "allow"
    assert decision(allow=["Bash"], ask=["Bash(git push)"]) == "ask"
    assert decision(allow=["Bash"], ask=["Bash(git push)"], granted=["Bash(git push)"]) == "allow"
    assert decision(granted=["Bash(git push)"]) == "allow"
    assert decision(granted=["Bash(git push)"], deny=["Bash(git push *)"]) == "deny"
    assert decision(allow=["Bash"], granted=["Bash"], deny=["*"]) == "deny"


def test_a_verdict_says_why_and_by_which_rule() -> None:
    policy = Policy(profile="mine", allow=["Bash(a *)"], ask=["Bash(b)"], deny=["Bash(c)"], granted=["Bash(d)"])
    assert decide(policy, bash("a x")) == Verdict(
        decision="allow", reason="The rule `Bash(a *)` allows this call.", rule="Bash(a *)"
    )
    assert decide(policy, bash("b")) == Verdict(
        decision="ask",
        reason="The rule `Bash(b)` of the permission profile `mine` asks a person first.",
        rule="Bash(b)",
    )
    assert decide(policy, bash("c")) == Verdict(
        decision="deny", reason="The rule `Bash(c)` of the permission profile `mine` denies this call.", rule="Bash(c)"
    )
    assert decide(policy, bash("d")) == Verdict(
        decision="allow", reason="A person has allowed `Bash(d)`.", rule="Bash(d)", granted=True
    )
    assert decide(policy, bash("e")) == Verdict(
        decision="ask",
        reason="No rule of the permission profile `mine` allows this call of Bash, so a person is asked.",
    )


def test_what_a_person_granted_and_what_the_rules_allow_may_together_mean_a_line() -> None:
    policy = Policy(allow=["Bash(a)"], granted=["Bash(b)"])
    both = decide(policy, bash("a && b"))
    assert (both.decision, both.granted) == ("allow", False)
    assert decide(policy, bash("a && b && c")).decision == "ask"


@pytest.mark.parametrize("policy", [Policy(allow=["*"]), Policy(allow=["*"], granted=["*"])])
def test_what_cannot_be_looked_at_is_asked_even_where_everything_is_allowed(policy: Policy) -> None:
    for call in (
        bash(None),
        bash("echo 'x"),
        bash("echo $(x"),
        bash("ls !(x)"),
        call_of("mcp__shell__run", {"command": "echo 'x"}, HERE),
        call_of("Edit", {}, HERE),
        call_of("Write", {"file_path": "a\0b"}, HERE),
    ):
        verdict = decide(policy, call)
        assert verdict.decision == "ask", call
        assert verdict.reason.endswith("a person is asked.")
    assert decide(Policy(allow=["*"], deny=["Bash(git push)"]), bash("git $x")).decision == "ask"
    assert decide(Policy(allow=["*"], ask=["Bash(git push)"]), bash("git $x")).decision == "ask"
    assert decide(Policy(allow=["*"], deny=["Bash"]), bash(None)).decision == "deny"
    assert decide(Policy(allow=["*"], deny=["Bash"]), bash("echo 'x")).decision == "deny"


def test_a_rule_that_is_none_allows_nothing_and_makes_a_denial_of_nothing() -> None:
    assert decide(Policy(allow=["Bash(", "Bash"]), bash("ls")).decision == "allow"
    assert decide(Policy(allow=["Bash("]), bash("ls")).decision == "ask"
    assert decide(Policy(allow=["Bash"], ask=["Bash("]), bash("ls")).decision == "ask"
    assert decide(Policy(allow=["Bash"], deny=["Bash("]), bash("ls")).decision == "ask"
    assert decide(Policy(allow=["Bash"], deny=["Bash(", "Bash"]), bash("ls")).decision == "deny"


# Calls and rules that have something to do with each other, now and then.
WORDS = st.sampled_from(["git", "push", "ls", "-l", "rm", "-rf", "/", "x", "$x", "'a b'", "sudo", "bash -c 'ls; x'"])
JOINTS = st.sampled_from([" ", " ", " ", "; ", " && ", " | ", "\n", " > ", " $(", ") ", "' ", ' "'])
COMMANDS = st.one_of(
    st.sampled_from(HARMLESS),
    st.sampled_from([command for some in HOSTILE.values() for command in some]),
    st.lists(st.tuples(WORDS, JOINTS), max_size=6).map(lambda parts: "".join(a + b for a, b in parts)),
    st.text(max_size=20),
)
PATHS = st.one_of(
    st.sampled_from(["a", "src/a.py", "../a", "/etc/x", "/opt/x", "~/x", "", "*", "{a,b}"]), st.text(max_size=8)
)
URLS = st.one_of(st.sampled_from(["https://a.org/x", "http://b.a.org", "https://x\\@a.org", "a"]), st.text(max_size=8))
NAMES = st.one_of(
    st.sampled_from(sorted(CANONICAL)), st.sampled_from(["mcp__a__b", "Delete", "own"]), st.text(max_size=6)
)
KINDS = st.sampled_from(
    [None, "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other", "?"]
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), COMMANDS, PATHS, URLS)
KEYS = st.sampled_from(
    ["command", "cmd", "args", "cwd", "file_path", "path", "edits", "locations", "changes", "url", "pattern", "x"]
)
JSON = st.recursive(
    SCALARS, lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below, max_size=4), max_leaves=8
)
INPUTS = st.one_of(
    JSON,
    st.fixed_dictionaries({"command": COMMANDS}),
    st.fixed_dictionaries({"file_path": PATHS}),
    st.fixed_dictionaries({"url": URLS}),
)
RULES = st.sampled_from(
    [
        *("*", "Bash", "Edit", "Read", "WebFetch", "mcp__*", "Delete", "own", "Write(**)", "Edit(**)", "Edit(src/**)"),
        *(
            "Bash(git *)",
            "Bash(git push)",
            "Bash(ls:*)",
            "Bash(*)",
            "Bash(rm *)",
            "Bash(x)",
            "Bash(*x*)",
            "Read(/etc/**)",
        ),
        *("Edit(/opt/)", "Write(a)", "WebFetch(domain:a.org)", "WebFetch(https://a.org/*)", "Bash(", "no rule", ""),
    ]
)
LISTS = st.lists(RULES, max_size=3)


@st.composite
def calls(draw: st.DrawFn) -> Call:
    return call_of(draw(NAMES), draw(INPUTS), HERE, kind=draw(KINDS), locations=draw(st.none() | JSON))


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    base = draw(st.sampled_from([*BUILT_IN.values()]))
    return Policy(
        allow=[*base.allow, *draw(LISTS)],
        ask=[*base.ask, *draw(LISTS)],
        deny=[*base.deny, *draw(LISTS)],
        granted=draw(LISTS),
    )


def more(policy: Policy, **rules: list[str]) -> Policy:
    lists: dict[str, Any] = {name: [*getattr(policy, name), *added] for name, added in rules.items()}
    return Policy(**{name: lists.get(name, getattr(policy, name)) for name in ("allow", "ask", "deny", "granted")})


@pytest.mark.requirement("R181", "R182")
@given(policies(), calls())
def test_every_call_gets_a_verdict_with_a_sentence(policy: Policy, call: Call) -> None:
    verdict = decide(policy, call)
    assert verdict.decision in RANK
    assert verdict.reason.endswith(".")
    assert parse(rule_for(call)) if call.tool else True


@pytest.mark.requirement("R182")
@given(policies(), calls(), LISTS, LISTS)
def test_no_rule_that_is_added_lifts_a_denial(policy: Policy, call: Call, allow: list[str], granted: list[str]) -> None:
    added = more(policy, allow=["*", *allow], granted=["*", *granted])
    if decide(policy, call).decision == "deny":
        assert decide(added, call).decision == "deny"


@pytest.mark.requirement("R182")
@given(policies(), calls(), RULES)
def test_to_forbid_more_never_allows_more(policy: Policy, call: Call, rule: str) -> None:
    before = RANK[decide(policy, call).decision]
    assert RANK[decide(more(policy, deny=[rule]), call).decision] <= before
    assert RANK[decide(more(policy, ask=[rule]), call).decision] <= before


@given(policies(), calls(), LISTS)
def test_to_allow_more_never_forbids_more(policy: Policy, call: Call, rules: list[str]) -> None:
    before = RANK[decide(policy, call).decision]
    assert RANK[decide(more(policy, allow=rules), call).decision] >= before
    assert RANK[decide(more(policy, granted=rules), call).decision] >= before


def means(rule: str, call: Call) -> bool:
    line = take_apart(call.command, call.workspace) if call.command is not None else None
    return covers([parse(rule)], call, line) is not None


@given(calls())
def test_the_rule_for_a_call_means_that_call(call: Call) -> None:
    # The system takes no such text for a path, so no rule can be about it.
    assume(not any("\0" in path or not path.isprintable() for path in call.paths))
    assert means(rule_for(call), call)


@given(
    COMMANDS, st.sampled_from(["; rm -rf y", " && rm -rf y", " | rm -rf y", "\nrm -rf y", " & rm -rf y", " $(rm y)"])
)
def test_the_rule_for_a_command_does_not_mean_that_command_with_more_after_it(command: str, added: str) -> None:
    assume(command.strip() and take_apart(command, HERE).commands)
    assert not means(rule_for(bash(command)), bash(command + added))


@given(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), st.lists(RULES, max_size=3))
def test_a_line_is_allowed_by_patterns_only_if_each_of_its_parts_is(line: str, rules: list[str]) -> None:
    patterns = [rule for rule in rules if rule.startswith("Bash(") and rule.endswith(")")]
    policy = Policy(allow=patterns)
    both = decide(policy, bash(f"{line}; ls -l"))
    each = [decide(policy, bash(part)).decision for part in (line, "ls -l")]
    if both.decision == "allow":
        assert each == ["allow", "allow"]
