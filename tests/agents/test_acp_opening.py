"""A new session of an ACP agent: what is told as it opens, and what beside it is not of it."""

import pytest


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
