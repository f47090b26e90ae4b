"""Whatever an agent prints becomes an event or a clear end: no line hangs a run, and none ends one by accident."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client

TEN_MB = 10 * 1024 * 1024

# What the agent prints in the middle of its work, and how the text of the event begins that this becomes.
LINES = {
    "text": ("b'Loading model...'", "Loading model..."),
    "bad UTF-8": (r"b'\xff\xfe bad \x80 UTF-8 \xc3'", "\ufffd\ufffd bad"),
    "half an object": ("""b'{"jsonrpc": "2.0", "method": "session/upd'""", '{"jsonrpc"'),
    "an array": ("b'[1, 2, 3]'", "[1, 2, 3]"),
    "a number": ("b'42'", "42"),
    "null": ("b'null'", "null"),
    "a string": ("""b'"hello"'""", '"hello"'),
    "a NUL": (r"b'\0\0\0'", "\0"),
    "a 10 MB line": (f"b'x' * {TEN_MB}", "xxx"),
    "a 10 MB update": (
        """b'{"method": "session/update", "params": {"x": "' + b'x' * %d + b'"}}'""" % TEN_MB,  # noqa: UP031
        '{"method": "session/update"',
    ),
    "deep nesting": ("b'[' * 100_000", "[[["),
    "a deep update": ("""b'{"method": "x", "params": ' + b'[' * 100_000 + b']' * 100_000 + b'}'""", '{"method": "x"'),
    "bad UTF-8 in an update": (
        r"""b'{"method": "session/update", "params": {"update": {"sessionUpdate": "agent_message_chunk", '
            b'"content": {"type": "text", "text": "\xff\xfe"}}}}'""",
        "session/update: ",
    ),
    "bad UTF-8 in an unknown notification": (
        r"""b'{"method": "x/y", "params": {"text": "\xff"}}'""",
        '{"method": "x/y"',
    ),
    "a number out of range": ("""b'{"method": "x/y", "params": {"n": 1e999}}'""", '{"method": "x/y"'),
    "an update that is none": ("""b'{"method": "session/update", "params": [1]}'""", "session/update: "),
    "an answer to an unknown id": (
        """b'{"jsonrpc": "2.0", "id": 4711, "result": {}}'""",
        "an answer to the unknown id",
    ),
    "an answer to a null id": ("""b'{"jsonrpc": "2.0", "id": null, "result": {}}'""", "an answer to the unknown id"),
    "an answer to a text": ("""b'{"jsonrpc": "2.0", "id": "x", "error": {"code": 1}}'""", "an answer to the unknown"),
    "an object that says nothing": ("b'{}'", "an answer to the unknown id"),
}


@pytest.mark.requirement("R049")
def test_what_cannot_be_parsed_becomes_an_event_and_the_run_goes_on(agents: Client) -> None:
    printed = "\n".join(f"say('before', 'before {n}'); raw({line})" for n, (line, _) in enumerate(LINES.values()))
    events = agents.follow(agents.run_task(f"{printed}\nsay('after it all', 'last')", agent="scripted"))
    unparsed = [event["data"]["text"] for event in events if event["type"] == "agent_unparsed"]
    assert len(unparsed) == len(LINES)
    for (name, (_, begins)), text in zip(LINES.items(), unparsed, strict=True):
        assert text.startswith(begins), (name, text[:100])
        assert len(text) < 3000, name
    finals = [event["data"]["text"] for event in events if event["type"] == "message" and "full_text" in event["data"]]
    assert finals == ["before"] * len(LINES) + ["after it all"]
    assert events[-1]["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R049")
def test_a_method_that_nobody_knows_is_kept_or_refused(agents: Client) -> None:
    task = (
        "send(method='vendor/mood', params={'mood': 'bright'})\n"
        "update('unheard_of', mood='dark')\n"
        "refusal = ask('fs/read_text_file', {'path': '/etc/passwd'}); say(f'{refusal[\"id\"]} {refusal[\"error\"]}')"
    )
    events = agents.follow(agents.run_task(task, agent="scripted"))
    kept = [event["data"] for event in events if event["type"] == "agent_update"]
    assert kept == [
        {"kind": "vendor/mood", "update": {"mood": "bright"}},
        {"kind": "unheard_of", "update": {"sessionUpdate": "unheard_of", "mood": "dark"}},
    ]
    final = next(event for event in events if event["type"] == "message" and not event["data"]["is_partial"])
    assert final["data"]["text"].startswith("asked {'code': -32601, 'message': 'fs/read_text_file")
    assert events[-1]["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R049")
@pytest.mark.parametrize("params", ["{'toolCall': 7}", "[]", "'BAD'"])
def test_a_permission_request_that_makes_no_sense_is_refused_instead_of_left_waiting(
    agents: Client, params: str
) -> None:
    asked = f"ask('session/request_permission', {params})"
    if params == "'BAD'":
        asked = r"""(raw(b'{"id": 1, "method": "session/request_permission", "params": {"toolCall": """
        asked += r"""{"toolCallId": "\xff"}}}'), json.loads(sys.stdin.readline()))[1]"""
    events = agents.follow(agents.run_task(f"say(str({asked}['error']['code']))", agent="scripted", timeout_s=60))
    assert not [event for event in events if event["type"] == "permission_request"]
    assert [e["data"]["text"] for e in events if e["type"] == "message" and "full_text" in e["data"]] == ["-32602"]
    assert events[-1]["data"]["stop_reason"] == "success"
    assert [event for event in events if event["type"] == "agent_unparsed"]


CALLS = {
    "NUL in its path": {"kind": "edit", "rawInput": {"file_path": "a\0b"}, "locations": [{"path": "a\0b"}]},
    "NUL in its command": {"kind": "execute", "rawInput": {"command": "make \0 all"}},
    "a script for a command": {"kind": "execute", "rawInput": {"command": "echo x\n" * 30_000}},
    "a path that is none": {"kind": "edit", "rawInput": {"path": ["a"]}, "locations": [7, {"path": None}]},
    "nothing said": {"title": None},
}


@pytest.mark.requirement("R049", "R088")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_a_strange_call_can_be_asked_for_and_allowed_for_ever(agents: Client, call: dict[str, Any]) -> None:
    asking = {"toolCall": {"toolCallId": "t", **call}, "options": [{"optionId": "y", "kind": "allow_once"}]}
    session_id = agents.run_task(f"say(str(ask('session/request_permission', {asking!r})))", agent="scripted")
    request = agents.until(session_id, "permission_request")["data"]
    answer = agents.post(
        f"/sessions/{session_id}/permissions/{request['request_id']}/answer", json={"decision": "allow_project"}
    )
    assert answer.status_code == 200, answer.text
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"


ANSWERS = {
    "half an answer": """b'{"jsonrpc": "2.0", "id": %d, "result": {"stopReason": "end_t' % prompt_id""",
    "an error that is none": """b'{"jsonrpc": "2.0", "id": %d, "error": "boom"}' % prompt_id""",
    "a 10 MB answer": f"""b'{{"jsonrpc":"2.0","id":%d,"result":{{"x":"' % prompt_id + b'x' * {TEN_MB} + b'"}}}}'""",
    "bad UTF-8": r"""b'{"jsonrpc": "2.0", "id": %d, "result": {"stopReason": "\xff"}}' % prompt_id""",
    "deep nesting": """b'{"id": %d, "result": ' % prompt_id + b'[' * 100_000 + b']' * 100_000 + b'}'""",
}


@pytest.mark.requirement("R120", "R064")
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_an_answer_that_cannot_be_read_ends_the_run(agents: Client, answer: str) -> None:
    session_id = agents.run_task(f"raw({answer}); time.sleep(600)", agent="scripted")
    end = agents.end_of(session_id)
    assert end["type"] == "error"
    assert (end["data"]["stop_reason"], end["data"]["error_type"]) == ("error_during_execution", "protocol_error")
    assert end["data"]["termination_info"]["terminated_by"] == "daemon"
    assert end["data"]["message"].startswith("the agent's answer to session/prompt cannot be read: ")


@pytest.mark.requirement("R049", "R119")
def test_half_a_line_at_the_exit_is_not_lost(agents: Client) -> None:
    task = """sys.stdout.write('{"jsonrpc": "2.0", "id": 2, "resu'); sys.stdout.flush(); os._exit(0)"""
    events = agents.follow(agents.run_task(task, agent="scripted"))
    unparsed = [event["data"]["text"] for event in events if event["type"] == "agent_unparsed"]
    assert unparsed == ['{"jsonrpc": "2.0", "id": 2, "resu']
    assert events[-1]["data"]["termination_info"]["exit_code"] == 0
    assert events[-1]["data"]["stop_reason"] == "process_exit"


# Programs that never get as far as a prompt, and the end of that: stop_reason, by, what the message says.
STARTS = {
    "silent": ("import time; time.sleep(600)", "start_failed", "daemon", "did not answer initialize within 3 s"),
    "talkative": (
        "import time; print('Welcome!', flush=True); time.sleep(600)",
        *("start_failed", "daemon", "did not answer initialize within 3 s"),
    ),
    "not ACP": (
        'for n in range(2): input(); print(\'{"id":%d,"result":{}}\' % n, flush=True)\ninput()',
        *("error_during_execution", "daemon", "session/new has no sessionId"),
    ),
    "half an answer": (
        'input(); print(\'{"id":0,"result":{\', flush=True); input()',
        *("error_during_execution", "daemon", "the agent's answer to initialize cannot be read"),
    ),
    "refusing": (
        'input(); print(\'{"id":0,"error":{"code":-32600,"message":"too new"}}\', flush=True); input()',
        *("start_failed", "daemon", "initialize: too new"),
    ),
    "wanting a login": (
        'input(); print(\'{"id":0,"error":{"code":-32000,"message":"log in"}}\', flush=True); input()',
        *("auth_failed", "agent", "log in"),
    ),
    "mute": (
        "import os, time; os.close(1); time.sleep(600)",
        *("error_during_execution", "daemon", "closed its output but did not exit"),
    ),
    "gone": ("raise SystemExit(4)", "process_exit", "agent", "agent exited with status: code 4"),
}


@pytest.mark.requirement("R063", "R064", "R095", "R119", "R120")
def test_a_program_that_speaks_no_acp_has_a_clear_end(agents: Client, impatient: Client, tmp_path: Path) -> None:
    def end_of(name: str) -> dict[str, Any]:
        # Those that say something have the time for it that all of them need to start on a busy machine.
        client = impatient if "within 3 s" in STARTS[name][-1] else agents
        workspace = tmp_path / name
        workspace.mkdir()
        (workspace / "agent.py").write_text(STARTS[name][0])
        return client.end_of(client.run_task("work", agent="workspace", workspace=str(workspace)))["data"]

    with ThreadPoolExecutor(len(STARTS)) as pool:
        ends = dict(zip(STARTS, pool.map(end_of, STARTS), strict=True))
    for name, (_, stop_reason, by, message) in STARTS.items():
        assert ends[name]["stop_reason"] == stop_reason, name
        assert ends[name]["termination_info"]["terminated_by"] == by, name
        assert message in ends[name]["message"], name
        assert ends[name]["num_turns"] == 0, name


@pytest.mark.requirement("R049")
def test_the_demo_agents_garbage_is_kept_and_ends_nothing(agents: Client) -> None:
    events = agents.follow(agents.run_task("garbage tools 2"))
    unparsed = [event["data"]["text"] for event in events if event["type"] == "agent_unparsed"]
    assert unparsed[0] == "this line is no JSON"
    assert len(unparsed) == 7
    assert [event["data"]["kind"] for event in events if event["type"] == "agent_update"] == [
        "demo/unheard_of",
        "unheard_of",
    ]
    assert events[-1]["data"]["stop_reason"] == "success"
