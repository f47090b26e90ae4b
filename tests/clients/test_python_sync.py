"""The Python client without an event loop: the same, one thread further."""

import asyncio
import gc
import inspect
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from holdfast import client
from holdfast.client import NotFound, Refused, StreamLost
from holdfast.client.sync import EventStream, Holdfast, Session
from tests.clients.stage import SECONDS, SESSION, Exchange, Script, Stage, end, frame, frames, on_stage, place
from tests.conftest import TOKEN, Server
from tests.processes import eventually, state_of


@pytest.fixture
def holdfast(shared_server: Server) -> Iterator[Holdfast]:
    with Holdfast(shared_server.url, TOKEN) as holdfast:
        yield holdfast


class Theatre:
    """A stage in a thread of its own."""

    def __init__(self, stage: Stage, loop: asyncio.AbstractEventLoop) -> None:
        self.url = stage.url
        self._stage = stage
        self._loop = loop

    def until(self, condition: Callable[[Stage], object]) -> None:
        waiting = asyncio.run_coroutine_threadsafe(self._stage.until(lambda: condition(self._stage)), self._loop)
        waiting.result(SECONDS)


@contextmanager
def theatre(*scripts: Script) -> Iterator[Theatre]:
    opened: list[Theatre] = []
    is_open, is_over = threading.Event(), asyncio.Event()

    async def main() -> None:
        async with on_stage(*scripts) as stage:
            opened.append(Theatre(stage, asyncio.get_running_loop()))
            is_open.set()
            await is_over.wait()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    assert is_open.wait(SECONDS)
    try:
        yield opened[0]
    finally:
        opened[0]._loop.call_soon_threadsafe(is_over.set)
        thread.join(SECONDS)


async def staying(exchange: Exchange) -> None:
    exchange.open()
    await exchange.send(place(0, 3), frames(1, 2, 3))
    await asyncio.sleep(SECONDS)


def test_a_run_is_started_followed_and_its_end_is_told(holdfast: Holdfast) -> None:
    session = holdfast.run("tools 3", agent="demo")
    assert isinstance(session, Session)
    events = list(session.events())
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert session.end().stop_reason == "success"
    assert session.record().head == len(events)
    assert [event for page in session.all_history() for event in page.events][-1] == events[-1]
    assert session.id in [record.session_id for record in holdfast.all_sessions()]
    assert holdfast.find(session.id[:13]).id == session.id
    assert [list(map(type, batch)) for batch in session.events(len(events) - 1).batches()] == [[client.Envelope]]


def test_refusals_are_raised_where_one_asks(holdfast: Holdfast) -> None:
    with pytest.raises(NotFound):
        holdfast.session("nobody's").record()
    with pytest.raises(NotFound):
        next(iter(holdfast.session("nobody's").events()))
    with pytest.raises(Refused, match="not known here"):
        holdfast.request("GET", "/sessions", query={"colour": "blue"})


def test_it_has_what_the_asynchronous_one_has() -> None:
    for ours, theirs in ((Holdfast, client.Holdfast), (Session, client.Session), (EventStream, client.EventStream)):
        public = {name for name in vars(theirs) if not name.startswith("_")} - {"went_to", "is_closed"}
        # An instance's own: no attribute of the class.
        public |= {"id"} if theirs is client.Session else set()
        assert {name.replace("aclose", "close") for name in public} <= set(dir(ours))
    for method in ("events", "__init__"):
        for ours, theirs in ((Holdfast, client.Holdfast), (Session, client.Session)):
            if method in vars(ours):
                mine, other = (inspect.signature(getattr(kind, method)).parameters for kind in (ours, theirs))
                assert [(p.name, p.kind, p.default) for p in mine.values()] == [
                    (p.name, p.kind, p.default) for p in other.values()
                ]


def test_leaving_the_loop_closes_the_connection_and_it_can_be_read_on() -> None:
    with theatre(staying) as stage, Holdfast(stage.url, "t") as holdfast:
        stream = holdfast.session(SESSION).events()
        for event in stream:
            assert event.sequence == 1
            break
        stage.until(lambda stage: stage.connections == 0)
        assert (stream.position, stream.state) == (1, "idle")
        for event in stream:
            assert event.sequence == 2
            break
        stage.until(lambda stage: stage.positions == [0, 1] and stage.connections == 0)


