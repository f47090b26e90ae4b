"""Which agents a server has: from its settings and from what is installed, with faked folders of real programs."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from holdfast.agent_settings import AgentSettings
from holdfast.agents.catalogue import known
from holdfast.config import Settings
from holdfast.errors import UnknownAgent
from holdfast.sessions.agents import AgentInfo, Agents
from tests.processes import eventually, is_alive
from tests.programs import acp_program, claude_program, program

pytestmark = pytest.mark.anyio

SECRET = "s3cret-" + "x" * 20


class House:
    """A machine of its own: what is in `bin` is installed, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.environ = {"PATH": str(self.bin), "HOME": str(folder / "home"), "HOLDFAST_TOKEN": SECRET}
        self._data = folder / "data"
        self.made: list[Agents] = []

    def agents(self, settings: dict[str, AgentSettings] | None = None, **more: Any) -> Agents:
        agents = Agents(Settings(data=self._data, agents=settings or {}, **more), self.environ)
        self.made.append(agents)
        return agents


@pytest.fixture
async def house(tmp_path: Path, anyio_backend: str):
    house = House(tmp_path)
    yield house
    for agents in house.made:
        await agents.close()


def by_name(found: list[AgentInfo]) -> dict[str, AgentInfo]:
    return {info.name: info for info in found}


async def listed(agents: Agents, *names: str) -> list[AgentInfo]:
    """The list, once these have told their versions: for a slow one it does not wait, nor for a slow machine."""
    async with asyncio.timeout(60):
        while True:
            found = await agents.list()
            if all(by_name(found)[name].version for name in names):
                return found


async def test_a_known_agent_that_is_installed_can_be_used_without_settings(house: House) -> None:
    assert house.agents().names() == ["claude", "demo"], "the SDK brings its own program"
    path = acp_program(house.bin, "gemini")
    agents = house.agents()
    assert agents.names() == ["claude", "demo", "gemini"]
    gemini = agents.get("gemini")
    assert gemini.command == (str(path), "--acp")
    assert gemini.kind == "acp"
    assert gemini.env == {"GEMINI_CLI_NO_RELAUNCH": "true"}
    assert "GEMINI_API_KEY" in gemini.pass_env


async def test_one_that_is_installed_while_the_server_runs_can_be_used_at_once(house: House) -> None:
    agents = house.agents()
    assert "goose" not in agents.names()
    acp_program(house.bin, "goose")
    assert "goose" in agents.names()
    assert agents.get("goose").command[1:] == ("acp",)


async def test_settings_override_what_is_known_field_by_field(house: House) -> None:
    path = acp_program(house.bin, "qwen")
    given = AgentSettings(
        args=("--fast",), env={"QWEN_CODE_NO_RELAUNCH": "false", "MINE": "1"}, pass_env=("TAVILY_API_KEY",), model="big"
    )
    qwen = house.agents({"qwen": given}).get("qwen")
    assert qwen.command == (str(path), "--acp", "--fast")
    assert qwen.env == {"QWEN_CODE_NO_RELAUNCH": "false", "MINE": "1"}
    assert {"OPENAI_API_KEY", "TAVILY_API_KEY"} <= set(qwen.pass_env)
    assert qwen.model == "big"
    assert qwen.args == ()
    own = house.agents({"qwen": AgentSettings(command=("/opt/qwen", "--other"), args=("-v",))}).get("qwen")
    assert own.command == ("/opt/qwen", "--other", "-v")
    assert own.env == {"QWEN_CODE_NO_RELAUNCH": "true"}


async def test_an_agents_own_path_is_where_it_is_looked_for(house: House, tmp_path: Path) -> None:
    path = acp_program(tmp_path / "opt", "kimi")
    kimi = house.agents({"kimi": AgentSettings(env={"PATH": str(tmp_path / "opt")})}).get("kimi")
    assert kimi.command[0] == str(path)


async def test_the_demo_agent_is_built_in_and_can_be_set_up_or_hidden(house: House) -> None:
    demo = house.agents().get("demo")
    assert demo.command[-1] == "holdfast.demo"
    assert demo.env.keys() == {"HOLDFAST_DEMO_STATE"}
    changed = house.agents({"demo": AgentSettings(env={"MINE": "1"}, title="Try me")})
    assert changed.get("demo").env.keys() == {"HOLDFAST_DEMO_STATE", "MINE"}
    assert (await changed.describe("demo")).title == "Try me"
    hidden = house.agents({"demo": AgentSettings(enabled=False)})
    assert "demo" not in hidden.names()
    assert "demo" not in by_name(await hidden.list())
    with pytest.raises(UnknownAgent, match="'demo' is switched off"):
        hidden.get("demo")


