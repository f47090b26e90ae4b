"""A probe asks a real program what it is, tells in words what went wrong, and leaves nothing behind."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from holdfast.agents.inquiry import AgentCapabilities, AgentModel, AuthMethod, Found, Inquiry
from holdfast.sessions.probing import probe
from tests.processes import eventually, is_alive, marked
from tests.programs import acp_program, claude_program, program

pytestmark = pytest.mark.anyio

SECRET = "s3cret-" + "x" * 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bin"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The model's service is at a port where nobody listens, and the CLI is told to call nothing else."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path),
        "PROBED": str(tmp_path),
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "CLAUDE_CONFIG_DIR": str(tmp_path / "claude"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }


@pytest.fixture(autouse=True)
def nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Neither a process nor a folder, whatever came out."""
    folders = tmp_path / "folders"
    folders.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folders))
    yield
    eventually(lambda: not marked(f"PROBED={tmp_path}"), what="no process of the probe is left")
    assert not list(folders.iterdir())


def acp(path: Path, *arguments: str, timeout_s: float = 20) -> Inquiry:
    return Inquiry(kind="acp", command=[str(path), *arguments], timeout_s=timeout_s)


async def test_an_acp_agent_tells_what_it_can_do(folder: Path, environment: dict[str, str]) -> None:
    assert await probe(acp(acp_program(folder, "agent")), environment) == Found(
        protocol_version=1,
        name="scripted",
        title="Scripted",
        version="3.2.1",
        capabilities=AgentCapabilities(load=True, resume=True, list=True, images=True, mcp_http=True),
        auth_methods=[
            AuthMethod(id="browser", name="In the browser"),
            AuthMethod(id="key", name="API key", description="Set SOME_KEY", type="env_var"),
        ],
    )


@pytest.mark.parametrize("answer", [{}, {"agentCapabilities": 7, "authMethods": "x", "agentInfo": ["y"]}, None, "text"])
async def test_an_agent_that_tells_little_or_nonsense_can_nothing(
    folder: Path, environment: dict[str, str], answer: object
) -> None:
    found = await probe(acp(acp_program(folder, "agent", answer=answer)), environment)
    assert found == Found(capabilities=AgentCapabilities())


async def test_one_that_speaks_another_version_than_a_session_could_is_told(
    folder: Path, environment: dict[str, str]
) -> None:
    found = await probe(acp(acp_program(folder, "agent", answer={"protocolVersion": 2})), environment)
    assert found == Found(error="speaks version 2 of the Agent Client Protocol, and Holdfast version 1")


