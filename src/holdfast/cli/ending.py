"""The end of a run in plain words, from its terminal event or, which says the same, from the session's record."""

import signal
from collections.abc import Mapping
from typing import Any

from rich.text import Text

from holdfast.cli.text import clean, count, money, one_line, span

WORDS: dict[str, str] = {
    "success": "Done",
    "error_max_turns": "Stopped: the agent has used all the turns it was allowed",
    "error_max_budget_usd": "Stopped: the agent has used up its budget",
    "error_during_execution": "Failed: the agent ran into an error",
    "error_max_structured_output_retries": "Failed: the agent could not give its answer the form that was asked for",
    "cancelled": "Cancelled",
    "paused": "Paused",
    "refusal": "The agent refused the task",
    "max_tokens": "Stopped: the answer reached the limit of its length",
    "timeout": "Stopped: it took longer than was allowed",
    "idle_timeout": "Stopped: the agent did nothing for longer than was allowed",
    "max_output": "Stopped: the agent wrote more than was allowed",
    "max_memory": "Stopped: the agent took more memory than was allowed",
    "process_exit": "The agent's process ended before it had answered",
    "start_failed": "The agent could not be started",
    "auth_failed": "The agent asks for a login",
    "interrupted": "Interrupted: the server or the agent was stopped from outside",
}

SIGNALS: dict[str, str] = {
    "SIGKILL": "killed from outside; often the system ran out of memory",
    "SIGTERM": "asked to end from outside",
    "SIGINT": "interrupted from the keyboard",
    "SIGHUP": "its terminal was closed",
    "SIGSEGV": "crashed: touched memory that is not its own",
    "SIGBUS": "crashed: touched memory that is not there",
    "SIGABRT": "gave itself up, as after a failed assertion",
    "SIGILL": "crashed: an instruction this processor does not know",
    "SIGFPE": "crashed: an impossible calculation",
    "SIGPIPE": "wrote to something that was closed",
    "SIGXCPU": "used up its CPU time",
}

EXIT_CODES: dict[int, str] = {
    0: "which means success, but no answer came",
    1: "an error of its own",
    126: "the program may not be executed",
    127: "a program was not found",
}

# Limits of ours that a flag of `resume` raises.
RAISES: dict[str, str] = {
    "max_turns": "--max-turns N",
    "max_budget_usd": "--max-budget USD",
    "timeout_s": "--timeout SECONDS",
}


def describe(end: Mapping[str, Any], session_id: str, *, stderr_lines: int | None, hints: bool = True) -> list[Text]:
    """What happened, why, what it cost and (the hints) how to go on; of stderr at most so many lines, None for all."""
    reason = str(end.get("stop_reason", ""))
    info: Mapping[str, Any] = end.get("termination_info") or {}
    lines = [_headline(reason, end, info)]
    lines += [Text(f"  {clean(line)}", "red") for line in _message(end, info).splitlines()]
    lines += _stderr(info.get("stderr"), stderr_lines)
    if not hints:
        return lines
    short = session_id[:8]
    if end.get("status") == "cancelled" and reason != "cancelled":
        lines.append(Text("  It was discarded; start anew: holdfast run …", "dim"))
    elif end.get("resumable") is False:
        lines.append(Text("  It had not begun, so it cannot be continued; start anew: holdfast run …", "dim"))
    else:
        lines.append(Text(f"  go on with: {_advice(reason, end.get('limit'), short)}", "dim"))
    if _is_cut(info.get("stderr"), stderr_lines):
        lines.append(Text(f"  see more:   holdfast show {short}", "dim"))
    return lines


def _advice(reason: str, limit: object, short: str) -> str:
    """The command that does what most people want next: what was left undone is resumed, all else gets a new task."""
    # The next run inherits the limit that this one has reached. One of the agent's own is not ours to raise.
    if flag := RAISES.get(str(limit)):
        return f"holdfast resume {short} {flag}"
    if reason in ("paused", "interrupted"):
        return f"holdfast resume {short}"
    return f'holdfast task {short} "…"'


def _headline(reason: str, end: Mapping[str, Any], info: Mapping[str, Any]) -> Text:
    is_good, is_bad = reason == "success", reason not in ("success", "cancelled", "paused")
    mark, style = ("✓", "bold green") if is_good else ("✗", "bold red") if is_bad else ("■", "bold yellow")
    # The agent ended properly but reports a failure: then its own word says more than ours.
    words = WORDS.get(reason) or f"Ended: {one_line(reason) or 'no reason was given'}"
    facts = [fact for fact in (_death(info), *_metrics(end)) if fact]
    return Text.assemble((f"{mark} {words}", style), (f" · {' · '.join(facts)}" if facts else "", "dim"))


def _death(info: Mapping[str, Any]) -> str:
    if name := info.get("signal"):
        meaning = SIGNALS.get(str(name))
        return f"{one_line(name)}, {meaning}" if meaning else one_line(name)
    code = info.get("exit_code")
    if not isinstance(code, int):
        return ""
    meaning = EXIT_CODES.get(code)
    if meaning is None and 128 < code <= 128 + 64:
        # A shell between us and the program says a signal this way.
        try:
            meaning = f"by which a shell means {signal.Signals(code - 128).name}"
        except ValueError:
            meaning = None
    return f"exit code {code}" + (f", {meaning}" if meaning else "")


def _metrics(end: Mapping[str, Any]) -> list[str]:
    facts: list[str] = []
    if (turns := end.get("num_turns")) is not None:
        facts.append(count(int(turns), "turn"))
    if (duration := end.get("duration_ms")) is not None:
        facts.append(span(float(duration) / 1000))
    if (cost := end.get("total_cost_usd")) is not None:
        facts.append(money(float(cost)))
    return facts


def _message(end: Mapping[str, Any], info: Mapping[str, Any]) -> str:
    """What was said about a failure; a user who cancelled needs no explanation."""
    if end.get("stop_reason") in ("success", "cancelled"):
        return ""
    said = str(info.get("message") or end.get("message") or "")
    own = str(end.get("agent_stop_reason") or "")
    return said or (f"The agent says: {own}" if own and own != end.get("stop_reason") else "")


def _is_cut(stderr: Mapping[str, Any] | None, limit: int | None) -> bool:
    if not stderr or limit is None:
        return False
    return len(f"{stderr.get('head', '')}\n{stderr.get('tail') or ''}".splitlines()) > limit


def _stderr(stderr: Mapping[str, Any] | None, limit: int | None) -> list[Text]:
    if not stderr:
        return []
    head = clean(stderr.get("head", "")).splitlines()
    tail = clean(stderr.get("tail") or "").splitlines()
    total = int(stderr.get("total_lines", len(head) + len(tail)))
    if limit is not None and len(head) + len(tail) > limit:
        # The beginning names the cause as often as the end does.
        everything = head + tail
        head, tail = everything[: limit // 2], everything[-(limit - limit // 2) :]
    left_out = total - len(head) - len(tail)
    lines = [Text(f"  stderr, {count(total, 'line')}:", "dim")]
    lines += [Text(f"  │ {line}") for line in head]
    if left_out > 0:
        lines.append(Text(f"  … {count(left_out, 'line')} left out", "dim"))
    return lines + [Text(f"  │ {line}") for line in tail]
