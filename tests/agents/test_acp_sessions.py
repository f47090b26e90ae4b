"""Taking up an agent's earlier session: by resume, by load, or from the beginning, and never telling history twice."""

import pytest

from tests.agents.earlier import HISTORY, methods, play

RESUME = {"sessionCapabilities": {"resume": {}}}


@pytest.mark.requirement("R005", "R016")
def test_a_session_is_resumed_where_the_agent_can_do_that(stage):
    played = play(
        stage,
        """
initialized(loadSession=True, sessionCapabilities={"resume": {}})
reply(expect("session/resume"), {})
finish()
""",
    )
    assert methods(played) == ["initialize", "session/resume", "session/prompt"]
    assert played.sent("session/resume")[0]["sessionId"] == "s-0"
    assert played.sent("session/prompt")[0]["sessionId"] == "s-0"
    assert played.types[0] == "agent_start"
    assert played.data("agent_start")[0]["agent_session_id"] == played.agent_session_id == "s-0"
    assert played.data("recovered") == []


@pytest.mark.requirement("R005")
def test_a_session_is_loaded_where_the_agent_cannot_resume_and_its_history_is_not_told_again(stage):
    played = play(
        stage, 'initialized(loadSession=True); m = expect("session/load"); history(); reply(m, None); finish()'
    )
    assert methods(played) == ["initialize", "session/load", "session/prompt"]
    assert played.types == ["agent_start", "message", "message"]
    assert "old" not in str(played.events)
    assert played.data("message")[-1]["full_text"] == "the new answer"


@pytest.mark.requirement("R005")
def test_history_that_comes_after_the_answer_to_the_load_is_not_told_again_either(stage, tmp_path):
    took = tmp_path / "took"
    script = f"""
initialized(loadSession=True); m = expect("session/load")
update("user_message_chunk", content={{"type": "text", "text": "the old question"}})
began = time.monotonic()
reply(m, {{}}); history(); time.sleep(0.03); history()
with open({str(took)!r}, "w") as file: file.write(str(time.monotonic() - began))
finish()
"""
    for _ in range(10):
        played = play(stage, script)
        # One that a busy machine has stopped meanwhile was quiet, and its history was over for all that can be known.
        if float(took.read_text()) < 0.2:
            break
    assert played.types == ["agent_start", "message", "message"]
    assert "old" not in str(played.events)


@pytest.mark.requirement("R005")
def test_an_agent_that_announces_resume_and_refuses_it_is_asked_to_load(stage):
    played = play(
        stage,
        """
initialized(loadSession=True, sessionCapabilities={"resume": {}})
refuse(expect("session/resume"), -32601)
m = expect("session/load"); history(); reply(m, {})
finish()
""",
    )
    assert methods(played) == ["initialize", "session/resume", "session/load", "session/prompt"]
    assert played.data("recovered") == []
    assert "old" not in str(played.events)


@pytest.mark.requirement("R005", "R016")
@pytest.mark.parametrize(
    ("capabilities", "tried"),
    [
        ({}, []),
        ({"loadSession": False}, []),
        ({"loadSession": True}, ["session/load"]),
        (RESUME, ["session/resume"]),
        ({"loadSession": True, **RESUME}, ["session/resume", "session/load"]),
    ],
)
def test_an_agent_that_cannot_take_up_its_session_begins_a_new_one_and_says_so(stage, capabilities, tried):
    played = play(
        stage,
        f"""
initialized(**{capabilities!r})
for method in {tried!r}: m = expect(method); history(); refuse(m, -32002, "not found")
SESSION = "s-1"
new = expect("session/new"); say("as I said: "); reply(new, {{"sessionId": SESSION}})
finish()
""",
    )
    assert methods(played) == ["initialize", *tried, "session/new", "session/prompt"]
    recovered = played.data("recovered")
    assert [data["agent_session_id"] for data in recovered] == ["s-1"]
    assert played.types.index("recovered") < played.types.index("agent_start")
    assert played.agent_session_id == "s-1"
    assert played.data("agent_start")[0]["agent_session_id"] == "s-1"
    assert played.data("message")[-1]["full_text"] == "as I said: the new answer"


@pytest.mark.requirement("R016")
def test_a_new_session_says_nothing_of_recovery(stage):
    played = stage.play(HISTORY + "opened(loadSession=True); finish()")
    assert methods(played) == ["initialize", "session/new", "session/prompt"]
    assert played.data("recovered") == []


def test_how_a_loaded_session_stands_is_told_although_its_history_is_not(stage):
    played = play(
        stage,
        """
initialized(loadSession=True); m = expect("session/load")
history()
update("available_commands_update", availableCommands=[]); update("current_mode_update", currentModeId="code")
reply(m, {})
finish()
""",
    )
    assert [data["kind"] for data in played.data("agent_update")] == [
        "available_commands_update",
        "current_mode_update",
    ]
    assert "old" not in str(played.events)