async def test_it_starts_in_an_empty_folder_and_gets_just_the_environment_that_it_was_given(
    folder: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_TOKEN", SECRET)
    before = "import sys\nsys.stderr.write(f'{sorted(os.environ)} {os.listdir()}'); sys.exit(1)"
    found = await probe(acp(acp_program(folder, "agent", before=before)), environment)
    # Python itself sets LC_CTYPE where no language is set.
    shown = (found.error or "").replace("'LC_CTYPE', ", "")
    assert shown.endswith(f"its last words: {sorted(environment)} []")


async def test_one_that_ends_is_told_with_its_status_and_its_last_words_without_secrets(
    folder: Path, environment: dict[str, str]
) -> None:
    before = f"""
    for number in range(20): print("line", number, file=sys.stderr)
    print("the key", {SECRET!r}, "\\x1b[31mis wrong\\x1b[0m", file=sys.stderr)
    sys.exit(3)
    """
    found = await probe(acp(acp_program(folder, "agent", before=before)), {**environment, "MY_KEY": SECRET})
    assert found.error == (
        "exited with status 3 before it answered; its last words: "
        "line 16 | line 17 | line 18 | line 19 | the key [secret] is wrong"
    )


async def test_one_that_is_killed_is_told_by_its_signal(folder: Path, environment: dict[str, str]) -> None:
    found = await probe(acp(acp_program(folder, "agent", before="os.kill(os.getpid(), 9)")), environment)
    assert found.error == "was ended by SIGKILL before it answered"


async def test_one_that_refuses_is_told_with_its_words(folder: Path, environment: dict[str, str]) -> None:
    source = """
    import json, sys
    request = json.loads(sys.stdin.readline())
    error = {"code": 1001, "message": "the settings are broken"}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}), flush=True)
    sys.stdin.read()
    """
    found = await probe(acp(program(folder, "agent", source)), environment)
    assert found.error == "refused initialize: the settings are broken (1001)"


async def test_one_that_is_not_there_or_no_program_is_told(folder: Path, environment: dict[str, str]) -> None:
    found = await probe(acp(folder / "none"), environment)
    assert found.error == "could not be started: No such file or directory"


async def test_one_that_does_not_answer_is_ended_with_all_that_it_has_started(
    folder: Path, environment: dict[str, str]
) -> None:
    """It ignores SIGTERM, and its child has left its group and its session and closed everything."""
    before = """
    import signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: os.closerange(0, 20)
    while True: time.sleep(1)
    """
    began = time.monotonic()
    found = await probe(acp(acp_program(folder, "agent", before=before), timeout_s=1), environment)
    assert found.error == "did not answer within 1 s"
    assert time.monotonic() - began < 20
    assert not marked(f"PROBED={environment['PROBED']}"), "gone before the answer is there"


async def test_one_that_stays_when_its_stdin_closes_is_ended(folder: Path, environment: dict[str, str]) -> None:
    source = """
    import json, sys, time
    request = json.loads(sys.stdin.readline())
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"protocolVersion": 1}}), flush=True)
    while True: time.sleep(1)
    """
    found = await probe(acp(program(folder, "agent", source)), environment)
    assert (found.error, found.protocol_version) == (None, 1)


async def test_when_whoever_asks_has_gone_the_agent_is_ended_too(folder: Path, environment: dict[str, str]) -> None:
    asking = asyncio.ensure_future(probe(acp(program(folder, "agent", "import time\ntime.sleep(600)")), environment))
    marker = f"PROBED={environment['PROBED']}"
    await asyncio.to_thread(eventually, lambda: len(marked(marker)) == 2, 20, "the probe and its agent are there")
    pids = marked(marker)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not any(map(is_alive, pids))


def test_when_the_server_is_killed_the_agent_does_not_stay(folder: Path, environment: dict[str, str]) -> None:
    path = program(folder, "agent", "import time\ntime.sleep(600)")
    code = (
        "import asyncio, os, sys\n"
        "from holdfast.agents.inquiry import Inquiry\n"
        "from holdfast.sessions.probing import probe\n"
        "environment = {**os.environ, 'PROBED': sys.argv[1]}\n"
        "asyncio.run(probe(Inquiry(kind='acp', command=[sys.argv[2]]), environment))"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", code, environment["PROBED"], str(path)], env={**os.environ, "TMPDIR": str(folder)}
    )
    marker = f"PROBED={environment['PROBED']}"
    try:
        eventually(lambda: len(marked(marker)) == 2, 20, "the probe and its agent are there")
    finally:
        server.kill()
        server.wait()
    eventually(lambda: not marked(marker), 30, "both are gone")


async def test_a_probe_that_was_killed_by_mistake_is_tried_once_more(folder: Path, environment: dict[str, str]) -> None:
    """As the server does with everything below it that has no guard, when a guard was killed."""
    before = f"""
    if not os.path.exists({str(folder / "once")!r}):
        open({str(folder / "once")!r}, "w").close()
        os.kill(os.getppid(), 9)
    """
    found = await probe(acp(acp_program(folder, "agent", before=before)), environment)
    assert (found.error, found.name) == (None, "scripted")


@pytest.mark.requirement("R017", "R149")
async def test_the_real_claude_without_a_key_says_that_nobody_is_logged_in(
    environment: dict[str, str], tmp_path: Path
) -> None:
    found = await probe(Inquiry(kind="claude", command=[]), environment)
    assert found.error is None
    assert found.version is not None
    assert found.version.startswith("2.")
    assert found.account is not None
    assert (found.account.token_source, found.account.api_key_source) == ("none", None)
    assert found.models
    assert not list((tmp_path / "claude").glob("projects/**/*.jsonl")), "no transcript"


async def test_the_real_claude_with_a_key_says_where_it_has_it_from_but_not_the_key(
    environment: dict[str, str],
) -> None:
    found = await probe(Inquiry(kind="claude", command=[]), {**environment, "ANTHROPIC_API_KEY": SECRET})
    assert found.account is not None
    assert found.account.api_key_source == "ANTHROPIC_API_KEY"
    assert SECRET not in repr(found)


async def test_claude_tells_whose_account_it_uses(folder: Path, environment: dict[str, str]) -> None:
    told = {
        "email": "ada@example.org",
        "organization": "Engines",
        "subscriptionType": "max",
        "tokenSource": "claude.ai",
    }
    path = claude_program(
        folder, {**told, "refreshToken": SECRET}, before="assert '--no-session-persistence' in sys.argv"
    )
    found = await probe(Inquiry(kind="claude", command=[str(path)]), environment)
    assert (found.error, found.version, found.models) == (None, "2.9.9", [AgentModel(id="best")])
    assert found.account is not None
    assert (found.account.email, found.account.organization) == ("ada@example.org", "Engines")
    assert (found.account.subscription_type, found.account.token_source) == ("max", "claude.ai")
    assert SECRET not in repr(found)


@pytest.mark.parametrize(
    ("before", "told", "timeout_s"),
    [
        # To load the SDK alone takes seconds on a busy machine.
        ("print('broken: sk-ant-0123456789abcdef', file=sys.stderr)\nsys.exit(4)", "exited with status 4", 40),
        ("import time\ntime.sleep(600)", "did not answer within 3 s", 3),
    ],
)
async def test_a_claude_that_does_not_start_is_told(
    folder: Path, environment: dict[str, str], before: str, told: str, timeout_s: float
) -> None:
    path = claude_program(folder, {}, before=before)
    began = time.monotonic()
    found = await probe(Inquiry(kind="claude", command=[str(path)], timeout_s=timeout_s), environment)
    assert found.error is not None
    assert told in found.error
    assert "sk-ant" not in found.error
    assert time.monotonic() - began < 30


async def test_a_claude_that_is_not_there_is_told(folder: Path, environment: dict[str, str]) -> None:
    found = await probe(Inquiry(kind="claude", command=[str(folder / "none")]), environment)
    assert found.error is not None
    assert "could not be asked" in found.error
