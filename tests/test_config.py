"""Settings: which source wins, what is refused, and that an error says where the value came from."""

from pathlib import Path

import pytest

from holdfast.agent_settings import AgentSettings
from holdfast.config import LISTS, SCALARS, Settings, check_defaults, find_file, load
from holdfast.errors import ConfigError
from holdfast.policy import Profile

SECRET = "s3cret-" + "x" * 20


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def env(tmp_path):
    return {"HOME": str(tmp_path / "home")}


def toml(tmp_path, text):
    path = tmp_path / "settings.toml"
    path.write_text(text)
    return path


def refusal(flags=None, env=None, file=None):
    with pytest.raises(ConfigError) as caught:
        load(flags or {}, {"HOME": "/home/me", **(env or {})}, file)
    return str(caught.value)


def test_without_any_source_the_defaults_count(env, tmp_path):
    assert load({}, env, None) == Settings(data=tmp_path / "home/.local/share/holdfast")


def test_a_flag_beats_the_variable_which_beats_the_file_which_beats_the_default(env, tmp_path):
    file = toml(tmp_path, "port = 1\nhost = 'a'\nlog_level = 'debug'")
    env |= {"HOLDFAST_PORT": "2", "HOLDFAST_HOST": "b"}
    settings = load({"port": 3, "host": None}, env, file)
    assert (settings.port, settings.host, settings.log_level, settings.log_format) == (
        3,
        "b",
        "debug",
        "auto",
    )


def test_every_scalar_can_be_set_by_variable_and_by_file_alike(env, tmp_path):
    given = {
        "host": "::1", "port": 0, "data": "/srv/holdfast", "token": SECRET, "store": "sqlite:////srv/log.db",
        "allowed_hosts": ["a.example", "b.example"], "default_agent": "claude", "keep_agents": True,
        "partials_ttl_s": 1.5, "server_patience_s": 2.0, "start_timeout_s": 3.0, "permission_ttl_s": 4.0,
        "heartbeat_s": 5.0, "stderr_head": 6, "stderr_tail": 7, "log_level": "error", "log_format": "json",
        "default_profile": "careful", "stall_s": 8.0, "concurrent_starts": 9, "warm_sessions": 10, "auth_check": False,
        "public_url": "https://holdfast.example", "webhook_timeout_s": 11.0, "webhook_retries_s": [12.0, 13.5],
    }  # fmt: skip
    assert sorted(given) == sorted(SCALARS)
    variables = {
        f"HOLDFAST_{name.upper()}": ",".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in given.items()
    }
    lines = [f"{k} = {str(v).lower() if isinstance(v, bool) else repr(v)}" for k, v in given.items()]
    from_file = load({}, env, toml(tmp_path, "\n".join(lines)))
    assert load({}, env | variables, None) == from_file
    unset = load({}, env, None)
    assert not [name for name in given if getattr(unset, name) == getattr(from_file, name)]
    assert from_file.data == Path("/srv/holdfast")
    assert from_file.allowed_hosts == ("a.example", "b.example")
    assert from_file.keep_agents is True


def test_an_empty_variable_counts_as_not_set(env):
    assert load({}, env | {"HOLDFAST_PORT": "", "HOLDFAST_CONFIG": ""}, None).port == 4653


def test_the_data_folder_follows_xdg_and_ignores_a_relative_one(env, tmp_path):
    assert load({}, env | {"XDG_DATA_HOME": "/x"}, None).data == Path("/x/holdfast")
    assert load({}, env | {"XDG_DATA_HOME": "x"}, None).data == tmp_path / "home/.local/share/holdfast"


def test_a_relative_data_folder_is_meant_from_where_it_was_written(env, tmp_path):
    (tmp_path / "etc").mkdir()
    assert load({}, env, toml(tmp_path / "etc", "data = 'd'")).data == tmp_path / "etc/d"
    assert load({"data": Path("d")}, env, None).data == tmp_path / "d"
    assert load({}, env | {"HOLDFAST_DATA": "d"}, None).data == tmp_path / "d"


