"""What a turn of Claude Code came to: one table, over what the CLI says in its result and what was said before."""

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdfast.agents.claude_events import Translation
from holdfast.agents.claude_outcomes import Facts, auth_failed, classified, refused, start_failed
from tests.agents.claude_frames import RECORDED, Clock, result_of, translated


def outcome(result, error=None, **facts):
    return classified({"type": "result", **result}, Facts(error=error, **facts))


def failed(text="", status=None, terminal="api_error"):
    """An API error, as the CLI tells it: a success."""
    return {
        "subtype": "success",
        "is_error": True,
        "result": text,
        "api_error_status": status,
        "terminal_reason": terminal,
    }


SUCCESS = {"subtype": "success", "is_error": False, "terminal_reason": "completed", "stop_reason": "end_turn"}

# the result, the CLI's last word for an API error -> stop reason, error type
TABLE = {
    "normal": (SUCCESS, None, "success", None),
    "an error that was overcome": (SUCCESS, "rate_limit", "success", None),
    "max turns": ({"subtype": "error_max_turns", "is_error": True}, None, "error_max_turns", "error_max_turns"),
    "turns by their reason": ({**SUCCESS, "terminal_reason": "max_turns"}, None, "error_max_turns", "error_max_turns"),
    "budget": ({"subtype": "error_max_budget_usd"}, None, "error_max_budget_usd", "error_max_budget_usd"),
    "budget by its reason": (
        {**SUCCESS, "terminal_reason": "budget_exhausted"},
        None,
        "error_max_budget_usd",
        "error_max_budget_usd",
    ),
    "structure": (
        {"subtype": "error_max_structured_output_retries"},
        None,
        "error_max_structured_output_retries",
        "error_max_structured_output_retries",
    ),
    "stopped in a text": (
        {"subtype": "error_during_execution", "terminal_reason": "aborted_streaming"},
        None,
        "cancelled",
        None,
    ),
    "stopped in a tool": (
        {"subtype": "error_during_execution", "terminal_reason": "aborted_tools"},
        None,
        "cancelled",
        None,
    ),
    "refusal": ({**failed("safeguards"), "stop_reason": "refusal"}, "invalid_request", "refusal", None),
    "max tokens": ({**SUCCESS, "stop_reason": "max_tokens"}, None, "max_tokens", None),
    "max tokens again and again": (failed("token maximum"), "max_output_tokens", "max_tokens", None),
    "too long": (
        failed("Prompt is too long", 400, "prompt_too_long"),
        "invalid_request",
        "error_during_execution",
        "prompt_too_long",
    ),
    "blocked": (failed("full", None, "blocking_limit"), None, "error_during_execution", "blocking_limit"),
    "image": (failed("too large", 413, "image_error"), None, "error_during_execution", "image_error"),
    "401": (failed("Invalid API key", 401), "authentication_failed", "auth_failed", "auth_failed"),
    "403 by its status": (failed("no", 403), "unknown", "auth_failed", "auth_failed"),
    "no key": (failed("Not logged in · Please run /login"), None, "auth_failed", "auth_failed"),
    "organization": (failed("no", 403), "oauth_org_not_allowed", "auth_failed", "auth_failed"),
    "cloud": (failed("no"), "cloud_credential_error", "auth_failed", "auth_failed"),
    "404": (failed("no model", 404), "model_not_found", "error_during_execution", "model_not_found"),
    "429": (failed("slow", 429), "rate_limit", "error_during_execution", "rate_limit"),
    "usage limit": (failed("hit", 429), "usage_limit_reached", "error_during_execution", "rate_limit"),
    "500": (failed("oops", 500), "server_error", "error_during_execution", "server_error"),
    "529": (failed("Overloaded", 529), "server_error", "error_during_execution", "overloaded"),
    "down": (failed("refused"), "connection_failed", "error_during_execution", "connection_failed"),
    "reset": (failed("Connection was lost"), "unknown", "error_during_execution", "connection_failed"),
    "silent": (failed("Request timed out"), "server_error", "error_during_execution", "connection_failed"),
    "credit": (
        failed("Credit balance is too low", 400),
        "invalid_request",
        "error_during_execution",
        "billing_error",
    ),
    "400": (failed("bad", 400), "invalid_request", "error_during_execution", "invalid_request"),
    "a word nobody knows": (failed("new", 418), "teapot", "error_during_execution", "api_error"),
    "a subtype nobody knows": ({"subtype": "error_novel"}, None, "error_during_execution", "agent_error"),
    "an error without words": ({"subtype": "error_during_execution"}, None, "error_during_execution", "agent_error"),
    "a tool call that was none": (
        {**SUCCESS, "terminal_reason": "malformed_tool_use_exhausted"},
        None,
        "error_during_execution",
        "malformed_tool_use_exhausted",
    ),
}


