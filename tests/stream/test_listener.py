"""A reader of values at a stop: it has everything that was committed before."""

import asyncio

import pytest

from holdfast.log.tail import Block
from holdfast.stream import sse
from holdfast.stream.follow import Streams
from holdfast.stream.listener import Listener
from tests.stream.test_follow import GrowingLog

BODY = b'{"type":"message","data":{"text":"","is_partial":false},"timestamp":"2026-01-01T00:00:00.000Z","sequence":%d}'


class EventLog(GrowingLog):
    """Messages with nothing in them."""

    async def after(self, position: int) -> tuple[list[Block], int]:
        blocks, reached = await super().after(position)
        return [block._replace(payload=_framed(block)) for block in blocks], reached


def _framed(block: Block) -> bytes:
    return b"".join(sse.frame(number, BODY % number) for number in range(block.after + 1, block.last + 1))


@pytest.mark.requirement("R145")
@pytest.mark.parametrize("pause", [0, 3])
@pytest.mark.parametrize("stays", [False, True])
def test_a_stop_lets_it_go_only_when_it_has_what_was_committed_just_before(pause: int, stays: bool) -> None:
    async def play() -> list[int]:
        log, streams = EventLog([pause]), Streams(heartbeat_s=3600)
        log.commit(5)
        heard: list[int] = []

        async def listen() -> None:
            async for batch in Listener(streams, log, 0, stays=stays).batches():
                heard.extend(entry.sequence for entry in batch)

        listening = asyncio.ensure_future(listen())
        for _ in range(30):
            await asyncio.sleep(0)
        log.commit(12)
        streams.close()
        async with asyncio.timeout(10):
            await listening
        return heard

    assert asyncio.run(play()) == list(range(1, 18))
