"""The official client `@ag-ui/client`, as it is on npm and in CopilotKit, drives the demo agent end to end."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TOKEN, Server

HERE = Path(__file__).parent
MODULE = HERE.parent / "npm" / "node_modules" / "@ag-ui" / "client" / "dist" / "index.mjs"


@pytest.fixture(scope="module")
def told(house: Server) -> dict[str, Any]:
    driven = subprocess.run(
        ["node", str(HERE / "drive_ag_ui.mjs"), str(MODULE), house.url, TOKEN],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert driven.returncode == 0, driven.stderr
    return json.loads(driven.stdout)


def roles(run: dict[str, Any]) -> list[str]:
    return [message["role"] for message in run["newMessages"]]


def test_a_run_becomes_messages_tool_calls_and_a_result(told: dict[str, Any]) -> None:
    shown = told["shown"]
    assert (shown["events"][0], shown["events"][-1]) == ("RUN_STARTED", "RUN_FINISHED")
    assert set(roles(shown)) == {"reasoning", "assistant", "tool"}
    calls = [call["id"] for message in shown["newMessages"] for call in message.get("toolCalls", [])]
    assert calls
    assert [message["toolCallId"] for message in shown["newMessages"] if message["role"] == "tool"] == calls
    assert shown["result"]["output"] == shown["newMessages"][-1]["content"]
    assert shown["result"]["termination_info"] == {"reason": "completed", "terminated_by": "agent"}
    assert shown["state"], "the todos came as changes of the client's state"


def test_a_permission_interrupts_the_run_and_an_answer_goes_on_with_it(told: dict[str, Any]) -> None:
    [interrupt] = told["asked"]["interrupts"]
    assert interrupt["toolCallId"] == told["asked"]["newMessages"][-1]["toolCalls"][0]["id"]
    assert told["allowed"]["interrupts"] == []
    assert "I was allowed to run" in str(told["allowed"]["newMessages"])
    assert told["allowed"]["result"]["stop_reason"] == "success"


def test_a_crash_is_an_error_with_its_exit_code_and_the_thread_goes_on(told: dict[str, Any]) -> None:
    [error] = told["crash"]["errors"]
    assert (error["code"], error["message"]) == ("process_exit", "agent exited with status: code 3")
    assert error["rawEvent"]["termination_info"]["exit_code"] == 3
    assert told["after"]["result"]["stop_reason"] == "success"
    assert roles(told["after"]) == ["assistant", "tool", "assistant", "tool", "assistant"]


def test_a_run_whose_connection_broke_is_told_again_and_not_done_again(told: dict[str, Any]) -> None:
    assert "the network broke" in told["broken"]["broken"]
    assert told["again"]["events"].count("TOOL_CALL_RESULT") == 10
    assert told["again"]["result"]["stop_reason"] == "success"
    assert told["whole"].count('"RUN_STARTED"') == 1


def test_a_refusal_reaches_the_front_end(told: dict[str, Any]) -> None:
    assert "There is no agent 'nobody'" in told["refused"]["broken"]