@pytest.mark.requirement("R103", "R105")
@pytest.mark.parametrize("name", TABLE)
def test_a_result_is_classified_by_all_that_it_says(name):
    result, error, stop_reason, error_type = TABLE[name]
    found = outcome(result, error)
    assert (found.stop_reason, found.error_type) == (stop_reason, error_type)
    assert (found.message or "") != "" or stop_reason in ("success", "cancelled")
    if isinstance(result.get("result"), str) and stop_reason != "refusal":
        assert result["result"] in found.message


@pytest.mark.parametrize(
    ("name", "stop_reason", "status"),
    [
        ("text", "success", None),
        ("shell", "success", None),
        ("structured", "success", None),
        ("interrupted", "cancelled", None),
        ("max_turns", "error_max_turns", None),
        ("unauthorized", "auth_failed", 401),
        ("overloaded", "error_during_execution", 529),
        ("timed_out", "error_during_execution", None),
        ("refused", "refusal", None),
        ("limit_reached", "error_during_execution", 429),
    ],
)
def test_what_was_recorded_is_classified(name, stop_reason, status):
    translation = Translation(Clock())
    translated(RECORDED[name], translation)
    found = classified(result_of(name), translation.facts)
    assert (found.stop_reason, found.api_status) == (stop_reason, status)
    assert found.agent_stop_reason
    assert found.usage == result_of(name)["usage"]
    assert found.model == translation.facts.model


def test_a_message_says_what_to_do_and_a_limit_is_named():
    assert outcome({"subtype": "error_max_turns"}).limit == "max_turns"
    budget = outcome({"subtype": "error_max_budget_usd", "errors": ["Reached maximum budget ($1)"]})
    assert budget.message == "Reached maximum budget ($1). Raise max_budget_usd and resume to let it go on."
    assert budget.limit == "max_budget_usd"
    assert outcome(failed("Overloaded", 529), "server_error").message == (
        "Overloaded — The API is overloaded; resume in a while."
    )


def test_the_agents_own_word_stands_beside_the_stop_reason():
    assert outcome(SUCCESS).agent_stop_reason == "completed"
    assert outcome({"subtype": "error_max_turns"}).agent_stop_reason == "error_max_turns"
    assert outcome({**failed("x"), "stop_reason": "refusal"}).agent_stop_reason == "refusal"


def test_a_refusal_is_also_known_by_what_the_model_said_last():
    assert outcome({"subtype": "success", "is_error": True}, stop_reason="refusal").stop_reason == "refusal"


def test_what_happened_before_the_first_prompt_is_a_failed_start():
    found = refused({"subtype": "error_during_execution", "errors": ["No conversation found with session ID: x"]})
    assert (found.stop_reason, found.by) == ("start_failed", "daemon")
    assert "No conversation found" in found.message
    assert refused({}).message
    assert start_failed("why").message == "why"
    assert auth_failed("The API says no", 401).api_status == 401


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
FIELDS = ("subtype", "terminal_reason", "stop_reason", "is_error", "errors", "result", "usage")


@example({"subtype": ""}, None)
@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys((*FIELDS, "api_error_status"), values)),
    st.none() | st.text(),
)
def test_no_result_raises_and_every_failure_has_a_message(result, error):
    found = outcome(result, error)
    msgspec.json.encode(found)
    assert found.error_type is None or found.message