def test_another_thread_can_end_a_loop_that_waits() -> None:
    with theatre(staying) as stage, Holdfast(stage.url, "t") as holdfast:
        stream = holdfast.session(SESSION).events()
        seen: list[int] = []
        came = threading.Event()

        def read() -> None:
            for event in stream:
                seen.append(event.sequence)
                if event.sequence == 3:
                    came.set()

        thread = threading.Thread(target=read)
        thread.start()
        assert came.wait(SECONDS)
        stream.close()
        thread.join(SECONDS)
        assert (seen, thread.is_alive()) == ([1, 2, 3], False)
        stage.until(lambda stage: stage.connections == 0)


def test_listeners_are_called_in_the_thread_that_reads_and_may_ask_too() -> None:
    async def play(exchange: Exchange) -> None:
        if exchange.path.endswith("/health"):
            await exchange.answer(200, {"status": "ok", "version": "1"})
        elif exchange.after:
            await exchange.nothing_more()
        else:
            exchange.open()
            await exchange.send(place(0, 1), frame(1, end(1)))
            exchange.cut()

    told: list[tuple[str, int, str]] = []
    with theatre(play) as stage, Holdfast(stage.url, "t") as holdfast:

        def on_state(state: str, _: object) -> None:
            told.append((state, threading.get_ident(), holdfast.health().version))

        assert [event.sequence for event in holdfast.session(SESSION).events(on_state=on_state)] == [1]
    me = threading.get_ident()
    assert told == [(state, me, "1") for state in ("starting", "streaming", "reconnecting", "done")]


def test_a_lost_stream_is_told_with_its_position() -> None:
    with theatre(staying) as stage:
        holdfast = Holdfast(stage.url, "t")
        batches = holdfast.session(SESSION).events(give_up_after=0.2).batches()
        assert len(next(batches)) == 3
    with pytest.raises(StreamLost) as lost:
        next(batches)
    assert lost.value.position == 3
    holdfast.close()
    with pytest.raises(RuntimeError, match="has been closed"):
        holdfast.health()


def until_it_waits(pid: int) -> None:
    """Until the process has come to where it has nothing to do: at each of many looks its first thread sleeps."""
    looks = 0

    def is_waiting() -> bool:
        nonlocal looks
        looks = looks + 1 if state_of(pid) == "S" else 0
        return looks > 20

    eventually(is_waiting, SECONDS, "the program waits")


def test_ctrl_c_ends_the_loop_and_a_program_that_closes_nothing_ends_quietly() -> None:
    program = (
        "import logging, sys\n"
        "from holdfast.client.sync import Holdfast\n"
        # In its development mode asyncio also tells how slow the machine is.
        "logging.getLogger('asyncio').setLevel('ERROR')\n"
        "session = Holdfast(sys.argv[1], 't').session(sys.argv[2])\n"
        "try:\n"
        "    for event in session.events():\n"
        "        print(event.sequence, flush=True)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
        "input()\n"
    )
    with theatre(staying) as stage:
        process = subprocess.Popen(
            [sys.executable, "-X", "dev", "-W", "error", "-c", program, stage.url, SESSION],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            try:
                assert process.stdout is not None
                assert [process.stdout.readline() for _ in range(3)] == ["1\n", "2\n", "3\n"]
                until_it_waits(process.pid)
                process.send_signal(signal.SIGINT)
                assert process.stdout.readline() == "interrupted\n"
                # The program is still there; its connection is not.
                stage.until(lambda stage: stage.connections == 0)
                _, err = process.communicate("\n", timeout=SECONDS)
            finally:
                process.kill()
        assert (process.returncode, err) == (0, "")


def test_a_client_that_is_forgotten_goes_wherever_the_collector_comes_by(shared_server: Server) -> None:
    """The collector runs in whatever thread allocates: also in the client's own, which cannot wait for itself."""
    holdfast = Holdfast(shared_server.url, TOKEN)
    holdfast.health()
    background = holdfast._background
    around: list[object] = [holdfast]
    around.append(around)
    is_gone = weakref.ref(holdfast)

    async def collect() -> None:
        gc.collect()

    gc.disable()  # of itself it might come by in this thread first
    try:
        del holdfast, around
        asyncio.run_coroutine_threadsafe(collect(), background._loop).result(SECONDS)
    finally:
        gc.enable()
    background._thread.join(SECONDS)
    assert is_gone() is None
    assert not background._thread.is_alive()
