"""The loop of every reader, by law: whatever happens in whatever order, each reader gets exactly the rest.

The source and the connections are small ones of the test's own, so that a commit can be made to fall into any moment
of a read and a connection can be full or lost at any write; the loop is the real one.
"""

import asyncio
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.log.tail import Block
from holdfast.stream.follow import Streams

NAME = ("session", "one")


class GrowingLog:
    """Numbers instead of events. Some reads answer at once, as from memory; others let the loop go on before."""

    def __init__(self, pauses: list[int]) -> None:
        self.head = 0
        self.is_over = False
        self._pauses = pauses
        self.reads = 0
        self._wakes: list[Callable[[], None]] = []

    async def after(self, position: int) -> tuple[list[Block], int]:
        head = self.head
        if position >= head:
            return [], position
        self.reads += 1
        for _ in range(self._pauses[self.reads % len(self._pauses)]):
            await asyncio.sleep(0)
        reached = min(head, position + 5)
        payload = b"".join(b"<%d>" % number for number in range(position + 1, reached + 1))
        return [Block(position, reached, payload)], reached

    def watch(self, wake: Callable[[], None]) -> Callable[[], None]:
        self._wakes.append(wake)
        return lambda: self._wakes.remove(wake)

    @property
    def watchers(self) -> int:
        return len(self._wakes)

    def commit(self, count: int, *, over: bool = False) -> None:
        self.head += count
        self.is_over = over
        for wake in tuple(self._wakes):
            wake()


class Connection:
    """Takes what is written; says that it is full after so many writes, until it is emptied."""

    def __init__(self, start: int, room: int) -> None:
        self.start = start
        self.is_lost = False
        self._room = self._left = room
        self._emptied = asyncio.Event()
        self._stopped: Callable[[], None] | None = None
        self._raw = b""

    @property
    def is_full(self) -> bool:
        return self._left <= 0

    @property
    def received(self) -> list[int]:
        return [int(number) for number in re.findall(rb"<(\d+)>", self._raw)]

    @property
    def last_frame(self) -> bytes:
        """Of what came in chunks: what is in the last one."""
        return self._raw.removesuffix(b"\r\n").rpartition(b"\r\n")[2]

    @property
    def heartbeats(self) -> int:
        return self._raw.count(b": heartbeat\n\n")

    def write(self, data: bytes) -> None:
        if self.is_lost:
            return
        assert not self.is_full, "it said that it is full: what is written now waits in memory"
        self._raw += data
        self._left -= 1
        if self.is_full:
            self._stop()

    async def drained(self) -> None:
        while self.is_full and not self.is_lost:
            self._emptied.clear()
            await self._emptied.wait()

    def when_stopped(self, call: Callable[[], None] | None) -> None:
        self._stopped = call

    def empty(self) -> None:
        self._left = self._room
        self._emptied.set()

    def lose(self) -> None:
        self.is_lost = True
        self._emptied.set()
        self._stop()

    def _stop(self) -> None:
        if self._stopped is not None:
            self._stopped()


class Play:
    """Readers come, stall, go on and leave while the log grows."""

    def __init__(self, pauses: list[int]) -> None:
        self.log = GrowingLog(pauses)
        self.streams = Streams(heartbeat_s=3600)
        self.connections: list[Connection] = []
        self._following: list[asyncio.Task[None]] = []

    async def step(self, step: tuple[str, int, int]) -> None:
        what, number, more = step
        chosen = self.connections[number % len(self.connections)] if self.connections else None
        if what == "commit":
            self.log.commit(1 + number % 7)
        elif what == "join":
            # Mostly at the head and near it: that is where replay meets live.
            self.join(max(0, self.log.head - number % 4) if number % 3 else number % (self.log.head + 1), 1 + more)
        elif what == "empty" and chosen is not None:
            chosen.empty()
        elif what == "leave" and chosen is not None:
            chosen.lose()
        for _ in range(more):
            await asyncio.sleep(0)

    def join(self, start: int, room: int) -> None:
        connection = Connection(start, room)
        self.connections.append(connection)
        following = self.streams.follow(NAME, self.log, connection, start)
        self._following.append(asyncio.ensure_future(following))

    async def end(self) -> None:
        """The session ends, and everybody reads on."""
        self.log.commit(1, over=True)
        await self.left()

    async def left(self) -> None:
        """Until nobody follows any longer."""
        async with asyncio.timeout(10):
            while not all(task.done() for task in self._following):
                for connection in self.connections:
                    connection.empty()
                await asyncio.sleep(0)
        for task in self._following:
            task.result()


