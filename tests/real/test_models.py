"""The scripted API itself: the same script in three languages, places where it waits, and the faults it plays."""

import json
import threading

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models.actions import Say, Shell, Think
from tests.models.marker import Marker, do, find

PATHS = {"anthropic": "/v1/messages", "chat": "/v1/chat/completions", "responses": "/v1/responses"}
SHELL = {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}


def body_of(api, text, *, stream=True, before=(), after=()):
    """A request as an agent makes it; `before` and `after` are messages in the words of that API."""
    tool = {
        "anthropic": {"name": "Bash", "input_schema": SHELL},
        "chat": {"type": "function", "function": {"name": "shell", "parameters": SHELL}},
        "responses": {"type": "function", "name": "exec_command", "parameters": SHELL},
    }[api]
    messages = [*before, {"role": "user", "content": text}, *after]
    field = "input" if api == "responses" else "messages"
    return {"model": "scripted", "stream": stream, "tools": [tool], field: messages}


def ask(models, api, text, **more):
    return httpx.post(
        models.url + PATHS[api], json=body_of(api, text, **more), timeout=30, verify=False, trust_env=False
    )


def frames(answer):
    return [
        json.loads(line.removeprefix("data: "))
        for line in answer.text.split("\n")
        if line.startswith("data: ") and line != "data: [DONE]"
    ]


def heard(api, answer):
    """(text, thinking, commands) of a streamed answer."""
    text = thinking = arguments = ""
    commands = []
    for frame in frames(answer):
        match api, frame:
            case "anthropic", {"delta": {"type": "text_delta", "text": piece}}:
                text += piece
            case "anthropic", {"delta": {"type": "thinking_delta", "thinking": piece}}:
                thinking += piece
            case "anthropic", {"delta": {"type": "input_json_delta", "partial_json": piece}}:
                arguments += piece
            case "chat", {"choices": [{"delta": {"content": piece}}]}:
                text += piece
            case "chat", {"choices": [{"delta": {"reasoning_content": piece}}]}:
                thinking += piece
            case "chat", {"choices": [{"delta": {"tool_calls": [{"function": {"arguments": piece}}]}}]}:
                arguments += piece
            case "responses", {"type": "response.output_text.delta", "delta": piece}:
                text += piece
            case "responses", {"type": "response.reasoning_summary_text.delta", "delta": piece}:
                thinking += piece
            case "responses", {"type": "response.function_call_arguments.delta", "delta": piece}:
                arguments += piece
        if arguments.endswith("}"):
            commands.append(json.loads(arguments)["command"])
            arguments = ""
    return text, thinking, commands


def heard_at_once(api, answer):
    """The same of an answer that was not streamed."""
    body = answer.json()
    match api:
        case "anthropic":
            found = {"text": "", "thinking": ""}
            for block in body["content"]:
                if block["type"] in found:
                    found[block["type"]] += block[block["type"]]
            commands = [block["input"]["command"] for block in body["content"] if block["type"] == "tool_use"]
            return found["text"], found["thinking"], commands
        case "chat":
            message = body["choices"][0]["message"]
            calls = [json.loads(call["function"]["arguments"]) for call in message.get("tool_calls", [])]
            return message["content"], None, [call["command"] for call in calls]
        case "responses":
            kinds = {item["type"]: item for item in body["output"]}
            text = "".join(part["text"] for part in kinds["message"]["content"])
            calls = [json.loads(item["arguments"]) for item in body["output"] if item["type"] == "function_call"]
            return text, kinds["reasoning"]["summary"][0]["text"], [call["command"] for call in calls]


