"""Those who read a session by JSON-RPC: clients of ACP over each of its transports, and of MCP."""

import json
import random
import secrets
from collections.abc import Iterator
from typing import Any

import httpx
from websockets.sync.client import connect

from tests.acp.client import INITIALIZE, Draft, Remote, Told, answers, request
from tests.conftest import TOKEN, Server
from tests.dialects.story import UNSAID, Call, Stage, Story, difference, plain
from tests.dialects.streams import caller

ENDED = "_sandboxagent/session/ended"
SILENT_S = 30


class AcpReader:
    """What a client of ACP makes of what it is told of one session."""

    def __init__(self, stage: Stage) -> None:
        self.story = Story()
        self.ends: list[str] = []
        self._silent = 0
        self._stage = stage
        self._session_id = stage.session_id.result()

    def bear_silence(self) -> None:
        """A second in which nothing came; there may be few of them once the session is over."""
        self._silent += self._stage.expected.done()
        assert self._silent < SILENT_S, difference(self._stage.expected.result(), self.whole())

    def take(self, message: dict[str, Any]) -> None:
        self._silent = 0
        params = message.get("params", {})
        if message.get("method") == ENDED and params["session_id"] == self._session_id:
            self.ends.append(params["data"]["stop_reason"])
        elif message.get("method") == "session/update" and params["sessionId"] == self._session_id:
            self._update(params["update"])

    def _update(self, update: dict[str, Any]) -> None:
        meta = update.get("_meta", {})
        match update["sessionUpdate"]:
            case "user_message_chunk" if update["content"]["type"] == "text":
                self.story.begin(update["content"]["text"])
            case "agent_message_chunk" if not meta.keys() & {"parent_id", "broken_off", "status"}:
                self.story.now.says(update["messageId"], update["content"]["text"])
            case "tool_call":
                call = Call(name=meta["tool_name"], id=update["toolCallId"], input=update.get("rawInput") or {})
                self.story.now.calls_tool(update["toolCallId"], call)
            case "tool_call_update":
                is_error = update["status"] == "failed"
                self.story.now.has_result(update["toolCallId"], is_error=is_error, result=plain(update["rawOutput"]))
            case _:
                pass

    @property
    def has_all(self) -> bool:
        """Nobody says that the last word of a run was said to who has not prompted it; so it is compared."""
        return self._stage.expected.done() and not difference(self._stage.expected.result(), self.whole())

    def whole(self) -> Story:
        """With the ends. They are told from the moment on when the client came: the last ones."""
        for run in self.story.runs:
            run.end = UNSAID
        for run, reason in zip(reversed(self.story.runs), reversed(self.ends), strict=False):
            run.end = reason
        return self.story


def _listed_end(answer: dict[str, Any], session_id: str) -> str:
    entry = next(entry for entry in answer["result"]["sessions"] if entry["sessionId"] == session_id)
    return entry["_meta"]["stop_reason"]


def _read_acp(remote: Remote, stage: Stage, dice: random.Random, *, streams: tuple[str | None, ...]) -> Story:
    """Loads the session and reads, with cuts, until everything has come. `streams`: those by which it comes."""
    session_id = stage.session_id.result()
    remote.initialize()
    load = remote.begin("session/load", {"sessionId": session_id, "cwd": "/", "mcpServers": []})
    reader = AcpReader(stage)
    after: dict[str | None, str | None] = {}
    is_loaded = False
    while not (is_loaded and reader.has_all):
        for of in streams:
            reader.bear_silence()
            for told in _some(remote, after.get(of), of, dice):
                after[of] = told.id
                reader.take(told.message)
                is_loaded = is_loaded or answers(load)(told.message)
                if is_loaded and reader.has_all:
                    break
    story = reader.whole()
    if stage.runs > len(reader.ends):
        story.now.end = _listed_end(remote.ask("session/list", {}), session_id)
    remote.http.close()
    return story


def _some(remote: Remote, after: str | None, session_id: str | None, dice: random.Random) -> Iterator[Told]:
    """The next messages; what does not come within a second is for the next time."""
    left = dice.randint(1, 40)
    remote.http.timeout = httpx.Timeout(30, read=1)
    try:
        with remote.stream(after, session_id) as stream:
            for told in stream:
                yield told
                left -= 1
                if left == 0:
                    return
    except httpx.ReadTimeout:
        return
    finally:
        remote.http.timeout = httpx.Timeout(30)


