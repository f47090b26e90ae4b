"""What a turn leaves in the history: its updates, with the deltas of a message joined to one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CHUNKS = ("agent_message_chunk", "agent_thought_chunk")

# `flood 10000000` and `tools 10000000` must fill neither the disk nor a later replay; no model's context
# would hold all of it either. What comes after that is left out of the history.
MOST_UPDATES = 1_000
MOST_TEXT = 1024 * 1024


class Record:
    def __init__(self) -> None:
        self._updates: list[dict[str, Any]] = []
        self._pieces: list[str] = []  # the text of the last update, if that is a message
        self._text = 0

    def add(self, update: dict[str, Any]) -> None:
        kind = update["sessionUpdate"]
        if kind in CHUNKS:
            self.add_text(kind, update["messageId"], update["content"]["text"])
            return
        self._close()
        if kind == "plan":  # each plan replaces the one before it
            self._updates = [old for old in self._updates if old["sessionUpdate"] != "plan"]
        if not self.full:
            self._updates.append(update)

    def add_text(self, kind: str, message_id: str, text: str) -> None:
        last = self._updates[-1] if self._pieces else None
        if last is None or last["sessionUpdate"] != kind or last["messageId"] != message_id:
            self._close()
            if self.full:
                return
            content = {"type": "text", "text": ""}
            self._updates.append({"sessionUpdate": kind, "messageId": message_id, "content": content})
        kept = text[: MOST_TEXT - self._text]
        self._pieces.append(kept)
        self._text += len(kept)

    @property
    def full(self) -> bool:
        return len(self._updates) >= MOST_UPDATES

    def updates(self) -> list[dict[str, Any]]:
        self._close()
        return self._updates

    def _close(self) -> None:
        if self._pieces:
            self._updates[-1]["content"]["text"] = "".join(self._pieces)
            self._pieces.clear()
