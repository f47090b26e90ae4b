"""The official SDK of Anthropic drives a local agent: messages, tools, confirmations, interrupts, crashes, streams."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anthropic
import pytest

from tests.conftest import TOKEN, Server
from tests.dialects.managed_client import INTERRUPT, frames, is_over, said_by_agent, sdk, text, types, until

# A tool every half second: the first one must come soon, and the last one never.
LONG = "tools 1200 slow 600"
OVER = ("session.status_idle", "session.status_terminated")


@pytest.fixture
def client(shared_server: Server) -> Iterator[anthropic.Anthropic]:
    with sdk(shared_server) as client:
        yield client


def create(client: anthropic.Anthropic, **more: Any) -> str:
    return client.beta.sessions.create(agent="demo", environment_id="local", **more).id


def run(client: anthropic.Anthropic, task: str, session_id: str | None = None) -> list[Any]:
    """One message and all that is told of it."""
    session_id = session_id or create(client)
    with client.beta.sessions.events.stream(session_id) as stream:
        client.beta.sessions.events.send(session_id, events=[text(task)])
        return until(stream)


def all_of(client: anthropic.Anthropic, session_id: str, **more: Any) -> list[Any]:
    return list(client.beta.sessions.events.list(session_id, **more))


def test_a_session_is_made_streamed_and_sent_to_and_tells_all_of_its_run(client: anthropic.Anthropic) -> None:
    session_id = create(client)
    with client.beta.sessions.events.stream(session_id) as stream:
        sent = client.beta.sessions.events.send(session_id, events=[text("List what is here, slow 0.1")])
        seen = until(stream)
    assert types(seen)[:2] == ["user.message", "session.status_running"]
    assert sent.data is not None
    assert seen[0].id == sent.data[0].id
    assert {"agent.thinking", "agent.message", "agent.tool_use", "agent.tool_result"} <= set(types(seen))
    uses = {event.id for event in seen if event.type == "agent.tool_use"}
    assert {event.tool_use_id for event in seen if event.type == "agent.tool_result"} == uses
    assert seen[-1].stop_reason.type == "end_turn"
    assert client.beta.sessions.retrieve(session_id).status == "idle"
    assert [event.to_dict() for event in all_of(client, session_id)] == [event.to_dict() for event in seen]


def test_a_second_message_goes_on_with_the_session(client: anthropic.Anthropic) -> None:
    session_id = create(client)
    first = run(client, "Say hello, slow 0.1", session_id)
    second = run(client, "Say it again, slow 0.1", session_id)
    assert second[0].content[0].text == "Say it again, slow 0.1", (
        "a stream without a place begins with what happens now"
    )
    assert types(all_of(client, session_id)) == types([*first, *second])


@pytest.mark.anyio
async def test_the_async_client_sees_the_same(shared_server: Server) -> None:
    async with anthropic.AsyncAnthropic(base_url=shared_server.url, api_key=TOKEN, timeout=30) as client:
        session = await client.beta.sessions.create(agent="demo", environment_id="local")
        seen = []
        async with await client.beta.sessions.events.stream(session.id, event_deltas=["agent.message"]) as stream:
            await client.beta.sessions.events.send(session.id, events=[text("Say hello, slow 0.1")])
            async for event in stream:
                seen.append(event)
                if is_over(event):
                    break
        listed = [event async for event in client.beta.sessions.events.list(session.id)]
    previews = [event for event in seen if event.type in ("event_start", "event_delta")]
    assert {"event_start", "event_delta"} == set(types(previews))
    assert [event.to_dict() for event in seen if event not in previews] == [event.to_dict() for event in listed]
    final = next(event for event in seen if event.type == "agent.message")
    pieces = [event.delta.content.text for event in seen if event.type == "event_delta" and event.event_id == final.id]
    assert "".join(pieces) == final.content[0].text


@pytest.mark.parametrize(("result", "is_error"), [("allow", False), ("deny", True)])
def test_a_tool_waits_for_its_confirmation(client: anthropic.Anthropic, result: str, is_error: bool) -> None:
    session_id = create(client)
    events = client.beta.sessions.events
    with events.stream(session_id) as stream:
        events.send(session_id, events=[text("ask")])
        asked = until(stream, lambda event: event.type == "session.status_idle")
        [wanted] = asked[-1].stop_reason.event_ids
        use = asked[-2]
        assert (use.type, use.id, use.evaluated_permission) == ("agent.tool_use", wanted, "ask")
        assert client.beta.sessions.retrieve(session_id).status == "idle"
        confirmation: Any = {"type": "user.tool_confirmation", "tool_use_id": wanted, "result": result}
        if is_error:
            confirmation["deny_message"] = "Not in my folder"
        sent = events.send(session_id, events=[confirmation])
        rest = until(stream)
    assert types(rest)[:2] == ["user.tool_confirmation", "session.status_running"]
    assert sent.data is not None
    assert (rest[0].id, rest[0].result) == (sent.data[0].id, result)
    done = next(event for event in rest if event.type == "agent.tool_result")
    assert (done.tool_use_id, done.is_error) == (wanted, is_error)
    uses = [event for event in all_of(client, session_id) if event.type == "agent.tool_use"]
    assert [(event.id, event.evaluated_permission) for event in uses] == [(wanted, "ask")], "once, as it was told last"
    with pytest.raises(anthropic.ConflictError) as refused:
        events.send(session_id, events=[confirmation])
    assert refused.value.error_code == "already_answered"


def test_an_event_that_waits_for_nothing_cannot_be_confirmed(client: anthropic.Anthropic) -> None:
    session_id = create(client)
    wrong: Any = {"type": "user.tool_confirmation", "tool_use_id": "sevt_no", "result": "allow"}
    with pytest.raises(anthropic.NotFoundError, match="sevt_no"):
        client.beta.sessions.events.send(session_id, events=[wrong])
    result: Any = {"type": "user.custom_tool_result", "custom_tool_use_id": "sevt_no", "content": []}
    with pytest.raises(anthropic.BadRequestError, match="agents run all other tools themselves"):
        client.beta.sessions.events.send(session_id, events=[result])


def test_an_interrupt_ends_the_run_and_another_one_changes_nothing(client: anthropic.Anthropic) -> None:
    session_id = create(client)
    with client.beta.sessions.events.stream(session_id) as stream:
        client.beta.sessions.events.send(session_id, events=[text(LONG)])
        until(stream, lambda event: event.type == "agent.tool_use")
        assert client.beta.sessions.retrieve(session_id).status == "running"
        sent = client.beta.sessions.events.send(session_id, events=[INTERRUPT])
        rest = until(stream)
    assert types(rest)[-2:] == ["user.interrupt", "session.status_idle"]
    assert sent.data is not None
    assert sent.data[0].id == rest[-2].id
    client.beta.sessions.events.send(session_id, events=[INTERRUPT])
    assert types(all_of(client, session_id)).count("user.interrupt") == 1


@pytest.mark.parametrize("when", ["at once", "at work"])
def test_an_interrupt_and_a_message_redirect_the_agent(client: anthropic.Anthropic, when: str) -> None:
    session_id = create(client)
    with client.beta.sessions.events.stream(session_id) as stream:
        client.beta.sessions.events.send(session_id, events=[text(LONG)])
        if when == "at work":
            until(stream, lambda event: event.type == "agent.tool_use")
        client.beta.sessions.events.send(session_id, events=[INTERRUPT, text("Say hello, slow 0.1")])
        until(stream, lambda event: event.type == "user.interrupt")
        assert is_over(next(stream))
        seen = until(stream)
    assert seen[0].content[0].text == "Say hello, slow 0.1"
    assert seen[-1].stop_reason.type == "end_turn"
    assert said_by_agent(seen)


def test_a_message_while_a_run_is_under_way_is_refused_at_once(client: anthropic.Anthropic) -> None:
    session_id = create(client, initial_events=[text(LONG)])
    raw = client.with_options(max_retries=0).beta.sessions
    with pytest.raises(anthropic.ConflictError) as refused:
        client.beta.sessions.events.send(session_id, events=[text("More")])
    assert refused.value.error_code == "session_busy"
    assert refused.value.response.headers["x-should-retry"] == "false"
    assert refused.value.response.request.headers["x-stainless-retry-count"] == "0", "it was not tried again"
    for command in (raw.archive, raw.delete):
        with pytest.raises(anthropic.ConflictError, match=r"user\.interrupt"):
            command(session_id)
    client.beta.sessions.events.send(session_id, events=[INTERRUPT])


def test_a_crash_tells_why(client: anthropic.Anthropic) -> None:
    seen = run(client, "stderr 3 crash 7")
    error = next(event for event in seen if event.type == "session.error").error
    assert (error.type, error.retry_status.type) == ("unknown_error", "exhausted")
    first, *stderr = error.message.split("\n")
    assert "7" in first
    assert stderr
    assert seen[-1].stop_reason.type == "retries_exhausted"


def test_lists_of_events_are_filtered_turned_round_and_paged(client: anthropic.Anthropic) -> None:
    session_id = create(client)
    run(client, "tools 5", session_id)
    whole = [event.id for event in all_of(client, session_id)]
    assert len(whole) > 12
    assert [event.id for event in all_of(client, session_id, limit=3)] == whole
    assert [event.id for event in all_of(client, session_id, limit=4, order="desc")] == whole[::-1]
    results = all_of(client, session_id, types=["agent.tool_result", "user.message"], limit=2)
    assert types(results) == ["user.message", *["agent.tool_result"] * 5]
    middle = all_of(client, session_id)[6].processed_at
    early = all_of(client, session_id, created_at_lt=middle)
    late = all_of(client, session_id, created_at_gte=middle)
    assert [event.id for event in (*early, *late)] == whole
    assert early
    assert late


def test_from_each_place_exactly_the_rest_comes(shared_server: Server, client: anthropic.Anthropic) -> None:
    session_id = create(client)
    run(client, "tools 2", session_id)
    whole: list[tuple[str, str]] = []
    for id_, data in frames(shared_server, session_id, last="0"):
        whole.append((id_, data))
        if json.loads(data)["type"] == "session.status_idle":
            break
    assert len(whole) == len(all_of(client, session_id))
    for at, (id_, data) in enumerate(whole[:-1]):
        for last in (id_, json.loads(data)["id"]):
            rest = frames(shared_server, session_id, last=last)
            assert [next(rest) for _ in whole[at + 1 :]] == whole[at + 1 :]
            rest.close()


def test_a_stream_of_the_sdk_takes_a_place_too(client: anthropic.Anthropic) -> None:
    session_id = create(client)
    seen = run(client, "Say hello, slow 0.1", session_id)
    events = client.beta.sessions.events
    with events.stream(session_id, extra_headers={"Last-Event-ID": seen[1].id}) as stream:
        assert [event.id for event in until(stream)] == [event.id for event in seen[2:]]
    with events.stream(session_id, extra_query={"after": "0"}) as stream:
        assert [event.id for event in until(stream)] == [event.id for event in seen]


def test_a_message_with_a_key_is_sent_once(client: anthropic.Anthropic) -> None:
    session_id = create(client)
    key = {"Idempotency-Key": f"once-{session_id}"}
    events = [INTERRUPT, text("Say hello, slow 0.1")]
    with client.beta.sessions.events.stream(session_id) as stream:
        first = client.beta.sessions.events.send(session_id, events=events, extra_headers=key)
        until(stream)
    again = client.beta.sessions.events.send(session_id, events=events, extra_headers=key)
    assert again == first
    assert types(all_of(client, session_id)).count("user.message") == 1
    make: dict[str, Any] = {
        "agent": "demo",
        "environment_id": "local",
        "extra_headers": {"Idempotency-Key": session_id},
    }
    assert client.beta.sessions.create(**make).id == client.beta.sessions.create(**make).id


def test_files_come_with_a_message(client: anthropic.Anthropic, tmp_path: Path) -> None:
    session_id = create(client, metadata={"holdfast.workspace": str(tmp_path)})
    note: Any = {
        "type": "document",
        "title": "note.txt",
        "source": {"type": "text", "data": "x", "media_type": "text/plain"},
    }
    with client.beta.sessions.events.stream(session_id) as stream:
        message = text("Say hello, slow 0.1")
        message["content"].append(note)
        client.beta.sessions.events.send(session_id, events=[message])
        seen = until(stream)
    assert [block.text for block in seen[0].content] == ["Say hello, slow 0.1", "[note.txt: text/plain, 1 bytes]"]
    assert client.beta.sessions.retrieve(session_id).metadata["holdfast.workspace"] == str(tmp_path)