STEP = st.tuples(
    st.sampled_from(["commit", "commit", "commit", "join", "join", "empty", "leave"]),
    st.integers(0, 40),
    st.integers(0, 6),
)


@pytest.mark.requirement("R057", "R059", "R060", "R066", "R068")
@settings(max_examples=300, deadline=None)
@given(steps=st.lists(STEP, max_size=60), pauses=st.lists(st.integers(0, 4), min_size=1, max_size=8))
def test_every_reader_gets_exactly_the_rest_whatever_happens_in_whatever_order(
    steps: list[tuple[str, int, int]], pauses: list[int]
) -> None:
    async def play() -> None:
        play = Play(pauses)
        for step in steps:
            await play.step(step)
        await play.end()
        for connection in play.connections:
            rest = list(range(connection.start + 1, play.log.head + 1))
            if connection.is_lost:
                rest = rest[: len(connection.received)]
            assert connection.received == rest
        assert play.streams.count == 0
        for _ in range(20):
            await asyncio.sleep(0)  # the pump may need a moment to see that nobody is left
        assert play.log.watchers == 0

    asyncio.run(play())


@pytest.mark.requirement("R060")
def test_a_thousand_readers_at_the_head_are_served_by_one_read() -> None:
    async def play() -> None:
        play = Play([0])
        play.log.commit(5)
        for _ in range(1000):
            play.join(5, 1000)
        for _ in range(30):
            await asyncio.sleep(0)
        before = play.log.reads
        play.log.commit(3)
        for _ in range(100):
            await asyncio.sleep(0)
        assert all(connection.received == [6, 7, 8] for connection in play.connections)
        assert play.log.reads - before == 1
        await play.end()

    asyncio.run(play())


class OthersLog(GrowingLog):
    """Other users are so busy that a reader never stands at the head, and nothing of it is the reader's."""

    async def after(self, position: int) -> tuple[list[Block], int]:
        await asyncio.sleep(0)
        return [], position + 1


@pytest.mark.requirement("R061")
def test_a_reader_that_never_comes_to_the_head_hears_the_heartbeat_all_the_same() -> None:
    async def play() -> None:
        connection = Connection(0, 1000)
        following = asyncio.ensure_future(Streams(heartbeat_s=0.01).follow(NAME, OthersLog([0]), connection, 0))
        async with asyncio.timeout(10):
            while connection.heartbeats < 3:  # noqa: ASYNC110 - only the turning of the loop is waited for
                await asyncio.sleep(0)
        connection.lose()
        await following

    asyncio.run(play())


@pytest.mark.requirement("R145")
@pytest.mark.parametrize("pause", [0, 3])
def test_a_stop_lets_readers_go_only_when_they_have_what_was_committed_just_before(pause: int) -> None:
    async def play() -> None:
        play = Play([pause])
        play.log.commit(5)
        for start in (5, 5, 0):
            play.join(start, 1000)
        for _ in range(30):
            await asyncio.sleep(0)
        # In one moment: the pump has not even woken up.
        play.log.commit(12)
        play.streams.close()
        await play.left()
        for connection in play.connections:
            assert connection.received == list(range(connection.start + 1, 18))
            assert connection.last_frame == b'event: stream\ndata: {"closing":"shutdown"}\n\n'

    asyncio.run(play())


@pytest.mark.requirement("R145")
def test_a_reader_that_never_comes_to_the_head_is_not_waited_for_by_a_stop() -> None:
    async def play() -> None:
        connection = Connection(0, 1000)
        streams = Streams(heartbeat_s=3600)
        following = asyncio.ensure_future(streams.follow(NAME, OthersLog([0]), connection, 0))
        await asyncio.sleep(0)
        streams.close()
        async with asyncio.timeout(10):
            await following
        assert connection.last_frame == b'event: stream\ndata: {"closing":"shutdown"}\n\n'

    asyncio.run(play())
