"""What an agent lets its user choose: told at the start, set before the prompt, refused by name if it is not there."""

import pytest

MODES = {
    "currentModeId": "ask",
    "availableModes": [
        {"id": "ask", "name": "Ask", "description": "Asks first"},
        {"id": "code", "name": "\x1b[1mCode"},
    ],
}
MODELS = {
    "currentModelId": "small",
    "availableModels": [{"modelId": "small", "name": "Small"}, {"modelId": "large", "name": "Large"}],
}
MODEL_OPTION = {
    "id": "the-model",
    "name": "Model",
    "category": "model",
    "type": "select",
    "currentValue": "m-1",
    "options": [
        {"group": "a", "name": "A", "options": [{"value": "m-1", "name": "One"}, {"value": "m-2", "name": "Two"}]},
        {"group": "b", "name": "B", "options": [{"value": "m-3", "name": "Three"}]},
    ],
}
MODE_OPTION = {
    "id": "the-mode",
    "name": "Mode",
    "category": "mode",
    "type": "select",
    "currentValue": "plan",
    "options": [{"value": "plan", "name": "Plan"}, {"value": "act", "name": "Act"}],
}
EFFORT = {
    "id": "effort",
    "name": "Effort",
    "category": "thought_level",
    "type": "select",
    "currentValue": "low",
    "options": [{"value": "low", "name": "Low"}, {"value": "high", "name": "High"}],
}
FAST = {"id": "fast", "name": "Fast", "type": "boolean", "currentValue": False}
# Answers whatever is set; an option's answer has all options, with the new value in its place.
SETTING = """
def set_all(options):
    while True:
        message = read()
        if message["method"] == "session/prompt": break
        params = message["params"]
        for option in options:
            if option["id"] == params.get("configId"): option["currentValue"] = params["value"]
        reply(message, {"configOptions": options} if "configId" in params else {})
    end(message); stay()
"""


def play(stage, session, **task):
    script = f"opened(session={session!r}); set_all({session.get('configOptions', [])!r})"
    return stage.play(SETTING + script, task=task)


def set_by(played):
    return [
        (message["method"].removeprefix("session/set_"), message["params"])
        for message in played.received
        if message.get("method", "").startswith("session/set_")
    ]


def test_what_there_is_to_choose_is_told_at_the_start(stage):
    played = play(stage, {"modes": MODES, "models": MODELS, "configOptions": [EFFORT, FAST]})
    [start] = played.data("agent_start")
    assert start["mode"] == "ask"
    assert start["modes"] == [
        {"id": "ask", "name": "Ask", "description": "Asks first"},
        {"id": "code", "name": "Code"},
    ]
    assert start["model"] == "small"
    assert [model["id"] for model in start["models"]] == ["small", "large"]
    assert start["options"] == [EFFORT, FAST]
    assert set_by(played) == []
    assert played.outcome["model"] == "small"


def test_an_agent_with_nothing_to_choose_tells_nothing(stage):
    [start] = play(stage, {}).data("agent_start")
    assert not {"mode", "modes", "model", "models", "options"} & set(start)


@pytest.mark.parametrize(
    "session",
    [
        {"modes": 5, "models": [], "configOptions": "none"},
        {"modes": {"availableModes": [5, {"name": "no id"}], "currentModeId": 7}, "models": {"availableModels": {}}},
        {"configOptions": [None, {"id": "x"}, {"category": "model", "options": [{"group": "g"}, 7]}]},
    ],
)
def test_choices_that_nobody_understands_harm_nothing(stage, session):
    played = play(stage, session)
    assert played.outcome["stop_reason"] == "success"
    assert not {"mode", "modes", "model", "models"} & set(played.data("agent_start")[0])


def test_a_mode_is_set_before_the_prompt_and_told(stage):
    played = play(stage, {"modes": MODES}, mode="code")
    assert set_by(played) == [("mode", {"sessionId": "s-1", "modeId": "code"})]
    assert played.data("agent_start")[0]["mode"] == "code"
    assert played.outcome["stop_reason"] == "success"


