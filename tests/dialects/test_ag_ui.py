"""The translation into AG-UI: what becomes of each event, over logs made by hand."""

import json
from typing import Any

import pytest

from holdfast.dialects.ag_ui import Wanted
from holdfast.events import Origin, Recorded, Todo
from tests.dialects.ag_ui_logs import ASK, END, SAID, TASK, done, kinds, told_of
from tests.dialects.ag_ui_rules import check, texts
from tests.dialects.logs import log
from tests.event_values import AT_MS, final, partial, recorded


def ag_ui(*come: Recorded, wanted: Wanted | None = None) -> list[dict[str, Any]]:
    messages = [message for _, message in told_of(log(*come), wanted=wanted)]
    check(messages)
    return messages


def test_a_run_begins_with_the_ids_that_the_client_gave_it() -> None:
    first = ag_ui(TASK, END)[0]
    assert first == {
        "type": "RUN_STARTED",
        "timestamp": AT_MS,
        "threadId": "thread",
        "runId": "r1",
        "protocolVersion": "1.0",
        "metadata": {"holdfast": {"session_id": "session", "run": 1}},
        "input": {
            "threadId": "thread",
            "runId": "r1",
            "messages": [{"id": "1-user", "role": "user", "content": "Add a test"}],
        },
    }
    assert "input" not in ag_ui(TASK, END, wanted=Wanted("r1"))[0], "who asked knows what"


def test_a_task_from_elsewhere_has_an_id_of_its_own() -> None:
    elsewhere = recorded("user_message", origin=Origin(dialect="acp", request="r1"))
    messages = ag_ui(recorded("user_message"), END, elsewhere, END)
    assert [message["runId"] for message in messages if message["type"] == "RUN_STARTED"] == ["run-1", "run-2"]


