"""What the command's exit code says, in one table."""

SUCCESS = 0
FAILURE = 1
USAGE = 2
OTHER_END = 29
UNREACHABLE = 69  # EX_UNAVAILABLE of sysexits.h
NOT_ALLOWED = 77  # EX_NOPERM
TIMED_OUT = 124  # as timeout(1) says it
DETACHED = 130  # as the shell says it of what Ctrl-C has ended

STOP_REASONS: dict[str, int] = {
    "success": SUCCESS,
    "cancelled": 10,
    "paused": 11,
    "interrupted": 12,
    "timeout": 13,
    "process_exit": 14,
    "start_failed": 15,
    "auth_failed": 16,
    "refusal": 17,
    "max_tokens": 18,
    "error_max_turns": 19,
    "error_max_budget_usd": 20,
    "error_during_execution": 21,
    "error_max_structured_output_retries": 22,
    "idle_timeout": 23,
    "max_output": 24,
    "max_memory": 25,
}

MEANINGS: dict[int, str] = {
    SUCCESS: "success; for a run: the agent has answered",
    FAILURE: "the server refused the request, or something else failed",
    USAGE: "wrong usage, or a wrong setting",
    **{code: f"the run ended: {reason}" for reason, code in STOP_REASONS.items() if code},
    OTHER_END: "the run ended for a reason that this version does not know",
    UNREACHABLE: "no server answers",
    NOT_ALLOWED: "the server does not accept the token",
    TIMED_OUT: "wait: the time is over, and the run is not",
    DETACHED: "Ctrl-C: detached, and the agent works on",
}


def code_for(stop_reason: str | None) -> int:
    """The exit code for the end of a run."""
    return STOP_REASONS.get(stop_reason or "", OTHER_END)
