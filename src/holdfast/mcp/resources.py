"""A session as a text that a person can put into a conversation: what it is, and what was said and done in it."""

from collections.abc import Iterator

from holdfast.client import Record
from holdfast.client.errors import refused
from holdfast.mcp.call import Call
from holdfast.mcp.entries import Entry, Kind, Widths
from holdfast.mcp.gathering import Gathering
from holdfast.mcp.reading import take_history

SCHEME = "holdfast://sessions/"
_WIDTHS = Widths(texts=4_000, tasks=4_000, tools=300)
_KINDS: frozenset[Kind] = frozenset(Kind.__args__) - {"thinking"}


async def as_text(call: Call, uri: str) -> str:
    """Raises NotFound, also for an address that is none of a session."""
    session_id = uri.removeprefix(SCHEME)
    if session_id == uri or not session_id:
        raise refused("not_found", 404, "Not found", f"{uri!r} is no resource; a session's is {SCHEME}ID")
    session = call.session(session_id)
    record = await session.record()
    gathering = Gathering(0, _WIDTHS, _KINDS)
    await take_history(session, gathering)
    rest = f"[… the log goes on: read_session(after={gathering.position})]" if gathering.is_full else ""
    return "\n".join((*_heading(record), "", *map(_line, gathering.entries), rest)).rstrip() + "\n"


def _heading(record: Record) -> Iterator[str]:
    yield f"Session {record.session_id} ({record.agent}, {record.status})"
    yield f"Workspace: {record.workspace}"
    if record.project_id is not None:
        yield f"Project: {record.project_id}"
    if record.stop_reason is not None and not record.is_active:
        yield f"Ended: {record.stop_reason}"


def _line(entry: Entry) -> str:
    who = f"{entry.kind} {entry.tool_name}" if entry.tool_name else entry.kind
    return f"[{entry.sequence}] {who}: {entry.text}"
