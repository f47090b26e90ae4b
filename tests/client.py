"""A small client for tests: says what it asks and shows what came, without any cleverness of its own."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import httpx

TERMINAL = ("agent_complete", "error", "cancelled")


class Frame:
    """One frame of an event stream, as it came."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.id: int | None = None
        self.event: str | None = None
        self.comment: str | None = None
        self.retry: int | None = None
        self.data: Any = None
        for line in text.split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            match name:
                case "id":
                    self.id = int(value)
                case "event":
                    self.event = value
                case "retry":
                    self.retry = int(value)
                case "data":
                    assert self.data is None, "data must be one line"
                    self.data = json.loads(value)
                case "":
                    self.comment = value
                case _:
                    raise AssertionError(f"a field nobody knows: {line!r}")

    @property
    def is_event(self) -> bool:
        return self.id is not None


class Client(httpx.Client):
    def __init__(self, url: str, token: str | None) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        # There is no TLS here, and to load the certificates for it takes 30 ms for each client.
        super().__init__(base_url=f"{url}/api/v1", headers=headers, timeout=30, verify=False)

    def run_task(self, task: str, **config: object) -> str:
        """Starts a session; answers its id."""
        answer = self.post("/sessions/run", json={"task": task, "config": config})
        assert answer.status_code == 200, answer.text
        return answer.json()["session_id"]

    def next_task(self, session_id: str, task: str, **config: object) -> None:
        answer = self.post(f"/sessions/{session_id}/task", json={"task": task, **config})
        assert answer.status_code == 200, answer.text

    def record(self, session_id: str) -> dict[str, Any]:
        answer = self.get(f"/sessions/{session_id}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    @contextlib.contextmanager
    def stream(self, path: str, *, after: int | None = None, **query: object) -> Iterator[Iterator[Frame]]:  # type: ignore[override]
        """The frames of a stream, while the context lasts."""
        headers = {} if after is None else {"last-event-id": str(after)}
        with super().stream("GET", path, headers=headers, params=query) as answer:
            assert answer.status_code == 200, answer.read()
            yield frames(answer)

    def follow(self, session_id: str, *, after: int | None = None, **query: object) -> list[dict[str, Any]]:
        """All events of a session after a position, to the end of the stream."""
        with self.stream(f"/sessions/{session_id}/events", after=after, **query) as stream:
            return [frame.data for frame in stream if frame.is_event]

    def until(self, session_id: str, type_: str, *, after: int | None = None) -> dict[str, Any]:
        """The first event of a type."""
        with self.stream(f"/sessions/{session_id}/events", after=after) as stream:
            for frame in stream:
                if frame.is_event and frame.data["type"] == type_:
                    return frame.data
        raise AssertionError(f"the stream ended without {type_}")

    def end_of(self, session_id: str) -> dict[str, Any]:
        """The terminal event of the run under way (or of the last one)."""
        last = self.follow(session_id)[-1]
        assert last["type"] in TERMINAL, last
        return last

    def history(self, session_id: str, limit: int = 1000) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        after = 0
        while True:
            page = self.get(f"/sessions/{session_id}/events/history", params={"after": after, "limit": limit}).json()
            found += page["events"]
            if "next_after" not in page:
                return found
            after = page["next_after"]


def frames(answer: httpx.Response) -> Iterator[Frame]:
    buffer = b""
    for chunk in answer.iter_raw():
        buffer += chunk
        while b"\n\n" in buffer:
            text, _, buffer = buffer.partition(b"\n\n")
            yield Frame(text.decode())