def test_a_mode_that_is_an_option_is_set_as_one(stage):
    played = play(stage, {"configOptions": [MODE_OPTION]}, mode="act")
    assert set_by(played) == [
        ("config_option", {"sessionId": "s-1", "configId": "the-mode", "value": "act"}),
    ]
    [start] = played.data("agent_start")
    assert (start["mode"], [mode["id"] for mode in start["modes"]]) == ("act", ["plan", "act"])


def test_an_agent_that_has_modes_and_the_option_gets_the_mode_set(stage):
    played = play(stage, {"modes": MODES, "configOptions": [MODE_OPTION]}, mode="code")
    assert set_by(played) == [("mode", {"sessionId": "s-1", "modeId": "code"})]


def test_a_model_is_set_by_its_option_where_there_is_one(stage):
    played = play(stage, {"models": MODELS, "configOptions": [EFFORT, MODEL_OPTION]}, model="m-3")
    assert set_by(played) == [
        ("config_option", {"sessionId": "s-1", "configId": "the-model", "value": "m-3"}),
    ]
    [start] = played.data("agent_start")
    assert (start["model"], [model["id"] for model in start["models"]]) == ("m-3", ["m-1", "m-2", "m-3"])
    assert start["options"][1]["currentValue"] == "m-3"
    assert played.outcome["model"] == "m-3"


def test_a_model_is_set_by_its_method_where_there_is_no_option(stage):
    played = play(stage, {"models": MODELS}, model="large")
    assert set_by(played) == [("model", {"sessionId": "s-1", "modelId": "large"})]
    assert played.data("agent_start")[0]["model"] == "large"


def test_options_are_set_each_in_its_form_after_the_model(stage):
    played = play(
        stage,
        {"modes": MODES, "configOptions": [EFFORT, FAST, MODEL_OPTION]},
        options={"effort": "high", "fast": True},
        mode="code",
        model="m-2",
    )
    assert [params for _, params in set_by(played)] == [
        {"sessionId": "s-1", "configId": "the-model", "value": "m-2"},
        {"sessionId": "s-1", "modeId": "code"},
        {"sessionId": "s-1", "configId": "effort", "value": "high"},
        {"sessionId": "s-1", "configId": "fast", "value": True, "type": "boolean"},
    ]
    told = {option["id"]: option["currentValue"] for option in played.data("agent_start")[0]["options"]}
    assert told == {"effort": "high", "fast": True, "the-model": "m-2"}


def test_what_stands_already_is_not_set_again(stage):
    session = {"modes": MODES, "models": MODELS, "configOptions": [EFFORT, FAST]}
    played = play(stage, session, mode="ask", model="small", options={"effort": "low", "fast": False})
    assert set_by(played) == []
    assert played.outcome["stop_reason"] == "success"


def test_an_option_that_a_model_brings_along_can_be_chosen_with_it(stage):
    played = stage.play(
        f"""
        opened(session={{"configOptions": [{MODEL_OPTION!r}]}})
        reply(expect("session/set_config_option"), {{"configOptions": [{MODEL_OPTION!r}, {EFFORT!r}]}})
        reply(expect("session/set_config_option"), {{}})
        end(expect("session/prompt")); stay()
        """,
        task={"model": "m-2", "options": {"effort": "high"}},
    )
    assert played.outcome["stop_reason"] == "success"


ALL = {"modes": MODES, "models": MODELS, "configOptions": [EFFORT, FAST]}


@pytest.mark.requirement("R120")
@pytest.mark.parametrize(
    ("session", "task", "told"),
    [
        (ALL, {"mode": "yolo"}, "the agent has no mode 'yolo'; it has ask, code"),
        (ALL, {"model": "huge"}, "the agent has no model 'huge'; it has small, large"),
        (ALL, {"options": {"colour": "red"}}, "the agent has no option 'colour'; it has effort, fast"),
        (
            ALL,
            {"options": {"effort": "mad"}},
            "the agent has no value for its option 'effort': 'mad'; it has low, high",
        ),
        (ALL, {"options": {"effort": True}}, "the agent's option 'effort' takes one of its values, not True"),
        (ALL, {"options": {"fast": "yes"}}, "the agent's option 'fast' takes true or false, not 'yes'"),
        ({}, {"mode": "code"}, "the agent has no mode 'code'; it has none to choose from"),
        ({}, {"model": "large"}, "the agent has no model 'large'; it has none to choose from"),
        ({}, {"options": {"fast": True}}, "the agent has no option 'fast'; it has none to choose from"),
    ],
)
def test_a_choice_that_is_not_there_is_no_start_and_says_what_there_is(stage, session, task, told):
    played = play(stage, session, **task)
    assert (played.outcome["stop_reason"], played.outcome["by"]) == ("start_failed", "daemon")
    assert played.outcome["message"] == told
    assert played.sent("session/prompt") == []
    assert played.events == []
    assert played.agent_session_id is None  # a session in which nothing happened


