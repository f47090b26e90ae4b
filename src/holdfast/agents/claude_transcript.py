"""Claude's memory of a session: mirrored to us line by line, and put back where the CLI looks for it if it got lost.

The lines are opaque here: kept as they came, given back as they were, never parsed for what they say.
"""

import contextlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from claude_agent_sdk import project_key_for_directory

from holdfast.agents.acp_wire import UNDECODABLE
from holdfast.agents.values import as_object


class Piece(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Lines that the CLI has added to a transcript: to the session's own, or to a subagent's (`subpath`)."""

    session_id: str
    lines: list[Any]
    subpath: str | None = None


_piece = msgspec.json.Decoder(Piece).decode
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class Mirror:
    """The SDK's session store: what it is given is kept; nothing is loaded from it, since `restore` has been there."""

    def __init__(self, keep: Callable[[bytes], None]) -> None:
        self._keep = keep

    async def append(self, key: dict[str, Any], entries: Sequence[Any]) -> None:
        self._keep(
            _encode(Piece(session_id=key["session_id"], lines=list(entries), subpath=key.get("subpath") or None))
        )

    async def load(self, key: dict[str, Any]) -> list[Any] | None:
        return None


def restore(kept: str, session_id: str, config: Path, cwd: str, keep: Callable[[bytes], None] | None = None) -> bool:
    """Writes the transcript back if the CLI does not have it, or has an older one; true if it was written.

    A newer one stays: the user may have gone on with the session in a terminal. What they added there goes to `keep`:
    the lines that follow hang on it, and without it all before it would be lost.
    """
    projects = config / "projects"
    found = next(iter(projects.glob(f"*/{session_id}.jsonl")), None)
    files: dict[str | None, list[Any]] = {}
    with Path(kept).open("rb") as file:
        for line in file:
            piece = _piece(line)
            if piece.session_id == session_id:
                files.setdefault(piece.subpath, []).extend(piece.lines)
    own = files.get(None)
    if not own or (found is not None and _has(found, own)):
        added = _unknown(found, own) if own and found is not None and keep is not None else []
        if added and keep is not None:
            keep(_encode(Piece(session_id=session_id, lines=added)))
        return False
    target = found or projects / project_key_for_directory(cwd) / f"{session_id}.jsonl"
    for subpath, lines in files.items():
        path = target if subpath is None else _beside(target.with_suffix(""), subpath)
        if path is not None:
            _write(path, lines)
    return True


def _has(path: Path, lines: Sequence[Any]) -> bool:
    """Whether the file holds the last line that we know: then it is at least as new as ours."""
    identity = next((uuid for line in reversed(lines) if isinstance(uuid := as_object(line).get("uuid"), str)), None)
    return identity is None or identity.encode() in path.read_bytes()


def _unknown(path: Path, lines: Sequence[Any]) -> list[Any]:
    known = {as_object(line).get("uuid") for line in lines}
    found: list[Any] = []
    for line in path.read_bytes().splitlines():
        with contextlib.suppress(*UNDECODABLE):  # one that was being written when its writer died
            value = _decode(line)
            if isinstance(uuid := as_object(value).get("uuid"), str) and uuid not in known:
                found.append(value)
    return found


def _beside(folder: Path, subpath: str) -> Path | None:
    """A subagent's file below the session's folder; None for a path that leads elsewhere."""
    path = Path(os.path.normpath(folder / f"{subpath}.jsonl"))
    return path if path.is_relative_to(folder) else None


def _write(path: Path, lines: Sequence[Any]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")  # a fork may restore its parent's at the same time
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        for line in lines:
            file.write(_encode(line) + b"\n")
    beside.replace(path)
