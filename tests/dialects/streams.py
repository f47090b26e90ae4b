"""What comes over a stream of a dialect, as it came: id, name and data of each frame."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx

from tests.conftest import TOKEN, Server

# The second user of the server that these tests share.
ADA = "token-of-ada"


class Came(NamedTuple):
    id: str
    name: str | None
    data: Any


def caller(server: Server, token: str = TOKEN) -> httpx.Client:
    """A client of the server's root: dialects have paths of their own."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return httpx.Client(base_url=server.url, headers=headers, timeout=30, verify=False)


def came(answer: httpx.Response) -> Iterator[Came]:
    """The frames that have data; others are comments and hints. One about the stream itself has no id."""
    buffer = b""
    for chunk in answer.iter_raw():
        buffer += chunk
        while b"\n\n" in buffer:
            frame, _, buffer = buffer.partition(b"\n\n")
            fields = dict(line.split(": ", 1) for line in frame.decode().split("\n") if not line.startswith(":"))
            if "data" in fields:
                yield Came(fields.get("id", ""), fields.get("event"), json.loads(fields["data"]))


@contextlib.contextmanager
def stream(
    client: httpx.Client, method: str, path: str, *, after: str | None = None, body: object = None
) -> Iterator[Iterator[Came]]:
    headers = {} if after is None else {"last-event-id": after}
    with client.stream(method, path, headers=headers, json=body) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield came(answer)


def follow(
    client: httpx.Client, method: str, path: str, *, after: str | None = None, body: object = None
) -> list[Came]:
    """To the end of the stream."""
    with stream(client, method, path, after=after, body=body) as frames:
        return list(frames)
