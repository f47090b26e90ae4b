"""How a run ends when its agent says so itself, and what is closed, counted and refused around an end."""

from pathlib import Path
from typing import Any

import pytest

from tests.client import TERMINAL, Client
from tests.processes import eventually
from tests.runs.agents import run_that_times_out

STOP_REASONS = [
    # what the agent answers, stop_reason, agent_complete.status, the session's status
    ("end_turn", "success", "COMPLETE", "complete"),
    ("max_tokens", "max_tokens", "FAILED", "failed"),
    ("max_turn_requests", "error_max_turns", "FAILED", "failed"),
    ("refusal", "refusal", "FAILED", "failed"),
    ("cancelled", "cancelled", "CANCELLED", "cancelled"),
]


@pytest.mark.requirement("R082", "R087", "R103", "R104", "R105", "R113", "R114", "R116", "R118", "R120")
@pytest.mark.parametrize(("word", "stop_reason", "status", "session_status"), STOP_REASONS)
def test_an_agents_own_stop_reason_is_translated_and_kept(
    agents: Client, word: str, stop_reason: str, status: str, session_status: str
) -> None:
    session_id = agents.run_task(f"print('noise', file=sys.stderr); answer({word!r})", agent="scripted")
    end = agents.end_of(session_id)
    assert end["type"] == "agent_complete"
    data = end["data"]
    assert (data["status"], data["stop_reason"], data["agent_stop_reason"]) == (status, stop_reason, word)
    assert data["termination_info"] == {"reason": "completed", "terminated_by": "agent"}
    assert data["agent_session_id"] == "scripted"
    assert "synthetic" not in data
    record = agents.record(session_id)
    assert record["status"] == session_status
    assert {name: record[name] for name in ("stop_reason", "agent_stop_reason", "termination_info")} == {
        name: data[name] for name in ("stop_reason", "agent_stop_reason", "termination_info")
    }


ERRORS = [
    # what the agent does with the prompt, stop_reason, error_type, by, message
    ("answer('bored')", "error_during_execution", "unknown_stop_reason", "agent", "'bored'"),
    (
        "send(id=prompt_id, error={'code': -32603, 'message': 'the model is down'}); time.sleep(600)",
        *("error_during_execution", "agent_error", "agent", "the model is down"),
    ),
    (
        "send(id=prompt_id, error={'code': -32000, 'message': 'please log in'}); time.sleep(600)",
        *("auth_failed", "auth_failed", "agent", "please log in"),
    ),
]


@pytest.mark.requirement("R086", "R103", "R120")
@pytest.mark.parametrize(("task", "stop_reason", "error_type", "by", "message"), ERRORS)
def test_an_error_that_the_agent_reports_fails_the_run(
    agents: Client, task: str, stop_reason: str, error_type: str, by: str, message: str
) -> None:
    session_id = agents.run_task(task, agent="scripted")
    end = agents.end_of(session_id)
    assert end["type"] == "error"
    assert (end["data"]["stop_reason"], end["data"]["error_type"]) == (stop_reason, error_type)
    assert (end["data"]["termination_info"]["reason"], end["data"]["termination_info"]["terminated_by"]) == (
        "error",
        by,
    )
    assert message in end["data"]["message"]
    assert agents.record(session_id)["status"] == "failed"


def all_of(client: Client, folder: Path, task: str, last: str | None) -> list[dict[str, Any]]:
    """The events of a scripted run that ends with the last thing of its task, or else when its time is up."""
    if last is None:
        return run_that_times_out(client, folder, task)
    return client.follow(client.run_task(f"{task}\n{last}", agent="scripted"))


@pytest.mark.requirement("R106")
@pytest.mark.parametrize(
    ("last", "stop_reason"), [("os._exit(9)", "process_exit"), ("answer('refusal')", "refusal"), (None, "timeout")]
)
def test_an_end_by_error_carries_what_the_run_has_cost(
    agents: Client, tmp_path: Path, last: str | None, stop_reason: str
) -> None:
    task = "update('usage_update', used=10, size=20, cost={'amount': 0.25, 'currency': 'USD'})"
    events = all_of(agents, tmp_path, task, last)
    data = events[-1]["data"]
    assert data["stop_reason"] == stop_reason
    assert (data["total_cost_usd"], data["num_turns"]) == (0.25, 1)
    assert data["duration_ms"] > 0
    [connect] = [event["data"] for event in events if event["type"] == "session_connect"]
    record = agents.record(connect["session_id"])
    assert all(record[name] == data[name] for name in ("total_cost_usd", "num_turns", "duration_ms"))


SPOKEN = """
update("agent_thought_chunk", content={"type": "text", "text": "hm"}); say("First I look. ")
update("tool_call", toolCallId="a", title="a"); update("tool_call", toolCallId="b", title="b")
update("tool_call_update", toolCallId="a", status="completed")
update("tool_call_update", toolCallId="b", status="failed")
say("Then I write. ")
update("tool_call", toolCallId="c", title="a", status="completed")
say("Done.")
"""


