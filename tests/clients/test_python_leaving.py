"""How a stream of the Python client is left, read again and shared; and what else comes in one."""

import asyncio
import gc
from collections.abc import Callable
from typing import Any

import pytest

from holdfast.client import (
    Holdfast,
)
from tests.clients.playing import collect, numbers, over, playing, staying, talking
from tests.clients.stage import (
    SECONDS,
    SESSION,
    Exchange,
    end,
    envelope,
    frame,
    frames,
    on_stage,
    place,
)

pytestmark = pytest.mark.anyio


async def test_leaving_the_loop_closes_the_connection() -> None:
    async with talking(staying(place(0, 2), frames(1, 2))) as (stage, session):
        async for event in session.events():
            assert event.sequence == 1
            break
        await stage.until(lambda: stage.connections == 0)


async def test_leaving_the_context_has_closed_the_connection() -> None:
    async with talking(staying(place(0, 2), frames(1, 2))) as (stage, session):
        async with session.events() as events:
            async for _ in events:
                break
        assert events.state == "idle"
        await stage.until(lambda: stage.connections == 0)


async def test_a_stream_that_was_left_goes_on_behind_the_last_event_that_it_handed_out() -> None:
    async with talking(staying(place(0, 3), frames(1, 2, 3)), playing(place(1, 3), frames(2, 3)), over) as (
        stage,
        session,
    ):
        stream = session.events()
        async for _ in stream:
            break
        assert stream.position == 1
        assert [event.sequence async for event in stream] == [2, 3]
        assert stage.positions == [0, 1, 3]


async def test_one_stream_is_not_read_twice_at_a_time() -> None:
    async with talking(staying(place(0, 2), frames(1, 2))) as (_, session):
        stream = session.events()
        async for _ in stream:
            with pytest.raises(RuntimeError, match="being read already"):
                stream.batches()
            break


@pytest.mark.parametrize("leave", [lambda stream, _: stream.aclose(), lambda _, holdfast: holdfast.aclose()])
async def test_a_loop_that_waits_is_ended_from_another_task(leave: Callable[..., Any]) -> None:
    async with on_stage(staying(place(0, 1), frames(1))) as stage, asyncio.timeout(SECONDS):
        holdfast = Holdfast(stage.url, "t")
        stream = holdfast.session(SESSION).events()
        seen: list[int] = []

        came = asyncio.Event()

        async def read() -> None:
            async for event in stream:
                seen.append(event.sequence)
                came.set()

        reading = asyncio.create_task(read())
        await came.wait()
        await leave(stream, holdfast)
        await reading
        assert seen == [1]
        await holdfast.aclose()
        await stage.until(lambda: stage.connections == 0)


async def test_a_stream_may_be_closed_at_any_moment_of_its_beginning() -> None:
    for moment in range(1, 100):
        async with talking(staying(place(0, 1), frames(1))) as (stage, session):
            stream = session.events()
            reading = asyncio.create_task(collect(stream, []))
            for _ in range(moment):
                await asyncio.sleep(0)
            await stream.aclose()
            await reading
            # One on which nothing was asked yet is kept for the next request.
            await stage.until(lambda stage=stage: stage.connections == 0 or not stage.exchanges)


async def test_a_task_that_is_cancelled_leaves_no_connection_behind() -> None:
    async with talking(staying(place(0, 1), frames(1))) as (stage, session):
        reading = asyncio.create_task(numbers(session))
        await stage.until(lambda: stage.connections == 1 and stage.exchanges)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await stage.until(lambda: stage.connections == 0)


async def test_close_ends_a_delay_too() -> None:
    async with talking(lambda exchange: exchange.problem(503, "shutting_down")) as (_, session):
        stream = session.events(on_state=lambda _, info: stream.close() if info.attempt > 4 else None)
        assert [event async for event in stream] == []
        assert stream.state == "idle"


async def test_what_nobody_asks_for_is_not_read() -> None:
    text = "x" * 1_000_000
    sent = 0

    async def flooding(exchange: Exchange) -> None:
        nonlocal sent
        exchange.open()
        await exchange.send(place(0, 60))
        for number in range(1, 61):
            await exchange.send(frame(number, envelope(number, text=text, is_partial=True)))
            sent = number
        await exchange.send(frame(61, end(61)))
        await exchange.finish()

    async with talking(flooding) as (_, session):
        seen = 0
        async for event in session.events():
            seen = event.sequence
            if seen == 1:
                before = -1
                # Until the system's own buffers are full, which take some megabytes.
                while before != sent:
                    before = sent
                    await asyncio.sleep(0.3)
                assert sent < 40, "the client has read ahead"
        assert seen == 61


async def test_batches_have_what_came_together() -> None:
    async with talking(playing(place(0, 4), frames(1, 2, 3), frames(4)), over) as (_, session):
        stream = session.events()
        batches = [[event.sequence for event in batch] async for batch in stream.batches()]
        assert [number for batch in batches for number in batch] == [1, 2, 3, 4]
        assert batches[0][:3] == [1, 2, 3]
        assert stream.position == 4


async def test_the_combined_stream_has_positions_of_its_own_and_begins_with_now() -> None:
    def framed(position: int, sequence: int) -> bytes:
        return frame(position, envelope(sequence, session_id=SESSION))

    async with (
        asyncio.timeout(SECONDS),
        on_stage(
            playing(place(70, 70)),
            playing(place(70, 70), framed(75, 1), framed(75, 1), framed(90, 2)),
            staying(place(90, 91), framed(91, 1)),
        ) as stage,
        Holdfast(stage.url, "t") as holdfast,
    ):
        seen: list[tuple[int, str, int]] = []
        stream = holdfast.events()
        async for event in stream:
            seen.append((event.position, event.session_id, event.sequence))
            if len(seen) == 3:
                break
        assert seen == [(75, SESSION, 1), (90, SESSION, 2), (91, SESSION, 1)]
        assert stage.positions == [None, 70, 90], "a stream that dropped before its first event has missed nothing"
        assert stream.position == 91


async def test_a_newer_servers_events_pass() -> None:
    events = [
        envelope(1, "of_a_later_version", colour="blue"),
        envelope(2, "message", text="Hello", is_partial=True, mood="good"),
        envelope(3, "stalled", waiting_on="the moon", idle_ms=5),
    ]
    wire = b"".join(frame(n, event) for n, event in enumerate(events, 1))
    async with talking(playing(place(0, 3), wire), over) as (_, session):
        unknown, message, stalled = [event async for event in session.events()]
    assert (unknown.type, unknown.data) == ("of_a_later_version", {"colour": "blue"})
    assert message.type == "message"
    assert message.data.text == "Hello"
    assert message.plain()["mood"] == "good"
    assert message.raw == events[1]
    assert stalled.data == {"waiting_on": "the moon", "idle_ms": 5}


async def test_nothing_is_left_for_the_collector_to_complain_about() -> None:
    async with talking(staying(place(0, 2), frames(1, 2))) as (stage, session):
        reading = session.events().batches()
        await anext(reading)
        del reading
        gc.collect()
        await stage.until(lambda: stage.connections == 0)
