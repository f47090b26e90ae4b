"""The translation of logs into events of Anthropic's sessions API, held against the types of its SDK."""

import json
from typing import Any

import pytest
from pydantic import BaseModel

from holdfast import events
from tests.dialects.managed_logs import PREVIEWS, STORED, STREAMED, entries, log_of, told, types
from tests.test_recordings import INDEX


def has_only_known_fields(value: BaseModel, ours: frozenset[str] = frozenset()) -> bool:
    """Beside `ours`, at the top."""
    parts = [part for item in value.__dict__.values() for part in (item if isinstance(item, list) else [item])]
    unknown = set(value.model_extra or ()) - ours
    return not unknown and all(has_only_known_fields(part) for part in parts if isinstance(part, BaseModel))


@pytest.fixture(params=[entry["name"] for entry in INDEX])
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def test_every_event_of_every_recording_is_one_that_the_sdk_knows(name: str) -> None:
    pieces = told(entries(name), previews=PREVIEWS)
    assert pieces
    for piece in pieces:
        known = (STORED if piece.id is not None else STREAMED).validate_python(piece.data)
        assert known.type == piece.type
        is_status = piece.type in ("session.status_idle", "session.status_terminated")
        assert has_only_known_fields(known, frozenset({"holdfast"} if is_status else ())), piece.data


def test_dropped_partials_change_no_event_and_no_id(name: str) -> None:
    assert told(entries(name, partials=False)) == told(entries(name))
    seen = told(entries(name), previews=PREVIEWS)
    assert [piece for piece in seen if piece.id is not None] == told(entries(name, partials=False))


def test_an_id_stands_for_one_event_unless_it_is_told_again(name: str) -> None:
    pieces = told(entries(name))
    ids = [piece.id for piece in pieces if not piece.again]
    assert len(ids) == len(set(ids))
    for piece in pieces:
        assert not piece.again or piece.id in ids


def test_every_result_has_its_call_and_every_answer_its_request(name: str) -> None:
    pieces = told(entries(name))
    calls = [piece.id for piece in pieces if piece.type.endswith("tool_use") and not piece.again]
    results = [
        piece.data.get("tool_use_id") or piece.data.get("mcp_tool_use_id")
        for piece in pieces
        if piece.type in ("agent.tool_result", "agent.mcp_tool_result")
    ]
    assert set(results) <= set(calls)
    assert len(results) == len(set(results))
    for piece in pieces:
        if piece.type == "session.status_idle" and piece.data["stop_reason"]["type"] == "requires_action":
            assert set(piece.data["stop_reason"]["event_ids"]) <= set(calls)
        if piece.type == "user.tool_confirmation":
            assert piece.data["tool_use_id"] in calls


def test_every_run_begins_running_and_ends_idle_or_terminated(name: str) -> None:
    statuses = [piece for piece in told(entries(name)) if piece.type.startswith("session.status")]
    assert statuses[0].type == "session.status_running"
    if entries(name)[-1].type in events.TERMINAL:
        assert statuses[-1].type in ("session.status_idle", "session.status_terminated")
        assert statuses[-1].data.get("stop_reason", {}).get("type") != "requires_action"


def test_a_preview_is_concluded_by_the_event_whose_id_it_named_and_whose_text_it_brought(name: str) -> None:
    pieces = told(entries(name), previews=PREVIEWS)
    texts: dict[str, str] = {}
    started: list[str] = []
    for piece in pieces:
        if piece.type == "event_start":
            started.append(piece.data["event"]["id"])
            texts[started[-1]] = ""
        elif piece.type == "event_delta":
            texts[piece.data["event_id"]] += piece.data["delta"]["content"]["text"]
        elif piece.id in texts and piece.type == "agent.message":
            final = piece.data["content"][0]["text"]
            # An attempt that the agent gave up has brought pieces that do not count.
            assert final == texts[str(piece.id)] or name in ("claude-retry", "claude-broken")
    finals = [piece.id for piece in pieces if piece.type in PREVIEWS]
    assert len(started) == len(set(started))
    assert set(started) <= set(finals)


def test_previews_come_only_of_what_was_asked_for() -> None:
    assert "event_start" not in types(told(entries("claude-text")))
    asked = told(entries("claude-text"), previews=frozenset({"agent.message"}))
    assert {piece.data["event"]["type"] for piece in asked if piece.type == "event_start"} == {"agent.message"}


def test_a_call_that_is_asked_for_is_told_again_under_its_id_and_waited_for() -> None:
    pieces = told(entries("demo-ask-denied"))
    call, again = [piece for piece in pieces if piece.type == "agent.tool_use"][:2]
    assert (call.id, again.again) == (again.id, True)
    assert "evaluated_permission" in again.data
    assert again.data["evaluated_permission"] == "ask"
    shown = types(pieces)
    at = pieces.index(again)
    assert shown[at + 1 : at + 4] == ["session.status_idle", "user.tool_confirmation", "session.status_running"]
    assert pieces[at + 1].data["stop_reason"] == {"type": "requires_action", "event_ids": [call.id]}
    assert pieces[at + 2].data["result"] == "deny"
    result = next(piece for piece in pieces if piece.type == "agent.tool_result")
    assert result.data["is_error"] is True
    assert result.data["tool_use_id"] == call.id


