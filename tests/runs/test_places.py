"""Who may start at once is known before the first one has taken its place."""

import asyncio

import pytest

from holdfast.sessions.places import Places

pytestmark = pytest.mark.anyio


async def test_one_that_is_on_its_way_counts() -> None:
    places, go = Places(2), asyncio.Event()

    async def launch() -> None:
        await go.wait()
        await places.take()

    launches = [asyncio.ensure_future(launch()) for _ in range(2)]
    places.expect(launches[0])
    assert places.has_room
    places.expect(launches[1])
    assert not places.has_room, "though none has its place yet"
    go.set()
    await asyncio.gather(*launches)
    assert not places.has_room
    places.leave()
    assert places.has_room


async def test_one_that_never_takes_a_place_leaves_none_behind() -> None:
    places = Places(1)
    launch = asyncio.ensure_future(asyncio.sleep(0))
    places.expect(launch)
    assert not places.has_room
    await launch
    await asyncio.sleep(0)
    assert places.has_room


async def test_places_are_given_in_the_order_in_which_they_were_asked_for() -> None:
    places, order = Places(1), list[int]()
    await places.take()

    async def launch(number: int) -> None:
        await places.take()
        order.append(number)
        places.leave()

    launches = [asyncio.ensure_future(launch(number)) for number in range(3)]
    await asyncio.sleep(0)
    assert order == []
    places.leave()
    await asyncio.gather(*launches)
    assert order == [0, 1, 2]
