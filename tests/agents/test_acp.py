"""The ACP adapter with real agent processes: from the start of a turn to its outcome."""

import os

import pytest

SIMPLE = """
prompt = prompted()
say("Hel"); say("lo")
end(prompt, usage={"totalTokens": 5, "inputTokens": 2, "outputTokens": 3})
stay()
"""


@pytest.mark.requirement("R030", "R033", "R043")
def test_a_turn_is_a_start_the_agents_texts_and_its_conversation_turn(stage):
    played = stage.play(SIMPLE, text="[CONTEXT] Do it", shown="Do it")
    assert played.types == ["agent_start", "message", "message", "message", "conversation_turn"]
    start = {"session_id": "ours", "agent": "scripted", "task": "Do it", "tools": [], "skills": []}
    assert played.data("agent_start") == [start | {"agent_session_id": "s-1"}]
    assert [message["text"] for message in played.data("message")] == ["Hel", "lo", "Hello"]
    [turn] = played.data("conversation_turn")
    assert (turn["prompt_preview"], turn["response_preview"], turn["tools_used"]) == ("Do it", "Hello", [])
    assert played.outcome["stop_reason"] == "success"
    assert played.outcome["agent_stop_reason"] == "end_turn"
    assert played.outcome["usage"]["totalTokens"] == 5
    assert played.agent_session_id == "s-1"
    assert played.is_ended
    assert played.left == []


@pytest.mark.requirement("R101")
def test_the_agent_gets_the_text_and_the_log_what_the_user_said(stage):
    played = stage.play(SIMPLE, text="[RESUME CONTEXT]\nDo it", shown="Do it")
    assert played.sent("session/prompt")[0]["prompt"] == [{"type": "text", "text": "[RESUME CONTEXT]\nDo it"}]
    assert "RESUME" not in str(played.events)


@pytest.mark.requirement("R103")
@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", "success"),
        ("max_tokens", "max_tokens"),
        ("max_turn_requests", "error_max_turns"),
        ("refusal", "refusal"),
        ("cancelled", "cancelled"),
    ],
)
def test_every_stop_reason_of_the_protocol_has_ours(stage, word, reason):
    outcome = stage.play(f"end(prompted(), {word!r}); stay()").outcome
    assert (outcome["stop_reason"], outcome["agent_stop_reason"], outcome["error_type"]) == (reason, word, None)


@pytest.mark.requirement("R103", "R106")
def test_an_unknown_stop_reason_is_an_error_that_names_it(stage):
    played = stage.play(
        """
        prompt = prompted()
        update("usage_update", used=1, size=2, cost={"amount": 0.5, "currency": "USD"})
        end(prompt, "lost_interest"); stay()
        """
    )
    assert played.outcome["stop_reason"] == "error_during_execution"
    assert played.outcome["agent_stop_reason"] == "lost_interest"
    assert "lost_interest" in played.outcome["message"]
    assert played.outcome["total_cost_usd"] == 0.5


@pytest.mark.requirement("R039", "R106")
def test_a_prompt_that_is_answered_with_an_error_fails_with_the_agents_words(stage):
    played = stage.play(
        r"""
        prompt = prompted()
        say("I will")
        update("usage_update", used=1, size=2, cost={"amount": 0.5, "currency": "USD"})
        refuse(prompt, 400, "API Error: \x1b[31m400\x1b[0m overloaded"); stay()
        """
    )
    outcome = played.outcome
    assert (outcome["stop_reason"], outcome["error_type"], outcome["by"]) == (
        "error_during_execution",
        "agent_error",
        "agent",
    )
    assert outcome["message"] == "API Error: 400 overloaded"
    assert outcome["total_cost_usd"] == 0.5
    assert played.data("message")[-1]["full_text"] == "I will"


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


@pytest.mark.requirement("R120")
@pytest.mark.parametrize(
    ("script", "waiting", "seconds"),
    [("stay()", "initialize", 0.3), ("initialized(); stay()", "session/new", 1.5)],
)
def test_an_agent_that_does_not_answer_at_the_start_fails_in_time_and_is_ended(stage, script, waiting, seconds):
    played = stage.play(script, start_timeout_s=seconds)
    assert played.outcome["stop_reason"] == "start_failed"
    assert played.outcome["by"] == "daemon"
    assert played.outcome["message"] == f"the agent did not answer {waiting} within {seconds} s"
    assert seconds <= played.took_s < seconds + 5
    assert played.left == []


@pytest.mark.requirement("R120")
def test_a_prompt_may_take_longer_than_the_start(stage):
    played = stage.play("prompt = prompted(); time.sleep(1.7); end(prompt); stay()", start_timeout_s=1.5)
    assert played.outcome["stop_reason"] == "success"


@pytest.mark.requirement("R120")
def test_a_start_that_the_agent_refuses_has_failed(stage):
    outcome = stage.play("refuse(expect('initialize'), 1001, 'broken setting'); stay()").outcome
    assert (outcome["stop_reason"], outcome["by"]) == ("start_failed", "daemon")
    assert "initialize" in outcome["message"]
    assert "broken setting" in outcome["message"]


@pytest.mark.requirement("R120")
@pytest.mark.parametrize("command", [["/no/such/program"], ["/etc/passwd"], ["no-such-program-at-all"]])
def test_a_program_that_cannot_be_started_has_failed_to_start(stage, command):
    played = stage.play(command=command)
    assert (played.outcome["stop_reason"], played.outcome["by"]) == ("start_failed", "daemon")
    assert command[0] in played.outcome["message"]
    assert played.pids == []


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
    assert played.took_s < 5


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
    assert played.took_s < 5
    assert played.data("message")[-1]["text"] == "last words"
    assert played.left == []


@pytest.mark.requirement("R122", "R125")
def test_a_flood_on_stderr_never_blocks_the_agent(stage):
    played = stage.play(
        """
        prompt = prompted()
        block = b"".join(b"line %07d\\n" % number for number in range(4000))
        for _ in range(200): sys.stderr.buffer.write(block)
        sys.stderr.flush()
        end(prompt); stay()
        """
    )
    assert played.outcome["stop_reason"] == "success"
    assert played.stderr["total_lines"] == 800_000
    assert played.stderr["truncated"] is True
    assert len(played.stderr["tail"].split("\n")) == 50


def test_an_agent_gets_its_environment_without_our_settings(stage):
    assert "HOME" in os.environ
    played = stage.play(
        """
        prompt = prompted()
        say(json.dumps(dict(os.environ)))
        end(prompt); stay()
        """,
        environment={"OWN": "1", "HOLDFAST_SESSION_ID": "ours"},
    )
    text = played.data("message")[-1]["text"]
    assert '"OWN": "1"' in text
    assert '"HOME"' in text
    assert text.count("HOLDFAST_") == 1


def test_a_paused_agent_is_read_on_later_without_loss(stage):
    played = stage.play(
        """
        prompt = prompted()
        for number in range(3000): update("tool_call", toolCallId=f"t{number}", title="x", status="completed")
        end(prompt); stay()
        """,
        tool_start="pause",
    )
    assert [data["tool_id"] for data in played.data("tool_complete")] == [f"t{number}" for number in range(3000)]
    assert played.took_s >= 0.3
