"""What clients of Anthropic's sessions API say, and what it comes to here; no server."""

import base64
from typing import Any

import msgspec
import pytest

from holdfast.asking import Question, QuestionItem
from holdfast.dialects.managed_config import PROJECT, SETTINGS, checked, config_of
from holdfast.dialects.managed_said import (
    Confirmation,
    CustomToolResult,
    SaidList,
    Text,
    UserMessage,
    answers_of,
    decision_of,
    effective,
    task_of,
)
from holdfast.errors import BadRequest


def said(*given: dict[str, Any]) -> list[Any]:
    return effective(msgspec.convert(list(given), SaidList))


def message(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"type": "user.message", "content": list(blocks)}


TEXT = {"type": "text", "text": "Look"}
HELLO = message(TEXT)
INTERRUPT = {"type": "user.interrupt"}


def test_texts_are_one_task_and_images_and_documents_its_files() -> None:
    picture = base64.b64encode(b"png").decode()
    [given] = said(
        message(
            TEXT,
            {"type": "image", "source": {"type": "base64", "data": picture, "media_type": "image/png"}},
            {
                "type": "document",
                "source": {"type": "text", "data": "grüß", "media_type": "text/plain"},
                "title": "n.md",
            },
            {"type": "text", "text": "at this"},
        )
    )
    task, files = task_of(given)
    assert task == "Look\n\nat this"
    assert [(file.name, file.media_type) for file in files] == [("image-2.png", "image/png"), ("n.md", "text/plain")]
    assert [base64.b64decode(file.data) for file in files] == [b"png", "grüß".encode()]


@pytest.mark.parametrize(
    ("block", "named"),
    [
        ({"type": "image", "source": {"type": "url", "url": "http://a/b.png"}}, "http://a/b.png"),
        ({"type": "document", "source": {"type": "file", "file_id": "file_7"}}, "file_7"),
        ({"type": "redacted"}, "content[1]"),
    ],
)
def test_content_that_no_agent_would_get_is_refused_by_name(block: dict[str, Any], named: str) -> None:
    with pytest.raises(BadRequest, match=named.replace("[", r"\[")):
        said(message(TEXT, block))


@pytest.mark.parametrize(
    ("events", "named"),
    [
        ([message({"type": "text", "text": " \n"})], "no text"),
        ([HELLO, HELLO], r"events\[1\] is a second user.message"),
        ([HELLO, {"type": "user.tool_result", "tool_use_id": "x"}], r"events\[1\] .* user.tool_result"),
        ([{"type": "user.define_outcome", "description": "d"}], "user.define_outcome"),
        ([{"type": "system.message", "content": [TEXT]}], "system.message"),
        ([{"type": "user.interrupt", "session_thread_id": "sthr_1"}], "sthr_1"),
        (
            [{"type": "user.tool_confirmation", "tool_use_id": "x", "result": "allow", "deny_message": "no!"}],
            "no!",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_done(events: list[dict[str, Any]], named: str) -> None:
    with pytest.raises(BadRequest, match=named):
        said(*events)


def test_a_message_may_follow_an_interrupt() -> None:
    assert [type(event).__name__ for event in said(HELLO, INTERRUPT, HELLO)] == [
        "UserMessage",
        "Interrupt",
        "UserMessage",
    ]


def test_a_confirmation_allows_once_or_denies_with_its_message() -> None:
    allow = decision_of(Confirmation(tool_use_id="x", result="allow"), "ada")
    deny = decision_of(Confirmation(tool_use_id="x", result="deny", deny_message="Not that"), "ada")
    assert (allow.decision, allow.by, allow.message) == ("allow_once", "ada", None)
    assert (deny.decision, deny.by, deny.message) == ("deny", "ada", "Not that")


def question(*ids: str) -> Question:
    return Question(request_id="r", text="?", expires_at="", questions=[QuestionItem(id=id_, text=id_) for id_ in ids])


def answer(text: str, **more: Any) -> CustomToolResult:
    return CustomToolResult(custom_tool_use_id="x", content=[Text(text=text)], **more)


def test_a_question_is_answered_by_json_or_if_it_is_one_by_plain_text() -> None:
    assert answers_of(answer('{"a": 1, "b": "two"}'), question("a", "b"), "ada").answers == {"a": 1, "b": "two"}
    assert answers_of(answer("Green"), question("colour"), "ada").answers == {"colour": "Green"}
    assert answers_of(answer("7"), question("colour"), "ada").answers == {"colour": "7"}
    declined = answers_of(answer("Not now", is_error=True), question("a", "b"), "ada")
    assert (declined.decision, declined.message, declined.answers) == ("deny", "Not now", None)
    with pytest.raises(BadRequest, match="'Green' is not a JSON object with the answers to 'a', 'b'"):
        answers_of(answer("Green"), question("a", "b"), "ada")


def test_metadata_of_ours_says_how_runs_are_done() -> None:
    config = config_of(
        {
            "colour": "green",
            "holdfast.workspace": "/a",
            "holdfast.profile": "careful",
            "holdfast.max_turns": "7",
            "holdfast.max_budget_usd": "2.5",
            "holdfast.unattended": "true",
            "holdfast.on_limit": "pause",
        }
    )
    assert (config.profile, config.max_turns, config.max_budget_usd) == ("careful", 7, 2.5)
    assert (config.unattended, config.on_limit, config.model) == (True, "pause", None)
    assert "holdfast.timeout_s" in SETTINGS


@pytest.mark.parametrize(
    ("metadata", "named"),
    [
        ({"holdfast.max_turns": "many"}, r"holdfast.max_turns.*'many'"),
        ({"holdfast.max_turns": "0"}, r"holdfast.max_turns.*'0'"),
        ({"holdfast.on_limit": "stop"}, r"holdfast.on_limit.*'stop'"),
        ({"holdfast.colour": "green"}, r"holdfast.colour.*known are: holdfast.workspace"),
        ({PROJECT: ""}, PROJECT),
        ({str(number): "" for number in range(17)}, "17"),
        ({"k" * 65: ""}, "64"),
        ({"k": "v" * 513}, "513"),
        ({"k": "\0"}, "NUL"),
    ],
)
def test_metadata_that_does_not_fit_is_refused_by_name(metadata: dict[str, str], named: str) -> None:
    with pytest.raises(BadRequest, match=named):
        checked(metadata)


def test_an_event_of_no_known_type_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"user\.shout"):
        said({"type": "user.shout"})
    assert isinstance(said(HELLO)[0], UserMessage)
