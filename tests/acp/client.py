"""An ACP client over HTTP for tests: says what it asks and shows what came. The official models judge each message."""

import contextlib
import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Self

import httpx

from tests.acp.models import check
from tests.conftest import TOKEN, Server
from tests.dialects.streams import caller

Message = dict[str, Any]
INITIALIZE = {"protocolVersion": 1, "clientCapabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}


class Told(NamedTuple):
    """A message and the id of its frame."""

    id: str
    message: Message


class Remote:
    """A connection of the client's own name at /v1/acp."""

    def __init__(self, server: Server, name: str, token: str = TOKEN) -> None:
        self.http = caller(server, token)
        self.path = f"/v1/acp/{name}"
        self.asked: dict[Any, str] = {}
        self._ids = itertools.count(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def headers(self, session_id: str | None) -> dict[str, str]:
        del session_id
        return {}

    def post(self, message: Message, session_id: str | None = None, **query: str) -> httpx.Response:
        if "method" in message and "id" in message:
            self.asked[message["id"]] = message["method"]
        return self.http.post(self.path, json=message, headers=self.headers(session_id), params=query)

    def initialize(self, params: Message | None = None, **query: str) -> Message:
        answer = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params or INITIALIZE}, **query)
        assert answer.status_code == 200, answer.text
        return self.judged(answer.json())

    def ask(self, method: str, params: Message) -> Message:
        """What is answered at once."""
        answer = self.post(request(next(self._ids), method, params))
        assert answer.status_code == 200, answer.text
        return self.judged(answer.json())

    def begin(self, method: str, params: Message) -> int:
        """What is answered on the stream; answers the id of the request."""
        id_ = next(self._ids)
        answer = self.post(request(id_, method, params), params.get("sessionId"))
        assert (answer.status_code, answer.content) == (202, b""), answer.text
        return id_

    def notify(self, method: str, params: Message) -> None:
        answer = self.post({"jsonrpc": "2.0", "method": method, "params": params}, params.get("sessionId"))
        assert answer.status_code == 202, answer.text

    def reply(self, asked: Message, result: Message) -> None:
        """Answers what the server has asked."""
        session_id = asked["params"]["sessionId"]
        answer = self.post({"jsonrpc": "2.0", "id": asked["id"], "result": result}, session_id)
        assert (answer.status_code, answer.content) == (202, b""), answer.text

    def new(self, cwd: object) -> str:
        return self.ask("session/new", {"cwd": str(cwd), "mcpServers": []})["result"]["sessionId"]

    def prompt(self, session_id: str, text: str) -> int:
        return self.begin("session/prompt", {"sessionId": session_id, "prompt": [{"type": "text", "text": text}]})

    @contextlib.contextmanager
    def stream(self, after: str | None = None, session_id: str | None = None) -> Iterator[Iterator[Told]]:
        headers = {"accept": "text/event-stream", **self.headers(session_id)}
        if after is not None:
            headers["last-event-id"] = after
        with self.http.stream("GET", self.path, headers=headers) as answer:
            assert answer.status_code == 200, answer.read()
            assert answer.headers["content-type"].startswith("text/event-stream")
            yield self._told(answer)

    def until(
        self, is_last: Callable[[Message], bool], after: str | None = None, session_id: str | None = None
    ) -> list[Told]:
        """What is told up to the first message that is meant, with that."""
        found: list[Told] = []
        with self.stream(after, session_id) as stream:
            for told in stream:
                found.append(told)
                if is_last(told.message):
                    return found
        raise AssertionError(f"the stream ended: {found}")

    def judged(self, message: Message) -> Message:
        """Raises if it is none of the protocol."""
        check(message, None if "method" in message else self.asked.get(message["id"]))
        return message

    def _told(self, answer: httpx.Response) -> Iterator[Told]:
        buffer = b""
        deadline = time.monotonic() + 60
        for chunk in answer.iter_raw():
            assert time.monotonic() < deadline, "what was waited for did not come within 60 s"
            buffer += chunk
            while b"\n\n" in buffer:
                frame, _, buffer = buffer.partition(b"\n\n")
                fields = dict(line.split(": ", 1) for line in frame.decode().split("\n") if not line.startswith(":"))
                if "data" in fields:
                    yield Told(fields["id"], self.judged(json.loads(fields["data"])))


class Draft(Remote):
    """A connection as the protocol's draft has it, at /acp: all answers but the first come by streams."""

    def __init__(self, server: Server, token: str = TOKEN) -> None:
        super().__init__(server, "", token)
        self.path = "/acp"
        self.connection: dict[str, str] = {}

    def headers(self, session_id: str | None) -> dict[str, str]:
        return self.connection if session_id is None else {**self.connection, "acp-session-id": session_id}

    def initialize(self, params: Message | None = None, **query: str) -> Message:
        answer = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params or INITIALIZE}, **query)
        assert answer.status_code == 200, answer.text
        self.connection = {"acp-connection-id": answer.headers["acp-connection-id"]}
        return self.judged(answer.json())

    def ask(self, method: str, params: Message) -> Message:
        """By the stream of the connection."""
        id_ = next(self._ids)
        answer = self.post(request(id_, method, params))
        assert (answer.status_code, answer.content) == (202, b""), answer.text
        return self.until(answers(id_))[-1].message


def request(id_: Any, method: str, params: Message) -> Message:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def answers(id_: Any) -> Callable[[Message], bool]:
    return lambda message: "method" not in message and message["id"] == id_


def calls(method: str) -> Callable[[Message], bool]:
    return lambda message: message.get("method") == method


def ends(session_id: str) -> Callable[[Message], bool]:
    """That a session has ended, as all clients hear it."""
    is_end = calls("_sandboxagent/session/ended")
    return lambda message: is_end(message) and message["params"]["session_id"] == session_id


def chosen(option: str) -> Message:
    return {"outcome": {"outcome": "selected", "optionId": option}}


def about(told: Iterable[Told], session_id: str) -> list[Message]:
    """All but the ends of other sessions, of which every client of the user hears, whoever works in them."""
    is_end, is_its_end = calls("_sandboxagent/session/ended"), ends(session_id)
    return [one.message for one in told if is_its_end(one.message) or not is_end(one.message)]


def updates(told: list[Told], session_id: str) -> list[Message]:
    is_update = calls("session/update")
    return [
        one.message["params"]["update"]
        for one in told
        if is_update(one.message) and one.message["params"]["sessionId"] == session_id
    ]


def said(told: list[Told], session_id: str) -> dict[str, str]:
    """What each text of the session has come to."""
    found: dict[str, str] = {}
    for update in updates(told, session_id):
        if update["sessionUpdate"].endswith("_chunk") and update["content"]["type"] == "text":
            key = f"{update['sessionUpdate']} {update['messageId']}"
            found[key] = found.get(key, "") + update["content"]["text"]
    return found


def done(told: list[Told], session_id: str) -> list[Message]:
    """Everything of a session but the pieces of texts: calls, plans, questions, answers, in their order."""
    return [
        one.message
        for one in told
        if not ("method" in one.message and "session_id" in one.message["params"])
        and not (
            calls("session/update")(one.message) and one.message["params"]["update"]["sessionUpdate"].endswith("_chunk")
        )
        and one.message.get("params", {}).get("sessionId", session_id) == session_id
    ]