@pytest.mark.parametrize("api", PATHS)
def test_one_script_says_the_same_in_every_api_streamed_or_not(models, api):
    marker = models.add(
        [[Think(text="Hm, hm."), Say(text="I will."), Shell(command="touch a"), Shell(command="touch b")]]
    )
    expected = ("I will.", "Hm, hm.", ["touch a", "touch b"])
    assert heard(api, ask(models, api, marker)) == expected
    text, thinking, commands = heard_at_once(api, ask(models, api, marker, stream=False))
    assert (text, thinking or "Hm, hm.", commands) == expected
    assert [request.is_streamed for request in models.requests()] == [True, False]


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), st.text(), max_size=4), st.text(), st.text())
def test_a_marker_is_found_as_it_was_made_whatever_its_values_are(arguments, before, after):
    inner = do("shell", **arguments)
    outer = do("subagent", prompt=inner)
    assert find(before.replace("[[do:", "") + inner + after.replace("[[do:", "")) == Marker("shell", arguments)
    assert find(find(outer).arguments["prompt"]) == Marker("shell", arguments)


def test_the_newest_marker_counts_and_markers_that_others_wrote_do_not(models):
    before = [
        {"role": "user", "content": do("shell")},
        {"role": "assistant", "content": do("text", text="said by the model")},
    ]
    answer = ask(models, "anthropic", f"{do('text', text='old')} {do('text', text='new')}", before=before)
    assert heard("anthropic", answer)[0] == "new"
    result = {"type": "tool_result", "tool_use_id": "toolu_x-0", "content": do("text", text="in a file")}
    after = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_x-0", "name": "Bash", "input": {}}]},
        {"role": "user", "content": [result]},
    ]
    assert heard("anthropic", ask(models, "anthropic", do("shell", text="Done."), after=after))[0] == "Done."


def called(api, *ids):
    """Messages of an answer with these calls, each followed by its result, as some agents send them."""
    for id_ in ids:
        match api:
            case "anthropic":
                yield {"role": "assistant", "content": [{"type": "tool_use", "id": id_, "name": "Bash", "input": {}}]}
                yield {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id_, "content": "done"}]}
            case "chat":
                call = {"id": id_, "type": "function", "function": {"name": "shell", "arguments": "{}"}}
                yield {"role": "assistant", "content": "", "tool_calls": [call]}
                yield {"role": "tool", "tool_call_id": id_, "content": "done"}
            case "responses":
                yield {"type": "function_call", "call_id": id_, "name": "exec_command", "arguments": "{}"}
                yield {"type": "function_call_output", "call_id": id_, "output": "done"}


@pytest.mark.parametrize("api", PATHS)
def test_the_step_follows_from_the_messages_however_the_agent_cuts_an_answer(models, api):
    steps = [[Say(text=f"step {number}")] for number in range(4)]
    marker = models.add(steps)
    for after, step in [
        ([], 0),
        (called(api, "call_a-0"), 1),
        (called(api, "call_a-0", "call_a-1"), 1),
        (called(api, "call_a-0", "call_a-1", "call_b-0"), 2),
        (called(api, "call_a-0", "call_b-0", "call_c-0"), 3),
    ]:
        assert heard(api, ask(models, api, marker, after=list(after)))[0] == f"step {step}"
    beyond = list(called(api, "call_a-0", "call_b-0", "call_c-0", "call_d-0"))
    assert heard(api, ask(models, api, marker, after=beyond))[0] == "That is all."


@pytest.mark.parametrize("at", ["start", "thinking", "text", "tool", "end"])
def test_a_held_answer_stops_at_its_place_until_it_is_released(models, at):
    hold = models.hold(at=at)
    pieces = []
    is_begun = threading.Event()

    def read():
        with httpx.stream(
            "POST", models.url + PATHS["anthropic"], json=body_of("anthropic", hold.marker), timeout=30, trust_env=False
        ) as answer:
            is_begun.set()
            pieces.extend(answer.iter_text())

    reader = threading.Thread(target=read)
    reader.start()
    hold.until_reached()
    request = models.until_request("hold")
    assert request.ended is None
    assert reader.is_alive()
    assert "message_stop" not in "".join(pieces)
    if at == "start":
        assert not is_begun.is_set()
    hold.release()
    reader.join(30)
    assert "message_stop" in "".join(pieces)
    assert models.until_ended(request).ended == "complete"
    # A hold that was released stays open.
    assert "message_stop" in ask(models, "anthropic", hold.marker).text


