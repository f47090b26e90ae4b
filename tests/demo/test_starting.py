"""How the demo agent starts, how it stops, and what it says to requests that cannot be served."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import holdfast
from tests.demo.speaking import CANCELLED, END_TURN, WAIT, is_permission

# starting and stopping


def test_it_introduces_itself(start):
    result = start().call("initialize", protocolVersion=1, clientCapabilities={})["result"]
    assert result["protocolVersion"] == 1
    assert result["agentInfo"]["name"] == "holdfast-demo"
    assert result["agentInfo"]["version"] == holdfast.__version__
    assert result["agentCapabilities"]["loadSession"] is True
    assert result["agentCapabilities"]["sessionCapabilities"] == {"resume": {}, "list": {}}


def test_it_starts_without_the_slow_parts_of_the_standard_library():
    source = str(Path(holdfast.__file__).parents[1])
    program = f"import sys; sys.path.insert(0, {source!r}); import holdfast.demo.__main__; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, check=True, timeout=WAIT, text=True
    )
    loaded = set(done.stdout.split())
    assert "holdfast.demo.show" in loaded
    assert not loaded & {"typing", "dataclasses", "pathlib", "asyncio", "threading", "subprocess", "logging"}
    assert {name for name in loaded if name.startswith("holdfast.")} == {
        name for name in loaded if name.startswith("holdfast.demo")
    }


def test_the_end_of_its_stdin_ends_it_with_code_0(agent):
    agent.process.stdin.close()
    assert agent.exit_code() == 0


@pytest.mark.parametrize("prompt", ["slow 600", "ask", "hang", "slow 600 flood 10"])
def test_the_end_of_its_stdin_ends_it_in_the_middle_of_a_turn_too(agent, prompt):
    agent.prompt(prompt)
    agent.process.stdin.close()
    assert agent.exit_code() == 0
    assert agent.stderr.read_text() == ""


def test_it_ends_quietly_when_nobody_reads_its_stdout_any_more(agent):
    agent.prompt("flood 10000000")
    agent.process.stdout.close()
    assert agent.exit_code() == 0
    assert agent.stderr.read_text() == ""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_without_a_traceback(agent, name):
    os.kill(agent.pid, signal.Signals[name])
    assert agent.exit_code() == -signal.Signals[name]
    assert agent.stderr.read_text() == ""


# requests that cannot be served


def test_a_workspace_that_is_missing_or_relative_is_refused(start, workspace):
    agent = start()
    for cwd in (str(workspace / "missing"), ".", "", "/nul\0", "/\ud800", 5, None):
        assert agent.call("session/new", cwd=cwd, mcpServers=[])["error"]["code"] == -32602
    assert agent.call("session/new")["error"]["code"] == -32602


@pytest.mark.parametrize("unknown", ["demo-0123456789abcdef", "../state", "", "demo-../x", "demo-\ud800"])
def test_an_unknown_session_is_not_found(agent, workspace, unknown):
    for method in ("session/load", "session/resume"):
        answer = agent.call(method, sessionId=unknown, cwd=str(workspace), mcpServers=[])
        assert answer["error"]["code"] == -32002
    assert agent.call("session/prompt", sessionId=unknown, prompt=[])["error"]["code"] == -32002


def test_what_is_no_request_is_answered_with_its_error_and_the_agent_goes_on(agent):
    wanted = {
        b"{": -32700,
        b"\xff\xfe": -32700,
        b"[" * 100_000: -32700,
        b"[]": -32600,
        b"5": -32600,
        b"{}": -32600,
    }
    for line, code in wanted.items():
        agent.send_line(line)
        answer = agent.message()
        assert (answer["id"], answer["error"]["code"]) == (None, code)
    assert agent.call("session/dance")["error"]["code"] == -32601
    assert agent.call("_ext/dance")["error"]["code"] == -32601
    assert agent.turn("flood 3")[1]["result"] == END_TURN


def test_params_of_the_wrong_shape_are_refused(agent):
    agent.methods[99] = "session/prompt"
    agent.send({"id": 99, "method": "session/prompt", "params": [1]})
    assert agent.message()["error"]["code"] == -32602
    for blocks in (None, "text", [5], [{"type": "text"}], [{"text": "x"}], [{"type": "resource", "resource": 1}]):
        answer = agent.call("session/prompt", sessionId=agent.session, prompt=blocks)
        assert answer["error"]["code"] == -32602


def test_notifications_and_answers_that_nobody_waits_for_are_not_answered(agent):
    agent.send({"method": "demo/unheard_of", "params": {}})
    agent.send({"method": "session/cancel", "params": {"sessionId": "nobody"}})
    agent.send({"id": 12345, "result": {}})
    agent.send({"id": ["odd"], "error": {"code": 1, "message": "x"}})
    agent.send_line(b"")
    number = agent.request("session/list")
    assert agent.message()["id"] == number


def test_a_second_prompt_is_refused_while_one_is_worked_on(agent):
    first = agent.prompt("ask")
    agent.until(is_permission)
    refused = agent.call("session/prompt", sessionId=agent.session, prompt=[{"type": "text", "text": "x"}])
    assert refused["error"]["code"] == -32600
    agent.cancel()
    assert agent.response(first)[-1]["result"] == CANCELLED


def test_a_prompt_of_three_megabytes_is_read(agent):
    assert agent.turn("flood 2 " + "x" * 3_000_000)[1]["result"] == END_TURN
