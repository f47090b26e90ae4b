"""The ACP v1 methods of the demo agent."""

# importing pathlib costs 5 ms of every start:
# ruff: noqa: PTH112, PTH117
from __future__ import annotations

import os

from holdfast import __version__
from holdfast.demo import misbehaviour, show, words
from holdfast.demo.rpc import INVALID_PARAMS, INVALID_REQUEST, NOT_FOUND, Connection, RpcError
from holdfast.demo.store import Session, Store, UnknownSession
from holdfast.demo.turn import Cancelled, Ids, Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.demo.rpc import Method


class Agent:
    def __init__(self, connection: Connection, store: Store) -> None:
        self._connection = connection
        self._store = store
        self._ids = Ids()
        self._sessions: dict[str, Session] = {}
        self._turn: Turn | None = None

    def methods(self) -> dict[str, Method]:
        return {
            "initialize": self._initialize,
            "session/new": self._new,
            "session/load": self._load,
            "session/resume": self._resume,
            "session/list": self._list,
            "session/prompt": self._prompt,
            "session/cancel": self._cancel,
        }

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        return {
            "protocolVersion": 1,  # whatever was offered: the client decides whether it can live with 1
            "agentInfo": {"name": "holdfast-demo", "title": "Holdfast demo agent", "version": __version__},
            "agentCapabilities": {
                "loadSession": True,
                "promptCapabilities": {"image": False, "audio": False, "embeddedContext": True},
                "sessionCapabilities": {"resume": {}, "list": {}},
            },
            "authMethods": [],
        }

    def _new(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self._store.create(workspace(params))
        self._sessions[session.id] = session
        return {"sessionId": session.id}

    def _load(self, params: dict[str, Any]) -> dict[str, Any]:
        for update in self._open(params):
            self._connection.notify("session/update", {"sessionId": params["sessionId"], "update": update})
        return {}

    def _resume(self, params: dict[str, Any]) -> dict[str, Any]:
        self._open(params)
        return {}

    def _open(self, params: dict[str, Any]) -> list[dict[str, Any]]:
        """Opens the session and returns its history."""
        session_id = string(params, "sessionId")
        try:
            session, history = self._store.open(session_id, workspace(params))
        except UnknownSession:
            raise RpcError(NOT_FOUND, f"there is no session {session_id!r}") from None
        self._sessions[session_id] = session
        return history

    def _list(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"sessions": self._store.list(params.get("cwd"))}

    def _prompt(self, params: dict[str, Any]) -> dict[str, Any]:
        session_id = string(params, "sessionId")
        session = self._sessions.get(session_id)
        if session is None:
            raise RpcError(NOT_FOUND, f"session {session_id!r} is not open here")
        if self._turn is not None:
            raise RpcError(INVALID_REQUEST, f"busy with a prompt of session {self._turn.session.id!r}")
        task = prompt_text(params.get("prompt"))
        earlier = list(session.tasks)
        # Stored before the work: a turn that crashes is remembered as a task, though not what it did.
        content = {"type": "text", "text": task}
        message_id = self._ids.new("user")
        session.append([{"sessionUpdate": "user_message_chunk", "messageId": message_id, "content": content}])
        turn = self._turn = Turn(self._connection, session, self._ids)
        try:
            self._work(turn, task, earlier)
        except Cancelled:
            turn.fail_open_calls()
            return {"stopReason": "cancelled"}
        else:
            return {"stopReason": "end_turn"}
        finally:
            self._turn = None
            session.append(turn.record.updates())

    def _work(self, turn: Turn, task: str, earlier: list[str]) -> None:
        acts, seconds = words.read(task)
        if acts:
            misbehaviour.perform(turn, acts, seconds or 0)
        else:
            show.perform(turn, task, earlier, seconds or show.SECONDS)
        # A cancel that came with the last delta is still one: the client waits for that very answer.
        turn.wait(0)

    def _cancel(self, params: dict[str, Any]) -> None:
        if self._turn is not None and params.get("sessionId") == self._turn.session.id:
            self._turn.cancelled = True


def workspace(params: dict[str, Any]) -> str:
    cwd = string(params, "cwd")
    if not (os.path.isabs(cwd) and os.path.isdir(cwd)):
        raise RpcError(INVALID_PARAMS, f"cwd {cwd!r} is not the absolute path of a folder")
    return cwd


def string(params: dict[str, Any], name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise RpcError(INVALID_PARAMS, f"{name} is missing or no string")
    return value


def prompt_text(blocks: Any) -> str:
    """The prompt as one text: a file or link stands in it by its address."""
    if not isinstance(blocks, list):
        raise RpcError(INVALID_PARAMS, "prompt is missing or no list of content blocks")
    return "\n".join(block_text(block) for block in blocks)  # pyright: ignore[reportUnknownVariableType]


def block_text(block: Any) -> str:
    try:
        kind = block["type"]
        if kind == "text":
            return str(block["text"])
        if kind == "resource":
            return str(block["resource"]["uri"])
        return str(block.get("uri") or f"[{kind}]")
    except (KeyError, TypeError, AttributeError):
        raise RpcError(INVALID_PARAMS, "the prompt has a content block without its fields") from None
