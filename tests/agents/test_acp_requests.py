"""What an agent asks of us, and what it says that nobody could understand."""

import pytest

from holdfast.agents.acp_wire import LINE_BYTES


@pytest.mark.parametrize(
    ("method", "id_"),
    [
        ("fs/read_text_file", 0),
        ("fs/write_text_file", 7),
        ("terminal/create", "6ba7b810-9dad"),
        ("mcp/connect", ""),
        ("_vendor/thing", -1),
    ],
)
def test_what_we_do_not_offer_is_refused_and_the_agent_goes_on(stage, method, id_):
    played = stage.play(
        f"""
        prompt = prompted()
        send(id={id_!r}, method={method!r}, params={{"sessionId": SESSION, "path": "/etc/passwd", "content": "x"}})
        read()
        end(prompt); stay()
        """
    )
    answer = played.answers()[id_]
    assert answer["error"]["code"] == -32601
    assert method in answer["error"]["message"]
    assert "result" not in answer
    assert played.outcome["stop_reason"] == "success"


@pytest.mark.parametrize("id_", [0, 3, "6ba7b810-9dad"])
def test_a_permission_is_answered_under_the_agents_own_id(stage, id_):
    played = stage.play(
        f"""
        prompt = prompted()
        ask({id_!r})
        read()
        update("tool_call_update", toolCallId="t1", status="completed")
        end(prompt); stay()
        """,
        permission_request="allow_once",
    )
    assert played.answers()[id_]["result"] == {"outcome": {"outcome": "selected", "optionId": "yes!"}}
    assert played.types == [
        "agent_start",
        "tool_start",
        "permission_request",
        "permission_resolved",
        "tool_complete",
    ]
    [request], [resolved] = played.data("permission_request"), played.data("permission_resolved")
    assert (request["tool_name"], request["tool_id"], request["tool_input"]) == ("execute", "t1", {"command": "ls"})
    assert [option["kind"] for option in request["options"]] == ["allow_once", "allow_session", "allow_project", "deny"]
    assert resolved == {"request_id": request["request_id"], "decision": "allow_once", "by": "somebody"}


def test_two_permissions_at_the_same_time_are_answered_each_for_itself(stage):
    played = stage.play(
        """
        prompt = prompted()
        ask(0); ask("b", call={"toolCallId": "t2"})
        first = read()
        end(prompt); stay()
        """,
        permission_request="deny",
    )
    assert played.answers()[0]["result"]["outcome"]["optionId"] == "no!"
    assert [resolved["decision"] for resolved in played.data("permission_resolved")] == ["deny", "cancelled"]


@pytest.mark.requirement("R091")
def test_a_cancel_reaches_the_agent_and_answers_what_it_had_asked(stage):
    played = stage.play(
        """
        prompt = prompted()
        ask(0)
        answer, cancel = read(), read()
        assert cancel["method"] == "session/cancel", cancel
        say("too late")
        end(prompt, "cancelled"); stay()
        """,
        permission_request="cancel",
    )
    assert played.answers()[0]["result"] == {"outcome": {"outcome": "cancelled"}}
    assert played.sent("session/cancel") == [{"sessionId": "s-1"}]
    assert played.outcome["stop_reason"] == "cancelled"
    assert played.data("message")[0]["text"] == "too late"
    assert [resolved["by"] for resolved in played.data("permission_resolved")] == ["daemon"]


@pytest.mark.requirement("R091")
def test_what_an_agent_asks_after_a_cancel_is_cancelled_at_once(stage):
    played = stage.play(
        """
        prompt = prompted()
        say("working")
        cancel = expect("session/cancel")
        ask(0)
        assert read()["id"] == 0
        end(prompt, "cancelled"); stay()
        """,
        message="cancel",
    )
    assert played.answers()[0]["result"] == {"outcome": {"outcome": "cancelled"}}
    assert played.data("permission_request") == []


@pytest.mark.parametrize("id_", [0, "r"])
def test_a_permission_that_the_agent_no_longer_wants_is_withdrawn(stage, id_):
    played = stage.play(
        f"""
        prompt = prompted()
        ask({id_!r}); send(method="$/cancel_request", params={{"requestId": {id_!r}}})
        read(); end(prompt); stay()
        """
    )
    assert played.answers()[id_]["result"] == {"outcome": {"outcome": "cancelled"}}
    assert [resolved["by"] for resolved in played.data("permission_resolved")] == ["agent"]
    assert played.data("agent_update") == []


