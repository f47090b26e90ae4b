"""What Tab completes, in each shell; and that it is silent and quick when no server answers."""

import os
import shutil
import socket
import subprocess
import sys
import time

import pytest

from holdfast.cli import build, complete
from tests.conftest import TOKEN


def completed(env, shell, words, **more):
    """What the shell's function would get for these words; the last one is being typed."""
    asked = {"_HOLDFAST_COMPLETE": f"complete_{shell}", **more}
    if shell == "bash":
        asked |= {"COMP_WORDS": "\n".join(["holdfast", *words]), "COMP_CWORD": str(len(words))}
    else:
        asked |= {"_TYPER_COMPLETE_ARGS": " ".join(["holdfast", *words]), "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    # A person waits a second at most; a test on a busy machine waits longer.
    program = (
        "import sys, holdfast.cli as cli, holdfast.cli.complete as complete; complete.PATIENCE_S = 30\n"
        "sys.argv[0] = 'holdfast'; cli.build()(prog_name='holdfast')"
    )
    return subprocess.run(
        [sys.executable, "-c", program], env={**env, **asked}, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_ids_of_sessions_are_completed_in_every_shell(at_home, agents, shell):
    session_id = agents.run_task("flood 1")
    done = completed(at_home, shell, ["show", session_id[:3]])
    assert session_id[:8] in done.stdout
    assert done.stderr == ""


@pytest.fixture
def context(at_home):
    """What a command knows while one is typing."""

    class Context:
        params = {}  # noqa: RUF012

    return Context()


def test_agents_profiles_projects_and_what_waits_are_completed(context, agents, monkeypatch):
    monkeypatch.setattr(complete, "PATIENCE_S", 30)
    agents.run_task("flood 1", project_id="completed by tab")
    asking = agents.run_task("ask")
    agents.until(asking, "permission_request")
    assert "scripted" in dict(complete.agents(context, ""))
    assert "trusting" in dict(complete.profiles(context, ""))
    assert "completed by tab" in dict(complete.projects(context, ""))
    assert "touch holdfast-permission.txt" in dict(complete.waiting(context, ""))[asking[:8]]
    assert asking in dict(complete.sessions(context, asking[:12]))
    agents.post(f"/sessions/{asking}/cancel")


def test_without_an_answer_nothing_is_completed_and_nobody_waits_for_long(context):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        context.params = {"url": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        began = time.monotonic()
        assert complete.sessions(context, "") == []
        assert time.monotonic() - began < 20
    assert complete.sessions(context, "") == [], "nobody listens"
    context.params = {"url": "nonsense"}
    assert complete.sessions(context, "") == [], "no address at all"


def test_a_wrong_token_completes_nothing_and_says_nothing(at_home):
    done = completed(at_home, "bash", ["show", ""], HOLDFAST_TOKEN=f"not-{TOKEN}")
    assert (done.stdout.strip(), done.stderr) == ("", "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_takes_the_script_and_completes_a_commands_name(at_home, tmp_path):
    script = tmp_path / "complete.sh"
    show = [sys.executable, "-c", "from holdfast.cli import build; build()(prog_name='holdfast')"]
    script.write_text(subprocess.run(show, env={**at_home, "_HOLDFAST_COMPLETE": "source_bash"},
                                     capture_output=True, text=True, timeout=60, check=True).stdout)  # fmt: skip
    folder = os.path.dirname(sys.executable)
    typed = f"source {script}; COMP_WORDS=(holdfast perm); COMP_CWORD=1; _holdfast_completion holdfast"
    typed += "; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        ["bash", "-c", typed], env={**at_home, "PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.strip() == "permissions", done.stderr


def test_the_application_has_completion_at_all():
    assert build()._add_completion
