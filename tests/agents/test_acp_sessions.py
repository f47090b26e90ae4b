"""Taking up an agent's earlier session: by resume, by load, or from the beginning, and never telling history twice."""

import pytest

RESUME = {"sessionCapabilities": {"resume": {}}}
# The history that session/load tells again, as real agents do.
HISTORY = """
def history():
    update("user_message_chunk", content={"type": "text", "text": "the old question"})
    update("agent_thought_chunk", content={"type": "text", "text": "old thoughts"})
    update("tool_call", toolCallId="old", title="old", status="completed")
    update("plan", entries=[{"content": "old plan", "priority": "low", "status": "pending"}])
    say("the old answer")
def finish():
    prompt = expect("session/prompt")
    say("the new answer")
    end(prompt, "end_turn"); stay()
"""


def play(stage, script, **options):
    return stage.play(HISTORY + 'SESSION = "s-0"\n' + script, agent_session_id="s-0", **options)


def methods(played):
    return [message["method"] for message in played.received if "method" in message]


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
def test_history_that_comes_after_the_answer_to_the_load_is_not_told_again_either(stage):
    played = play(
        stage,
        """
initialized(loadSession=True); m = expect("session/load")
update("user_message_chunk", content={"type": "text", "text": "the old question"})
reply(m, {}); history(); time.sleep(0.03); history()
finish()
""",
    )
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


def test_updates_before_the_answer_to_session_new_are_not_lost(stage):
    played = stage.play(
        """
        initialized()
        new = expect("session/new")
        update("available_commands_update", availableCommands=[])
        say("early")
        reply(new, {"sessionId": SESSION})
        end(expect("session/prompt")); stay()
        """
    )
    assert played.types == ["agent_update", "message", "agent_start", "message"]
    assert played.data("agent_update")[0]["kind"] == "available_commands_update"
    assert played.data("message")[-1]["full_text"] == "early"
    assert played.outcome["stop_reason"] == "success"


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


def test_what_another_session_of_the_same_agent_does_is_kept_apart_from_ours(stage):
    played = stage.play(
        """
        prompt = prompted()
        say("mine ")
        SESSION, own = "child", SESSION
        say("the child's"); update("tool_call", toolCallId="c", title="t", status="completed")
        SESSION = own
        say("too"); end(prompt); stay()
        """
    )
    assert played.types.count("agent_update") == 2
    assert "tool_start" not in played.types
    assert played.data("message")[-1]["full_text"] == "mine too"
    assert {data["kind"] for data in played.data("agent_update")} == {"session/update"}
    assert [data["update"]["sessionId"] for data in played.data("agent_update")] == ["child", "child"]
    assert played.data("agent_update")[0]["update"]["update"]["content"]["text"] == "the child's"


# What a session has cost


def cost(amount):
    return f'update("usage_update", used=1, size=2, cost={{"amount": {amount}, "currency": "USD"}})'


@pytest.mark.requirement("R106")
@pytest.mark.parametrize(
    ("before", "during", "run"),
    [
        ([0.5], [0.5, 0.75], 0.25),
        ([0.1, 0.5], [0.7], 0.2),
        ([], [0.5, 0.75, 1.0], 0.5),
        ([], [0.5], None),
        ([0.5], [0.1, 0.3], 0.3),
        ([], [], None),
    ],
    ids=["told", "told twice", "first counts as before", "only one", "counted anew", "none"],
)
def test_a_session_that_is_taken_up_costs_what_this_run_has_added(stage, before, during, run):
    played = play(
        stage,
        f"""
initialized(sessionCapabilities={{"resume": {{}}}})
m = expect("session/resume")
{"; ".join(map(cost, before))}
reply(m, {{}})
prompt = expect("session/prompt")
{"; ".join(map(cost, during))}
end(prompt); stay()
""",
    )
    assert played.outcome["total_cost_usd"] == run
    assert len(played.data("usage")) == len(before + during)
    assert played.data("usage")[-1].get("cost_usd") == run if before + during else True


@pytest.mark.requirement("R106")
def test_a_new_session_has_cost_nothing_before(stage):
    played = stage.play(f"prompt = prompted(); {cost(0.25)}; {cost(0.5)}; end(prompt); stay()")
    assert [data["cost_usd"] for data in played.data("usage")] == [0.25, 0.5]
    assert played.outcome["total_cost_usd"] == 0.5


# Forks

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


def test_notifications_of_the_agents_own_kind_are_kept(stage):
    played = stage.play(
        r"""
        prompt = prompted()
        send(method="_auth/status_update", params={"status": "\x1b[32mok\x1b[0m"})
        send(method="_no_params")
        end(prompt); stay()
        """
    )
    assert played.data("agent_update") == [
        {"kind": "_auth/status_update", "update": {"status": "ok"}},
        {"kind": "_no_params", "update": {}},
    ]


@pytest.mark.requirement("R030")
def test_the_model_is_told_if_the_agent_names_it(stage):
    played = stage.play(
        """
        initialized()
        reply(expect("session/new"), {"sessionId": SESSION, "models": {"currentModelId": "m-1", "availableModels": []}})
        end(expect("session/prompt")); stay()
        """
    )
    assert played.data("agent_start")[0]["model"] == "m-1"


@pytest.mark.requirement("R120")
@pytest.mark.parametrize("answer", ["{}", "[]", "{'sessionId': 5}", "None"])
def test_a_new_session_without_an_id_is_a_broken_protocol(stage, answer):
    played = stage.play(f"initialized(); reply(expect('session/new'), {answer}); stay()")
    assert played.outcome["error_type"] is not None
    assert played.outcome["by"] == "daemon"
    assert "sessionId" in played.outcome["message"]
