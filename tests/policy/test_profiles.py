"""The built-in profiles, and how the rules of a session add to one."""

from pathlib import Path
from typing import Any

import pytest

from holdfast.policy import BUILT_IN, Policy, Profile, call_of, check_profile, decide, parse, policy_for, tools_of

R181 = ["Read", "Glob", "Grep", "Edit", "Write", "Bash", "WebSearch", "WebFetch", "Task", "TodoWrite"]
TODOS = ["TodoWrite", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"]
# A call of each tool that stays in the workspace.
INSIDE: dict[str, Any] = {
    "Read": {"file_path": "a"},
    "Glob": {"pattern": "**/*.py"},
    "Grep": {"pattern": "x"},
    "Edit": {"file_path": "a"},
    "Write": {"file_path": "a"},
    "MultiEdit": {"file_path": "a"},
    "NotebookEdit": {"notebook_path": "a"},
    "Delete": {"path": "a"},
    "Move": {"source": "a", "destination": "b"},
    "Bash": {"command": "ls"},
    "WebFetch": {"url": "https://example.com"},
}
OTHERS = ["EnterPlanMode", "ExitPlanMode", "AskUserQuestion", "mcp__x__y", "SomethingNew"]


def policy(name: str, **rules: list[str]) -> Policy:
    given = {"allow": [], "ask": [], "deny": [], "granted": [], **rules}
    return policy_for(name, BUILT_IN[name], **given, unattended=False)


def decided(profile: str, tool: str, workspace: Path, given: Any = None, **rules: list[str]) -> str:
    call = call_of(tool, INSIDE.get(tool, {}) if given is None else given, str(workspace))
    return decide(policy(profile, **rules), call).decision


@pytest.mark.requirement("R181", "R183")
def test_standard_allows_its_list_and_asks_for_everything_else(tmp_path: Path) -> None:
    siblings = ["MultiEdit", "NotebookEdit", "Agent", "BashOutput", "KillShell", "Skill", "ToolSearch", *TODOS]
    for tool in [*R181, *siblings]:
        assert decided("standard", tool, tmp_path) == "allow", tool
    for tool in [*OTHERS, "Delete", "Move"]:
        assert decided("standard", tool, tmp_path) == "ask", tool


@pytest.mark.requirement("R181")
@pytest.mark.parametrize("tool", ["Edit", "Write", "MultiEdit", "NotebookEdit"])
@pytest.mark.parametrize("path", ["/opt/x", "../x", "~/x", "link/x"])
def test_standard_asks_for_edits_outside_of_the_workspace(tmp_path: Path, tool: str, path: str) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "link").symlink_to(tmp_path)
    assert decided("standard", tool, workspace, {"file_path": path}) == "ask"
    assert decided("standard", "Read", workspace, {"file_path": path}) == "allow"
    verdict = decide(policy("standard"), call_of(tool, {"file_path": path}, str(workspace)))
    assert verdict.reason == f"{tool} would reach {path!r}, outside of the workspace, so a person is asked."


@pytest.mark.requirement("R183")
def test_careful_allows_reading_in_the_workspace_and_the_agents_own_lists(tmp_path: Path) -> None:
    for tool in ["Read", "Glob", "Grep", *TODOS]:
        assert decided("careful", tool, tmp_path) == "allow", tool
    for tool in ["Edit", "Write", "Bash", "WebSearch", "WebFetch", "Task", "Agent", *OTHERS]:
        assert decided("careful", tool, tmp_path) == "ask", tool
    assert decided("careful", "Read", tmp_path, {"file_path": "/opt/x"}) == "ask"
    assert decided("careful", "Grep", tmp_path, {"pattern": "x", "path": ".."}) == "ask"
    assert decided("careful", "Glob", tmp_path, {"pattern": "../*"}) == "ask"
    assert decided("careful", "Glob", tmp_path, {"pattern": "*/../../*"}) == "ask"


@pytest.mark.requirement("R183")
def test_read_only_denies_whatever_changes_something(tmp_path: Path) -> None:
    for tool in ["Read", "Glob", "Grep", "WebSearch", "WebFetch", *TODOS]:
        assert decided("read_only", tool, tmp_path) == "allow", tool
    for tool in ["Edit", "Write", "MultiEdit", "NotebookEdit", "Delete", "Move", "Bash"]:
        assert decided("read_only", tool, tmp_path) == "deny", tool
        assert decided("read_only", tool, tmp_path, {}) == "deny", tool
        assert decided("read_only", tool, tmp_path, allow=["*"], granted=["*"]) == "deny", tool
    for tool in OTHERS:
        assert decided("read_only", tool, tmp_path) == "ask", tool
    assert decided("read_only", "Read", tmp_path, {"file_path": "/opt/x"}) == "allow"


@pytest.mark.requirement("R183")
def test_autonomous_allows_everything_and_answers_the_agents_own_questions(tmp_path: Path) -> None:
    for tool in [*INSIDE, *TODOS, *OTHERS]:
        assert decided("autonomous", tool, tmp_path) == "allow", tool
    assert decided("autonomous", "Write", tmp_path, {"file_path": "/opt/x"}) == "allow"
    assert policy("autonomous").questions == "policy"
    assert {BUILT_IN[name].questions for name in BUILT_IN if name != "autonomous"} == {"person"}
    assert {profile.fallback for profile in BUILT_IN.values()} == {"deny"}


def test_every_built_in_profile_is_a_good_one() -> None:
    assert list(BUILT_IN) == ["standard", "careful", "read_only", "autonomous"]
    for profile in BUILT_IN.values():
        check_profile(profile)


def test_a_profile_with_a_bad_rule_is_refused_with_the_rule() -> None:
    for profile in (Profile(allow=["Read", "Rea d"]), Profile(ask=["Rea d"]), Profile(deny=["Rea d"])):
        with pytest.raises(ValueError, match="'Rea d' is no rule"):
            check_profile(profile)


def test_the_rules_of_a_session_add_to_those_of_the_profile() -> None:
    profile = Profile(allow=["Read"], ask=["Edit"], deny=["Bash"], questions="policy", fallback="allow")
    made = policy_for(
        "mine",
        profile,
        allow=["Write", "Read"],
        ask=["Task"],
        deny=["Bash(x)"],
        granted=["Edit", "Edit"],
        unattended=True,
    )
    assert made == Policy(
        profile="mine",
        allow=["Read", "Write"],
        ask=["Edit", "Task"],
        deny=["Bash", "Bash(x)"],
        granted=["Edit"],
        questions="policy",
        fallback="allow",
        unattended=True,
    )


@pytest.mark.requirement("R183")
def test_the_tools_of_a_policy_are_those_that_it_allows() -> None:
    assert set(R181) <= set(tools_of(policy("standard")))
    assert "ExitPlanMode" not in tools_of(policy("standard"))
    assert "Bash" not in tools_of(policy("careful", allow=["Bash(git *)"]))
    assert "Bash" in tools_of(policy("careful", allow=["Bash"]))
    assert "Bash" not in tools_of(policy("read_only", allow=["Bash"]))
    assert "Read" not in tools_of(policy("standard", ask=["R*"]))
    assert tools_of(policy("autonomous")) == ["*"]
    for name in BUILT_IN:
        assert all(parse(tool).pattern is None for tool in tools_of(policy(name)))
