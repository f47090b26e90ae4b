"""The thread in which the Python client works for programs without an event loop."""

import asyncio
import sys
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from holdfast.client import Event
from holdfast.client.background import Background, Call
from holdfast.client.stream import Reading


@pytest.fixture
def background() -> Iterator[Background]:
    background = Background()
    yield background
    background.close(lambda: asyncio.sleep(0))


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as they can, so that few tries show what else takes many."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("restless")
def test_a_wait_that_was_broken_off_does_not_end_the_next_one(background: Background) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    for _ in range(500):
        calls: SimpleQueue[Call] = SimpleQueue()
        calls.put(interrupt)
        with pytest.raises(KeyboardInterrupt):
            background.wait(lambda: asyncio.sleep(60), calls)
        assert background.wait(lambda: asyncio.sleep(0, "done"), calls) == "done"


def test_ctrl_c_in_the_making_of_a_loop_leaves_nothing_that_complains() -> None:
    # As it is when the signal falls between the loop's memory and its first assignment.
    reading: Reading[Event] = Reading.__new__(Reading)
    with pytest.MonkeyPatch.context() as patch:
        heard: list[object] = []
        patch.setattr(sys, "unraisablehook", heard.append)
        del reading
        assert heard == []
