"""The end of a run, as the answer to a prompt and as a notification to all clients."""

import json
from typing import Any, get_args

import pytest

from holdfast.dialects.acp_ends import answer, ended
from holdfast.ends import AgentComplete, Cancelled, Error, Stderr, StopReason, TerminationInfo
from tests.acp.models import check

DONE = TerminationInfo(reason="completed", terminated_by="agent")
DIED = TerminationInfo(
    reason="error",
    terminated_by="agent",
    message="agent exited with status 3",
    exit_code=3,
    stderr=Stderr(head="boom", truncated=False, total_lines=1),
)


def told(reason: StopReason) -> dict[str, Any]:
    return json.loads(answer(7, Error(stop_reason=reason, termination_info=DIED, message="It died", error_type="x")))


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("success", "end_turn"),
        ("max_tokens", "max_tokens"),
        ("error_max_turns", "max_turn_requests"),
        ("refusal", "refusal"),
        ("cancelled", "cancelled"),
        ("paused", "cancelled"),
        ("interrupted", "cancelled"),
    ],
)
def test_what_the_protocol_has_a_word_for_is_a_result(reason: StopReason, said: str) -> None:
    end = AgentComplete(status="COMPLETE", stop_reason=reason, termination_info=DONE, num_turns=2)
    message = json.loads(answer("a", end))
    check(message, "session/prompt")
    assert message["result"]["stopReason"] == said
    assert message["result"]["_meta"]["stop_reason"] == reason
    assert message["result"]["_meta"]["num_turns"] == 2


@pytest.mark.requirement("R128")
def test_all_other_ends_are_errors_that_say_why() -> None:
    message = told("process_exit")
    check(message)
    assert message["error"]["code"] == -32603
    assert message["error"]["message"] == "It died"
    data = message["error"]["data"]
    assert data["stop_reason"] == data["code"] == "process_exit"
    assert data["termination_info"]["stderr"]["head"] == "boom"
    assert told("auth_failed")["error"]["code"] == -32000


def test_every_stop_reason_is_answered() -> None:
    for reason in get_args(StopReason):
        check(told(reason), "session/prompt" if "result" in told(reason) else None)


@pytest.mark.requirement("R128")
def test_everybody_is_told_of_an_end_in_these_words() -> None:
    end = Error(stop_reason="process_exit", termination_info=DIED, message="It died", error_type="x", resumable=False)
    assert json.loads(ended("s-1", end)) == {
        "jsonrpc": "2.0",
        "method": "_sandboxagent/session/ended",
        "params": {
            "session_id": "s-1",
            "data": {
                "reason": "error",
                "terminated_by": "agent",
                "message": "agent exited with status 3",
                "exit_code": 3,
                "stderr": {"head": "boom", "truncated": False, "total_lines": 1},
                "stop_reason": "process_exit",
                "resumable": False,
            },
        },
    }
    gone = Cancelled(
        stop_reason="cancelled",
        termination_info=TerminationInfo(reason="terminated", terminated_by="daemon"),
        message="Task was cancelled",
        resumable=True,
    )
    data = json.loads(ended("s-1", gone))["params"]["data"]
    assert data == {"reason": "terminated", "terminated_by": "daemon", "stop_reason": "cancelled", "resumable": True}
