"""The official SDK of Anthropic, unchanged, pointed at a server of ours; and small words for what tests do with it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import anthropic
import httpx

from tests.conftest import TOKEN, Server


def sdk(server: Server, token: str = TOKEN) -> anthropic.Anthropic:
    # There is no TLS here, and to load the certificates for it takes 200 ms for each client.
    http_client = anthropic.DefaultHttpxClient(verify=False)
    return anthropic.Anthropic(base_url=server.url, api_key=token, timeout=30, http_client=http_client)


def text(said: str) -> dict[str, Any]:
    return {"type": "user.message", "content": [{"type": "text", "text": said}]}


INTERRUPT = {"type": "user.interrupt"}


def is_over(event: Any) -> bool:
    return event.type == "session.status_idle" and event.stop_reason.type != "requires_action"


def until(stream: Iterable[Any], last: Callable[[Any], bool] = is_over) -> list[Any]:
    """The events up to and with the one that is the last."""
    seen = []
    for event in stream:
        seen.append(event)
        if last(event):
            return seen
    raise AssertionError(f"the stream ended before that: {[event.type for event in seen]}")


def types(events: Iterable[Any]) -> list[str]:
    return [event.type for event in events]


def said_by_agent(events: Iterable[Any]) -> list[str]:
    return [block.text for event in events if event.type == "agent.message" for block in event.content]


def frames(server: Server, session_id: str, *, last: str, count: int | None = None) -> Iterator[tuple[str, str]]:
    """The (id, data) of a stream's frames from a place on, up to one that says that a run is over."""
    headers = {"x-api-key": TOKEN, "last-event-id": last}
    path = f"{server.url}/v1/sessions/{session_id}/events/stream"
    with httpx.stream("GET", path, headers=headers, timeout=30, verify=False) as answer:
        assert answer.status_code == 200
        id_ = ""
        for line in answer.iter_lines():
            if line.startswith("id: "):
                id_ = line.removeprefix("id: ")
            elif line.startswith("data: "):
                yield id_, line.removeprefix("data: ")
