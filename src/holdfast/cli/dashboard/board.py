"""All sessions as rows, folded from their records and from the combined stream; which come first, which fit. Pure.

Rule 1: a record says how a session stood at its `head`; only events behind that change its row.
Rule 2: what an event makes of a status is read from the life cycle's one table (holdfast.state).
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import msgspec

from holdfast.cli import asked
from holdfast.cli.text import describe_tool, one_line
from holdfast.client import Event, Record
from holdfast.events import StopReason
from holdfast.state import ACTIVE, END, TRANSITIONS, Status

Request = tuple[str, Mapping[str, Any]]
"""permission_request or question, and its data."""

# Those that need somebody come first, then those that work, then the rest.
RANKS = {"waiting": 0, "running": 1, "pending": 1}
WAITS = {"start": "its start", "model": "the model", "person": "you"}


class Row(msgspec.Struct, kw_only=True):
    """One session, as far as the screen shows it."""

    session_id: str
    status: str
    agent: str
    workspace: str
    task: str
    created_at: str
    changed_at: str
    """When it came into its status; by this it has its place, so that rows do not dance while agents work."""
    head: int
    project_id: str | None = None
    turns: int | None = None
    cost: float | None = None
    stop_reason: str | None = None
    waits: str = ""
    tools: dict[str, str] = {}
    requests: dict[str, Request] = {}

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE

    @property
    def waits_for(self) -> str:
        """What it needs to go on; of one that has ended, why, unless it has done its work."""
        if self.requests:
            kind, request = next(iter(self.requests.values()))
            return asked.headline(kind, request)
        if self.tools:
            return next(reversed(self.tools.values()))
        if self.is_active:
            return self.waits
        return "" if self.stop_reason in (None, "success", self.status) else str(self.stop_reason)

    def take(self, event: Event) -> bool:
        """Takes in the next event; answers whether anything that is shown has changed. One of before is passed over."""
        if event.sequence <= self.head:
            return False
        self.head = event.sequence
        if event.type in ("message", "thinking"):
            # Thousands come in a second, and none of them has a place in a row.
            was, self.waits = self.waits, WAITS["model"]
            return was != self.waits
        before = self.status
        self._advance(event.type, event.plain())
        if self.status != before:
            self.changed_at = event.timestamp
        return True

    def _advance(self, kind: str, data: dict[str, Any]) -> None:
        after = TRANSITIONS.get((cast("Status", self.status), kind))
        if after is not None and after != "end":
            self.status = after
        match kind:
            case "user_message":
                self.task = self.task if data.get("resume") == "continue" else data["text"]
                self.turns = self.cost = self.stop_reason = None
                self.waits = WAITS["start"]
            case "agent_start":
                self.waits = WAITS["model"]
            case "tool_start":
                title = describe_tool(data["tool_name"], data.get("title"), data.get("tool_input"))
                self.tools = {**self.tools, data["tool_id"]: title}
            case "tool_complete":
                self.tools = {key: title for key, title in self.tools.items() if key != data["tool_id"]}
                self.waits = WAITS["model"]
            case "permission_request" | "question":
                self.requests = {**self.requests, data["request_id"]: (kind, data)}
            case "permission_resolved":
                self.requests = {key: asked_ for key, asked_ in self.requests.items() if key != data["request_id"]}
                if not self.requests and self.status == "waiting":
                    self.status = "running"
            case "usage":
                self.cost = data.get("cost_usd", self.cost)
            case "agent_complete" | "error" | "cancelled":
                self._end(data)
            case _:
                pass

    def _end(self, data: dict[str, Any]) -> None:
        self.stop_reason = data["stop_reason"]
        # A reason that is newer than this program is no success.
        self.status = END.get(cast("StopReason", self.stop_reason), "failed")
        self.turns = data.get("num_turns", self.turns)
        self.cost = data.get("total_cost_usd", self.cost)
        self.tools, self.requests, self.waits = {}, {}, ""


def row_of(record: Record) -> Row:
    waiting = record.waiting_on
    return Row(
        session_id=record.session_id,
        status=record.status,
        agent=record.agent,
        workspace=record.workspace,
        task=record.task,
        created_at=record.created_at,
        changed_at=record.updated_at,
        head=record.head,
        project_id=record.project_id,
        turns=record.num_turns,
        cost=record.total_cost_usd,
        stop_reason=record.stop_reason,
        waits=WAITS.get(waiting.kind, "") if waiting else "",
        tools={waiting.tool_id: one_line(f"{waiting.tool_name} {waiting.detail or ''}")}
        if waiting and waiting.tool_id
        else {},
    )


class Board:
    """The rows, and which of them are to be seen in which order."""

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._words: list[str] = []

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, session_id: str | None) -> Row | None:
        return self._rows.get(session_id or "")

    def load(self, records: Iterable[Record]) -> None:
        """Instead of all that was there."""
        self._rows = {record.session_id: row_of(record) for record in records}

    def put(self, record: Record) -> Row:
        """A session that is new here."""
        row = self._rows[record.session_id] = row_of(record)
        return row

    def ask(self, session_id: str, kind: str, request: Mapping[str, Any]) -> None:
        """What a session waits for, from the list of all that waits; the records do not say it."""
        row = self._rows.get(session_id)
        if row is not None and row.status == "waiting":
            row.requests = {**row.requests, str(request["request_id"]): (kind, request)}

    def filter(self, text: str) -> None:
        self._words = text.casefold().split()

    def count(self, *statuses: str) -> int:
        return sum(row.status in statuses for row in self._rows.values())

    def shown(self) -> list[Row]:
        """Those that have all words of the filter: who needs somebody first, and of these the newest."""
        rows = [row for row in self._rows.values() if self._fits(row)]
        rows.sort(key=lambda row: (row.changed_at, row.session_id), reverse=True)
        rows.sort(key=lambda row: RANKS.get(row.status, 2))
        return rows

    def _fits(self, row: Row) -> bool:
        if not self._words:
            return True
        text = " ".join((row.session_id, row.status, row.agent, row.project_id or "", row.workspace, row.task))
        text = text.casefold()
        return all(word in text for word in self._words)