def test_pieces_are_appended_and_a_final_adds_what_they_lack() -> None:
    messages = ag_ui(TASK, partial("Hel"), partial("lo"), final("Hello."), final("Bye."), END)
    assert texts(messages) == {"1-message-1": "Hello.", "1-message-2": "Bye."}
    assert [message["delta"] for message in messages if "delta" in message] == ["Hel", "lo", ".", "Bye."]
    assert kinds(messages)[1:7] == [
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CONTENT"),
        *("TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "TEXT_MESSAGE_START"),
    ]


def test_thinking_is_reasoning() -> None:
    messages = ag_ui(TASK, partial("Hm", "thinking"), final("Hmm", "thinking"), END)
    assert kinds(messages)[1:-1] == [
        *("REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT"),
        *("REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END", "REASONING_END"),
    ]
    assert texts(messages, "REASONING_MESSAGE") == {"1-thinking-1": "Hmm"}


def test_a_tool_call_has_its_arguments_and_its_result() -> None:
    start = recorded("tool_start", tool_name="Bash", tool_input={"command": "make"}, tool_id="t", parent_id="a")
    messages = ag_ui(TASK, start, recorded("tool_complete", tool_id="t", result={"exitCode": 0}, parent_id="a"), END)
    assert kinds(messages)[1:-1] == ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"]
    assert messages[1]["toolCallName"] == "Bash"
    assert json.loads(messages[2]["delta"]) == {"command": "make"}
    assert json.loads(messages[4]["content"]) == {"exitCode": 0}
    assert messages[4]["metadata"] == {"holdfast": {"is_error": False, "duration_ms": 1}}
    assert {message.get("subagentRunId") for message in messages[1:-1]} == {"a"}


def test_a_subagent_is_announced_and_what_it_does_is_told_as_its_own() -> None:
    asked = {"subagent_type": "explorer", "description": "Look at the pier"}
    start = recorded("tool_start", tool_name="Agent", tool_input=asked, tool_id="a")
    nested = recorded("tool_start", tool_name="Agent", tool_input={}, tool_id="b", parent_id="a")
    failed = recorded("tool_complete", tool_id="b", parent_id="a", result="Gone", is_error=True)
    messages = ag_ui(TASK, start, final("It stands.", parent_id="a"), nested, failed, done("a"), END)
    told = [message for message in messages if message["type"].startswith("SUBAGENT")]
    about = {"subagentRunId": "a", "name": "explorer", "parentToolCallId": "a", "description": "Look at the pier"}
    assert {name: told[0][name] for name in about} == about
    assert (told[1]["parentSubagentRunId"], told[1]["name"]) == ("a", "Agent")
    assert [(one["type"], one["subagentRunId"]) for one in told[2:]] == [
        ("SUBAGENT_ERROR", "b"),
        ("SUBAGENT_FINISHED", "a"),
    ]
    assert told[2]["message"] == "Gone"


def test_a_subagent_is_suspended_where_a_person_is_asked_and_goes_on_in_the_next_run() -> None:
    start = recorded("tool_start", tool_name="Agent", tool_input={}, tool_id="a")
    messages = ag_ui(TASK, start, ASK, done("a"), SAID, END)
    assert [message["type"] for message in messages if message["type"].startswith(("SUBAGENT", "RUN"))] == [
        *("RUN_STARTED", "SUBAGENT_STARTED", "SUBAGENT_FINISHED", "RUN_FINISHED"),
        *("RUN_STARTED", "SUBAGENT_STARTED", "SUBAGENT_FINISHED", "RUN_FINISHED"),
    ]
    suspended, finished = (message["outcome"] for message in messages if message["type"] == "SUBAGENT_FINISHED")
    assert (suspended, finished) == ({"type": "suspended"}, {"type": "success"})


def test_todos_are_a_change_of_the_state() -> None:
    messages = ag_ui(TASK, recorded("todo_update", todos=[Todo(content="a", status="pending")]), END)
    change = {"op": "add", "path": "/todos", "value": [{"content": "a", "status": "pending"}]}
    assert messages[1]["delta"] == [change]


def test_what_ag_ui_has_no_word_for_comes_under_our_name() -> None:
    messages = ag_ui(
        TASK, recorded("rate_limit"), recorded("agent_update", update={"a": 1}), recorded("session_connect"), END
    )
    assert messages[1]["name"] == "holdfast.rate_limit"
    assert messages[1]["value"] == {"status": "allowed_warning"}
    assert (messages[2]["type"], messages[2]["event"]) == ("RAW", {"kind": "mode", "update": {"a": 1}})
    assert len(messages) == 4


def test_an_end_by_success_has_its_result() -> None:
    last = ag_ui(TASK, final("Hello."), END)[-1]
    assert last["outcome"] == {"type": "success"}
    assert last["result"]["output"] == "Hello."
    assert last["result"]["num_turns"] == 2
    assert last["result"]["termination_info"]["reason"] == "completed"


@pytest.mark.parametrize("reason", ["cancelled", "paused"])
def test_what_was_stopped_on_purpose_is_neither_success_nor_failure(reason: str) -> None:
    last = ag_ui(TASK, recorded("cancelled", stop_reason=reason))[-1]
    assert (last["type"], last["outcome"]) == ("RUN_FINISHED", {"type": "cancelled"})
    assert "result" not in last
    assert last["rawEvent"]["stop_reason"] == reason


@pytest.mark.parametrize(
    ("end", "code", "message"),
    [
        (recorded("error"), "process_exit", "It broke"),
        (
            recorded("agent_complete", status="FAILED", stop_reason="refusal"),
            "refusal",
            "The run ended with refusal",
        ),
    ],
)
def test_any_other_end_is_an_error_with_our_stop_reason_as_its_code(end: Recorded, code: str, message: str) -> None:
    last = ag_ui(TASK, end)[-1]
    assert (last["type"], last["code"], last["message"]) == ("RUN_ERROR", code, message)
    assert "termination_info" in last["rawEvent"]


# Interrupts


def test_where_the_agent_asks_the_run_ends_as_interrupted_and_the_answer_begins_the_next() -> None:
    tool = recorded("tool_start", tool_id="t")
    done = recorded("tool_complete", tool_id="t")
    messages = ag_ui(TASK, tool, ASK, SAID, done, END)
    assert kinds(messages) == [
        *("RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "RUN_FINISHED"),
        *("RUN_STARTED", "CUSTOM", "TOOL_CALL_RESULT", "RUN_FINISHED"),
    ]
    assert [message["runId"] for message in messages if "runId" in message] == ["r1", "r1", "r1.2", "r1.2"]
    (interrupt,) = messages[4]["outcome"]["interrupts"]
    assert (interrupt["id"], interrupt["reason"], interrupt["toolCallId"]) == ("p1", "tool_call", "t")
    assert "editedArgs" in interrupt["responseSchema"]["properties"]


def test_the_run_that_answers_has_the_id_that_its_client_gave_it_and_only_it_is_told() -> None:
    come = (TASK, final("Before."), ASK, SAID, final("After."), END)
    messages = ag_ui(*come, wanted=Wanted("r2", frozenset({"p1"})))
    assert messages[0]["runId"] == messages[-1]["runId"] == "r2"
    assert list(texts(messages).values()) == ["After."]
    assert list(texts(ag_ui(*come, wanted=Wanted("r1"))).values()) == ["Before."]


def test_what_happens_while_a_person_is_asked_is_told_in_the_next_run() -> None:
    messages = ag_ui(TASK, ASK, final("Meanwhile.", parent_id="a"), SAID, END)
    assert kinds(messages) == [
        *("RUN_STARTED", "RUN_FINISHED", "RUN_STARTED"),
        *("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "CUSTOM", "RUN_FINISHED"),
    ]


def test_a_text_that_an_interrupt_breaks_off_goes_on_in_a_message_of_its_own() -> None:
    come = (TASK, partial("Hel", parent_id="a"), ASK, partial("lo", parent_id="a"), SAID)
    messages = ag_ui(*come, final("Hello.", parent_id="a"), END)
    assert texts(messages) == {"1-message-a-1": "Hel", "1-message-a-1.2": "lo."}


def test_two_requests_at_once_are_two_interrupts_and_one_resume_may_answer_both() -> None:
    second = recorded("permission_request", request_id="p2")
    said = recorded("permission_resolved", request_id="p2")
    messages = ag_ui(TASK, ASK, second, SAID, said, END)
    interrupts = [
        [interrupt["id"] for interrupt in message["outcome"]["interrupts"]]
        for message in messages
        if message["type"] == "RUN_FINISHED" and message["outcome"]["type"] == "interrupt"
    ]
    assert interrupts == [["p1"], ["p2"]], "the second came when the first run was over"
    both = ag_ui(TASK, ASK, second, SAID, said, END, wanted=Wanted("r2", frozenset({"p1", "p2"})))
    assert kinds(both) == ["RUN_STARTED", "CUSTOM", "CUSTOM", "RUN_FINISHED"]
    assert both[-1]["outcome"] == {"type": "success"}
    one = ag_ui(TASK, ASK, second, SAID, said, END, wanted=Wanted("r2", frozenset({"p1"})))
    assert one[-1]["outcome"]["interrupts"][0]["id"] == "p2", "what it did not answer is asked again"


def test_a_run_that_is_cancelled_while_it_waits_has_its_end() -> None:
    withdrawn = recorded("permission_resolved", request_id="p1", decision="cancelled", by="daemon")
    messages = ag_ui(TASK, ASK, withdrawn, recorded("cancelled"))
    assert messages[-1]["outcome"] == {"type": "cancelled"}


def test_after_a_retry_the_new_answer_is_a_message_of_its_own() -> None:
    messages = ag_ui(TASK, partial("Never"), recorded("agent_retry"), partial("The"), final("The tide is out."), END)
    assert texts(messages) == {"1-message-1": "Never", "1-message-1.2": "The tide is out."}
