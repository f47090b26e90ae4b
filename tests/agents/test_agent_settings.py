"""The tables [agents.NAME]: what they may say, and that a mistake is named with its table, its key and its value."""

from pathlib import Path

import pytest

from holdfast.agent_settings import AgentSettings
from holdfast.config import load
from holdfast.errors import ConfigError

SECRET = "s3cret-" + "x" * 20


@pytest.fixture
def written(tmp_path: Path):
    def agents(text: str) -> dict[str, AgentSettings]:
        file = tmp_path / "holdfast.toml"
        file.write_text(text)
        return load({}, {"HOME": str(tmp_path)}, file).agents

    return agents


def test_everything_can_be_set(written) -> None:
    text = """
        [agents.mine]
        command = ["my-agent", "--acp"]
        args = ["--fast"]
        env = { KEY = "v" }
        pass_env = ["AWS_PROFILE", "MY_*"]
        cwd = "/srv/work"
        kind = "acp"
        auth = "browser"
        title = "My agent"
        login = "ask Ada"
        model = "large"
        mode = "plan"
        options = { effort = "high", thinking = true }
        enabled = false
    """
    assert written(text)["mine"] == AgentSettings(
        command=("my-agent", "--acp"),
        args=("--fast",),
        env={"KEY": "v"},
        pass_env=("AWS_PROFILE", "MY_*"),
        cwd="/srv/work",
        auth="browser",
        title="My agent",
        login="ask Ada",
        model="large",
        mode="plan",
        options={"effort": "high", "thinking": True},
        enabled=False,
    )


def test_a_known_agent_needs_no_command_and_claude_is_of_its_own_kind(written) -> None:
    agents = written("[agents.gemini]\n[agents.demo]\nenabled = false\n[agents.claude]\nsetting_sources = ['user']\n")
    assert agents["gemini"] == AgentSettings()
    assert agents["claude"] == AgentSettings(kind="claude", setting_sources=("user",))


def test_an_agent_of_any_name_may_be_of_the_kind_claude(written) -> None:
    agents = written("[agents.careful]\nkind = 'claude'\nmodel = 'opus'\nsandbox = true")
    assert agents["careful"] == AgentSettings(kind="claude", model="opus", sandbox=True)


@pytest.mark.parametrize(
    ("table", "lines", "told"),
    [
        ("x", "command = 'one text'", "setting command of [agents.x] * must be a list of texts; it says 'one text'."),
        ("x", "command = [1]", "setting command of [agents.x] * must be a list of texts; it says [1]."),
        ("x", "command = []", "[agents.x] * needs a command"),
        ("x", "title = 'X'", "[agents.x] * needs a command"),
        ("gemini", "command = []", "[agents.gemini] * needs a command"),
        ("claude", "kind = 'acp'", "[agents.claude] * needs a command"),
        ("x", "kind = 'mcp'", "setting kind of [agents.x] * must be acp or claude; it says 'mcp'."),
        ("x", "command = ['a']\npass_env = ['A B']", "setting pass_env of [agents.x] * it says ['A B']."),
        ("x", "command = ['a']\npass_env = ['*']", "setting pass_env of [agents.x] * it says ['*']."),
        ("x", "command = ['a']\npass_env = ['HOLDFAST_TOKEN']", "none of Holdfast's; it says ['HOLDFAST_TOKEN']."),
        ("x", "command = ['a']\noptions = { n = 1 }", "setting options of [agents.x] * it says {'n': 1}."),
        (
            "x",
            "command = ['a']\nenabled = 'no'",
            "setting enabled of [agents.x] * must be true or false; it says 'no'.",
        ),
        ("x", "command = ['a']\nsandbox = true", "setting sandbox of [agents.x] * not for an agent of kind acp"),
        ("claude", "auth = 'x'", "setting auth of [agents.claude] * not for an agent of kind claude"),
        ("claude", "args = ['-x']", "setting args of [agents.claude] * not for an agent of kind claude"),
        ("claude", "command = ['claude', '-x']", "the claude program alone; it says ['claude', '-x']."),
        ("claude", "setting_sources = ['all']", "setting setting_sources of [agents.claude] * it says ['all']."),
        ("x", "comand = ['a']", "[agents.x] * has the unknown setting 'comand'; did you mean 'command'"),
    ],
)
def test_a_mistake_is_named_with_its_table_its_key_and_its_value(
    written, tmp_path: Path, table: str, lines: str, told: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        written(f"[agents.{table}]\n{lines}\n")
    message = str(caught.value)
    assert str(tmp_path / "holdfast.toml") in message
    at = 0
    for part in told.split(" * "):
        assert part in message[at:], message
        at = message.index(part, at) + len(part)


@pytest.mark.parametrize("lines", ["env = { K = ['%s'] }", "env = '%s'", "env = { 'no name' = '%s' }"])
def test_no_mistake_shows_what_stands_in_the_environment(written, lines: str) -> None:
    with pytest.raises(ConfigError) as caught:
        written(f"[agents.x]\ncommand = ['a']\n{lines % SECRET}\n")
    assert "setting env of [agents.x]" in str(caught.value)
    assert SECRET not in str(caught.value)


def test_what_is_no_table_is_refused(written) -> None:
    with pytest.raises(ConfigError, match=r"\[agents\.x\] .* must be a table"):
        written("[agents]\nx = 3\n")
