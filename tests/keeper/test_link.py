"""The link: a server that dies at any moment, and every event is committed exactly once."""

import asyncio
import contextlib
import os
import random
from functools import partial
from itertools import chain, repeat

import anyio
import pytest

from holdfast.agents.interface import Reply
from holdfast.keeper import messages
from holdfast.keeper.link import Link
from holdfast.keeper.messages import Acknowledge, Answer, Batch, Gone, Hello, Stop, Switch, Unpacker, Welcome
from holdfast.keeper.outbox import Outbox
from holdfast.keeper.spool import Spool
from holdfast.policy import Policy
from tests.keeper.values import decoded, delta, joined, tool

pytestmark = pytest.mark.anyio
HELLO = Hello("session", 1, "secret", 10, 11)


class FlakyServer:
    """Commits what keepers send, on a real socket, and dies as its dice will have it: before or after a commit, in the
    middle of a word, or with its socket."""

    def __init__(self, path, *, dice=lambda: 1.0, mischief=0.0):
        self.path = path
        self.log = []
        self.hellos = []
        self.deaths = 0
        self.mischief = mischief
        self.commands = []
        self._dice = dice

    async def serve(self, *, task_status=anyio.TASK_STATUS_IGNORED):
        while True:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path)
            waiting = asyncio.Queue()
            server = await asyncio.start_unix_server(partial(_queue, waiting), self.path)
            try:
                with contextlib.suppress(RuntimeError):
                    task_status.started()
                while await self._serve_one(*await waiting.get()):
                    pass
            finally:
                server.close()
                while not waiting.empty():
                    waiting.get_nowait()[1].close()
            self.deaths += 1

    async def _serve_one(self, reader, writer):
        """One connection; false if the whole server dies with it."""
        unpacker = Unpacker()
        try:
            while chunk := await reader.read(65536):
                for body in unpacker.feed(chunk):
                    if not await self._take(writer, messages.unpack_up(body)):
                        return False
            return True
        except ConnectionError:
            return True
        finally:
            writer.close()

    async def _take(self, stream, message):
        if isinstance(message, Hello):
            self.hellos.append(message)
            if not await self._say(stream, Welcome(len(self.log))):
                return False
            for command in self.commands:
                await self._say(stream, command)
            return True
        assert isinstance(message, Batch)
        if self._dice() < self.mischief:
            return False  # it has come, and nobody has committed it
        self._commit(message)
        if self._dice() < self.mischief:
            return False  # committed, and nobody was told
        return await self._say(stream, Acknowledge(len(self.log)))

    def _commit(self, batch):
        assert 1 <= batch.first <= len(self.log) + 1, "a hole in the indices"
        known = len(self.log) - batch.first + 1
        assert batch.events[:known] == self.log[batch.first - 1 :], "an index means another event than before"
        self.log += batch.events[known:]

    async def _say(self, stream, message):
        word = messages.pack(message)
        if self._dice() < self.mischief / 2:
            stream.write(random.choice([word[: len(word) // 2], b"\xff" * 8, b"\0\0\0\1\xc1"]))
            await stream.drain()
            return False
        stream.write(word)
        await stream.drain()
        return True


def _queue(waiting, reader, writer):
    waiting.put_nowait((reader, writer))


class Keeper:
    """A link with its outbox, and the commands that came."""

    def __init__(self, folder, path, *, memory_bytes=4 * 1024 * 1024):
        self.outbox = Outbox(Spool(f"{folder}/spool"), lambda: 0, memory_bytes=memory_bytes)
        self.commands = []
        self.commanded = anyio.Event()
        self.link = Link(path, HELLO, self.outbox, self.command)

    def command(self, message):
        self.commands.append(message)
        self.commanded.set()

    async def live(self):
        """Serves the link until it is cancelled, once, as a keeper does it."""
        linking = asyncio.ensure_future(self.link.serve())
        try:
            await asyncio.shield(linking)
        finally:
            linking.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.gather(linking, return_exceptions=True)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "keepers.sock")


@pytest.mark.requirement("R143")
@pytest.mark.parametrize("seed", range(4))
async def test_every_event_is_committed_once_and_in_order_though_the_server_dies_all_the_time(tmp_path, path, seed):
    keeper = Keeper(tmp_path, path, memory_bytes=3_000)
    server = FlakyServer(path, dice=random.Random(seed).random, mischief=0.25)
    emitted = []

    def emit(event):
        keeper.outbox.emit(event)
        emitted.append(event)

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            await tasks.start(server.serve)
            tasks.start_soon(keeper.live)
            number = 0
            while server.deaths < 15:
                number += 1
                emit(delta(f"{number} "))
                if number % 3 == 0:
                    emit(tool(number))
                if number % 5 == 0:
                    await anyio.sleep(0.002)
            keeper.outbox.close()
            while not keeper.outbox.is_done:  # noqa: ASYNC110 - the outbox has no such event
                await anyio.sleep(0.005)
            tasks.cancel_scope.cancel()
    assert joined(decoded(server.log)) == joined(emitted)
    assert set(server.hellos) == {HELLO}
    assert len(server.hellos) > 10


async def test_a_keeper_that_is_there_before_its_server_waits_for_it(tmp_path, path):
    keeper = Keeper(tmp_path, path)
    keeper.outbox.emit(tool(1))
    keeper.outbox.close()
    server = FlakyServer(path)
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(keeper.live)
            await anyio.sleep(0.1)
            assert keeper.link.alone_since is not None
            await tasks.start(server.serve)
            while not keeper.outbox.is_done:  # noqa: ASYNC110
                await anyio.sleep(0.005)
            tasks.cancel_scope.cancel()
    assert decoded(server.log) == [tool(1)]


async def test_the_link_returns_when_the_last_event_is_acknowledged_though_that_word_was_lost(tmp_path, path):
    keeper = Keeper(tmp_path, path)
    # It says welcome, takes the batch, commits it, and dies with the acknowledgement on its tongue.
    server = FlakyServer(path, dice=chain([1, 1, 0], repeat(1)).__next__, mischief=0.5)
    keeper.outbox.emit(tool(1))
    keeper.outbox.close()
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            await tasks.start(server.serve)
            await keeper.link.serve()
            tasks.cancel_scope.cancel()
    assert decoded(server.log) == [tool(1)]
    assert server.deaths == 1


@pytest.mark.parametrize(
    "command",
    [
        Stop("cancelled"),
        Stop("paused"),
        Stop("interrupted"),
        Gone("over"),
        Answer("r", Reply(decision="allow_once", by="u")),
        Switch("careful", Policy(profile="careful", deny=["Bash"])),
    ],
)
async def test_what_the_server_wants_reaches_the_run(tmp_path, path, command):
    keeper = Keeper(tmp_path, path)
    server = FlakyServer(path)
    server.commands.append(command)
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            await tasks.start(server.serve)
            tasks.start_soon(keeper.live)
            await keeper.commanded.wait()
            assert keeper.link.alone_since is None
            tasks.cancel_scope.cancel()
    assert keeper.commands == [command]


async def greeted(listener):
    """The next connection of the keeper, and that it says nothing but who it is."""
    stream = await listener.accept()
    [hello] = Unpacker().feed(await stream.receive())
    assert messages.unpack_up(hello) == HELLO
    with anyio.move_on_after(0.1):
        pytest.fail(f"it said {await stream.receive()!r}")
    return stream


async def test_nothing_is_sent_to_a_server_that_has_not_said_welcome_and_then_what_it_lacks(tmp_path, path):
    keeper = Keeper(tmp_path, path)
    for number in range(5):
        keeper.outbox.emit(tool(number))
    async with await anyio.create_unix_listener(path) as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(keeper.live)
        with anyio.fail_after(20):
            for known in (0, 3, 4):
                stream = await greeted(listener)
                await stream.send(messages.pack(Welcome(known)))
                [batch] = Unpacker().feed(await stream.receive())
                assert messages.unpack_up(batch).first == known + 1
                assert decoded(messages.unpack_up(batch).events) == [tool(number) for number in range(known, 5)]
                await stream.aclose()
        tasks.cancel_scope.cancel()


async def test_one_batch_is_under_way_at_a_time_and_texts_gather_meanwhile(tmp_path, path):
    keeper = Keeper(tmp_path, path)
    async with await anyio.create_unix_listener(path) as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(keeper.live)
        with anyio.fail_after(20):
            stream = await listener.accept()
            await stream.receive()
            await stream.send(messages.pack(Welcome(0)))
            keeper.outbox.emit(tool(1))
            [first] = Unpacker().feed(await stream.receive())
            assert decoded(messages.unpack_up(first).events) == [tool(1)]
        for number in range(100):
            keeper.outbox.emit(delta(f"{number} "))
        with anyio.move_on_after(0.2):
            pytest.fail(f"it said {await stream.receive()!r}")
        with anyio.fail_after(20):
            await stream.send(messages.pack(Acknowledge(1)))
            [second] = Unpacker().feed(await stream.receive())
        batch = messages.unpack_up(second)
        assert (batch.first, len(batch.events)) == (2, 1)
        await stream.aclose()
        tasks.cancel_scope.cancel()
