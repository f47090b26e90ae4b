"""Logging in to an ACP agent: asked for, done, refused, and told how it is done."""

import pytest


@pytest.mark.requirement("R103")
@pytest.mark.parametrize(
    "script",
    [
        "initialized(); refuse(expect('session/new'), -32000, 'Authentication required')",
        "refuse(prompted(), -32000, 'Authentication required')",
        "initialized(loadSession=True); refuse(expect('session/load'), -32000, 'Authentication required')",
    ],
    ids=["session/new", "session/prompt", "session/load"],
)
def test_an_agent_that_asks_for_a_login_has_failed_to_authenticate_wherever_it_says_so(stage, script):
    id_ = "s-0" if "session/load" in script else None
    outcome = stage.play(script + "; stay()", agent_session_id=id_).outcome
    assert (outcome["stop_reason"], outcome["error_type"], outcome["by"]) == ("auth_failed", "auth_failed", "agent")
    assert "Authentication required" in outcome["message"]


AUTH = [
    {"id": "login", "name": "Log in with the website", "description": "Opens a browser"},
    {"id": "key", "name": "API key", "type": "env_var", "vars": [{"name": "AGENT_KEY"}, {"name": "AGENT_ORG"}]},
    {"id": "shell", "name": "shell", "type": "terminal", "args": ["login"]},
]


@pytest.mark.requirement("R103")
@pytest.mark.parametrize("opening", ["new = expect('session/new')", "new = prompted_()"])
def test_an_agent_that_asks_for_a_login_is_quoted_on_how_to_do_that(stage, opening):
    outcome = stage.play(
        f"""
        def prompted_(): reply(expect("session/new"), {{"sessionId": SESSION}}); return expect("session/prompt")
        initialized(auth={AUTH!r}); {opening}
        refuse(new, -32000, "Authentication required"); stay()
        """
    ).outcome
    assert outcome["stop_reason"] == "auth_failed"
    assert outcome["message"].partition("; ways to log in: ")[2].split("; ") == [
        "Log in with the website (login): Opens a browser",
        "API key (key): set AGENT_KEY, AGENT_ORG",
        "shell: run the agent in a terminal, with `login`",
    ]


def test_a_way_to_log_in_is_taken_before_the_session_is_opened(stage):
    played = stage.play(
        f"""
        initialized(auth={AUTH!r})
        reply(expect("authenticate"), {{}})
        reply(expect("session/new"), {{"sessionId": SESSION}})
        end(expect("session/prompt")); stay()
        """,
        task={"auth": "key"},
    )
    assert played.sent("authenticate") == [{"methodId": "key"}]
    assert played.outcome["stop_reason"] == "success"


def test_a_login_that_the_agent_refuses_has_failed_whatever_the_code(stage):
    script = f"initialized(auth={AUTH!r}); refuse(expect('authenticate'), -32603, 'wrong key'); stay()"
    outcome = stage.play(script, task={"auth": "key"}).outcome
    assert (outcome["stop_reason"], outcome["by"]) == ("auth_failed", "agent")
    assert outcome["message"].startswith("authenticate: wrong key (code -32603); ways to log in: ")


@pytest.mark.parametrize(("auth", "told"), [(AUTH, "it has login, key, shell"), ([], "it has none")])
def test_a_way_to_log_in_that_is_not_there_is_no_start(stage, auth, told):
    outcome = stage.play(f"initialized(auth={auth!r}); stay()", task={"auth": "magic"}).outcome
    assert outcome["stop_reason"] == "start_failed"
    assert outcome["message"] == f"the agent has no way to log in called 'magic'; {told}"
