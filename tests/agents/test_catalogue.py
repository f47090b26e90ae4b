"""The known agents: what is said of each, where they are looked for, and what version they say they are."""

import asyncio
import contextlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from holdfast.agent_settings import KNOWN_AGENTS
from holdfast.agents.catalogue import CATALOGUE, Known, known
from holdfast.agents.installed import Versions, bundled_claude, find, has_claude_package, version_of
from holdfast.agents.stderr import secrets_of
from tests.processes import eventually, is_alive
from tests.programs import program

DOCUMENTATION = Path(__file__).parents[2] / "docs/agents.md"
ENVIRONMENT = {"PATH": os.environ["PATH"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bin"


def test_the_settings_know_the_same_names() -> None:
    names = [entry.name for entry in CATALOGUE]
    assert len(names) == len(set(names))
    assert {*names, "demo"} == KNOWN_AGENTS


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_each_says_how_it_is_found_installed_and_logged_in_to_and_holds_no_secret(entry: Known) -> None:
    assert entry.programs
    assert entry.install
    assert entry.login
    assert secrets_of(entry.env) == []
    for name in entry.credentials:
        assert re.fullmatch(r"[A-Z][A-Z0-9_]*\*?", name)
        assert not name.startswith("HOLDFAST")


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_the_documentation_says_the_same_of_each(entry: Known) -> None:
    """How to install goose is a line with a pipe in it, which a table cannot hold; there it is a link."""
    table = DOCUMENTATION.read_text().partition("## Known agents")[2]
    row = next(line for line in table.splitlines() if line.startswith(f"| `{entry.name}` |"))
    command = "the SDK's own `claude`" if entry.kind == "claude" else f"`{' '.join((entry.programs[0], *entry.args))}`"
    passed = ", ".join(f"`{name}`" for name in entry.credentials) or "–"
    install = entry.install.removeprefix("curl -fsSL ").removesuffix(" | bash")
    assert install in row
    assert row.startswith(f"| `{entry.name}` | {command} | ")
    assert row.endswith(f" | {entry.login} | {passed} |")


def test_claude_gets_no_credential_of_another_provider_unasked() -> None:
    for name in ("claude", "claude-agent-acp"):
        entry = known(name)
        assert entry is not None
        assert not [one for one in entry.credentials if one.startswith(("AWS_", "GOOGLE_", "CLAUDE_CODE_USE"))]


def test_agents_that_start_themselves_a_second_time_are_told_not_to() -> None:
    """Else the process that we know is not the agent, and kill -9 leaves the agent at work."""
    for name, variable in (("gemini", "GEMINI_CLI_NO_RELAUNCH"), ("qwen", "QWEN_CODE_NO_RELAUNCH")):
        entry = known(name)
        assert entry is not None
        assert entry.env[variable] == "true"


def test_the_first_program_that_is_there_counts(folder: Path) -> None:
    second = program(folder, "second", "")
    assert find(("first", "second"), {"PATH": str(folder)}) == str(second)
    first = program(folder, "first", "")
    assert find(("first", "second"), {"PATH": str(folder)}) == str(first)
    assert find(("third",), {"PATH": str(folder)}) is None


def test_a_program_is_found_in_the_users_own_folder_though_the_path_does_not_name_it(tmp_path: Path) -> None:
    path = program(tmp_path / ".local/bin", "agent", "")
    assert find(("agent",), {"PATH": "/nowhere", "HOME": str(tmp_path)}) == str(path)
    assert find(("agent",), {"PATH": "/nowhere"}) is None
    other = program(tmp_path / "bin", "agent", "")
    assert find(("agent",), {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}) == str(other)


def test_what_cannot_be_executed_is_not_there(folder: Path) -> None:
    program(folder, "agent", "").chmod(0o644)
    (folder / "other").mkdir()
    assert find(("agent", "other"), {"PATH": str(folder)}) is None


def test_a_program_can_be_named_by_its_whole_path(folder: Path) -> None:
    path = program(folder, "agent", "")
    assert find((str(path),), {"PATH": "/nowhere"}) == str(path)
    assert find((str(folder / "none"),), {"PATH": "/nowhere"}) is None


def test_whether_the_claude_sdk_is_there_is_found_out_without_importing_it() -> None:
    code = (
        "import sys; from holdfast.agents.installed import *\n"
        "assert has_claude_package() and bundled_claude()\n"
        "assert 'claude_agent_sdk' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)
    assert has_claude_package()
    path = bundled_claude()
    assert path is not None
    assert Path(path).is_file()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ("1.2.3", "1.2.3"),
        ("2.1.325 (Claude Code)", "2.1.325"),
        ("goose  1.34.0", "1.34.0"),
        ("codex-acp v0.16.0-beta.2+build, on Node 22.1", "0.16.0-beta.2+build"),
        ("Welcome!\n\nversion: 0.61.0\n", "0.61.0"),
        ("\x1b[1m3.4\x1b[0m", "3.4"),
        ("no number here, only 7", None),
        ("", None),
    ],
)
async def test_the_version_is_the_first_thing_that_looks_like_one(
    folder: Path, printed: str, version: str | None
) -> None:
    path = program(folder, "agent", f"import sys\nassert sys.argv[1:] == ['--version']\nprint({printed!r})")
    assert await version_of(str(path), ENVIRONMENT) == version


@pytest.mark.anyio
async def test_a_version_on_stderr_counts_too_and_the_program_gets_just_this_environment(folder: Path) -> None:
    path = program(folder, "agent", "import os, sys\nprint(os.environ['V'], file=sys.stderr)\nsys.exit(2)")
    assert await version_of(str(path), {"V": "9.8.7"}) == "9.8.7"


@pytest.mark.anyio
async def test_a_program_that_tells_no_version_in_time_is_ended_with_what_it_has_started(folder: Path) -> None:
    path = program(
        folder,
        "agent",
        f"""
        import os, time
        child = os.fork()
        if child: open({str(folder / "pids")!r}, "w").write(f"{{os.getpid()}} {{child}}")
        while True: time.sleep(1)
        """,
    )
    began = time.monotonic()
    # Long enough for the program to have begun.
    assert await version_of(str(path), ENVIRONMENT, limit_s=5) is None
    assert time.monotonic() - began < 20
    pids = [int(pid) for pid in (folder / "pids").read_text().split()]
    assert len(pids) == 2
    eventually(lambda: not any(map(is_alive, pids)), what="both are gone")


@pytest.mark.anyio
async def test_a_program_that_prints_for_ever_is_not_read_for_ever(folder: Path) -> None:
    path = program(folder, "agent", "print('4.5.6')\nwhile True: print('x' * 1000)")
    began = time.monotonic()
    assert await version_of(str(path), ENVIRONMENT, limit_s=60) == "4.5.6"
    assert time.monotonic() - began < 30


def open_pipes() -> set[str]:
    """By what they are, and not how many: one that an earlier test has left may be collected at any moment."""
    found: set[str] = set()
    for descriptor in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # the one by which the folder was read
            found.add(os.readlink(f"/proc/self/fd/{descriptor}"))
    return {target for target in found if target.startswith("pipe:")}


@pytest.mark.anyio
async def test_no_pipe_of_a_program_that_was_asked_stays_open(folder: Path) -> None:
    endless = program(folder, "endless", "print('4.5.6')\nwhile True: print('x' * 1000)")
    # The grandchild has left the group and holds the pipe.
    left = "import os, time\nif os.fork(): print('1.2.3')\nelse:\n    os.setsid()\n    time.sleep(20)"
    haunted = program(folder, "haunted", left)
    before = open_pipes()
    assert await version_of(str(endless), ENVIRONMENT, limit_s=60) == "4.5.6"
    assert await version_of(str(haunted), ENVIRONMENT, limit_s=4) == "1.2.3"
    await asyncio.sleep(0)
    assert open_pipes() <= before


@pytest.mark.anyio
async def test_what_cannot_be_run_has_no_version(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("1.2.3")
    assert await version_of(str(file), ENVIRONMENT) is None
    assert await version_of(str(tmp_path / "none"), ENVIRONMENT) is None


@pytest.mark.anyio
async def test_a_program_is_asked_again_only_when_its_file_has_changed(folder: Path) -> None:
    source = f"open({str(folder / 'runs')!r}, 'a').write('.')\nprint('{{}}')"
    path = program(folder, "agent", source.format("1.0"))
    versions = Versions()
    assert [await versions.ask(str(path), ENVIRONMENT) for _ in range(3)] == ["1.0"] * 3
    assert (folder / "runs").read_text() == "."
    program(folder, "agent", source.format("2.0"))
    os.utime(path, ns=(0, 1))
    assert await versions.ask(str(path), ENVIRONMENT) == "2.0"
    assert (folder / "runs").read_text() == ".."
    await versions.close()


@pytest.mark.anyio
async def test_the_real_claude_tells_its_version(tmp_path: Path) -> None:
    path = bundled_claude()
    assert path is not None
    version = await version_of(path, {**ENVIRONMENT, "HOME": str(tmp_path), "DISABLE_AUTOUPDATER": "1"}, limit_s=30)
    assert version is not None
    assert version.startswith("2.")
