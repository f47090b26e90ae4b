"""kill -9 of the server in the middle of a stream of each dialect: who comes back gets the rest, once.

The agents work on meanwhile, so what is told at the end is what a client would have been told that was never cut off.
"""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import anthropic
import httpx
import pytest

from tests.conftest import Server
from tests.dialects.ag_ui_rules import check
from tests.dialects.managed_client import sdk, text
from tests.dialects.streams import Came, caller, came

TASK = "tools 40 slow 8"
# Behind the start of the run, and before its end.
SEEN = 12


class Way(NamedTuple):
    """How a client of a dialect gets at one session's stream, and knows that it is at its end."""

    method: str
    path: str
    body: Any
    is_last: Callable[[Came], bool]

    def frames(self, client: httpx.Client, after: str) -> Iterator[Came]:
        headers = {"last-event-id": after}
        with client.stream(self.method, self.path, headers=headers, json=self.body) as answer:
            assert answer.status_code == 200, answer.read()
            for frame in came(answer):
                yield frame
                if self.is_last(frame):
                    return


def named(page: httpx.Client) -> Way:
    started = page.post("/api/agent/start", json={"prompt": TASK, "projectId": "named"}).json()
    path = f"/api/agent/stream/{started['data']['sessionId']}"
    return Way("GET", path, None, lambda frame: frame.name in ("result", "error"))


def managed(page: httpx.Client) -> Way:
    body = {"agent": "demo", "environment_id": "local", "initial_events": [text(TASK)]}
    made = page.post("/v1/sessions", json=body).json()
    path = f"/v1/sessions/{made['id']}/events/stream"
    return Way("GET", path, None, lambda frame: frame.data["type"] == "session.status_idle")


def ag_ui(page: httpx.Client) -> Way:
    body = {"threadId": "t", "runId": "r", "messages": [{"id": "1", "role": "user", "content": TASK}]}
    return Way("POST", "/ag-ui/demo", body, lambda frame: frame.data["type"].startswith(("RUN_FINISHED", "RUN_ERROR")))


@pytest.mark.requirement("R143", "R144", "R184")
def test_after_a_kill_each_dialect_goes_on_where_its_client_stood(server: Server) -> None:
    with caller(server) as page:
        ways = [named(page), managed(page), ag_ui(page)]

    def first(way: Way) -> list[Came]:
        with caller(server) as page:
            frames = way.frames(page, "0")
            return [next(frames) for _ in range(SEEN)]

    with ThreadPoolExecutor(len(ways)) as pool:
        begun = list(pool.map(first, ways))
    server.kill()
    server.start()
    for way, seen in zip(ways, begun, strict=True):
        with caller(server) as page:
            rest = list(way.frames(page, seen[-1].id))
            assert rest, way.path
            assert [*seen, *rest] == list(way.frames(page, "0")), way.path
    with caller(server) as page:
        told = list(ways[2].frames(page, "0"))
        check([frame.data for frame in told])
        assert [json.dumps(frame.data).count('"TOOL_CALL_RESULT"') for frame in told].count(1) == 40
        for record in page.get("/api/v1/sessions").json()["sessions"]:
            assert (record["stop_reason"], record["runs"]) == ("success", 1)


def test_a_server_that_stops_says_so_to_the_sdk_and_ends_the_other_streams(server: Server) -> None:
    with sdk(server) as client, caller(server) as page:
        session = client.beta.sessions.create(agent="demo", environment_id="local")
        following = named(page)
        with (
            client.beta.sessions.events.stream(session.id) as stream,
            page.stream("GET", following.path) as answer,
        ):
            frames = came(answer)
            next(frames)
            assert server.stop(30) == 0
            with pytest.raises(anthropic.APIError, match="Last-Event-ID"):
                list(stream)
            assert [frame.data["stopReason"] for frame in frames if frame.name == "error"] in ([], ["interrupted"])