def test_a_withdrawal_of_what_was_never_asked_is_kept(stage):
    played = stage.play(
        """
        prompt = prompted()
        for params in ({"requestId": 7}, {"requestId": None}, {"requestId": [1]}, [5]):
            send(method="$/cancel_request", params=params)
        end(prompt); stay()
        """
    )
    assert [data["kind"] for data in played.data("agent_update")] == ["$/cancel_request"] * 4


def test_a_permission_that_nobody_answers_is_rejected_when_it_expires(stage):
    played = stage.play("prompt = prompted(); ask(0); read(); end(prompt); stay()", permission_ttl_s=0.2)
    assert played.answers()[0]["result"]["outcome"]["optionId"] == "no!"
    assert [resolved["by"] for resolved in played.data("permission_resolved")] == ["expiry"]


@pytest.mark.requirement("R049")
@pytest.mark.parametrize("params", [{}, {"toolCall": 5}, {"toolCall": {}, "options": "none"}])
def test_a_permission_request_that_nobody_understands_gets_an_error(stage, params):
    played = stage.play(
        f"""
        prompt = prompted()
        send(id=0, method="session/request_permission", params={params!r})
        read(); end(prompt); stay()
        """
    )
    assert played.answers()[0]["error"]["code"] == -32602
    assert len(played.data("agent_unparsed")) == 1
    assert played.outcome["stop_reason"] == "success"


CHUNK = b'{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":%b}}}'


@pytest.mark.requirement("R049")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"Starting the agent...", "Starting the agent..."),
        (b"[1, 2]", "[1, 2]"),
        (b"null", "null"),
        (b'{"jsonrpc": "2.0", "method": "session/upda', "session/upda"),
        (b'{"jsonrpc": "2.0", "id": 99, "result": {}}', "unknown id 99"),
        (b'{"jsonrpc": "2.0", "id": "x", "error": {"code": 1, "message": "m"}}', "unknown id 'x'"),
        (b'{"method": "session/update", "params": {"update": 5}}', "session/update"),
        (b'{"method": "session/update", "params": null}', "session/update"),
        (CHUNK % b'{"type":"text","text":"caf\xe9"}', "caf\ufffd"),
        (b'{"method":"_x","params":{"text":"caf\xe9"}}', "caf\ufffd"),
        (b'{"method":"_x","params":{"n":1e999}}', "1e999"),
        (b'{"method":"_x","params":' + b"[" * 20_000 + b"]" * 20_000 + b"}", "[[[["),
        (b"\x1b[31mred\x1b[0m", "red"),
    ],
)
def test_what_nobody_can_parse_becomes_an_event_and_ends_nothing(stage, line, told):
    played = stage.play(f"prompt = prompted(); say('a'); raw({line!r} + b'\\n'); say('b'); end(prompt); stay()")
    assert played.outcome["stop_reason"] == "success"
    [unparsed] = played.data("agent_unparsed")
    assert told in unparsed["text"]
    assert "\x1b" not in unparsed["text"]
    assert played.data("message")[-1]["full_text"] == "ab"


@pytest.mark.requirement("R049")
def test_a_line_that_is_too_long_becomes_an_event_and_ends_nothing(stage):
    played = stage.play(f"prompt = prompted(); raw(b'x' * {LINE_BYTES + 10} + b'\\n'); say('b'); end(prompt); stay()")
    assert played.outcome["stop_reason"] == "success"
    [unparsed] = played.data("agent_unparsed")
    assert f"a line of {LINE_BYTES + 10} bytes" in unparsed["text"]


@pytest.mark.requirement("R120")
@pytest.mark.parametrize(
    "answer",
    [
        b'{"jsonrpc":"2.0","id":%d,"result":{"stopReason":',
        b'{"jsonrpc":"2.0","id":%d,"error":"a string"}',
        b'{"jsonrpc":"2.0","id":%d,"error":{"code":"E","message":null}}',
        b'{"jsonrpc":"2.0","id":%d,"result":{"stopReason":"caf\xe9"}}',
        b'{"jsonrpc":"2.0","id":%d,"result":[]}',
        b'{"jsonrpc":"2.0","id":%d}',
    ],
)
def test_an_answer_to_the_prompt_that_nobody_can_read_ends_the_turn_and_nobody_waits(stage, answer):
    played = stage.play(f"prompt = prompted(); raw({answer!r} % prompt['id'] + b'\\n'); stay()")
    assert played.took_s < 15
    assert played.outcome["stop_reason"] == "error_during_execution"
    assert played.outcome["message"]
