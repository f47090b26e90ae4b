"""A receiver of webhooks: a real HTTP server that keeps what comes and answers as the test says."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple

from standardwebhooks import Webhook

# Much longer than anything takes; a test that waits so long has failed.
PATIENCE_S = 30


class Received(NamedTuple):
    id: str
    body: bytes
    headers: dict[str, str]
    path: str
    earlier: int
    """How often a message with this id had come before."""

    @property
    def message(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def about(self) -> tuple[str, int]:
        data = self.message["data"]
        return data["session_id"], data["sequence"]

    def verify(self, secret: str) -> None:
        """As a receiver does it, with the scheme's own library; raises if it is not signed so."""
        assert Webhook(secret).verify(self.body, self.headers) == self.message


class Reply(NamedTuple):
    status: int = 200
    body: bytes = b"thanks"
    headers: Mapping[str, str] = MappingProxyType({})


class Receiver:
    def __init__(self, port: int = 0) -> None:
        self._changed = threading.Condition()
        self.received: list[Received] = []
        self.reply: Callable[[Received], Reply] = lambda _: Reply()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                with contextlib.suppress(ConnectionError):
                    length = int(self.headers["content-length"])
                    body = self.rfile.read(length)
                    if len(body) < length:
                        # Its sender died between the head and the end of the body: no message has come.
                        return
                    reply = receiver.take(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                    headers = {"content-length": str(len(reply.body)), **reply.headers}
                    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
                    # In one piece: a sender that has the status waits only for a moment for the rest.
                    self.wfile.write(f"HTTP/1.0 {reply.status} x\r\n{head}\r\n".encode() + reply.body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/hook"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def take(self, path: str, headers: dict[str, str], body: bytes) -> Reply:
        with self._changed:
            name = headers["webhook-id"]
            earlier = sum(one.id == name for one in self.received)
            received = Received(name, body, headers, path, earlier)
            self.received.append(received)
            self._changed.notify_all()
        return self.reply(received)

    def wait(self, count: int) -> list[Received]:
        """What has come, once it is so much."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.received) >= count, PATIENCE_S), self.received
            return list(self.received)

    def wait_for(self, is_there: Callable[[list[Received]], bool]) -> list[Received]:
        with self._changed:
            assert self._changed.wait_for(lambda: is_there(self.received), PATIENCE_S), self.received
            return list(self.received)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE_S)


@contextlib.contextmanager
def receiving(port: int = 0) -> Iterator[Receiver]:
    receiver = Receiver(port)
    try:
        yield receiver
    finally:
        receiver.close()
