"""While nothing happens, a heartbeat: a comment, which no client takes for an event."""

import time
from pathlib import Path

import httpx
import pytest

from holdfast.config import load
from tests.client import Client
from tests.stream.conftest import HEARTBEAT_S, LONG
from tests.stream.reading import event_source


def test_it_comes_every_15_s_unless_set(tmp_path: Path) -> None:
    assert load({"data": str(tmp_path)}, {}, None).heartbeat_s == 15


@pytest.mark.requirement("R061", "R062")
@pytest.mark.parametrize("path", ["/sessions/{id}/events", "/events"])
def test_while_nothing_happens_a_comment_without_an_id_comes_again_and_again(local: Client, path: str) -> None:
    session_id = local.run_task(LONG)
    last = local.until(session_id, "agent_start")["sequence"]
    after = {"after": last} if "{id}" in path else {}
    raw = bytearray()
    began = time.monotonic()
    with httpx.Client.stream(local, "GET", path.format(id=session_id), params=after) as answer:
        for piece in answer.iter_raw():
            raw += piece
            if raw.count(b": heartbeat\n\n") >= 5:
                break
    took = time.monotonic() - began
    _, _, rest = bytes(raw).partition(b"event: stream\n")
    rest = rest.partition(b"\n\n")[2]
    assert rest.replace(b": heartbeat\n\n", b"") == b"", "nothing else came"
    assert [message.event for message in event_source(raw)] == ["stream"], "and no client sees it"
    assert 4 * HEARTBEAT_S < took < 100 * HEARTBEAT_S
    local.post(f"/sessions/{session_id}/cancel")


@pytest.mark.requirement("R061")
def test_no_heartbeat_comes_while_something_happens(local: Client) -> None:
    """Pieces of text come far more often than the heartbeat would."""
    session_id = local.run_task("tools 300 slow 1.5")
    local.until(session_id, "tool_start")
    beats, paused_s = 0, 0.0
    with local.stream(f"/sessions/{session_id}/events") as stream:
        heard_at = time.monotonic()
        for frame in stream:
            beats += frame.comment == "heartbeat"
            if frame.is_event:
                silence_s = time.monotonic() - heard_at
                heard_at += silence_s
                # Whoever stood still, the agent, its keeper, the server or this reader: it is heard here as a silence.
                paused_s += silence_s if silence_s > HEARTBEAT_S / 4 else 0
    assert beats * HEARTBEAT_S <= paused_s + HEARTBEAT_S


@pytest.mark.requirement("R061", "R062", "R073")
def test_other_users_events_are_not_something_that_happens(ada: Client, local: Client) -> None:
    """A proxy would cut a stream that is silent for long because others are busy."""
    session_id = local.run_task("tools 60000 slow 30")
    local.until(session_id, "tool_start")
    beats = 0
    with ada.stream("/events") as stream:
        for frame in stream:
            assert not frame.is_event
            beats += frame.comment == "heartbeat"
            if beats == 4:
                break
    assert local.record(session_id)["status"] == "running", "they came while the other one was at work"
    local.post(f"/sessions/{session_id}/cancel")
