"""Sessions on disk: one file of JSON lines each, so that session/load works in a new process.

The first line says where the session works; every further line is the `update` of a session/update, as it is
replayed.
"""

# importing pathlib costs 5 ms of every start:
# ruff: noqa: PTH103, PTH111, PTH112, PTH117, PTH118, PTH122, PTH123, PTH208
from __future__ import annotations

import json
import os
from time import gmtime, strftime

from holdfast.demo.rpc import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def state_folder(environment: Mapping[str, str]) -> str:
    chosen = environment.get("HOLDFAST_DEMO_STATE")
    if chosen:
        return chosen
    states = environment.get("XDG_STATE_HOME", "")
    if not os.path.isabs(states):  # the XDG specification: a relative path is to be ignored
        states = os.path.expanduser("~/.local/state")
    return os.path.join(states, "holdfast-demo")


class UnknownSession(Exception):
    """No session of this id is stored."""


class Session:
    """An open session: what the agent remembers of it."""

    def __init__(self, session_id: str, cwd: str, path: str) -> None:
        self.id = session_id
        self.cwd = cwd
        self.tasks: list[str] = []  # the texts of the prompts so far
        self.note: tuple[str, str] | None = None  # path and text of the file that it wrote last
        self.allowed_always = False  # so the user answered the word `ask`, in this process
        self._path = path

    def append(self, updates: list[dict[str, Any]]) -> None:
        lines = b"".join(encode(update).encode() + b"\n" for update in updates)
        with open(self._path, "ab") as file:
            file.write(lines)
        self.recall(updates)

    def recall(self, updates: list[dict[str, Any]]) -> None:
        """Takes from the history what later turns refer to."""
        for update in updates:
            kind = update["sessionUpdate"]
            if kind == "user_message_chunk":
                self.tasks.append(str(update["content"].get("text", "")))
            elif kind == "tool_call_update" and update.get("status") == "completed":
                for content in update.get("content", ()):
                    if content["type"] == "diff":
                        self.note = content["path"], content["newText"]


class Store:
    def __init__(self, folder: str) -> None:
        self._folder = folder

    def create(self, cwd: str) -> Session:
        os.makedirs(self._folder, mode=0o700, exist_ok=True)  # prompts are nobody else's business
        session_id = f"demo-{os.urandom(8).hex()}"
        with open(self._path(session_id), "xb") as file:
            file.write(encode({"cwd": cwd}).encode() + b"\n")
        return Session(session_id, cwd, self._path(session_id))

    def open(self, session_id: str, cwd: str) -> tuple[Session, list[dict[str, Any]]]:
        """The session and its history. Cuts off what a kill in mid-write left of a line."""
        path = self._path(session_id)
        try:
            with open(path, "rb+") as file:
                stored = file.read()
                whole = stored.rfind(b"\n") + 1
                if whole < len(stored):
                    file.truncate(whole)
        except FileNotFoundError:
            raise UnknownSession(session_id) from None
        session = Session(session_id, cwd, path)
        history = [json.loads(line) for line in stored[:whole].splitlines()[1:]]
        session.recall(history)
        return session, history

    def list(self, cwd: str | None) -> list[dict[str, Any]]:
        """What session/list tells of the sessions that work in `cwd` (None: of all), the latest first."""
        found: list[tuple[float, dict[str, Any]]] = []
        names = os.listdir(self._folder) if os.path.isdir(self._folder) else []
        for name in names:
            session_id, ending = os.path.splitext(name)
            if ending != ".jsonl" or not is_id(session_id):
                continue
            with open(self._path(session_id), "rb") as file:
                first, second = file.readline(), file.readline()
                changed = os.fstat(file.fileno()).st_mtime
            if not first.endswith(b"\n"):
                continue  # killed while it was created: its id was never told to anyone
            info: dict[str, Any] = {"sessionId": session_id, **json.loads(first)}
            info["updatedAt"] = strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(changed))
            if second.endswith(b"\n"):
                info["title"] = json.loads(second)["content"].get("text", "")[:80]
            if cwd is None or info["cwd"] == cwd:
                found.append((changed, info))
        found.sort(key=lambda entry: entry[0], reverse=True)
        return [info for _, info in found]

    def _path(self, session_id: str) -> str:
        if not is_id(session_id):  # it comes from the client: "../../etc/passwd" must not become a path
            raise UnknownSession(session_id)
        return os.path.join(self._folder, f"{session_id}.jsonl")


def is_id(text: str) -> bool:
    return text.startswith("demo-") and text[5:].isalnum()