def test_a_client_that_leaves_is_noticed_also_while_nothing_is_sent(models):
    with httpx.stream(
        "POST", models.url + PATHS["chat"], json=body_of("chat", do("hang", at="text")), timeout=30, trust_env=False
    ) as answer:
        pieces = answer.iter_raw()
        next(pieces)
        request = models.until_request("hang")
        assert request.ended is None
    assert models.until_ended(request).ended == "left"


@pytest.mark.parametrize("api", PATHS)
def test_errors_have_the_status_the_type_and_the_headers_that_were_asked_for(models, api):
    answer = ask(models, api, do("error", status=429, limit="five_hour", message="Slow down", headers={"x-a": "b"}))
    assert answer.status_code == 429
    assert answer.headers["anthropic-ratelimit-unified-status"] == "rejected"
    assert (answer.headers["x-a"], answer.headers["retry-after"]) == ("b", "3600")
    error = answer.json()["error"]
    assert (error["type"], error["message"]) == ("rate_limit_error", "Slow down")
    assert [(request.status, request.ended) for request in models.requests()] == [(429, "failed")]


def test_a_failure_is_over_after_as_many_times_as_were_asked_for(models):
    marker = models.failing(2, status=529, then=do("shell", command="touch a"))
    assert [ask(models, "chat", marker).status_code for _ in range(2)] == [529, 529]
    assert heard("chat", ask(models, "chat", marker))[2] == ["touch a"]
    again = models.failing(1, first=do("break"))
    assert "overloaded_error" in ask(models, "chat", again).text
    assert "Hello" in heard("chat", ask(models, "chat", again))[0]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("api", PATHS)
def test_a_dropped_connection_breaks_in_the_middle(models, api, stream):
    with pytest.raises(httpx.RemoteProtocolError):
        ask(models, api, do("drop"), stream=stream)
    assert models.requests()[0].ended == "dropped"


def test_stop_reasons_are_said_in_the_words_of_each_api(models):
    for script, words in {
        "text": ("end_turn", "stop", "completed"),
        "shell": ("tool_use", "tool_calls", "completed"),
        "max-tokens": ("max_tokens", "length", "incomplete"),
        "refusal": ("refusal", "content_filter", "incomplete"),
        "empty": ("end_turn", "stop", "completed"),
    }.items():
        whole = [ask(models, api, do(script), stream=False).json() for api in PATHS]
        found = (whole[0]["stop_reason"], whole[1]["choices"][0]["finish_reason"], whole[2]["status"])
        assert found == words, script


def test_what_was_asked_can_be_looked_at(models):
    ask(models, "anthropic", "no marker at all")
    ask(models, "chat", do("text", text="x" * 5000))
    httpx.get(f"{models.url}/v1/nothing", trust_env=False, verify=False)
    first, second, third = models.requests()
    assert (first.script, first.messages[0].text, first.tools) == ("", "no marker at all", ["Bash"])
    assert (second.script, second.arguments) == ("text", {"text": "x" * 5000})
    assert len(second.messages[0].text) == 2000
    assert len(models.body(second)["messages"][0]["content"]) > 5000
    assert (third.path, third.status) == ("/v1/nothing", 404)
    assert models.since_now().requests() == []


def test_big_answers_have_the_size_that_was_asked_for(models):
    assert len(heard("responses", ask(models, "responses", do("big")))[0]) == 2_000_000


def test_it_can_be_stopped_and_started_again_on_its_port(own_models):
    url = own_models.url
    own_models.stop()
    with pytest.raises(httpx.ConnectError):
        ask(own_models, "chat", do("text"))
    assert own_models.start().url == url
    assert "Hello" in heard("chat", ask(own_models, "chat", do("text")))[0]
