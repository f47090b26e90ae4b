"""A fork of an ACP agent's session: a session of its own, or no start at all."""

import pytest

from tests.agents.earlier import HISTORY, methods

FORK = {"fork": True}


def test_a_fork_is_a_session_of_its_own(stage):
    played = stage.play(
        HISTORY
        + """
initialized(loadSession=True, sessionCapabilities={"fork": {}, "resume": {}})
m = expect("session/fork"); history(); reply(m, {"sessionId": SESSION})
finish()
""",
        agent_session_id="s-0",
        task=FORK,
    )
    assert methods(played) == ["initialize", "session/fork", "session/prompt"]
    assert played.sent("session/fork")[0]["sessionId"] == "s-0"
    assert played.sent("session/prompt")[0]["sessionId"] == "s-1"
    assert played.agent_session_id == "s-1"
    assert played.types == ["agent_start", "message", "message"]
    assert "old" not in str(played.events)


@pytest.mark.parametrize(
    ("script", "more", "told"),
    [
        ('initialized(loadSession=True, sessionCapabilities={"fork": None})', {}, "this agent cannot fork a session"),
        (
            'initialized(sessionCapabilities={"fork": {}})',
            {"resume_at": "m-7"},
            "this agent can fork a session at its end only",
        ),
        (
            'initialized(sessionCapabilities={"fork": {}}); refuse(expect("session/fork"), -32603, "lost it")',
            {},
            "the agent refused session/fork: lost it (code -32603)",
        ),
    ],
    ids=["cannot", "not there", "refuses"],
)
def test_a_fork_that_cannot_be_made_is_no_start_and_leaves_the_other_session_alone(stage, script, more, told):
    played = stage.play(script + "; stay()", agent_session_id="s-0", task={**FORK, **more})
    assert (played.outcome["stop_reason"], played.outcome["message"]) == ("start_failed", told)
    assert played.agent_session_id is None
    assert played.events == []
