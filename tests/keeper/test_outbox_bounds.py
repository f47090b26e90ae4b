"""The outbox's memory: with a link a full one holds up the agent; without one the disk takes the rest."""

import itertools

import pytest

from tests.keeper.served import Served
from tests.keeper.values import decoded, tool

pytestmark = pytest.mark.anyio


async def test_with_a_link_a_full_outbox_holds_up_the_agent_until_there_is_room_and_uses_no_disk(tmp_path):
    served = Served(tmp_path, memory_bytes=5_000)
    served.outbox.link(0)
    for number in itertools.count():
        served.outbox.emit(tool(number))
        if served.is_held:
            break
        assert number < 100
    for more in range(number + 1, number + 50):
        served.outbox.emit(tool(more))  # what was read already
    assert len(served.spool) == 0
    await served.batch()
    served.acknowledge()
    assert not served.is_held
    await served.drain()
    assert len(served.log) == number + 50


async def test_without_a_link_a_full_outbox_goes_to_disk_and_the_agent_works_on(tmp_path):
    served = Served(tmp_path, memory_bytes=5_000)
    for number in range(500):
        served.outbox.emit(tool(number))
    assert "hold" not in served.notes
    assert 400 < len(served.spool) < 500
    assert (tmp_path / "spool").exists()
    await served.drain()
    assert [event.tool_id for event in decoded(served.log)] == [str(number) for number in range(500)]
    assert not (tmp_path / "spool").exists()


async def test_a_link_that_breaks_lets_the_agent_go_on(tmp_path):
    served = Served(tmp_path, memory_bytes=2_000)
    served.outbox.link(0)
    for number in range(50):
        served.outbox.emit(tool(number))
    assert served.is_held
    served.outbox.unlink()
    assert not served.is_held
    for number in range(50):
        served.outbox.emit(tool(number))
    assert not served.is_held
    await served.drain()


async def test_what_lies_on_disk_when_the_link_comes_back_holds_up_the_agent_until_it_is_taken(tmp_path):
    served = Served(tmp_path, memory_bytes=5_000)
    for number in range(500):
        served.outbox.emit(tool(number))
    served.outbox.link(0)
    await served.batch()
    served.acknowledge()
    assert len(served.spool) > 0
    for number in range(500, 510):
        served.outbox.emit(tool(number))
    assert served.is_held  # else one that writes faster than the server takes would fill the disk
    while served.is_held:
        await served.batch()
        served.acknowledge()
    assert len(served.spool) == 0
    await served.drain()
    assert [event.tool_id for event in decoded(served.log)] == [str(number) for number in range(510)]


async def test_the_rest_is_read_from_disk_bit_by_bit(tmp_path):
    served = Served(tmp_path, memory_bytes=5_000)
    for number in range(20_000):
        served.outbox.emit(tool(number))
    _, rest = served.outbox.rest()
    for _ in itertools.islice(rest, 100):
        pass
    assert len(served.spool) > 19_800
    assert sum(1 for _ in rest) == 19_900