def _request(number: int, **more: Any) -> events.PermissionRequest:
    return events.PermissionRequest(
        request_id=f"r{number}", tool_name="Bash", tool_input={"n": number}, options=[], expires_at="", **more
    )


def test_of_several_requests_those_that_are_left_are_waited_for() -> None:
    pieces = told(
        log_of(
            events.UserMessage(text="Do"),
            _request(1),
            _request(2),
            events.PermissionResolved(request_id="r1", decision="allow_once", by="ada"),
            events.PermissionResolved(request_id="r2", decision="deny", by="expiry"),
        )
    )
    one, two = [piece.id for piece in pieces if piece.type == "agent.tool_use"]
    waits = [piece.data["stop_reason"]["event_ids"] for piece in pieces if piece.type == "session.status_idle"]
    assert waits == [[one], [one, two], [two]]
    assert types(pieces)[-1] == "session.status_running"
    assert types(pieces).count("user.tool_confirmation") == 1, "nobody said no to the second: its time was over"


def test_a_request_before_its_call_is_the_call() -> None:
    start = events.ToolStart(tool_name="Bash", tool_input={"n": 1}, tool_id="t1")
    done = events.ToolComplete(tool_name="Bash", tool_id="t1", result=None, duration_ms=1, is_error=False)
    pieces = told(log_of(_request(1, tool_id="t1"), start, done))
    assert types(pieces) == ["agent.tool_use", "session.status_idle", "agent.tool_result"]
    assert pieces[2].data["tool_use_id"] == pieces[0].id
    assert pieces[2].data["content"] == []


def test_a_tool_of_an_mcp_server_is_told_as_one() -> None:
    start = events.ToolStart(tool_name="mcp__github__list_issues", tool_input=None, tool_id="t1")
    done = events.ToolComplete(
        tool_name="mcp__github__list_issues", tool_id="t1", result=[1, 2], duration_ms=1, is_error=False
    )
    use, result = told(log_of(start, done))
    assert (use.type, use.data["mcp_server_name"], use.data["name"]) == ("agent.mcp_tool_use", "github", "list_issues")
    assert result.type == "agent.mcp_tool_result"
    assert result.data["mcp_tool_use_id"] == use.id
    assert result.data["content"] == [{"type": "text", "text": "[1,2]"}]
    for piece in (use, result):
        assert has_only_known_fields(STORED.validate_python(piece.data))


def test_a_question_is_a_tool_that_the_client_carries_out() -> None:
    pieces = told(entries("claude-question"))
    asked = next(piece for piece in pieces if piece.type == "agent.custom_tool_use")
    assert next(item["id"] for item in asked.data["input"]["questions"]) == "Which colour shall the buoy have?"
    answer = next(piece for piece in pieces if piece.type == "user.custom_tool_result")
    assert answer.data["custom_tool_use_id"] == asked.id
    assert json.loads(answer.data["content"][0]["text"])["Which colour shall the buoy have?"] == "Green"


def test_a_message_that_came_by_this_dialect_has_the_id_that_its_sender_was_told() -> None:
    said = events.UserMessage(text="Do", origin=events.Origin(dialect="managed", request="abc"))
    other = events.UserMessage(text="Do", origin=events.Origin(dialect="acp", request="abc"))
    own, _, others, _ = told(log_of(said, other))
    assert str(own.id).endswith("_uabc")
    assert str(others.id).endswith("_u2")


def test_a_retry_is_an_error_that_is_being_seen_to() -> None:
    pieces = told(entries("claude-retry"))
    errors = [piece.data["error"] for piece in pieces if piece.type == "session.error"]
    assert {error["retry_status"]["type"] for error in errors} == {"retrying"}


def test_what_subagents_say_is_left_to_the_results_of_their_calls() -> None:
    pieces = told(entries("claude-subagents"))
    said = [piece.data["content"][0]["text"] for piece in pieces if piece.type == "agent.message"]
    assert said == ["I send two agents.", "Both piers stand."]
    threads = [piece.data.get("session_thread_id") for piece in pieces if piece.type == "agent.tool_use"]
    assert threads[:2] == [None, None]
    assert threads[2] is not None


def test_files_of_a_message_are_named() -> None:
    attachments = [events.Attachment(name="a.png", media_type="image/png", size=7)]
    message = told(log_of(events.UserMessage(text="Look", attachments=attachments)))[0]
    assert [block["text"] for block in message.data["content"]] == ["Look", "[a.png: image/png, 7 bytes]"]