async def test_an_agent_that_nobody_knows_is_refused_with_those_that_there_are(house: House) -> None:
    with pytest.raises(UnknownAgent, match="There is no agent 'hal'; there are: claude, demo, mine"):
        house.agents({"mine": AgentSettings(command=("x",))}).get("hal")


async def test_a_known_agent_that_is_not_installed_is_refused_with_how_to_install_it(house: House) -> None:
    with pytest.raises(UnknownAgent, match="not installed; to install it: npm install -g opencode-ai"):
        house.agents().get("opencode")
    with pytest.raises(UnknownAgent, match="not installed"):
        house.agents({"opencode": AgentSettings(model="x")}).get("opencode")


async def test_an_agent_of_the_settings_is_there_even_if_its_program_is_not(house: House) -> None:
    """The run then ends with `start_failed`, which tells what is wrong with it."""
    agents = house.agents({"mine": AgentSettings(command=("no-such-program",))})
    assert "mine" in agents.names()
    assert agents.get("mine").command == ("no-such-program",)
    assert agents.path("mine") is None
    info = await agents.describe("mine")
    assert (info.installed, info.error) == (False, "mine is not installed: 'no-such-program' was not found")


async def test_claude_is_of_its_own_kind_under_any_name(house: House, tmp_path: Path) -> None:
    agents = house.agents({"careful": AgentSettings(kind="claude", model="opus", pass_env=("AWS_*",))})
    claude, careful = agents.get("claude"), agents.get("careful")
    assert claude.kind == careful.kind == "claude"
    assert claude.command == careful.command == (), "the SDK's own program"
    assert {"ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"} <= set(careful.pass_env)
    assert "AWS_*" in careful.pass_env
    assert "AWS_*" not in claude.pass_env
    assert careful.env["DISABLE_AUTOUPDATER"] == "1"
    path = claude_program(tmp_path / "opt", {})
    own = house.agents({"claude": AgentSettings(kind="claude", command=(str(path),))})
    assert own.get("claude").command == (str(path),)
    assert own.path("claude") == str(path)


async def test_how_to_log_in_names_programs_that_a_shell_finds(house: House, tmp_path: Path) -> None:
    bundled = house.agents().path("claude")
    assert bundled is not None
    assert Path(bundled).is_absolute()
    login = house.agents().get("claude").login
    assert login is not None
    assert login.startswith(f"run `{bundled}` and type /login")
    assert f"(`{bundled} setup-token`)" in login
    own = claude_program(tmp_path / "my programs", {})
    mine = house.agents({"claude": AgentSettings(kind="claude", command=(str(own),))})
    assert (mine.get("claude").login or "").startswith(f"run `'{own}'` and type")
    # Elsewhere than on the PATH, where a server finds it and a shell does not.
    usual = program(tmp_path / "home/.local/bin", "kimi", "")
    assert house.agents().get("kimi").login == f"run `{usual} login`"
    for name in ("claude", "kimi"):
        program(house.bin, name, "")
        assert house.agents().get(name).login == known(name).login, "by its name, which is on the PATH"


async def test_an_acp_agent_that_is_called_claude_is_none_of_its_kind(house: House) -> None:
    agents = house.agents({"claude": AgentSettings(command=("my-adapter",))})
    assert agents.get("claude") == AgentSettings(command=("my-adapter",))


async def test_an_agent_gets_its_own_credentials_and_no_others(house: House) -> None:
    house.environ |= {"GEMINI_API_KEY": "g", "ANTHROPIC_API_KEY": "a", "GITHUB_TOKEN": "t"}
    for name in ("gemini", "copilot"):
        acp_program(house.bin, name)
    agents = house.agents({"mine": AgentSettings(command=("x",))})
    passed = {name: agents.environment(agents.get(name)) for name in ("gemini", "copilot", "claude", "mine", "demo")}
    secret = {"GEMINI_API_KEY", "ANTHROPIC_API_KEY", "GITHUB_TOKEN", "HOLDFAST_TOKEN"}
    assert {name: secret & environment.keys() for name, environment in passed.items()} == {
        "gemini": {"GEMINI_API_KEY"},
        "copilot": {"GITHUB_TOKEN"},
        "claude": {"ANTHROPIC_API_KEY"},
        "mine": set(),
        "demo": set(),
    }


async def test_the_list_tells_what_is_there_with_its_version_and_what_could_be(house: House) -> None:
    path = acp_program(house.bin, "gemini")
    agents = house.agents(
        {"mine": AgentSettings(command=("no-such-program",)), "gemini": AgentSettings(login="ask Ada")},
        default_agent="gemini",
    )
    found = await listed(agents, "gemini")
    assert [info.name for info in found][:3] == ["demo", "claude", "gemini"], "those that are there come first"
    infos = by_name(found)
    gemini = infos["gemini"]
    assert (gemini.installed, gemini.configured, gemini.default) == (True, True, True)
    assert (gemini.version, gemini.login) == ("3.2.1", "ask Ada")
    assert gemini.command == [str(path), "--acp"]
    assert (gemini.checked_at, gemini.capabilities, gemini.error) == (None, None, None)
    kilo = infos["kilo"]
    assert (kilo.installed, kilo.configured, kilo.default, kilo.error) == (False, False, False, None)
    assert kilo.install == "npm install -g @kilocode/cli"
    assert (infos["mine"].title, infos["mine"].install, infos["mine"].installed) == ("mine", None, False)


