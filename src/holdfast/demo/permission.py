"""The word `ask`: a shell command that runs only if the user allows it."""

from __future__ import annotations

from time import monotonic

from holdfast.demo.shell import CommandFailed, run
from holdfast.demo.turn import Cancelled, text_content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.demo.pace import Pace
    from holdfast.demo.turn import Turn
    from holdfast.demo.words import Act

COMMAND = "touch holdfast-permission.txt && ls -l holdfast-permission.txt"
OPTIONS = [
    {"optionId": "allow-once", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "allow-always", "name": "Always allow in this session", "kind": "allow_always"},
    {"optionId": "reject-once", "name": "Reject", "kind": "reject_once"},
]


def ask(turn: Turn, act: Act, pace: Pace) -> None:
    pace.take()
    title = f"Run `{COMMAND}`"
    call_id = turn.start_call(title, "execute", {"command": COMMAND}, "pending")
    if not turn.session.allowed_always:
        asked = monotonic()
        question = {"toolCall": described(call_id, title), "options": OPTIONS}
        response = turn.ask("session/request_permission", question)
        pace.stand_still(monotonic() - asked)
        choice, reason = read_choice(response)
        if choice == "cancelled" and not turn.is_stubborn:
            raise Cancelled
        if not choice.startswith("allow"):
            turn.move_call(call_id, "failed", content=text_content(reason))
            turn.say(f"{reason} So I did not run `{COMMAND}`.")
            return
        turn.session.allowed_always = choice == "allow-always"
    turn.move_call(call_id, "in_progress")
    run_allowed(turn, call_id)


def described(call_id: str, title: str) -> dict[str, Any]:
    named = {"toolCallId": call_id, "title": title, "kind": "execute", "status": "pending"}
    return {**named, "rawInput": {"command": COMMAND}}


def read_choice(response: dict[str, Any]) -> tuple[str, str]:
    """The chosen option's id ("cancelled", or "" if the client could not answer) and why it is a no."""
    try:
        outcome: dict[str, Any] = response["result"]["outcome"]
        if outcome["outcome"] == "cancelled":
            return "cancelled", "The question was cancelled."
        choice = str(outcome["optionId"])
    except (KeyError, TypeError):
        return "", f"My question for permission got no usable answer: {response.get('error') or response}."
    return choice, "The user rejected it."


def run_allowed(turn: Turn, call_id: str) -> None:
    try:
        code, output = run(COMMAND, turn.session.cwd)
    except CommandFailed as error:
        turn.move_call(call_id, "failed", content=text_content(str(error)))
        turn.say(f"I was allowed to run `{COMMAND}`, but could not: {error}")
        return
    status = "completed" if code == 0 else "failed"
    raw_output = {"exitCode": code, "output": output}
    turn.move_call(call_id, status, content=text_content(output), rawOutput=raw_output)
    turn.say(f"I was allowed to run `{COMMAND}`; it ended with exit code {code}.")
