"""The finals of texts whose writer died in the middle: what was seen of them, no more."""

from typing import Any

import msgspec

from holdfast import events
from holdfast.agents.values import bounded
from holdfast.events import Event
from holdfast.log.log import Log
from holdfast.state import State


class _Envelope(msgspec.Struct):
    type: str
    data: msgspec.Raw
    sequence: int


_envelope = msgspec.json.Decoder(_Envelope).decode


async def finals(log: Log, key: int, state: State) -> list[Event]:
    """Their pieces are read back from the log."""
    texts: dict[tuple[str, str | None], list[str]] = {}
    for body in await log.read.envelopes(key, state.settled):
        envelope = _envelope(body)
        if envelope.type not in ("message", "thinking"):
            continue
        text: Any = msgspec.json.decode(envelope.data, type=events.TYPES[envelope.type])
        open_since = state.open_texts.get(f"{envelope.type} {text.parent_id or ''}")
        if text.is_partial and open_since is not None and envelope.sequence >= open_since:
            texts.setdefault((envelope.type, text.parent_id), []).append(text.text)
    finals: list[Event] = []
    for (kind, parent_id), pieces in texts.items():
        whole = bounded("".join(pieces))
        make = events.Message if kind == "message" else events.Thinking
        finals.append(make(text=whole, full_text=whole, is_partial=False, parent_id=parent_id))
    return finals
