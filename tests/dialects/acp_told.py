"""What an ACP client is told of a log, and how to look at it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdfast import events
from holdfast.dialects.acp_place import Places, Received, read, write
from holdfast.dialects.acp_telling import Listening, Open, Telling
from holdfast.entry import Entry
from holdfast.entry import read as read_entry

RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = [entry["name"] for entry in json.loads((RECORDINGS / "index.json").read_text())]
WHO = Listening(session_id="s-1", connection_id="c" * 32)


def log_of(name: str) -> list[Entry]:
    return [read_entry(line.encode()) for line in (RECORDINGS / f"{name}.jsonl").read_text().splitlines()]


def as_log(*said: events.Event) -> list[Entry]:
    return [
        Entry(sequence, events.NAMES[type(event)], event, "2026-01-05T12:34:56.789Z")
        for sequence, event in enumerate(said, 1)
    ]


def without_partials(log: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in log if not events.is_partial(entry.data)]


def tell(
    log: Sequence[Entry],
    who: Listening = WHO,
    received: Received | None = None,
    *,
    still_open: Open | None = None,
    answered: frozenset[str] = frozenset(),
) -> list[tuple[Received, dict[str, Any]]]:
    """As a server does it: from the beginning of the run in which the client stands."""
    at = received.place.sequence if received is not None else who.since
    begins = [entry.sequence for entry in log if entry.type == "user_message"]
    run = max((number for number, first in enumerate(begins, 1) if first <= max(at, 1)), default=1)
    telling = Telling(who, received, run=run, still_open=still_open or Open(), answered=answered)
    told: list[tuple[Received, dict[str, Any]]] = []
    for entry in log:
        if entry.sequence >= begins[run - 1]:
            told += [(place, json.loads(data)) for place, data in telling.tell(entry)]
    return told


def messages(told: list[tuple[Received, dict[str, Any]]]) -> list[dict[str, Any]]:
    return [message for _, message in told]


def updates(told: list[tuple[Received, dict[str, Any]]]) -> list[dict[str, Any]]:
    return [message["params"]["update"] for _, message in told if message.get("method") == "session/update"]


def is_said(update: dict[str, Any]) -> bool:
    """Whether it is a piece of what the agent says; questions and structured results are told as texts as well."""
    is_text = update["sessionUpdate"] in ("agent_message_chunk", "agent_thought_chunk")
    return is_text and not {"request_id", "status", "broken_off"} & update.get("_meta", {}).keys()


def texts(told: list[tuple[Received, dict[str, Any]]]) -> dict[str, str]:
    """What a client has of the messages that count, without those that it was told to be void; by the ids that they
    have where nothing broke off."""
    found: dict[str, str] = {}
    for update in updates(told):
        if is_said(update):
            key = update["messageId"]
            found[key] = found.get(key, "") + update["content"]["text"]
        elif void := update.get("_meta", {}).get("broken_off"):
            del found[void]
    return {key.partition(".")[0]: said for key, said in found.items()}


def others(told: list[tuple[Received, dict[str, Any]]]) -> list[dict[str, Any]]:
    """All but the pieces of texts, and that one broke off: who comes late is told neither."""

    def is_other(message: dict[str, Any]) -> bool:
        if message.get("method") != "session/update":
            return True
        update = message["params"]["update"]
        return not is_said(update) and "broken_off" not in update.get("_meta", {})

    return [message for message in messages(told) if is_other(message)]


def again(place: Received) -> Received:
    """As it comes back from a client: through the id of a frame."""
    return read(WHO.connection_id, write(WHO.connection_id, Places(sessions={1: place}))).sessions[1]


ORIGIN = events.Origin(dialect="acp", connection=WHO.connection_id, request=7)
INFO = events.TerminationInfo(reason="completed", terminated_by="agent")
DONE = events.AgentComplete(status="COMPLETE", stop_reason="success", termination_info=INFO)
ASKING = events.PermissionRequest(
    request_id="r1",
    tool_name="Bash",
    tool_input={"command": "make"},
    tool_id="t1",
    rule="Bash(make)",
    options=[
        events.PermissionOption(kind="allow_once", name="Allow once"),
        events.PermissionOption(kind="allow_session", name="Allow for this session"),
        events.PermissionOption(kind="deny", name="Deny"),
    ],
    expires_at="2026-01-05T12:44:56.789Z",
)
RESOLVED = events.PermissionResolved(request_id="r1", decision="allow_once", by="local")


def prompt(text: str = "Build it", origin: events.Origin | None = ORIGIN) -> events.UserMessage:
    return events.UserMessage(text=text, origin=origin)


def kinds(told: list[tuple[Received, dict[str, Any]]]) -> list[str]:
    def kind(message: dict[str, Any]) -> str:
        if message.get("method") == "session/update":
            return message["params"]["update"]["sessionUpdate"]
        return message.get("method") or f"answer {message['id']}"

    return [kind(message) for message in messages(told)]
