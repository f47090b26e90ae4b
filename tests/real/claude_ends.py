"""What can end a run of Claude Code, and how the log must tell it."""

from typing import Any

import msgspec

from tests.models.marker import do

LIMIT = "Wait until the limit resets, then resume."
LOGIN = "Check the API key, or log in again"


class End(msgspec.Struct, kw_only=True):
    """A task, how it is given, and how it must end."""

    task: str = do("text")
    agent: str = "claude"
    config: dict[str, Any] = {}
    type: str = "error"
    stop: str = "error_during_execution"
    error: str | None = None
    """The error type; None if the event has none."""
    status: int | None = None
    """The HTTP status of the API."""
    says: str = ""
    """In the message: the words of the API or of the CLI …"""
    advises: str = ""
    """… and what to do."""
    by: str = "agent"


ENDS = {
    "max turns": End(
        task=do("loop", count=5),
        config={"max_turns": 2},
        stop="error_max_turns",
        error="error_max_turns",
        says="Reached maximum number of turns (2)",
        advises="Raise max_turns and resume",
    ),
    "max budget": End(
        task=do("loop", count=5, input=1_000_000),
        config={"max_budget_usd": 1},
        stop="error_max_budget_usd",
        error="error_max_budget_usd",
        says="Reached maximum budget ($1)",
        advises="Raise max_budget_usd and resume",
    ),
    "no key": End(agent="keyless", stop="auth_failed", error="auth_failed", says="Not logged in", advises=LOGIN),
    "forbidden": End(
        task=do("error", status=403),
        stop="auth_failed",
        error="auth_failed",
        status=403,
        says="Your key may not do this.",
        advises=LOGIN,
    ),
    "no model": End(
        task=do("error", status=404),
        error="model_not_found",
        status=404,
        says="issue with the selected model",
        advises="Choose another model.",
    ),
    "rate limit": End(
        task=do("error", status=429),
        error="rate_limit",
        status=429,
        says="This request would exceed your rate limit.",
        advises=LIMIT,
    ),
    "usage limit": End(
        task=do("error", status=429, limit="five_hour"),
        agent="oauth",
        error="rate_limit",
        status=429,
        says="You've hit your 5-hour limit",
        advises=LIMIT,
    ),
    "server error": End(
        task=do("error", status=500),
        error="server_error",
        status=500,
        says="Internal server error",
        advises="resume in a while",
    ),
    "overloaded": End(
        task=do("error", status=529),
        error="overloaded",
        status=529,
        says="Overloaded",
        advises="overloaded; resume in a while",
    ),
    "lost": End(
        task=do("drop"), error="connection_failed", says="Connection to the API was lost", advises="Check the network"
    ),
    "nobody there": End(
        agent="alone", error="connection_failed", says="Connection refused", advises="ANTHROPIC_BASE_URL"
    ),
    "no answer": End(
        task=do("hang"),
        agent="impatient",
        error="connection_failed",
        says="Request timed out",
        advises="Check the network",
    ),
    "too long": End(
        task=do("prompt-too-long"),
        error="prompt_too_long",
        status=400,
        says="Prompt is too long",
        advises="Start a new session, or fork from an earlier run.",
    ),
    "too large": End(
        task=do("error", status=413),
        error="image_error",
        status=413,
        says="Request too large",
        advises="Use a smaller image.",
    ),
    "no credit": End(
        task=do("credit-too-low"),
        error="billing_error",
        status=400,
        says="Credit balance is too low",
        advises="Add credit",
    ),
    "refusal": End(
        task=do("refusal"),
        type="agent_complete",
        stop="refusal",
        says="safeguards flagged this message",
        advises="Put the task differently",
    ),
    "max tokens": End(
        task=do("max-tokens"),
        type="agent_complete",
        stop="max_tokens",
        says="output token maximum",
        advises="Ask for a shorter answer, or in steps.",
    ),
    "no structure": End(
        task=do("structured", value={}, wrong=9),
        config={"output_display": True},
        stop="error_max_structured_output_retries",
        error="error_max_structured_output_retries",
        says="Failed to provide valid structured output",
    ),
    "no program": End(
        agent="vanished", stop="start_failed", error="start_failed", says="could not be started: No such", by="daemon"
    ),
    "no executable": End(
        agent="garbled", stop="start_failed", error="start_failed", says="could not be started: Exec", by="daemon"
    ),
    "no folder": End(agent="homeless", stop="start_failed", error="start_failed", says="is not a folder", by="daemon"),
    "no sandbox": End(
        agent="unboxed",
        config={"sandbox": True},
        stop="start_failed",
        error="start_failed",
        says="Sandbox required but unavailable",
        advises="install missing tools",
        by="daemon",
    ),
    "bypass": End(
        config={"mode": "bypassPermissions"},
        stop="start_failed",
        error="start_failed",
        says="has no mode 'bypassPermissions' here",
        advises="there are: default, acceptEdits",
        by="daemon",
    ),
}