def acp(server: Server, stage: Stage, dice: random.Random) -> Story:
    """/v1/acp: one stream for everything."""
    return _read_acp(Remote(server, secrets.token_hex(6)), stage, dice, streams=(None,))


def acp_draft(server: Server, stage: Stage, dice: random.Random) -> Story:
    """/acp: a stream for the session, and one for the connection, by which ends come."""
    session_id = stage.session_id.result()
    return _read_acp(Draft(server), stage, dice, streams=(session_id,) if stage.expected.done() else (session_id, None))


def acp_socket(server: Server, stage: Stage, dice: random.Random) -> Story:
    """A socket that breaks is its connection's end: whoever comes back loads the session again, from its beginning."""
    for _ in range(dice.randint(1, 3)):
        _read_socket(server, stage, dice.randint(1, 60))
    story = _read_socket(server, stage, None)
    assert story is not None
    return story


def _read_socket(server: Server, stage: Stage, most: int | None) -> Story | None:
    session_id = stage.session_id.result()
    url = f"{server.url.replace('http', 'ws')}/acp"
    reader = AcpReader(stage)
    # Without a queue's limit: a client that has stopped reading would not see that the other side closes, too.
    headers = {"authorization": f"Bearer {TOKEN}"}
    with connect(url, additional_headers=headers, max_size=None, max_queue=None, open_timeout=SILENT_S) as socket:
        socket.send(json.dumps(request(0, "initialize", INITIALIZE)))
        socket.send(json.dumps(request(1, "session/load", {"sessionId": session_id, "cwd": "/", "mcpServers": []})))
        received, is_loaded = 0, False
        while not (is_loaded and reader.has_all):
            try:
                message = json.loads(socket.recv(timeout=1))
            except TimeoutError:
                if most is not None:
                    return None
                reader.bear_silence()
                continue
            reader.take(message)
            is_loaded = is_loaded or answers(1)(message)
            received += 1
            if received == most:
                return None
        story = reader.whole()
        if stage.runs > len(reader.ends):
            socket.send(json.dumps(request(2, "session/list", {})))
            while not answers(2)(message := json.loads(socket.recv(timeout=SILENT_S))):
                reader.take(message)
            story.now.end = _listed_end(message, session_id)
        return story


# MCP


def _call_tool(page: httpx.Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    answer = page.post("/mcp", json=body, headers=headers, timeout=60)
    assert answer.status_code == 200, answer.text
    found = answer.json() if "json" in answer.headers["content-type"] else _last_data(answer.text)
    assert "error" not in found, found
    return found["result"]["structuredContent"]


def _last_data(text: str) -> dict[str, Any]:
    return json.loads([line for line in text.splitlines() if line.startswith("data: {")][-1].removeprefix("data: "))


def mcp_watch(server: Server, stage: Stage, dice: random.Random) -> Story:
    story, after = Story(), 0
    with caller(server) as page:
        while story.ended < stage.runs:
            stage.wait_for(story.ended)
            given = {"session_id": stage.session_id.result(), "after": after, "wait_s": dice.choice([0, 0.3, 2, 5])}
            digest = _call_tool(page, "watch_session", given)
            _take_entries(story, digest["entries"])
            after = digest["next_after"]
    return story


def mcp_read(server: Server, stage: Stage, dice: random.Random) -> Story:
    stage.expected.result()
    story, after = Story(), 0
    with caller(server) as page:
        while True:
            given = {"session_id": stage.session_id.result(), "after": after, "limit": dice.randint(5, 60)}
            page_of = _call_tool(page, "read_session", {**given, "max_chars": 100_000})
            _take_entries(story, page_of["entries"])
            if page_of.get("next_after") is None:
                return story
            after = page_of["next_after"]


def _take_entries(story: Story, entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        match entry["kind"]:
            case "task":
                story.begin(entry["text"])
            case "message" if "parent_id" not in entry:
                story.now.says(str(entry["sequence"]), entry["text"])
            case "tool_call":
                story.now.calls_tool(entry["tool_id"], Call(name=entry["tool_name"], id=entry["tool_id"]))
            case "tool_result":
                is_error = entry.get("is_error", False)
                story.now.has_result(entry["tool_id"], is_error=is_error, result=UNSAID)
            case "end":
                story.end(entry["text"].split("\n")[0].split(":")[0])
            case _:
                pass
