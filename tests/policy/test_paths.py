"""Path patterns: relative to the workspace, and by where links really lead."""

import os
from pathlib import Path

import pytest

from holdfast.policy import Call, call_of, parse
from holdfast.policy.rules import covers, touches


def edit(path: str, workspace: Path | str) -> Call:
    return call_of("Edit", {"file_path": path}, str(workspace))


def allows(rule: str, call: Call) -> bool:
    return covers([parse(rule)], call, None) is not None


def forbids(rule: str, call: Call) -> bool | None:
    return touches(parse(rule), call, None)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    (folder / "src" / "deep").mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**", "a"),
        ("**", "src/deep/a.py"),
        ("src/**", "src/a.py"),
        ("src/**", "src/deep/a.py"),
        ("src/**", "src"),
        ("src/", "src/deep/a.py"),
        ("./src/*", "src/a.py"),
        ("src/../src/*", "src/a.py"),
        ("src/**/a.py", "src/a.py"),
        ("src/**/a.py", "src/x/y/a.py"),
        ("*.py", "a.py"),
        ("*.py", "src/deep/a.py"),
        (".env", "src/.env"),
        ("src/?.py", "src/a.py"),
        ("src/*.{py,toml}", "src/a.toml"),
        ("app/[id]/page.tsx", "app/[id]/page.tsx"),
        ("a\\*", "a*"),
        ("src/*", "src/../src/./a.py"),
        ("../beside/**", "../beside/x"),
    ],
)
def test_a_pattern_means_paths_from_the_workspace(workspace: Path, pattern: str, path: str) -> None:
    for call in (edit(path, workspace), edit(str(workspace / path), workspace)):
        assert allows(f"Edit({pattern})", call)
        assert forbids(f"Edit({pattern})", call) is True


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("**", "../x"),
        ("**", "/x"),
        ("**", "~/x"),
        ("**", "src/../../x"),
        ("src/*", "src/deep/a.py"),
        ("src/**", "srcx/a.py"),
        ("src/**", "src/../a.py"),
        ("./*.py", "src/a.py"),
        ("*.py", "../a.py"),
        ("a\\*", "ab"),
        ("src", "src/a.py"),
    ],
)
def test_a_pattern_means_no_other_paths(workspace: Path, pattern: str, path: str) -> None:
    assert not allows(f"Edit({pattern})", edit(path, workspace))
    assert forbids(f"Edit({pattern})", edit(path, workspace)) is False


def test_a_pattern_may_be_absolute_or_in_the_home_folder(workspace: Path) -> None:
    assert allows("Edit(/opt/**)", edit("/opt/x/y", workspace))
    assert not allows("Edit(/opt/**)", edit("/opt/../y", workspace))
    assert allows("Edit(~/notes/**)", edit("~/notes/x", workspace))
    assert allows("Edit(~/notes/**)", edit(os.path.expanduser("~/notes/x"), workspace))
    assert allows(f"Edit({workspace}/**)", edit("src/a.py", workspace))
    assert allows("Edit(/**)", edit("/x", workspace))


def test_a_link_does_not_lead_an_allowed_path_out_of_the_workspace(workspace: Path) -> None:
    outside = workspace.parent / "outside"
    outside.mkdir()
    (workspace / "link").symlink_to(outside)
    (workspace / "file").symlink_to(outside / "x")
    for path in ("link/x", "link", "file", "link/deep/x", "src/../link/x"):
        assert not allows("Edit(**)", edit(path, workspace))
        assert not allows("Edit(link/**)", edit(path, workspace))
    assert allows(f"Edit({outside}/**)", edit("link/x", workspace))
    # Outside of the workspace, links are the machine's own.
    (workspace.parent / "way").symlink_to(outside)
    assert allows(f"Edit({workspace.parent}/way/**)", edit(str(outside / "x"), workspace))


def test_two_readings_of_a_path_must_both_be_allowed(workspace: Path) -> None:
    # For the system this is beside `elsewhere`; for a program that tidies the text first, it is in the workspace.
    (workspace.parent / "elsewhere" / "deep").mkdir(parents=True)
    (workspace / "link").symlink_to(workspace.parent / "elsewhere" / "deep")
    call = edit("link/../x", workspace)
    assert not allows("Edit(**)", call)
    assert not allows(f"Edit({workspace.parent}/elsewhere/**)", call)
    assert forbids("Edit(x)", call) is True
    assert forbids(f"Edit({workspace.parent}/elsewhere/**)", call) is True


def test_a_forbidden_path_is_forbidden_by_every_way_to_it(workspace: Path) -> None:
    secret = workspace.parent / "secret"
    secret.mkdir()
    (workspace / "link").symlink_to(secret)
    for path in ("link/x", f"{secret}/x", "../secret/x", "src/../link/x"):
        assert forbids(f"Edit({secret}/**)", edit(path, workspace)) is True
        assert forbids("Edit(link/**)", edit(path, workspace)) is True
    assert forbids("Edit(l*/**)", edit("link/x", workspace)) is True


def test_a_workspace_may_itself_be_reached_by_a_link(workspace: Path) -> None:
    way = workspace.parent / "way"
    way.symlink_to(workspace)
    for path in ("src/a.py", str(way / "src/a.py"), str(workspace / "src/a.py")):
        assert allows("Edit(src/**)", edit(path, way))
        assert allows(f"Edit({way}/src/**)", edit(path, way))
        assert allows(f"Edit({workspace}/src/**)", edit(path, way))


def test_to_forbid_edit_stands_for_all_tools_that_change_files_and_read_for_all_that_read(workspace: Path) -> None:
    for tool in ("Edit", "Write", "MultiEdit", "NotebookEdit", "Delete", "Move"):
        call = call_of(tool, {"file_path": "secret/x"}, str(workspace))
        assert forbids("Edit(secret/**)", call) is True
        assert forbids("Read(secret/**)", call) is False
        assert allows("Edit(secret/**)", call) == (tool == "Edit")
    for tool in ("Read", "Grep", "Glob", "LS"):
        call = call_of(tool, {"path": "secret/x"}, str(workspace))
        assert forbids("Read(secret/**)", call) is True
        assert forbids("Write(secret/**)", call) is False


def test_every_path_of_a_call_must_be_allowed_and_none_may_be_forbidden(workspace: Path) -> None:
    call = call_of("mv", {"source": "src/a", "destination": "docs/a"}, str(workspace), kind="move")
    rules = [parse("Move(src/**)"), parse("Move(docs/**)")]
    assert covers(rules, call, None)
    assert not covers(rules[:1], call, None)
    assert not covers(rules[1:], call, None)
    assert forbids("Move(docs/**)", call) is True


def test_a_call_without_a_path_is_meant_by_no_pattern_and_excluded_from_none(workspace: Path) -> None:
    call = call_of("Edit", {}, str(workspace))
    assert not allows("Edit(**)", call)
    assert allows("Edit", call)
    assert forbids("Edit(secret/**)", call) is None
