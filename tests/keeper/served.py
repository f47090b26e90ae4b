"""An outbox with a server behind it, as the tests of its parts need one: no socket, no waiting."""

import asyncio

from holdfast.keeper.outbox import Outbox
from holdfast.keeper.spool import Spool


class Served:
    """An outbox with a server that commits what it is sent, and notes of when it held up the agent."""

    def __init__(self, folder, *, memory_bytes=4 * 1024 * 1024):
        self.clock = 1_000
        self.spool = Spool(f"{folder}/spool")
        self.outbox = Outbox(self.spool, lambda: self.clock, memory_bytes=memory_bytes)
        self.outbox.hold = lambda: self.notes.append("hold")
        self.outbox.release = lambda: self.notes.append("release")
        self.notes = []
        self.log = []
        self.sent = None

    @property
    def is_held(self):
        return bool(self.notes) and self.notes[-1] == "hold"

    async def batch(self, seconds=30.0):
        """Takes the next batch to send, if there is one."""
        self.sent = None
        try:
            async with asyncio.timeout(seconds):
                self.sent = await self.outbox.batch()
        except TimeoutError:
            return
        first, row = self.sent
        assert first == self.outbox.acknowledged + 1
        assert row or self.outbox.is_done
        assert len(row) <= 1000

    def commit(self):
        """The server takes what was sent: only what it does not have yet, and never with a hole."""
        if self.sent is not None:
            first, row = self.sent
            assert first <= len(self.log) + 1
            assert self.log[first - 1 :] == row[: len(self.log) - first + 1]
            self.log += row[len(self.log) - first + 1 :]
            self.sent = None

    def acknowledge(self):
        self.commit()
        self.outbox.acknowledge(len(self.log))

    async def drain(self):
        self.outbox.link(len(self.log))
        self.outbox.close()
        while not self.outbox.is_done:
            await self.batch()
            self.acknowledge()
        assert await self.outbox.batch() == (0, [])