def test_the_file_is_sought_by_flag_then_variable_then_here_then_in_the_users_configuration(env, tmp_path):
    usual = tmp_path / "home/.config/holdfast/holdfast.toml"
    usual.parent.mkdir(parents=True)
    assert find_file(env, None) is None
    usual.touch()
    assert find_file(env, None) == usual
    (tmp_path / "holdfast.toml").touch()
    assert find_file(env, None) == tmp_path / "holdfast.toml"
    assert find_file(env | {"HOLDFAST_CONFIG": "b.toml"}, None) == tmp_path / "b.toml"
    assert find_file(env | {"HOLDFAST_CONFIG": "b.toml"}, Path("a.toml")) == tmp_path / "a.toml"


def test_agents_and_users_come_from_tables(env, tmp_path):
    text = f"""
        [agents.mine]
        command = ["my-agent", "--verbose"]
        env = {{ KEY = "v" }}
        [users.ann]
        token = "{SECRET}"
    """
    settings = load({}, env, toml(tmp_path, text))
    assert settings.agents == {"mine": AgentSettings(command=("my-agent", "--verbose"), env={"KEY": "v"})}
    assert settings.users["ann"].token == SECRET


def test_profiles_come_from_tables(env, tmp_path):
    text = """
        [profiles.mine]
        allow = ["Read", "Bash(git *)"]
        deny = ["WebFetch"]
        fallback = "allow"
    """
    settings = load({"default_profile": "mine"}, env, toml(tmp_path, text))
    assert settings.default_profile == "mine"
    assert settings.profiles == {"mine": Profile(allow=["Read", "Bash(git *)"], deny=["WebFetch"], fallback="allow")}


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("postgresql://u:p@h/n", "postgresql+psycopg://u:p@h/n"),
        ("postgres://h/n", "postgresql+psycopg://h/n"),
        ("postgresql+psycopg://h/n", "postgresql+psycopg://h/n"),
        ("sqlite:////abs/log.db", "sqlite:////abs/log.db"),
        ("sqlite:///log.db", "sqlite:///log.db"),
    ],
)
def test_a_store_is_given_by_its_url(env, given, meant):
    assert load({"store": given}, env, None).store == meant


@pytest.mark.parametrize("given", ["mysql://h/n", "log.db", "sqlite://", "sqlite:///:memory:", "postgresql://"])
def test_a_store_that_is_unknown_or_would_be_forgotten_is_refused(given):
    assert "--store" in refusal({"store": given})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "abc"), ("port", "70000"), ("port", "-1"), ("keep_agents", "perhaps"), ("heartbeat_s", "0"),
        ("heartbeat_s", "nan"), ("partials_ttl_s", "inf"), ("stderr_head", "-3"), ("log_level", "loud"),
        ("log_format", "xml"), ("store", "mysql://h"), ("allowed_hosts", ","), ("stall_s", "-1"),
        ("concurrent_starts", "many"), ("warm_sessions", "-1"), ("auth_check", "perhaps"),
        ("public_url", "holdfast.example"), ("webhook_timeout_s", "0"), ("webhook_retries_s", "5,soon"),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused_with_the_setting_its_origin_and_the_value(name, value):
    variable = f"HOLDFAST_{name.upper()}"
    message = refusal(env={variable: value})
    assert f"setting {name} " in message
    assert f"the variable {variable}" in message
    assert repr(value.split(",") if name in LISTS else value) in message
    assert message.endswith(".")


def test_a_bad_value_in_the_file_names_the_file(tmp_path):
    file = toml(tmp_path, "port = 'x'")
    assert refusal(file=file) == (
        f"The setting port (the file {file}) must be a whole number from 0 (any free port) to 65535; it says 'x'."
    )


def test_an_empty_data_folder_is_refused_as_a_flag_and_not_set_as_a_variable(env):
    assert refusal({"data": ""}) == "The setting data (the flag --data) must be the path of a folder; it says ''."
    assert load({}, env | {"HOLDFAST_DATA": ""}, None) == load({}, env, None)


