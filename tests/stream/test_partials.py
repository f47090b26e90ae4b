"""Partials: replayed exactly while they are there, left out on request, and dropped when they have served."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdfast.config import load
from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually
from tests.stream.reading import conversation, frames_of, log_of, opening_of, watched

Events = list[dict[str, Any]]


def is_partial(event: dict[str, Any]) -> bool:
    return event["data"].get("is_partial") is True


def text_of(events: Events) -> str:
    return "".join(event["data"]["text"] for event in events if event["type"] == "message" and is_partial(event))


@pytest.mark.requirement("R069", "R033")
def test_ten_thousand_deltas_replay_to_the_identical_text(local: Client) -> None:
    session_id = local.run_task("flood 10000")
    live, replayed = local.follow(session_id), local.follow(session_id)
    assert live == replayed
    whole = "".join(f"word-{number} " for number in range(1, 10_001))
    finals = [event["data"]["full_text"] for event in live if event["type"] == "message" and not is_partial(event)]
    assert whole in finals
    assert text_of(live).startswith(whole)


@pytest.mark.requirement("R069")
def test_partials_whose_final_is_there_can_be_left_out(local: Client) -> None:
    session_id = local.run_task("Say hello, slow 0.3")
    everything = local.follow(session_id)
    assert any(is_partial(event) for event in everything)
    short = local.follow(session_id, partials="false")
    assert short == [event for event in everything if not is_partial(event)]
    assert local.follow(session_id, partials="true") == everything
    middle = next(event["sequence"] for event in everything if event["type"] == "tool_start")
    assert local.follow(session_id, after=middle, partials="false") == [
        event for event in short if event["sequence"] > middle
    ]


@pytest.mark.requirement("R069")
def test_partials_that_wait_for_their_final_are_never_left_out(local: Client, tmp_path: Path) -> None:
    """Who joins in the middle of a text sees what there is of it, and all that comes."""
    thought = "update('agent_thought_chunk', content={'type': 'text', 'text': 'Hm. '})"
    task = f"{thought}; say('Half a '); until('go'); say('word.')"
    session_id = local.run_task(task, agent="scripted", workspace=str(tmp_path))
    seen: Events = []
    with local.stream(f"/sessions/{session_id}/events") as stream:
        for frame in stream:
            if frame.is_event:
                seen.append(frame.data)
                if frame.data["type"] == "message" and is_partial(frame.data):
                    break
    joined: Events = []
    with local.stream(f"/sessions/{session_id}/events", partials="false") as stream:
        for frame in stream:
            if frame.is_event:
                joined.append(frame.data)
                if frame.data["type"] == "message":
                    (tmp_path / "go").touch()
    everything = local.follow(session_id)
    assert seen == everything[: len(seen)]
    # The thinking was over when the second one joined, the message was not.
    first_message = seen[-1]["sequence"]
    left_out = [event for event in everything if event not in joined]
    assert left_out
    assert {event["type"] for event in left_out} == {"thinking"}
    assert all(event["sequence"] < first_message and is_partial(event) for event in left_out)
    assert conversation(joined) == conversation(everything)


@pytest.fixture
def dropping(make_server: Callable[..., Server]) -> Server:
    return make_server(HOLDFAST_PARTIALS_TTL_S="0.2").start()


@pytest.mark.requirement("R069", "R070", "R023")
def test_dropped_partials_leave_their_numbers_behind_and_the_gap_is_said_aloud(dropping: Server) -> None:
    server = dropping
    with server.client() as client:
        session_id = client.run_task("ask flood 500 slow 1")
        live = watched(client, session_id)
        path, head = f"/sessions/{session_id}/events", live[-1]["sequence"]
        partials = [event["sequence"] for event in live if is_partial(event)]
        assert len(partials) > 2
        eventually(lambda: len(log_of(server, session_id)) == head - len(partials), what="they are dropped")
        kept = [event for event in live if not is_partial(event)]
        assert eventually(lambda: client.follow(session_id) == kept)
        assert frames_of(client, session_id) == log_of(server, session_id)
        assert client.history(session_id) == kept
        assert client.record(session_id)["head"] == head
        # The combined stream says it too.
        position = client.get("/sessions").json()["position"]
        assert opening_of(client, "/events", last_event_id=0)["resume"] == "gap"
        assert opening_of(client, "/events", last_event_id=position)["resume"] == "ok"
        last = max(partials)
        for after, resume in ((0, "gap"), (partials[0], "gap"), (last - 1, "gap"), (last, "ok"), (last + 1, "ok")):
            opening = opening_of(client, path, last_event_id=after)
            assert opening == {"resume": resume, "after": after, "head": head}, after
            assert client.follow(session_id, after=after) == [event for event in kept if event["sequence"] > after]
        # The numbers are never given out again, and what is new has no gap.
        client.next_task(session_id, "ask tools 2")
        assert opening_of(client, path, last_event_id=head)["resume"] == "ok"
        second = watched(client, session_id, after=head)
        assert [event["sequence"] for event in second] == list(range(head + 1, head + 1 + len(second)))
        server.kill()
        server.start()
        assert opening_of(client, path, last_event_id=partials[0])["resume"] == "gap", "after a restart, too"


@pytest.mark.requirement("R069")
def test_by_default_they_are_kept_for_ten_minutes(tmp_path: Path) -> None:
    assert load({"data": str(tmp_path)}, {}, None).partials_ttl_s == 600