@pytest.mark.requirement("R043")
@pytest.mark.parametrize("last", ["answer('end_turn')", "os._exit(9)", None])
def test_a_run_is_summed_up_and_the_answers_of_its_model_are_counted_however_it_ends(
    agents: Client, tmp_path: Path, last: str | None
) -> None:
    events = all_of(agents, tmp_path, SPOKEN, last)
    assert [event["type"] for event in events[-3:-1]] == ["conversation_turn", "session_disconnect"]
    turn, end = events[-3]["data"], events[-1]["data"]
    assert (turn["turn_number"], turn["response_preview"], turn["tools_used"]) == (1, "Done.", ["a", "b"])
    assert turn["prompt_preview"].startswith(SPOKEN[:150])
    assert 0 <= turn["duration_ms"] == end["duration_ms"]
    assert end["num_turns"] == 3


@pytest.mark.requirement("R043")
def test_a_run_whose_agent_never_started_is_not_summed_up(agents: Client) -> None:
    events = agents.follow(agents.run_task("work", agent="missing"))
    assert events[-1]["data"]["stop_reason"] == "start_failed"
    assert "conversation_turn" not in [event["type"] for event in events]


@pytest.mark.requirement("R088", "R049")
def test_a_failed_tool_or_an_unparsed_line_is_no_end(agents: Client) -> None:
    task = (
        "update('tool_call', toolCallId='t', title='Try', kind='other', status='in_progress')\n"
        "update('tool_call_update', toolCallId='t', status='failed')\n"
        "raw(b'what is this')\n"
        "say('I went on')"
    )
    events = agents.follow(agents.run_task(task, agent="scripted"))
    assert [event["data"]["is_error"] for event in events if event["type"] == "tool_complete"] == [True]
    assert [event["data"]["text"] for event in events if event["type"] == "agent_unparsed"] == ["what is this"]
    finals = [event for event in events if event["type"] == "message" and not event["data"]["is_partial"]]
    assert [event["data"]["full_text"] for event in finals] == ["I went on"]
    assert events[-1]["data"]["stop_reason"] == "success"


@pytest.mark.requirement("R036", "R083")
@pytest.mark.parametrize("last", ["os._exit(1)", "answer('end_turn')", "time.sleep(600)"])
def test_what_an_agent_leaves_open_is_closed_before_the_end(agents: Client, tmp_path: Path, last: str) -> None:
    task = (
        "update('tool_call', toolCallId='left', title='Build', kind='execute', status='in_progress')\n"
        "update('agent_thought_chunk', content={'type': 'text', 'text': 'Hmm, '})\n"
        f"say('half a sen'); say('tence'); Path('said').touch(); {last}"
    )
    session_id = agents.run_task(task, agent="scripted", workspace=str(tmp_path))
    agents.until(session_id, "message")
    if "sleep" in last:
        eventually((tmp_path / "said").exists)
        agents.post(f"/sessions/{session_id}/cancel")
    events = agents.follow(session_id)
    completes = [event["data"] for event in events if event["type"] == "tool_complete"]
    assert [(data["tool_id"], data["is_error"], data["outcome"]) for data in completes] == [("left", True, "unknown")]
    texts = [event for event in events if event["type"] in ("message", "thinking")]
    finals = [(event["type"], event["data"]["full_text"]) for event in texts if not event["data"]["is_partial"]]
    assert finals == [("thinking", "Hmm, "), ("message", "half a sentence")]
    assert [event["type"] for event in events[-2:-1]] == ["session_disconnect"]
    assert [event["sequence"] for event in events if event["type"] in TERMINAL] == [len(events)]


@pytest.mark.requirement("R117", "R083")
def test_the_first_end_wins_over_what_the_agent_does_after_it(agents: Client, tmp_path: Path) -> None:
    task = (
        "send(id=prompt_id, result={'stopReason': 'end_turn'})\n"
        "say('one more thing'); send(id=prompt_id, result={'stopReason': 'refusal'}); os._exit(7)"
    )
    session_id = agents.run_task(task, agent="scripted")
    events = agents.follow(session_id)
    assert [event["type"] for event in events if event["type"] in TERMINAL] == ["agent_complete"]
    assert events[-1]["data"]["stop_reason"] == "success"
    assert agents.record(session_id)["termination_info"] == {"reason": "completed", "terminated_by": "agent"}


@pytest.mark.requirement("R131", "R119")
def test_the_demo_agent_crashes_when_it_is_asked_to(agents: Client) -> None:
    sessions = {agents.run_task(f"please {word}"): word for word in ("crash", "crash 42", "crash SIGABRT")}
    found = {sessions[one]: agents.end_of(one)["data"]["termination_info"] for one in sessions}
    assert found["crash"]["exit_code"] == 1
    assert found["crash 42"]["exit_code"] == 42
    assert found["crash SIGABRT"]["signal"] == "SIGABRT"
    assert "exit_code" not in found["crash SIGABRT"]
    assert all(info["stderr"]["head"].startswith("Traceback") for info in found.values())
    assert all(info["message"].startswith("agent exited with status") for info in found.values())


@pytest.mark.requirement("R083", "R129", "R130", "R094")
def test_a_run_under_way_shows_no_end(agents: Client) -> None:
    session_id = agents.run_task("until('go')", agent="scripted")
    agents.until(session_id, "agent_start")
    record = agents.record(session_id)
    assert record["status"] == "running"
    assert not {"stop_reason", "agent_stop_reason", "termination_info", "resumable"} & record.keys()
    Path(record["workspace"], "go").touch()
    assert agents.end_of(session_id)["data"]["stop_reason"] == "success"
    assert "resumable" not in agents.record(session_id)