def test_a_choice_that_the_agent_refuses_is_no_start(stage):
    played = stage.play(
        f"opened(session={{'modes': {MODES!r}}}); refuse(expect('session/set_mode'), -32603, 'not today'); stay()",
        task={"mode": "code"},
    )
    assert played.outcome["stop_reason"] == "start_failed"
    assert played.outcome["message"] == "the agent refused session/set_mode: not today (code -32603)"


def test_a_choice_that_the_agent_never_answers_is_no_start(stage):
    played = stage.play(f"opened(session={{'modes': {MODES!r}}}); stay()", task={"mode": "code"}, start_timeout_s=4)
    assert played.outcome["message"] == "the agent did not answer session/set_mode within 4 s"


def test_changes_of_mode_and_options_while_the_agent_works_are_kept(stage):
    played = stage.play(
        f"""
        prompt = prompted(session={{"modes": {MODES!r}}})
        update("current_mode_update", currentModeId="code")
        update("config_option_update", configOptions=[{EFFORT!r}])
        end(prompt); stay()
        """
    )
    assert played.data("agent_update") == [
        {"kind": "current_mode_update", "update": {"sessionUpdate": "current_mode_update", "currentModeId": "code"}},
        {
            "kind": "config_option_update",
            "update": {"sessionUpdate": "config_option_update", "configOptions": [EFFORT]},
        },
    ]


@pytest.mark.parametrize(
    ("capabilities", "told"),
    [
        ({}, []),
        ({"loadSession": True}, ["load"]),
        ({"loadSession": False, "sessionCapabilities": {"resume": None}}, []),
        (
            {"sessionCapabilities": {"resume": {}, "fork": {}, "list": {}, "close": {}, "delete": {}}},
            ["resume", "fork", "list", "close"],
        ),
        (
            {"promptCapabilities": {"image": True, "audio": True, "embeddedContext": True}},
            ["images", "audio", "embedded_context"],
        ),
        ({"promptCapabilities": {"image": False}, "sessionCapabilities": 5}, []),
    ],
)
def test_what_an_agent_can_do_is_told_in_our_words(stage, capabilities, told):
    played = stage.play(f"end(prompted(**{capabilities!r})); stay()")
    assert played.data("agent_start")[0]["capabilities"] == told


def test_an_agent_that_was_started_ahead_of_its_task_gets_the_choices_with_the_task(stage):
    script = f"""
initialized(); new = expect("session/new"); say("early")
reply(new, {{"sessionId": SESSION, "modes": {MODES!r}}}); set_all([])
"""
    played = stage.play(SETTING + script, task={"mode": "code"}, prepared=True, shown="Do it", text="Do it")
    assert set_by(played) == [("mode", {"sessionId": "s-1", "modeId": "code"})]
    assert played.sent("session/prompt")[0]["prompt"] == [{"type": "text", "text": "Do it"}]
    assert played.data("agent_start")[0]["task"] == "Do it"
    assert [data["is_partial"] for data in played.data("message")] == [True, False]
    assert len(played.pids) == 1


def test_an_agent_that_failed_before_its_task_came_has_failed_the_task(stage):
    for script in ("initialized(); refuse(expect('session/new'), -32603, 'no'); stay()", "initialized(); os._exit(3)"):
        played = stage.play(script, prepared=True)
        assert played.outcome["stop_reason"] in ("start_failed", "process_exit")
        assert played.sent("session/prompt") == []
        assert len(played.pids) == 1