def test_a_home_folder_that_nobody_has_is_refused_by_name(env):
    assert "it says '~nobody-here/x'" in refusal({"data": "~nobody-here/x"})
    with pytest.raises(ConfigError, match="'~nobody-here/x' is in a home folder that nobody here has"):
        find_file(env | {"HOLDFAST_CONFIG": "~nobody-here/x"}, None)


@pytest.mark.parametrize(("name", "one"), [("default_agent", "demo"), ("default_profile", "standard")])
def test_a_default_that_there_is_not_is_refused_with_those_there_are(env, name, one):
    with pytest.raises(ConfigError) as caught:
        check_defaults(load({name: "nope"}, env, None))
    assert str(caught.value).startswith(f"The setting {name} says 'nope'; there are: ")
    assert one in str(caught.value)
    check_defaults(load({}, env, None))


def test_a_default_may_come_from_a_table(env, tmp_path):
    text = "default_agent = 'a'\ndefault_profile = 'p'\n[agents.a]\ncommand = ['x']\n[profiles.p]\n"
    check_defaults(load({}, env, toml(tmp_path, text)))


def test_a_bad_flag_is_named_as_it_was_typed():
    assert "the flag --log-level" in refusal({"log_level": "loud"})


def test_a_number_in_quotes_is_a_mistake_in_the_file_but_not_in_a_variable(env, tmp_path):
    assert load({}, env | {"HOLDFAST_STDERR_HEAD": "7"}, None).stderr_head == 7
    assert "it says '7'" in refusal(file=toml(tmp_path, "stderr_head = '7'"))


def test_an_unknown_setting_is_refused_by_name_with_the_likely_one(tmp_path):
    message = refusal(file=toml(tmp_path, "prot = 1"))
    assert "'prot'" in message
    assert message.endswith("; did you mean 'port'?")
    assert refusal(file=toml(tmp_path, "qqqq = 1")).endswith("has the unknown setting 'qqqq'.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[agents.x]\ncommand = 'one string'", "[agents.x]"),
        ("[agents.x]\ncommand = []", "[agents.x]"),
        ("[agents.x]\ncommand = ['a']\ncolour = 1", "colour"),
        ("[agents.x]\nenv = {}", "command"),
        ("[users.x]\npassword = 'y'", "password"),
        ("[users.local]\ntoken = 'y'", "users.local"),
        ("token = 'y'\n[users.x]\ntoken = 'y'", "'local'"),
        ("[users.a]\ntoken = 'y'\n[users.b]\ntoken = 'y'", "[users.b]"),
        ("agents = 3", "agents"),
        ("profiles = 3", "profiles"),
        ("[profiles.x]\nallow = ['Bash(']", "[profiles.x]"),
        ("[profiles.x]\nallowed = ['Bash']", "allowed"),
        ("[profiles.x]\nfallback = 'perhaps'", "fallback"),
        ("port = ", "not valid TOML"),
    ],
)
def test_a_wrong_table_is_refused_by_its_name_and_file(tmp_path, text, expected):
    file = toml(tmp_path, text)
    message = refusal(file=file)
    assert expected in message
    assert str(file) in message
    assert not message.endswith("..")


def test_a_file_that_was_asked_for_and_is_not_there_is_an_error(tmp_path):
    assert "No such file" in refusal(file=tmp_path / "none.toml")


def test_no_error_and_no_repr_shows_a_secret(env, tmp_path):
    bad = SECRET + " with a space"
    assert SECRET not in refusal(env={"HOLDFAST_TOKEN": bad})
    assert SECRET not in refusal(file=toml(tmp_path, f"[users.x]\ntoken = '{bad}'"))
    assert SECRET not in refusal({"store": f"mysql://me:{SECRET}@h/n"})
    text = f"token = '{SECRET}1'\n[users.x]\ntoken = '{SECRET}'\n"
    text += f"[agents.x]\ncommand = ['x']\nenv = {{ K = '{SECRET}' }}"
    settings = load({"store": f"postgresql://me:{SECRET}@h/n"}, env, toml(tmp_path, text))
    assert SECRET not in repr(settings) + repr(settings.users) + repr(settings.agents)
