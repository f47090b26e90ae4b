"""The server's documents as they came: what commands print for programs has also what is newer than this CLI."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from holdfast.client.sync import Holdfast

# To ask an agent what it can do, it is started; it has 20 s to answer, and others may be asked before it.
CHECK_TIMEOUT_S = 120.0

Document = dict[str, Any]


def record(holdfast: Holdfast, session_id: str) -> Document:
    return holdfast.request("GET", _session(session_id))


def find(holdfast: Holdfast, given: str) -> Document:
    """The record of the session with this id, or the only one whose id begins so."""
    return record(holdfast, holdfast.find(given).id)


def sessions(holdfast: Holdfast, limit: int, **filters: Any) -> Document:
    return holdfast.request("GET", "/sessions", query={"limit": limit, **filters})


def all_sessions(holdfast: Holdfast, **filters: Any) -> Iterator[Document]:
    """Every session that fits, newest first, page by page."""
    before = None
    while True:
        page = sessions(holdfast, 200, before=before, **filters)
        yield from page["sessions"]
        before = page.get("next")
        if not before:
            return


def run(holdfast: Holdfast, task: str, config: Document, attachments: Any = None) -> Document:
    body = {"task": task, **({"config": config} if config else {}), **_attached(attachments)}
    return holdfast.request("POST", "/sessions/run", body=body)


def give_task(holdfast: Holdfast, session_id: str, task: str, config: Document, attachments: Any = None) -> Document:
    return command(holdfast, session_id, "task", {"task": task, **config, **_attached(attachments)})


def fork(holdfast: Holdfast, session_id: str, task: str, config: Document, attachments: Any = None) -> Document:
    return command(holdfast, session_id, "fork", {"task": task, **config, **_attached(attachments)})


def command(holdfast: Holdfast, session_id: str, name: str, body: Document | None = None) -> Document:
    """Whatever a session can be told: cancel, pause, resume, discard, profile …"""
    return holdfast.request("POST", f"{_session(session_id)}/{name}", body=body)


def waiting(holdfast: Holdfast) -> list[Document]:
    """What waits for an answer, over all sessions, the oldest first."""
    return holdfast.request("GET", "/permissions")["permissions"]


def answer(holdfast: Holdfast, session_id: str, request_id: str, reply: Document) -> Document:
    path = f"{_session(session_id)}/permissions/{quote(request_id, safe='')}/answer"
    return holdfast.request("POST", path, body=reply)


def history(holdfast: Holdfast, session_id: str, after: int, limit: int = 1000) -> Document:
    return holdfast.request("GET", f"{_session(session_id)}/events/history", query={"after": after, "limit": limit})


def agents(holdfast: Holdfast) -> list[Document]:
    return holdfast.request("GET", "/agents")["agents"]


def agent(holdfast: Holdfast, name: str) -> Document:
    return holdfast.request("GET", f"/agents/{quote(name, safe='')}")


def check_agent(holdfast: Holdfast, name: str) -> Document:
    """What the agent itself says; it is started for that."""
    return holdfast.request("POST", f"/agents/{quote(name, safe='')}/check", timeout_s=CHECK_TIMEOUT_S)


def _attached(attachments: Any) -> Document:
    return {} if attachments is None else {"attachments": attachments}


def _session(session_id: str) -> str:
    return f"/sessions/{quote(session_id, safe='')}"
