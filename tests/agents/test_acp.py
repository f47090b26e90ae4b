"""The ACP adapter with real agent processes: from the start of a turn to its outcome."""

import os

import pytest

SIMPLE = """
prompt = prompted()
say("Hel"); say("lo")
end(prompt, usage={"totalTokens": 5, "inputTokens": 2, "outputTokens": 3})
stay()
"""


@pytest.mark.requirement("R030", "R033")
def test_a_turn_is_a_start_and_the_agents_texts(stage):
    played = stage.play(SIMPLE, text="[CONTEXT] Do it", shown="Do it")
    assert played.types == ["agent_start", "message", "message", "message"]
    start = {"session_id": "ours", "agent": "scripted", "task": "Do it", "tools": [], "skills": []}
    assert played.data("agent_start") == [start | {"agent_session_id": "s-1", "capabilities": []}]
    assert [message["text"] for message in played.data("message")] == ["Hel", "lo", "Hello"]
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


@pytest.mark.requirement("R120")
@pytest.mark.parametrize("version", [0, 2, "2"])
def test_an_agent_of_another_version_of_the_protocol_is_no_start(stage, version):
    outcome = stage.play(f"initialized(version={version!r}); stay()").outcome
    assert (outcome["stop_reason"], outcome["by"]) == ("start_failed", "daemon")
    assert outcome["message"] == (
        f"the agent speaks version {version} of the Agent Client Protocol, and Holdfast version 1"
    )


@pytest.mark.requirement("R120")
@pytest.mark.parametrize(
    ("script", "waiting", "seconds"),
    # Long enough for the agent to get as far as that, however slowly it starts.
    [("stay()", "initialize", 0.3), ("initialized(); stay()", "session/new", 5)],
)
def test_an_agent_that_does_not_answer_at_the_start_fails_in_time_and_is_ended(stage, script, waiting, seconds):
    played = stage.play(script, start_timeout_s=seconds)
    assert played.outcome["stop_reason"] == "start_failed"
    assert played.outcome["by"] == "daemon"
    assert played.outcome["message"] == f"the agent did not answer {waiting} within {seconds} s"
    assert seconds <= played.took_s < seconds + 15
    assert played.left == []


@pytest.mark.requirement("R120")
def test_a_prompt_may_take_longer_than_the_start(stage):
    played = stage.play("prompt = prompted(); time.sleep(4.2); end(prompt); stay()", start_timeout_s=4)
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
    assert played.events == []


@pytest.mark.requirement("R120")
@pytest.mark.parametrize("kind", ["missing", "a file"])
def test_a_workspace_that_is_none_is_named_not_the_program(stage, tmp_path, kind):
    folder = tmp_path / "workspace"
    if kind == "a file":
        folder.touch()
    played = stage.play("stay()", task={"cwd": str(folder)})
    assert (played.outcome["stop_reason"], played.outcome["by"]) == ("start_failed", "daemon")
    assert played.outcome["message"].startswith(f"the workspace '{folder}' cannot be entered: ")
    assert "python" not in played.outcome["message"]


@pytest.mark.parametrize(
    ("script", "seconds"),
    [("initialized(); stay()", 1), ("os._exit(1)", 20), ("opened(); prompt = read(); os._exit(1)", 20)],
)
def test_an_agent_that_got_no_task_has_not_started(stage, script, seconds):
    played = stage.play(script, start_timeout_s=seconds)
    assert ("agent_start" in played.types) == ("prompt" in script)


def test_what_an_agent_says_when_all_is_over_is_not_heard(stage):
    played = stage.play(
        """
        prompt = prompted(); end(prompt)
        try: read()
        finally: update("session_info_update", title="late"); send(id=5, method="session/request_permission", params={})
        """,
        patience_s=2,
    )
    assert played.types == ["agent_start"]


def test_the_tokens_that_gemini_tells_in_its_own_place_are_the_usage(stage):
    outcome = stage.play("end(prompted(), _meta={'quota': {'token_count': {'input_tokens': 7}}}); stay()").outcome
    assert outcome["usage"] == {"token_count": {"input_tokens": 7}}


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
    assert "PYTEST_VERSION" in os.environ
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
    assert "PYTEST_" not in text


def test_an_agent_gets_of_the_servers_environment_what_is_named(stage):
    script = "prompt = prompted(); say(json.dumps(sorted(os.environ))); end(prompt); stay()"
    played = stage.play(script, task={"pass_environment": ["PYTEST_*"]})
    assert '"PYTEST_VERSION"' in played.data("message")[-1]["text"]


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


def test_a_defect_of_ours_ends_the_turn_and_is_told(stage):
    with pytest.raises(AssertionError, match="the log is full"):
        stage.play("prompted(); say('a'); stay()", message="fail")
