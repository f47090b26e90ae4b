"""What the tests of this folder read with: streams as frames, the log from the disk, and a conversation from events."""

import re
import sqlite3
from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx

from tests.client import TERMINAL, Client, frames
from tests.conftest import Server


def frames_of(client: Client, session_id: str, *, after: int | None = None, **query: object) -> list[str]:
    """The events of a stream as they came, to its end."""
    with client.stream(f"/sessions/{session_id}/events", after=after, **query) as stream:
        return [frame.text for frame in stream if frame.is_event]


def allow(client: Client, session_id: str, request: dict[str, Any]) -> None:
    """Lets an agent go on that has asked: `request` is the event."""
    path = f"/sessions/{session_id}/permissions/{request['data']['request_id']}/answer"
    answer = client.post(path, json={"decision": "allow_once"})
    assert answer.status_code == 200, answer.text


def watched(client: Client, session_id: str, *, after: int | None = None) -> list[dict[str, Any]]:
    """The events of a run by a reader that was there before its agent did anything but ask whether it may go on."""
    events: list[dict[str, Any]] = []
    with client.stream(f"/sessions/{session_id}/events", after=after) as stream:
        for frame in stream:
            if frame.is_event:
                events.append(frame.data)
                if frame.data["type"] == "permission_request":
                    allow(client, session_id, frame.data)
    return events


def opening_of(
    client: Client, path: str, *, last_event_id: object = None, query: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What a stream says of itself."""
    headers = {} if last_event_id is None else {"last-event-id": str(last_event_id).encode()}
    with httpx.Client.stream(client, "GET", path, headers=headers, params=query) as answer:
        assert answer.status_code == 200, answer.read()
        return next(frame.data for frame in frames(answer) if frame.event == "stream")


def log_of(server: Server, session_id: str) -> list[str]:
    """The session's log as it lies on the disk, each entry as it must come over the wire."""
    store = sqlite3.connect(f"file:{server.data / 'holdfast.db'}?mode=ro", uri=True)
    try:
        rows = store.execute(
            "select e.sequence, e.body from events e join sessions s on s.key = e.session_key "
            "where s.id = ? order by e.sequence",
            (session_id,),
        ).fetchall()
    finally:
        store.close()
    return [f"id: {sequence}\ndata: {bytes(body).decode()}" for sequence, body in rows]


class Dispatched(NamedTuple):
    """What an EventSource hands to a page."""

    event: str
    data: str
    last_id: str


def event_source(raw: bytes) -> list[Dispatched]:
    """The HTML standard's reading of a stream, to the letter: three kinds of line ends, ids without NUL."""
    dispatched: list[Dispatched] = []
    event, data, last_id = "", [], ""
    for line in re.split("\r\n|\n|\r", raw.decode().removeprefix("\ufeff")):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line == "":
            if data:
                dispatched.append(Dispatched(event or "message", "\n".join(data), last_id))
            event, data = "", []
        elif name == "event":
            event = value
        elif name == "data":
            data.append(value)
        elif name == "id" and "\0" not in value:
            last_id = value
    return dispatched


def conversation(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a person sees: for each run the task, texts and tools in their order, and the end.

    A partial shows until its final replaces it.
    """
    runs: list[dict[str, Any]] = []
    growing: dict[str, dict[str, Any]] = {}
    tools: dict[str, dict[str, Any]] = {}
    for event in sorted(events, key=lambda event: event["sequence"]):
        kind, data = event["type"], event["data"]
        if kind == "user_message":
            runs.append({"task": data["text"], "parts": [], "todos": [], "other": []})
            growing, tools = {}, {}
        elif kind in ("message", "thinking"):
            if kind not in growing:
                growing[kind] = {"kind": kind, "text": ""}
                runs[-1]["parts"].append(growing[kind])
            if data["is_partial"]:
                growing[kind]["text"] += data["text"]
            else:
                growing.pop(kind)["text"] = data["full_text"]
        elif kind == "tool_start":
            tools[data["tool_id"]] = {"kind": "tool", "name": data["tool_name"], "input": data["tool_input"]}
            runs[-1]["parts"].append(tools[data["tool_id"]])
        elif kind == "tool_complete":
            tools[data["tool_id"]] |= {"result": data["result"], "is_error": data["is_error"]}
        elif kind == "todo_update":
            runs[-1]["todos"] = data["todos"]
        elif kind in TERMINAL:
            runs[-1]["end"] = (kind, data)
        else:
            runs[-1]["other"].append((kind, data))
    return runs
