"""What an agent finds in its environment, and what it never does."""

from hypothesis import given
from hypothesis import strategies as st

from holdfast.agents.environment import agent_environment

OWN = {
    "PATH": "/bin",
    "HOME": "/home/me",
    "LANG": "C",
    "LC_ALL": "C",
    "XDG_CONFIG_HOME": "/home/me/.config",
    "https_proxy": "http://proxy:3128",
    "NO_PROXY": "localhost",
    "ANTHROPIC_API_KEY": "hers",
    "AWS_PROFILE": "work",
    "AWS_SECRET_ACCESS_KEY": "deep",
    "AWSOME": "no",
    "GITHUB_TOKEN": "other",
    "PYTHONPATH": "/x",
    "LD_PRELOAD": "/evil.so",
    "HOLDFAST_TOKEN": "ours",
    "HOLDFAST_STORE": "postgresql://me:secret@host/name",
}
HARMLESS = {"PATH", "HOME", "LANG", "LC_ALL", "XDG_CONFIG_HOME", "https_proxy", "NO_PROXY"}


def test_an_agent_gets_what_is_harmless_and_nothing_else() -> None:
    assert agent_environment(OWN, extra={}) == {name: OWN[name] for name in HARMLESS}


def test_what_is_named_is_passed_on_whole_or_by_its_beginning() -> None:
    passed = agent_environment(OWN, extra={}, names=["ANTHROPIC_API_KEY", "AWS_*", "NOT_THERE"])
    assert passed.keys() - HARMLESS == {"ANTHROPIC_API_KEY", "AWS_PROFILE", "AWS_SECRET_ACCESS_KEY"}


def test_what_the_agent_is_given_comes_on_top() -> None:
    passed = agent_environment(OWN, extra={"HOME": "/elsewhere", "NEW": "1"}, names=["ANTHROPIC_API_KEY"])
    assert (passed["HOME"], passed["NEW"], passed["ANTHROPIC_API_KEY"]) == ("/elsewhere", "1", "hers")


def test_our_own_settings_are_passed_on_only_if_they_are_given() -> None:
    names = ["HOLDFAST_TOKEN", "HOLDFAST_*", "H*", "*"]
    passed = agent_environment(OWN, extra={"HOLDFAST_SESSION_ID": "s"}, names=names)
    assert {name for name in passed if name.startswith("HOLDFAST_")} == {"HOLDFAST_SESSION_ID"}


NAMES = st.sampled_from([*OWN, "LC_", "XDG_", "LC", "path", "HOLDFAST", "HOLDFAST_"]) | st.text(
    st.characters(categories=["Lu", "Nd"], include_characters="_"), min_size=1, max_size=8
)


@given(
    own=st.dictionaries(NAMES, st.text(max_size=3)),
    extra=st.dictionaries(NAMES, st.text(max_size=3), max_size=3),
    names=st.lists(NAMES | NAMES.map(lambda name: f"{name}*"), max_size=4),
)
def test_every_variable_is_given_or_named_or_harmless(
    own: dict[str, str], extra: dict[str, str], names: list[str]
) -> None:
    passed = agent_environment(own, extra=extra, names=names)
    plain = agent_environment(own, extra={})
    assert extra.items() <= passed.items()
    for name, value in passed.items():
        if name in extra:
            continue
        assert value == own[name]
        assert not name.startswith("HOLDFAST_")
        is_named = name in names or any(name.startswith(given[:-1]) for given in names if given.endswith("*"))
        assert is_named or name in plain
