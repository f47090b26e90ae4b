"""What we say to agents is real ACP: each message validates under the official models, and has no field they lack."""

import pytest
from acp import schema
from pydantic import TypeAdapter

METHODS = {
    "initialize": schema.InitializeRequest,
    "session/new": schema.NewSessionRequest,
    "session/load": schema.LoadSessionRequest,
    "session/resume": schema.ResumeSessionRequest,
    "session/prompt": schema.PromptRequest,
    "session/cancel": schema.CancelNotification,
    "session/fork": schema.ForkSessionRequest,
    "session/set_mode": schema.SetSessionModeRequest,
    "session/set_config_option": TypeAdapter(
        schema.SetSessionConfigOptionBooleanRequest | schema.SetSessionConfigOptionSelectRequest
    ),
    "authenticate": schema.AuthenticateRequest,
}
RESULTS = TypeAdapter(
    schema.RequestPermissionResponse
    | schema.AcceptElicitationResponse
    | schema.DeclineElicitationResponse
    | schema.CancelElicitationResponse
)


def check(model, value):
    """The model takes the value, and gives back all of it: what it does not know it would have dropped."""
    parsed = model.validate_python(value) if isinstance(model, TypeAdapter) else model.model_validate(value)
    assert parsed.model_dump(mode="json", by_alias=True, exclude_unset=True) == value


def check_all(played):
    """Checks every message that the agent got; answers the methods that were among them."""
    methods = set()
    for message in played.received:
        assert message["jsonrpc"] == "2.0"
        if "method" in message:
            methods.add(message["method"])
            check(METHODS[message["method"]], message["params"])
            assert ("id" in message) == (message["method"] != "session/cancel")
        elif "error" in message:
            check(schema.Error, message["error"])
        else:
            check(RESULTS, message["result"])
    return methods


def test_the_check_finds_what_is_no_acp():
    with pytest.raises(ValueError):
        check(schema.PromptRequest, {"sessionId": "s", "prompt": [{"type": "text"}]})
    with pytest.raises(AssertionError):
        check(schema.CancelNotification, {"sessionId": "s", "reason": "unknown to the protocol"})
    for result in ({"action": "perhaps"}, {"outcome": {"outcome": "selected"}}):
        with pytest.raises((ValueError, AssertionError)):
            check(RESULTS, result)


def test_a_turn_with_everything_in_it_is_acp(stage):
    played = stage.play(
        """
        prompt = prompted()
        send(id="r", method="fs/read_text_file", params={"sessionId": SESSION, "path": "/x"})
        read()
        ask(0)
        answer, cancel = read(), read()
        end(prompt, "cancelled"); stay()
        """,
        text="A task with \u2028 and \u0000 and \ud83d\ude80",
        permission_request="cancel",
    )
    assert check_all(played) == {"initialize", "session/new", "session/prompt", "session/cancel"}
    assert played.outcome["stop_reason"] == "cancelled"
    assert len(played.answers()) == 2


@pytest.mark.parametrize("decision", ["allow_once", "allow_project", "deny", "cancelled"])
def test_answers_to_permission_requests_are_acp(stage, decision):
    played = stage.play("prompt = prompted(); ask(0); read(); end(prompt); stay()", permission_request=decision)
    check_all(played)
    assert "result" in played.answers()[0]


@pytest.mark.parametrize("way", ["session/load", "session/resume"])
def test_taking_up_a_session_is_acp(stage, way):
    played = stage.play(
        f"""
        initialized(loadSession=True, sessionCapabilities={{"resume": {{}}}} if {way!r} == "session/resume" else {{}})
        reply(expect({way!r}), {{}})
        end(expect("session/prompt")); stay()
        """,
        agent_session_id="s-0",
    )
    assert check_all(played) == {"initialize", way, "session/prompt"}


def test_we_offer_no_file_system_and_no_terminal_and_say_who_we_are(stage):
    [initialize] = stage.play("end(prompted()); stay()").sent("initialize")
    assert initialize["protocolVersion"] == 1
    assert initialize["clientCapabilities"] == {
        "fs": {"readTextFile": False, "writeTextFile": False},
        "terminal": False,
        "elicitation": {"form": {}, "url": {}},
        "session": {"configOptions": {"boolean": {}}},
    }
    assert initialize["clientInfo"]["name"] == "holdfast"


def test_a_session_is_opened_in_the_workspace(stage):
    played = stage.play("prompt = prompted(); say(os.getcwd()); end(prompt); stay()")
    [new] = played.sent("session/new")
    assert new == {"cwd": played.data("message")[-1]["text"], "mcpServers": []}


@pytest.mark.parametrize("decision", ["allow_once", "deny", "cancelled"])
@pytest.mark.parametrize("mode", ["form", "url"])
def test_answers_to_questions_are_acp(stage, mode, decision):
    schema_ = {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}}, "required": ["n"]}
    asked = {"requestedSchema": schema_} if mode == "form" else {"elicitationId": "e", "url": "https://example.com/"}
    played = stage.play(
        f"prompt = prompted(); elicit('q', mode={mode!r}, **{asked!r}); read(); end(prompt); stay()",
        question={"decision": decision, "answers": {"n": "7", "s": "x"}},
    )
    check_all(played)
    assert played.answers()["q"]["result"]["action"] == {"allow_once": "accept", "deny": "decline"}.get(
        decision, "cancel"
    )


def test_a_start_with_everything_in_it_is_acp(stage, tmp_path):
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "a.png").write_bytes(b"png")
    (tmp_path / "a.zip").write_bytes(b"zip")
    files = [
        {"path": str(tmp_path / name), "name": name, "media_type": kind}
        for name, kind in [("a.txt", "text/plain"), ("a.png", "image/png"), ("a.zip", "application/zip")]
    ]
    options = [
        {
            "id": "model",
            "name": "Model",
            "category": "model",
            "type": "select",
            "currentValue": "m-1",
            "options": [{"value": "m-1", "name": "One"}, {"value": "m-2", "name": "Two"}],
        },
        {"id": "fast", "name": "Fast", "type": "boolean", "currentValue": False},
    ]
    modes = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]}
    schema.ForkSessionResponse.model_validate({"sessionId": "s-1", "configOptions": options, "modes": modes})
    played = stage.play(
        f"""
        initialized(
            auth=[{{"id": "key", "name": "API key"}}],
            sessionCapabilities={{"fork": {{}}}},
            promptCapabilities={{"image": True, "embeddedContext": True}},
        )
        reply(expect("authenticate"), {{}})
        reply(expect("session/fork"), {{"sessionId": SESSION, "configOptions": {options!r}, "modes": {modes!r}}})
        reply(expect("session/set_config_option"), {{"configOptions": {options!r}}})
        reply(expect("session/set_mode"), {{}})
        reply(expect("session/set_config_option"), {{"configOptions": {options!r}}})
        end(expect("session/prompt")); stay()
        """,
        agent_session_id="s-0",
        task={
            "fork": True,
            "auth": "key",
            "mode": "code",
            "model": "m-2",
            "options": {"fast": True},
            "files": files,
        },
    )
    assert played.outcome["stop_reason"] == "success"
    assert check_all(played) == {
        "initialize",
        "authenticate",
        "session/fork",
        "session/set_config_option",
        "session/set_mode",
        "session/prompt",
    }
    [prompt] = played.sent("session/prompt")
    assert [block["type"] for block in prompt["prompt"]] == ["text", "resource", "image", "resource_link"]
