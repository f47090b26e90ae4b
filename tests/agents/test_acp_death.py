"""How an ACP agent dies in a turn, with its pipes open or closed, and that nobody waits for it."""

import pytest


@pytest.mark.requirement("R119", "R121")
@pytest.mark.parametrize("moment", ["", "initialized()", "opened()", "prompted(); say('x')"])
@pytest.mark.parametrize(
    ("death", "code", "signal", "told"),
    [
        ("os._exit(0)", 0, None, "code 0"),
        ("os._exit(127)", 127, None, "code 127"),
        ("os.kill(os.getpid(), signal.SIGKILL)", None, "SIGKILL", "signal SIGKILL"),
    ],
)
def test_an_agent_that_ends_before_it_answers_has_exited_with_its_status(stage, moment, death, code, signal, told):
    outcome = stage.play(f"{moment}\n{death}").outcome
    assert (outcome["stop_reason"], outcome["error_type"], outcome["by"]) == ("process_exit", "process_exit", "agent")
    assert (outcome["exit_code"], outcome["signal"]) == (code, signal)
    assert outcome["message"] == f"agent exited with status: {told}"


@pytest.mark.requirement("R119")
@pytest.mark.parametrize("last", ["initialize", "session/new"])
def test_an_agent_that_answers_half_a_line_and_dies_leaves_nobody_waiting(stage, last):
    before = "" if last == "initialize" else "initialized()"
    played = stage.play(
        f"""
        {before}
        request = expect({last!r})
        raw(json.dumps({{"id": request["id"], "result": {{"sessionId": "s-1"}}}}).encode())  # no line end
        os._exit(3)
        """
    )
    assert (played.outcome["stop_reason"], played.outcome["exit_code"]) == ("process_exit", 3)
    assert played.took_s < 15


def test_an_answer_without_a_line_end_counts_if_the_agent_exits_behind_it(stage):
    played = stage.play(
        'prompt = prompted(); raw(json.dumps({"id": prompt["id"], "result": {"stopReason": "end_turn"}}).encode())'
    )
    assert played.outcome["stop_reason"] == "success"


@pytest.mark.requirement("R120")
@pytest.mark.parametrize("number", [0, 1])
def test_an_agent_that_closes_its_pipe_and_lives_on_is_no_agent_any_more(stage, number):
    pipe = ("input", "output")[number]
    played = stage.play(f"prompted(); os.close({number})\nwhile True: time.sleep(1)")
    assert (played.outcome["error_type"], played.outcome["by"]) == ("protocol_error", "daemon")
    assert played.outcome["message"] == f"the agent closed its {pipe} but did not exit"
    assert played.left == []


@pytest.mark.requirement("R119")
def test_a_child_that_holds_the_dead_agents_output_open_holds_nobody_up(stage):
    played = stage.play("prompted(); say('last words')\nif os.fork(): os._exit(4)\ntime.sleep(60)")
    assert played.outcome["exit_code"] == 4
    assert played.took_s < 15
    assert played.data("message")[-1]["text"] == "last words"
    assert played.left == []
