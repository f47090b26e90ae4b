"""The Python client's streams: each event once and in order, whatever the other side does."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.client import (
    ForbiddenOrigin,
    Holdfast,
    HoldfastError,
    NotFound,
    Notice,
    Refused,
    StreamInfo,
    StreamLost,
    StreamState,
    Unauthorized,
    Unreachable,
    WrongHost,
)
from tests.clients.playing import collect, numbers, over, playing, staying, talking
from tests.clients.stage import (
    SESSION,
    Exchange,
    end,
    envelope,
    frame,
    frames,
    notice,
    place,
)

pytestmark = pytest.mark.anyio


@settings(max_examples=30)
@given(
    cuts=st.lists(st.integers(min_value=0, max_value=900), max_size=6),
    after=st.integers(min_value=0, max_value=6),
    is_chopped=st.booleans(),
)
def test_wherever_the_connection_breaks_what_is_read_is_the_log_after_the_position(
    cuts: list[int], after: int, *, is_chopped: bool
) -> None:
    log = [envelope(n) for n in range(1, 6)] + [end(6)]
    left = list(cuts)

    async def play(exchange: Exchange) -> None:
        position = exchange.after or 0
        if position >= len(log):
            return await exchange.nothing_more()
        wire = place(position, len(log)) + b"".join(frame(n, log[n - 1]) for n in range(position + 1, len(log) + 1))
        budget = left.pop(0) if left else None
        exchange.open()
        sent = wire[:budget]
        for piece in [sent[i : i + 7] for i in range(0, len(sent), 7)] if is_chopped else [sent]:
            if piece:
                await exchange.send(piece)
        if budget is None or budget > len(wire):
            await exchange.finish()
        else:
            exchange.cut()
        return None

    async def read() -> list[bytes]:
        async with talking(play) as (_, session):
            return [event.raw async for event in session.events(after)]

    assert asyncio.run(read()) == log[after:]


async def test_what_comes_again_is_passed_over() -> None:
    async with talking(playing(place(0, 3), frames(1, 2), frames(1, 2, 3)), over) as (stage, session):
        assert await numbers(session) == [1, 2, 3]
        assert stage.positions == [0, 3]


async def test_a_hole_that_nothing_explains_makes_it_ask_again() -> None:
    async with talking(playing(place(0, 5), frames(1, 2, 4, 5)), playing(place(2, 5), frames(3, 4, 5)), over) as (
        stage,
        session,
    ):
        assert await numbers(session) == [1, 2, 3, 4, 5]
        assert stage.positions == [0, 2, 5]


async def test_a_hole_that_stays_is_given_up_with_the_position_before_it() -> None:
    async with talking(playing(place(0, 3), frame(1, envelope(1)), frames(3))) as (stage, session):
        seen: list[int] = []
        with pytest.raises(StreamLost, match="gave up") as lost:
            await collect(session.events(give_up_after=0.3), seen)
        assert seen == [1]
        assert lost.value.position == 1
        assert isinstance(lost.value, Unreachable)
        assert set(stage.positions) == {0, 1}


async def test_a_gap_explains_what_is_missing_up_to_the_head_and_not_beyond() -> None:
    told: list[Notice] = []
    async with talking(
        playing(place(2, 9, "gap"), frames(5, 9, 10, 12)), playing(place(10, 12), frames(11, 12)), over
    ) as (stage, session):
        assert await numbers(session, after=2, on_notice=told.append) == [5, 9, 10, 11, 12]
        assert stage.positions == [2, 10, 12]
    assert [(heard.resume, heard.head) for heard in told] == [("gap", 9), ("ok", 12)]


async def test_without_partials_numbers_may_be_missing() -> None:
    async with talking(playing(place(0, 9), frames(2, 7, 9)), over) as (stage, session):
        assert await numbers(session, partials=False) == [2, 7, 9]
        assert stage.exchanges[0].path.endswith("/events?partials=false")


async def test_a_log_that_is_another_one_is_told_and_comes_from_its_beginning() -> None:
    told: list[str | None] = []
    async with talking(playing(place(0, 2, "reset"), frames(1, 2)), over) as (stage, session):
        stream = session.events(after=40, on_notice=lambda heard: told.append(heard.resume))
        assert [event.sequence async for event in stream] == [1, 2]
        assert (stage.positions, told, stream.position) == ([40, 2], ["reset"], 2)


async def test_204_is_the_end() -> None:
    states: list[str] = []
    async with talking(over) as (stage, session):
        assert await numbers(session, after=7, on_state=lambda state, _: states.append(state)) == []
        assert stage.positions == [7]
    assert states == ["starting", "done"]


async def test_the_proper_end_of_the_stream_behind_a_terminal_event_is_the_end_without_another_question() -> None:
    async with talking(playing(place(0, 2), frames(1), frame(2, end(2)), is_finished=True)) as (stage, session):
        assert await numbers(session) == [1, 2]
        assert stage.positions == [0]


async def test_an_end_that_the_server_has_not_marked_is_asked_again() -> None:
    async def play(exchange: Exchange) -> None:
        exchange.open(is_chunked=False)
        exchange.writer.write(place(0, 9) + frame(1, end(1)))
        await exchange.writer.drain()
        exchange.cut()

    async with talking(play, playing(place(1, 2), frame(2, end(2)), is_finished=True)) as (stage, session):
        assert await numbers(session) == [1, 2]
        assert stage.positions == [0, 1]


async def test_a_server_that_stops_has_not_ended_the_session() -> None:
    stopping = playing(place(0, 1), frame(1, end(1)), notice(closing="shutdown"), is_finished=True)
    told: list[str | None] = []
    async with talking(stopping, playing(place(1, 2), frame(2, end(2)), is_finished=True)) as (stage, session):
        assert await numbers(session, on_notice=lambda heard: told.append(heard.closing)) == [1, 2]
        assert stage.positions == [0, 1]
    assert told == [None, "shutdown", None]


async def test_the_end_of_a_run_that_others_follow_is_not_the_end() -> None:
    first = playing(place(0, 3), frames(1), frame(2, end(2)), frame(3, envelope(3, "user_message", text="more")))
    async with talking(first, playing(place(3, 4), frame(4, end(4)), is_finished=True)) as (stage, session):
        assert await numbers(session) == [1, 2, 3, 4]
        assert stage.positions == [0, 3]


async def test_a_connection_from_which_nothing_is_heard_is_dropped() -> None:
    async def play(exchange: Exchange) -> None:
        # On a busy machine either of them may have been quiet for too long before it is read, and is asked for again.
        await (over if exchange.after else staying(place(0, 1), frames(1)))(exchange)

    async with talking(play) as (stage, session):
        assert await numbers(session, quiet_s=0.2) == [1]
        assert stage.positions == sorted(stage.positions)
        assert set(stage.positions) == {0, 1}
        await stage.until(lambda: stage.connections == 1)


async def test_a_breath_counts_as_heard() -> None:
    async def breathing(exchange: Exchange) -> None:
        exchange.open()
        await exchange.send(place(0, 1), frames(1))
        # Together they take longer than may be quiet; a machine that is busy for seconds between two of them does not.
        for _ in range(8):
            await asyncio.sleep(0.4)
            await exchange.send(b": heartbeat\n\n")
        await exchange.send(frame(2, end(2)))
        await exchange.finish()

    async with talking(breathing) as (stage, session):
        assert await numbers(session, quiet_s=3) == [1, 2]
        assert stage.positions == [0]


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (401, "unauthorized", Unauthorized),
        (403, "forbidden_origin", ForbiddenOrigin),
        (404, "not_found", NotFound),
        (421, "wrong_host", WrongHost),
        (418, "of_a_later_version", Refused),
    ],
)
async def test_a_refusal_is_raised_at_once(status: int, code: str, kind: type[HoldfastError]) -> None:
    states: list[str] = []
    async with talking(lambda exchange: exchange.problem(status, code)) as (stage, session):
        with pytest.raises(kind) as refused:
            await numbers(session, on_state=lambda state, _: states.append(state))
        assert isinstance(refused.value, Refused)
        assert (refused.value.code, refused.value.status, refused.value.title) == (code, status, code)
        assert refused.value.detail.startswith(f"It is {code}")
        assert len(stage.exchanges) == 1
    assert states == ["starting", "error"]


@pytest.mark.parametrize("status", [429, 502, 503])
async def test_not_now_is_asked_again(status: int) -> None:
    told: list[tuple[StreamState, StreamInfo]] = []
    async with talking(
        lambda exchange: exchange.problem(status, "shutting_down"),
        lambda exchange: exchange.answer(status, b"<html>", "text/html"),
        over,
    ) as (stage, session):
        assert await numbers(session, on_state=lambda *what: told.append(what)) == []
        assert len(stage.exchanges) == 3
    assert [state for state, _ in told] == ["starting", "reconnecting", "reconnecting", "done"]
    assert [info.attempt for _, info in told] == [0, 1, 2, 0]
    assert [info.delay_s for _, info in told][:3] == [0.0, 0.0, 0.1]


async def test_what_is_no_stream_is_no_server_of_ours() -> None:
    async with talking(lambda exchange: exchange.answer(200, b"<html>", "text/html")) as (_, session):
        with pytest.raises(Refused, match="does not answer like a Holdfast server") as refused:
            await numbers(session)
        assert refused.value.code == "foreign"


async def test_what_cannot_be_read_is_asked_for_again_behind_what_could_until_it_may_give_up() -> None:
    async with talking(playing(place(0, 2), frames(1) + b"id: 2\ndata: {nonsense\n\n")) as (_, session):
        seen: list[int] = []
        with pytest.raises(StreamLost) as lost:
            await collect(session.events(give_up_after=0.5), seen)
        assert (seen, lost.value.position) == ([1], 1)
        assert isinstance(lost.value.__cause__, Refused)


async def test_a_page_in_the_place_of_a_server_that_was_there_is_a_drop() -> None:
    async def page(exchange: Exchange) -> None:
        await exchange.answer(200, b"<html>", "text/html")

    first, last = playing(place(0, 2), frames(1)), playing(place(1, 2), frame(2, end(2)), is_finished=True)
    async with talking(first, page, last) as (_, session):
        told: list[StreamInfo] = []
        assert await numbers(session, on_state=lambda _, info: told.append(info)) == [1, 2]
        assert "foreign" in [getattr(info.error, "code", None) for info in told]


async def test_where_nobody_listens_it_tries_until_it_may_give_up(nobody: str) -> None:
    async with Holdfast(nobody, "t") as holdfast:
        with pytest.raises(StreamLost, match="gave up") as lost:
            await numbers(holdfast.session(SESSION), after=3, give_up_after=0.2)
        assert lost.value.position == 3
