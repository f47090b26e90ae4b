"""session/list: the user's sessions, the newest first, with how they stand and how they ended."""

from typing import Any

import msgspec

from holdfast.dialects.acp_params import ListSessions
from holdfast.dialects.acp_updates import headline
from holdfast.errors import BadRequest
from holdfast.log.log import Log
from holdfast.log.reader import SessionRow
from holdfast.sessions.record import Record, record_of

_PAGE = 50
# Read at a time, where only some of them are of the folder that is asked for.
_ROWS = 200
_META = ("status", "agent", "runs", "stop_reason", "agent_stop_reason", "termination_info", "resumable", "waiting_on")


async def listed(log: Log, user_id: str, asked: ListSessions) -> dict[str, Any]:
    """Raises BadRequest for a folder or a cursor that is none."""
    if asked.cwd is not None and not asked.cwd.startswith("/"):
        raise BadRequest(f"The cwd {asked.cwd!r} is not an absolute path")
    before = _read_cursor(asked.cursor)
    found: list[SessionRow] = []
    while len(found) <= _PAGE:
        rows = await log.read.sessions(user_id, before=before, limit=_ROWS)
        found += [row for row in rows if asked.cwd is None or row.workspace == asked.cwd.rstrip("/")]
        if len(rows) < _ROWS:
            break
        before = (rows[-1].created_ms, rows[-1].key)
    answer: dict[str, Any] = {"sessions": [_entry(record_of(row)) for row in found[:_PAGE]]}
    if len(found) > _PAGE:
        last = found[_PAGE - 1]
        answer["nextCursor"] = f"{last.created_ms}.{last.key}"
    return answer


def _entry(record: Record) -> dict[str, Any]:
    said: dict[str, Any] = msgspec.to_builtins(record)
    return {
        "sessionId": record.session_id,
        "cwd": record.workspace,
        "title": headline(record.task),
        "updatedAt": record.updated_at,
        "_meta": {name: said[name] for name in _META if name in said},
    }


def _read_cursor(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    created_ms, _, key = text.partition(".")
    if not all(part.isascii() and part.isdigit() and len(part) <= 18 for part in (created_ms, key)):
        raise BadRequest(f"The cursor {text!r} is not a value of nextCursor")
    return int(created_ms), int(key)