async def test_a_slow_version_holds_up_no_list(house: House) -> None:
    program(house.bin, "gemini", "import time\ntime.sleep(600)")
    acp_program(house.bin, "goose")
    agents = house.agents()
    async with asyncio.timeout(8):
        infos = by_name(await agents.list())
    if infos["goose"].version is None:
        infos = by_name(await listed(agents, "goose"))
    assert (infos["gemini"].version, infos["goose"].version) == (None, "3.2.1")


async def test_no_program_but_a_known_one_is_asked_for_its_version(house: House) -> None:
    program(house.bin, "mine", f"open({str(house.bin / 'ran')!r}, 'w')")
    await house.agents({"mine": AgentSettings(command=("mine",))}).list()
    assert not (house.bin / "ran").exists()


async def test_what_is_shown_of_a_command_holds_no_secret(house: House) -> None:
    given = AgentSettings(command=("mine", f"--key={SECRET}", "sk-ant-0123456789abcdef"), env={"MY_KEY": SECRET})
    info = await house.agents({"mine": given}).describe("mine")
    assert info.command == ["mine", "--key=[secret]", "[secret]"]


async def test_a_check_asks_the_agent_and_its_answer_is_kept(house: House) -> None:
    acp_program(house.bin, "goose")
    agents = house.agents()
    await listed(agents, "goose")
    checked = await agents.check("goose")
    assert checked.error is None
    assert checked.checked_at is not None
    assert checked.capabilities is not None
    assert checked.capabilities.resume
    assert [method.id for method in checked.auth_methods] == ["browser", "key"]
    assert await agents.describe("goose") == checked
    assert by_name(await agents.list())["goose"] == checked


async def test_what_an_agent_announces_and_cannot_do_is_not_told(house: House) -> None:
    acp_program(house.bin, "qwen")
    checked = await house.agents().check("qwen")
    assert checked.capabilities is not None
    assert (checked.capabilities.resume, checked.capabilities.load) == (False, True)


async def test_whoever_asks_at_the_same_time_gets_the_same_answer(house: House) -> None:
    acp_program(house.bin, "goose", before=f"open({str(house.bin / 'runs')!r}, 'a').write('.')")
    agents = house.agents()
    first, second = await asyncio.gather(agents.check("goose"), agents.check("goose"))
    assert first == second
    assert (house.bin / "runs").read_text() == "."
    await agents.check("goose")
    assert (house.bin / "runs").read_text() == "..", "and whoever asks later a new one"


async def test_a_check_that_failed_is_told_with_the_agents_name_until_one_succeeds(house: House) -> None:
    acp_program(house.bin, "kimi", before="sys.exit(7)")
    agents = house.agents()
    failed = await agents.check("kimi")
    assert failed.error == "Kimi Code exited with status 7 before it answered"
    assert failed.checked_at is not None
    acp_program(house.bin, "kimi")
    assert (await agents.check("kimi")).error is None


async def test_a_check_of_one_that_is_not_installed_says_so(house: House) -> None:
    info = await house.agents().check("kimi")
    assert info.error == "Kimi Code is not installed: 'kimi' was not found"
    assert info.install is not None


async def test_a_check_of_all_asks_those_that_are_installed(house: House, tmp_path: Path) -> None:
    acp_program(house.bin, "goose")
    path = claude_program(tmp_path / "opt", {"email": "ada@example.org"})
    agents = house.agents({"claude": AgentSettings(kind="claude", command=(str(path),))})
    infos = by_name(await agents.list(check=True))
    assert {name for name, info in infos.items() if info.checked_at} == {"demo", "goose", "claude"}
    assert infos["claude"].account is not None
    assert infos["claude"].account.email == "ada@example.org"
    assert infos["demo"].capabilities is not None
    assert infos["demo"].capabilities.load


async def test_closing_ends_what_is_being_asked(house: House) -> None:
    file = house.bin / "pid"
    before = f"import time\nopen({str(file)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    acp_program(house.bin, "goose", before=before)
    agents = house.agents()
    asking = asyncio.ensure_future(agents.check("goose"))
    started = await asyncio.to_thread(eventually, lambda: file.exists() and file.read_text(), 20, "it is being asked")
    assert isinstance(started, str)
    await agents.close()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not is_alive(int(started))
