"""Events for logs that are told as AG-UI, and what is told of a log."""

from typing import Any

from holdfast.dialects.ag_ui import AgUi, Wanted
from holdfast.dialects.telling import Place
from holdfast.entry import Entry
from holdfast.events import Origin, Recorded
from tests.dialects.ag_ui_rules import decoded
from tests.dialects.logs import told
from tests.event_values import recorded

TASK = recorded("user_message", origin=Origin(dialect="ag-ui", request="r1"))
END = recorded("agent_complete", num_turns=2)
ASK = recorded("permission_request", request_id="p1", tool_id="t", tool_name="Bash", editable=True)
SAID = recorded("permission_resolved", request_id="p1")


def told_of(
    entries: list[Entry], received: Place | None = None, wanted: Wanted | None = None
) -> list[tuple[str, dict[str, Any]]]:
    fold = AgUi("thread", "session", received or Place(), wanted)
    return [(id_, decoded(message.data)) for id_, message in told(fold, entries, received)]


def done(tool_id: str) -> Recorded:
    return recorded("tool_complete", tool_id=tool_id)


def kinds(messages: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in messages]
