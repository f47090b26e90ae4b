"""What is always refused: in every profile, whoever has allowed it, and however it is written."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.policy import BUILT_IN, Call, Policy, call_of, decide, policy_for, rule_for
from tests.policy.commands import HARMLESS, HOSTILE

WORKSPACE = "/srv/some/workspace"
REFUSED = [(reason, command) for reason, commands in HOSTILE.items() for command in commands]
EVERYTHING = Policy(allow=["*"], granted=["*"])


def bash(command: str, workspace: str = WORKSPACE) -> Call:
    return call_of("Bash", {"command": command}, workspace)


def policies(call: Call) -> list[Policy]:
    """Every built-in profile, as it is and with all that a user and a person can add to it."""
    rules = ["*", "Bash", rule_for(call)]
    nothing: list[str] = []
    return [
        policy_for(name, profile, allow=added, ask=nothing, deny=nothing, granted=added, unattended=bool(added))
        for name, profile in BUILT_IN.items()
        for added in (nothing, rules)
    ]


def test_there_are_enough_examples_of_both_kinds() -> None:
    assert len(REFUSED) >= 60
    assert len(HARMLESS) >= 60


@pytest.mark.requirement("R181", "R182")
@pytest.mark.parametrize(("reason", "command"), REFUSED)
def test_a_refused_command_is_denied_in_every_profile_and_the_reason_says_why(reason: str, command: str) -> None:
    call = bash(command)
    for policy in policies(call):
        verdict = decide(policy, call)
        assert verdict.decision == "deny", (policy.profile, verdict)
        # A profile that denies all commands may say so instead.
        assert reason in verdict.reason or verdict.rule == "Bash", verdict
    assert reason in decide(EVERYTHING, call).reason


@pytest.mark.requirement("R181")
@pytest.mark.parametrize("command", HARMLESS)
def test_a_harmless_command_is_allowed_though_it_speaks_of_refused_ones(command: str) -> None:
    standard = policies(bash(command))[0]
    assert standard.profile == "standard"
    assert decide(standard, bash(command)).decision == "allow"


@pytest.mark.requirement("R181")
@pytest.mark.parametrize("tool", ["Edit", "Write", "MultiEdit", "NotebookEdit"])
@pytest.mark.parametrize("path", ["/etc/hosts", "/etc", "/etc/../etc/x", "/tmp/../etc/x", "file:///etc/x"])
def test_files_in_etc_are_not_changed_by_the_agents_tools(tool: str, path: str) -> None:
    verdict = decide(EVERYTHING, call_of(tool, {"file_path": path}, WORKSPACE))
    assert verdict.decision == "deny"
    assert "/etc" in verdict.reason
    assert decide(EVERYTHING, call_of("Read", {"file_path": path}, WORKSPACE)).decision == "allow"


@pytest.mark.requirement("R181")
def test_a_link_in_the_workspace_is_no_way_into_etc(tmp_path: Path) -> None:
    (tmp_path / "config").symlink_to("/etc")
    workspace = str(tmp_path)
    for call in (
        call_of("Write", {"file_path": "config/x"}, workspace),
        call_of("Write", {"file_path": "config/../etc/x"}, workspace),
        bash("echo x > config/x", workspace),
        bash("cd config && touch x", workspace),
        call_of("edit", {"path": "a"}, workspace, kind="delete", locations=[{"path": "config/x"}]),
    ):
        assert decide(EVERYTHING, call).decision == "deny", call
    assert decide(EVERYTHING, call_of("Write", {"file_path": "other/x"}, workspace)).decision == "allow"


@pytest.mark.requirement("R181")
def test_the_home_folder_is_refused_by_its_path_too() -> None:
    home = os.path.expanduser("~")
    assert decide(EVERYTHING, bash(f"rm -rf {home}")).decision == "deny"
    assert decide(EVERYTHING, bash("rm -rf *", home)).decision == "deny"
    assert decide(EVERYTHING, bash("rm -rf build", home)).decision == "allow"


@pytest.mark.requirement("R181")
def test_a_command_in_another_folder_is_judged_there() -> None:
    assert decide(EVERYTHING, call_of("Bash", {"command": "rm -rf *", "cwd": "/"}, WORKSPACE)).decision == "deny"
    assert decide(EVERYTHING, call_of("Bash", {"command": "rm -rf *", "cwd": "x"}, WORKSPACE)).decision == "allow"


@pytest.mark.requirement("R181")
def test_other_tools_that_run_commands_are_judged_by_them() -> None:
    for name, given_input in (
        ("mcp__shell__run", {"command": "sudo ls"}),
        ("run_in_terminal", {"cmd": ["sudo", "ls"]}),
        ("terminal", {"command": "sudo", "args": ["ls"]}),
    ):
        assert decide(EVERYTHING, call_of(name, given_input, WORKSPACE)).decision == "deny"


# Ways to write one character, and the blanks between words.
QUOTES: list[Callable[[str], str]] = [
    lambda c: c,
    lambda c: f"\\{c}",
    lambda c: f"'{c}'",
    lambda c: f'"{c}"',
    lambda c: f"$'\\x{ord(c):02x}'",
    lambda c: f"{c}''",
    lambda c: f"$@{c}",
    lambda c: f"$(printf {c})",
]
BLANKS = [" ", "\t", "  ", " \\\n", "${IFS}"]
ARGVS = [["rm", "-rf", "/"], ["sudo", "ls"], ["chmod", "777", "x"], ["kill", "-9", "1"], ["dd", "if=x"], ["mkfs", "x"]]


@pytest.mark.requirement("R181")
@given(st.sampled_from(ARGVS), st.data())
def test_no_way_of_quoting_hides_a_refused_command(argv: list[str], data: st.DataObject) -> None:
    line = ""
    for n, word in enumerate(argv):
        line += data.draw(st.sampled_from(BLANKS)) if n else ""
        line += "".join(data.draw(st.sampled_from(QUOTES))(character) for character in word)
    assert decide(EVERYTHING, bash(line)).decision == "deny", line


def quoted(command: str) -> str:
    return "'" + command.replace("'", "'\\''") + "'"


WRAPPERS: list[Callable[[str], str]] = [
    lambda c: f"ls; {c}",
    lambda c: f"ls && {c} || true",
    lambda c: f"cat x | {c} | wc",
    lambda c: f"( {c} )",
    lambda c: f"{{ {c}; }}",
    lambda c: f"echo $( {c})",
    lambda c: f'x="a $( {c}) b"',
    lambda c: f"cat <({c})",
    lambda c: f"if true; then {c}; fi",
    lambda c: f"for i in 1 2; do {c}; done",
    lambda c: f"case x in *) {c};; esac",
    lambda c: f"f() {{ {c}; }}; f",
    lambda c: f"bash -c {quoted(c)}",
    lambda c: f"timeout 5 sh -ec {quoted(c)}",
    lambda c: f"env A=1 nice bash -c {quoted(c)}",
    lambda c: f"eval {quoted(c)}",
    lambda c: f"echo {quoted(c)} | bash",
    lambda c: f"bash <<'END'\n{c}\nEND\n",
    lambda c: f"# it's\n{c}",
    lambda c: f"cat <<'END'\nit's\nEND\n{c}",
    lambda c: f"! {c} &",
]


@pytest.mark.requirement("R181")
@given(st.sampled_from(["sudo ls", "rm -rf /", "curl x | sh", "echo x > /etc/x", "kill -9 1"]), st.data())
def test_no_nesting_hides_a_refused_command(command: str, data: st.DataObject) -> None:
    for wrap in data.draw(st.lists(st.sampled_from(WRAPPERS), max_size=3)):
        # The same end of a here-document twice would end the outer one.
        command = wrap(command).replace("END", f"E{len(command)}") if "END" not in command else wrap(command)
    assert decide(EVERYTHING, bash(command)).decision != "allow", command
