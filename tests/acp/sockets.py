"""An ACP client on a WebSocket for tests."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.acp.client import INITIALIZE, Message, answers, calls, request
from tests.acp.models import check
from tests.conftest import TOKEN, Server


class Socket:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._asked: dict[Any, str] = {}

    def say(self, message: Message) -> None:
        if "method" in message and "id" in message:
            self._asked[message["id"]] = message["method"]
        self.socket.send(json.dumps(message))

    def until(self, is_last: Callable[[Message], bool]) -> list[Message]:
        found: list[Message] = []
        while not found or not is_last(found[-1]):
            message = json.loads(self.socket.recv(timeout=30))
            check(message, None if "method" in message else self._asked.get(message["id"]))
            found.append(message)
        return found

    def asked(self, cwd: Path, task: str) -> tuple[str, Message]:
        """Introduces itself and gives a new session its task, up to where the agent asks; the prompt's id is 2."""
        self.ask(0, "initialize", INITIALIZE)
        session_id = self.ask(1, "session/new", {"cwd": str(cwd), "mcpServers": []})["result"]["sessionId"]
        self.say(request(2, "session/prompt", prompt(session_id, task)))
        return session_id, self.until(calls("session/request_permission"))[-1]

    def loaded(self, session_id: str, cwd: Path) -> list[Message]:
        """Introduces itself and loads a session; all that is told on the way."""
        self.ask(0, "initialize", INITIALIZE)
        self.say(request(1, "session/load", {"sessionId": session_id, "cwd": str(cwd), "mcpServers": []}))
        return self.until(answers(1))

    def ask(self, id_: Any, method: str, params: Message) -> Message:
        self.say(request(id_, method, params))
        return self.until(answers(id_))[-1]


def opened(server: Server) -> ClientConnection:
    url = server.url.replace("http", "ws") + "/acp"
    return connect(url, additional_headers={"authorization": f"Bearer {TOKEN}"}, open_timeout=30)


def prompt(session_id: str, text: str) -> Message:
    return {"sessionId": session_id, "prompt": [{"type": "text", "text": text}]}
