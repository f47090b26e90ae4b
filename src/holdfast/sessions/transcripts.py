"""What an agent remembered of a session, laid out for its next run: should the agent have lost it, it gets it back."""

import asyncio
from pathlib import Path

from holdfast.config import Settings
from holdfast.keeper.spec import TRANSCRIPT_FILE, run_folder
from holdfast.log.log import Log
from holdfast.sessions.orders import Order
from holdfast.sessions.session import Session


async def write_transcript(log: Log, settings: Settings, session: Session, number: int, order: Order) -> str | None:
    """Answers the file's path; None if there is nothing to remember."""
    if order.agent_session_id is None:
        return None
    pieces: list[bytes] = []
    if order.forked_from is not None:
        parent_id, through = order.forked_from
        parent = await log.read.session(parent_id)
        pieces += await log.read.transcript(parent.key, through) if parent is not None else []
    head = log.head(session.id)
    assert head is not None
    pieces += await log.read.transcript(head.key, number - 1)
    if not pieces:
        return None
    path = run_folder(settings.data, session.id, number) / TRANSCRIPT_FILE
    await asyncio.to_thread(_write, path, pieces)
    return str(path)


def _write(path: Path, pieces: list[bytes]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("wb") as file:
        path.chmod(0o600)
        for piece in pieces:
            file.write(piece + b"\n")
