"""History: everything but the partials, a page at a time, and how it goes together with the stream."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.client import Client
from tests.conftest import Server
from tests.processes import eventually
from tests.stream.reading import conversation, log_of

Events = list[dict[str, Any]]


@pytest.fixture(scope="module")
def past(river: Server) -> tuple[str, Events, Events]:
    """A session of three runs that is over: its id, the events as they came live, and its history."""
    with river.client() as client:
        session_id = client.run_task("Say hello, slow 0.3")
        live = client.follow(session_id)
        for task in ("garbage stderr 3 tools 30 crash 2", "flood 2000 tools 400"):
            client.next_task(session_id, task)
            live += client.follow(session_id, after=live[-1]["sequence"])
        return session_id, live, client.history(session_id)


@pytest.mark.requirement("R074", "R075", "R076")
def test_history_is_the_log_without_the_partials(past: tuple[str, Events, Events]) -> None:
    _, live, history = past
    assert history == [event for event in live if event["data"].get("is_partial") is not True]
    assert len(history) < len(live)
    kept = {event["type"] for event in history}
    assert kept == {event["type"] for event in live}
    assert {"thinking", "message", "agent_unparsed", "agent_update", "error", "agent_complete"} <= kept


@pytest.mark.requirement("R077")
@settings(max_examples=10, deadline=None)
@given(limit=st.integers(100, 1000), after=st.integers(0, 1000))
def test_pages_of_any_size_from_any_position_are_the_rest(
    river: Server, past: tuple[str, Events, Events], limit: int, after: int
) -> None:
    session_id, live, history = past
    with river.client() as client:
        found: Events = []
        position = after
        while True:
            query = {"after": position, "limit": limit}
            page = client.get(f"/sessions/{session_id}/events/history", params=query).json()
            found += page["events"]
            assert page["head"] == live[-1]["sequence"]
            if "next_after" not in page:
                break
            assert len(page["events"]) == limit
            assert page["next_after"] == page["events"][-1]["sequence"]
            position = page["next_after"]
    assert found == [event for event in history if event["sequence"] > after]


@pytest.mark.requirement("R077")
def test_a_page_has_500_unless_told_and_the_last_one_says_so(local: Client, past: tuple[str, Events, Events]) -> None:
    session_id, _, history = past
    path = f"/sessions/{session_id}/events/history"
    assert len(history) > 500
    first = local.get(path).json()
    assert first["events"] == history[:500]
    assert first["next_after"] == history[499]["sequence"]
    exactly = local.get(path, params={"limit": len(history)}).json()
    assert exactly["events"] == history
    assert "next_after" not in exactly, "full, and the last one all the same"
    assert local.get(path, params={"after": 10**9}).json()["events"] == []
    one_by_one, after = [], 0
    for _ in range(5):
        page = local.get(path, params={"after": after, "limit": 1}).json()
        one_by_one += page["events"]
        after = page["next_after"]
    assert one_by_one == history[:5]


@pytest.mark.requirement("R078")
def test_the_conversation_from_history_is_the_one_from_the_stream(past: tuple[str, Events, Events]) -> None:
    _, live, history = past
    told = conversation(history)
    assert told == conversation(live)
    assert [run["task"] for run in told] == [
        "Say hello, slow 0.3",
        "garbage stderr 3 tools 30 crash 2",
        "flood 2000 tools 400",
    ]
    assert sum(part["kind"] == "tool" for part in told[2]["parts"]) == 400
    assert "word-2000 " in told[2]["parts"][0]["text"]


@pytest.mark.requirement("R078")
def test_a_text_that_was_cut_off_is_the_same_in_both(local: Client) -> None:
    """Cancelled in the middle of a message: what was seen of it stays."""
    session_id = local.run_task("flood 1000 slow 600")
    local.until(session_id, "message")
    local.post(f"/sessions/{session_id}/cancel")
    live = local.follow(session_id)
    told = conversation(live)
    assert conversation(local.history(session_id)) == told
    assert told[0]["parts"][0]["text"].startswith("word-1 ")
    assert told[0]["end"][0] == "cancelled"


@pytest.mark.requirement("R079")
def test_a_finished_session_needs_only_history(local: Client, past: tuple[str, Events, Events]) -> None:
    session_id, live, history = past
    head = local.get(f"/sessions/{session_id}/events/history").json()["head"]
    assert history[-1]["sequence"] == head == live[-1]["sequence"]
    assert local.get(f"/sessions/{session_id}/events", params={"after": head}).status_code == 204


@pytest.mark.requirement("R080", "R078")
def test_history_and_then_the_stream_from_its_head_is_everything_once(local: Client, river: Server) -> None:
    """At full speed, so that events are committed while a page is being read."""
    session_id = local.run_task("flood 2000 tools 100000 slow 30")
    path = f"/sessions/{session_id}/events/history"
    pages: list[tuple[Events, int]] = []
    local.until(session_id, "tool_start")
    while len({head for _, head in pages}) < 5:  # so they are read while the log grows
        found: Events = []
        after = 0
        while True:
            page = local.get(path, params={"after": after, "limit": 1000}).json()
            found += page["events"]
            assert all(event["sequence"] <= page["head"] for event in page["events"]), "the rest is the stream's"
            if "next_after" not in page:
                break
            after = page["next_after"]
        pages.append((found, page["head"]))
    local.post(f"/sessions/{session_id}/cancel")
    everything = local.follow(session_id)
    finals = [event for event in everything if event["data"].get("is_partial") is not True]
    for found, head in pages:
        assert head < everything[-1]["sequence"]
        assert found == [event for event in finals if event["sequence"] <= head]
    found, head = pages[len(pages) // 2]
    rest = local.follow(session_id, after=head)
    assert conversation(found + rest) == conversation(everything)


@pytest.mark.requirement("R081")
def test_what_a_client_has_seen_is_on_disk(server: Server) -> None:
    """kill -9 in the moment of seeing it."""
    with server.client() as client:
        session_id = client.run_task("tools 3000")
        seen: list[str] = []
        with client.stream(f"/sessions/{session_id}/events") as stream:
            for frame in stream:
                if frame.is_event:
                    seen.append(frame.text)
                    if len(seen) == 700:
                        break
            server.kill()
        assert log_of(server, session_id)[:700] == seen
        server.start()
        with client.stream(f"/sessions/{session_id}/events", after=700) as stream:
            rest = [frame.text for frame in stream if frame.is_event]
        eventually(lambda: client.record(session_id)["status"] == "complete")
        assert seen + rest == log_of(server, session_id)
