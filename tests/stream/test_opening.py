"""How a stream begins: its headers, and the frames before the first event."""

import httpx
import pytest

from tests.client import Client
from tests.conftest import Server
from tests.stream.conftest import LONG
from tests.stream.reading import opening_of


@pytest.fixture(scope="module")
def ended(river: Server) -> tuple[str, int]:
    """A session that is over, and its last sequence."""
    with river.client() as client:
        session_id = client.run_task("tools 3")
        return session_id, client.end_of(session_id)["sequence"]


@pytest.mark.requirement("R050", "R051")
@pytest.mark.parametrize("path", ["/sessions/{id}/events", "/events"])
def test_a_stream_has_the_headers_that_keep_it_from_being_buffered(
    local: Client, ended: tuple[str, int], path: str
) -> None:
    headers = {"accept-encoding": "gzip, br"}
    with httpx.Client.stream(local, "GET", path.format(id=ended[0]), headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache, no-transform"
        assert answer.headers["connection"] == "keep-alive"
        assert answer.headers["x-accel-buffering"] == "no"
        assert "content-encoding" not in answer.headers
        assert "content-length" not in answer.headers


@pytest.mark.requirement("R054", "R070", "R026")
def test_first_comes_the_retry_then_where_the_stream_stands_then_the_events(
    local: Client, ended: tuple[str, int]
) -> None:
    session_id, head = ended
    raw = local.get(f"/sessions/{session_id}/events", headers={"last-event-id": "2"}).content
    opening = b'retry: 3000\n\nevent: stream\ndata: {"resume":"ok","after":2,"head":%d}\n\n' % head
    assert raw.startswith(opening + b'id: 3\ndata: {"type":')
    assert raw.endswith(b"}\n\n")


@pytest.mark.requirement("R070")
def test_the_frame_about_the_stream_has_no_id_and_only_one_comes(local: Client, ended: tuple[str, int]) -> None:
    with local.stream(f"/sessions/{ended[0]}/events") as stream:
        named = [frame for frame in stream if frame.event is not None]
    assert [(frame.event, frame.id) for frame in named] == [("stream", None)]


@pytest.mark.requirement("R070", "R055")
def test_a_position_behind_the_head_is_said_aloud_and_everything_comes_again(
    local: Client, ended: tuple[str, int]
) -> None:
    session_id, head = ended
    for after in (head + 1, 10**9, 10**17):
        assert opening_of(local, f"/sessions/{session_id}/events", last_event_id=after) == {
            "resume": "reset",
            "after": 0,
            "head": head,
        }
        assert [event["sequence"] for event in local.follow(session_id, after=after)] == list(range(1, head + 1))
    running = local.run_task(LONG)
    assert opening_of(local, f"/sessions/{running}/events", last_event_id=10**6)["resume"] == "reset"
    local.post(f"/sessions/{running}/cancel")


@pytest.mark.requirement("R070", "R073")
def test_the_combined_stream_says_where_it_stands_too(local: Client) -> None:
    position = local.get("/sessions").json()["position"]
    assert opening_of(local, "/events") == {"resume": "ok", "after": position, "head": position}
    assert opening_of(local, "/events", last_event_id=3) == {"resume": "ok", "after": 3, "head": position}
    assert opening_of(local, "/events", last_event_id=position + 1) == {"resume": "reset", "after": 0, "head": position}


@pytest.mark.requirement("R053")
def test_a_stream_of_no_session_is_not_found(local: Client) -> None:
    answer = local.get("/sessions/unknown/events")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_head_asks_for_the_headers_only(local: Client, ended: tuple[str, int]) -> None:
    answer = local.head(f"/sessions/{ended[0]}/events")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert local.get("/health").json()["status"] == "ok", "the connection goes on"
