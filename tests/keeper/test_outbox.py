"""The outbox: nothing is lost, nothing comes twice, order is kept, and a flood costs little."""

import asyncio
import tempfile
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.events import Message, Thinking
from tests.keeper import hasty
from tests.keeper.served import Served
from tests.keeper.values import decoded, delta, events, joined, tool

pytestmark = pytest.mark.anyio


@pytest.fixture
def served(tmp_path):
    return Served(tmp_path)


ACTIONS = st.sampled_from(["link", "unlink", "batch", "commit", "acknowledge"])


@pytest.mark.requirement("R023")
@settings(deadline=None, max_examples=300)
@given(st.lists(events | ACTIONS, max_size=60), st.integers(300, 2000))
def test_what_the_server_has_in_the_end_is_what_was_emitted_whatever_happened_between(actions, memory_bytes):
    async def play(folder):
        served = Served(folder, memory_bytes=memory_bytes)
        emitted = []
        linked = False
        for action in actions:
            if not isinstance(action, str):
                served.outbox.emit(action)
                emitted.append(action)
            elif action == "link":
                served.outbox.link(len(served.log))
                linked = True
            elif action == "unlink":
                served.outbox.unlink()
                served.sent = None  # on its way when the link broke
                linked = False
            elif linked and action == "batch":
                await served.batch()
            elif linked and action == "commit":
                served.commit()  # and the link breaks before it is told, or not
            elif linked:
                served.acknowledge()
            assert linked or not served.is_held
        await served.drain()
        assert joined(decoded(served.log)) == joined(emitted)
        assert len(served.log) <= len(emitted)
        assert not served.is_held

    with tempfile.TemporaryDirectory() as folder:
        hasty.run(play(folder))


@settings(deadline=None, max_examples=100)
@given(st.lists(events, max_size=40), st.integers(0, 30), st.booleans())
def test_what_was_never_acknowledged_is_the_rest_and_nothing_else(row, count, is_linked):
    async def play(folder):
        served = Served(folder, memory_bytes=600)
        if is_linked:
            served.outbox.link(0)
        for event in row[:count]:
            served.outbox.emit(event)
        served.outbox.link(0)
        await served.batch()
        served.acknowledge()
        served.outbox.unlink()
        for event in row[count:]:
            served.outbox.emit(event)
        first, rest = served.outbox.rest()
        assert first == len(served.log) + 1
        assert joined(decoded([*served.log, *rest])) == joined(row)

    with tempfile.TemporaryDirectory() as folder:
        hasty.run(play(folder))


async def test_the_first_text_after_a_lull_goes_at_once_and_the_next_one_waits_a_moment(served):
    served.outbox.link(0)
    served.outbox.emit(delta("a"))
    began = time.monotonic()
    await served.batch()
    assert [event.text for event in decoded(served.sent[1])] == ["a"]
    served.acknowledge()
    for piece in "bcd":
        served.outbox.emit(delta(piece))
    await served.batch()
    assert time.monotonic() - began >= 0.014
    assert [event.text for event in decoded(served.sent[1])] == ["bcd"]


def at_once(coroutine):
    """What it answers without having waited for anything."""
    try:
        waits_for = coroutine.send(None)
    except StopIteration as answered:
        return answered.value
    coroutine.close()
    pytest.fail(f"it waits for {waits_for}")


async def test_an_event_that_is_no_text_waits_for_nothing_and_brings_the_text_before_it(served):
    served.outbox.link(0)
    for round_ in range(20):
        served.outbox.emit(delta("x"))
        await served.batch()
        served.acknowledge()
        served.outbox.emit(delta("x"))
        served.outbox.emit(tool(round_))
        served.sent = at_once(served.outbox.batch())
        assert len(served.sent[1]) == 2
        served.acknowledge()


async def flood(served, pieces, *, each=10):
    """Emits deltas while a server takes them; answers how many events they became."""
    served.outbox.link(0)

    async def emit():
        for number, piece in enumerate(pieces):
            served.outbox.emit(delta(piece))
            if number % each == 0:
                await asyncio.sleep(0)
        served.outbox.close()

    emitting = asyncio.ensure_future(emit())
    while not served.outbox.is_done:
        await served.batch()
        served.acknowledge()
        await asyncio.sleep(0)
    await emitting
    return len(served.log)


async def test_a_flood_of_deltas_costs_few_events_and_its_text_is_whole(served):
    pieces = [f"word-{number} " for number in range(5000)]
    count = await flood(served, pieces)
    assert "".join(event.text for event in decoded(served.log)) == "".join(pieces)
    assert count < 250
    assert all(event.is_partial for event in decoded(served.log))


async def test_deltas_that_nobody_takes_gather_in_pieces_of_bounded_size(served):
    for number in range(50_000):
        served.outbox.emit(delta(f"{number:09d} "))
    await served.drain()
    sizes = [len(event.text) for event in decoded(served.log)]
    assert sum(sizes) == 500_000
    assert max(sizes) < 20_000
    assert len(sizes) < 50


async def test_texts_of_another_kind_or_another_parent_are_not_joined(served):
    row = [
        delta("a"),
        Thinking(text="b", is_partial=True),
        delta("c"),
        Message(text="d", is_partial=True, parent_id="p"),
        Message(text="e", is_partial=True, parent_id="q"),
        Message(text="f", full_text="f", is_partial=False),
        delta("g"),
    ]
    for event in row:
        served.outbox.emit(event)
    await served.drain()
    assert decoded(served.log) == row


async def test_a_joined_text_has_the_time_of_its_first_piece_and_the_rest_their_own(served):
    for event, at_ms in ((delta("a"), 10), (delta("b"), 20), (tool(1), 30)):
        served.clock = at_ms
        served.outbox.emit(event)
    served.clock = 99
    await served.drain()
    assert [entry.at_ms for entry in served.log] == [10, 30]
    assert [entry.partial for entry in served.log] == [True, False]


async def test_a_batch_is_bounded_in_bytes_but_one_event_always_fits(served):
    for size in (10, 400_000, 400_000, 900_000, 10):
        served.outbox.emit(Message(text="x" * size, is_partial=False))
    served.outbox.link(0)
    sizes = []
    while len(served.log) < 5:
        await served.batch()
        sizes.append(len(served.sent[1]))
        served.acknowledge()
    assert sizes == [2, 1, 1, 1]


async def test_a_closed_outbox_is_done_when_all_is_acknowledged_and_not_before(served):
    served.outbox.link(0)
    served.outbox.emit(tool(1))
    served.outbox.close()
    assert not served.outbox.is_done
    await served.batch()
    assert not served.outbox.is_done
    served.acknowledge()
    assert served.outbox.is_done
    assert await served.outbox.batch() == (0, [])


async def test_an_acknowledgement_of_what_was_acknowledged_before_changes_nothing(served):
    served.outbox.link(0)
    for number in range(3):
        served.outbox.emit(tool(number))
    await served.batch()
    served.acknowledge()
    served.outbox.acknowledge(1)
    served.outbox.acknowledge(0)
    served.outbox.emit(tool(3))
    await served.batch()
    assert served.sent[0] == 4
    assert decoded(served.sent[1]) == [tool(3)]
    served.acknowledge()
    await served.drain()
