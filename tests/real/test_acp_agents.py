"""The real ACP agents as they are, without Holdfast: what they make of the scripted API.

Where one differs from the other, the test says so: that is what an adapter must bear.
"""

import signal

import pytest

from tests.models.marker import do
from tests.real.acp import AcpError


def test_an_agent_streams_thoughts_and_text(models, agent, spoken):
    client = spoken(agent)
    client.open()
    hold = models.hold(at="text", text="Half one. Half two.")
    turn = client.send_prompt(hold.marker)
    hold.until_reached()
    client.until(lambda: client.text() == "Half one. ")
    hold.release()
    assert client.finish(turn)["stopReason"] == "end_turn"
    assert client.text() == "Half one. Half two."
    client.prompt(do("think", thinking="Hm, hm."))
    # codex puts an empty line before each part of its thoughts.
    assert client.text("agent_thought_chunk").strip() == "Hm, hm."


def test_an_agent_asks_before_it_runs_a_command(agent, spoken):
    client = spoken(agent)
    client.open()
    assert client.prompt(do("shell", command="touch 'made here.txt'"))["stopReason"] == "end_turn"
    assert len(client.asked) == 1
    assert (client.cwd / "made here.txt").exists()
    assert client.text() == "I will run a command.The command has run."


def test_an_agent_does_not_run_what_was_rejected(agent, spoken):
    client = spoken(agent, decision="reject_once")
    client.open()
    stop = client.prompt(do("shell", command="touch made.txt"))["stopReason"]
    assert stop == ("cancelled" if "codex" in agent["command"][0] else "end_turn")
    assert len(client.asked) == 1
    assert not (client.cwd / "made.txt").exists()


def test_an_agent_writes_a_file_and_runs_several_commands_of_one_answer(agent, spoken):
    client = spoken(agent)
    client.open()
    client.prompt(do("write", path=str(client.cwd / "written.txt"), content="Line one\nLine two\n"))
    assert (client.cwd / "written.txt").read_text() == "Line one\nLine two\n"
    client.prompt(do("parallel", count=3))
    assert {path.name for path in client.cwd.glob("made-*")} == {"made-1.txt", "made-2.txt", "made-3.txt"}
    assert client.text().endswith("All of them have run.")


def test_codex_shows_its_plan(codex_agent, spoken):
    client = spoken(codex_agent())
    client.open()
    client.prompt(do("todos"))
    plans = [update["entries"] for update in client.updates if update["sessionUpdate"] == "plan"]
    assert [[entry["status"] for entry in plan] for plan in plans] == [
        ["in_progress", "pending"],
        ["completed", "in_progress"],
        ["completed", "completed"],
    ]


def test_a_cancelled_turn_ends_in_the_middle_of_its_text_and_the_next_one_works(models, agent, spoken):
    client = spoken(agent)
    client.open()
    hold = models.hold(at="text")
    turn = client.send_prompt(hold.marker)
    hold.until_reached()
    client.until(client.text)
    client.cancel()
    assert client.finish(turn)["stopReason"] == "cancelled"
    assert client.prompt(do("text", text="Here again."))["stopReason"] == "end_turn"
    assert client.text().endswith("Here again.")


def test_a_turn_is_cancelled_while_its_permission_is_open(agent, spoken):
    client = spoken(agent)
    client.decision = None
    client.open()
    turn = client.send_prompt(do("shell", command="touch made.txt"))
    client.until(lambda: client.asked)
    client.cancel()
    client.refuse_open()
    assert client.finish(turn)["stopReason"] == "cancelled"
    assert not (client.cwd / "made.txt").exists()


def test_an_agent_that_was_killed_in_its_turn_goes_on_with_its_session(models, agent, spoken):
    client = spoken(agent)
    session_id = client.open()
    client.prompt(do("text", text="Said before."))
    hold = models.hold(at="text")
    turn = client.send_prompt(hold.marker)
    hold.until_reached()
    assert client.kill() == -signal.SIGKILL
    with pytest.raises(AcpError, match="gone"):
        client.finish(turn)

    again = spoken(agent)
    again.load(session_id)
    assert "Said before." in again.text()
    assert again.prompt(do("text", text="Said after."))["stopReason"] == "end_turn"
    texts = [message.text for message in models.requests("text")[-1].messages]
    assert "Said before." in texts


def test_codex_says_a_failed_model_as_an_error_and_goose_as_text(models, codex_agent, goose_agent, spoken):
    codex = spoken(codex_agent())
    codex.open()
    with pytest.raises(AcpError) as error:
        codex.prompt(do("error", status=500))
    assert error.value.code == -32603
    goose = spoken(goose_agent())
    goose.open()
    assert goose.prompt(do("error", status=500))["stopReason"] == "end_turn"
    assert "500" in goose.text()
