"""From the log to the lanes: turns new events into deliveries, and keeps a lane for each active webhook.

Rule 1: the outbox is the log. What was not seen to before a kill lies behind the cursors; the next start finds it.
Rule 2: without an active webhook nothing is read.
"""

import asyncio
from collections.abc import Sequence

import structlog

from holdfast.errors import HoldfastError
from holdfast.log.log import Log
from holdfast.log.outbox import Candidate, Draft
from holdfast.times import now_ms
from holdfast.webhooks.lane import Lane
from holdfast.webhooks.message import TOLD, draft
from holdfast.webhooks.sending import Sender

# Commits come by the thousand; who is told by HTTP does not notice this.
_PAUSE_S = 0.05
_TROUBLE_S = 1.0
_DEFECT_S = 60.0
# Cursors that passed nothing worth telling are moved this seldom, since it costs a commit: a start reads so much again.
_UNTOLD_EVENTS = 10_000
_CLOSING_S = 1.0


class Courier:
    def __init__(self, log: Log, sender: Sender, *, delays_s: Sequence[float], public_url: str | None) -> None:
        self._log = log
        self._sender = sender
        self._delays_s = delays_s
        self._public_url = public_url and public_url.rstrip("/")
        self._logger = structlog.get_logger("holdfast.webhooks")
        self._lanes: dict[str, Lane] = {}
        self._is_stale = True
        # How far the log has been looked through, and how far the cursors in the store are.
        self._seen = self._moved = 0
        self._wake = asyncio.Event()
        self._wake.set()
        self._unwatch = log.watch(None, self._wake.set)
        self._running = asyncio.ensure_future(self._run())

    def changed(self) -> None:
        """Webhooks came, went or became others, or a delivery is to be made again."""
        self._is_stale = True
        self._wake.set()

    async def close(self) -> None:
        self._unwatch()
        self._running.cancel()
        await asyncio.wait((self._running,))
        await self._close(list(self._lanes.values()), _CLOSING_S)
        await self._sender.close()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                if self._is_stale:
                    await self._look_around()
                if self._lanes:
                    await self._collect()
                pause_s = _PAUSE_S
            except HoldfastError as error:
                self._logger.warning("webhooks wait for the store; trying again", reason=str(error))
                self._wake.set()
                pause_s = _TROUBLE_S
            except Exception:  # this task's outermost boundary: a defect is told again and again, not once and for all
                self._logger.exception("webhooks met a defect; trying again")
                self._wake.set()
                pause_s = _DEFECT_S
            await asyncio.sleep(pause_s)

    async def _look_around(self) -> None:
        """Opens and closes lanes, so that there is one for each active webhook."""
        self._is_stale = False
        try:
            webhooks = {webhook.id: webhook for webhook in await self._log.webhooks.active()}
        except HoldfastError:
            self._is_stale = True
            raise
        gone = [self._lanes.pop(name) for name in list(self._lanes) if name not in webhooks]
        await self._close(gone, 0)
        for name, webhook in webhooks.items():
            if name not in self._lanes:
                self._lanes[name] = Lane(self._log, self._sender, webhook, self._delays_s, self.changed)
            self._lanes[name].wake()
        if webhooks:
            self._moved = min(webhook.position for webhook in webhooks.values())
            self._seen = max(self._seen, self._moved)

    async def _close(self, lanes: Sequence[Lane], patience_s: float) -> None:
        await asyncio.gather(*(lane.close(patience_s) for lane in lanes))

    async def _collect(self) -> None:
        is_head = False
        while not is_head:
            found, reached, is_head = await self._log.outbox.candidates(tuple(TOLD), self._seen)
            drafts = [drafted for candidate in found if (drafted := self._drafted(candidate)) is not None]
            if drafts or reached - self._moved > _UNTOLD_EVENTS:
                await self._put(drafts, reached)
                self._moved = reached
            self._seen = reached

    def _drafted(self, candidate: Candidate) -> Draft | None:
        try:
            return draft(candidate, self._public_url)
        except Exception:  # of a newer version's log, say: what cannot be told must not hold up all that can
            self._logger.exception(
                "an event cannot be told", session_id=candidate.session_id, sequence=candidate.sequence
            )
            return None

    async def _put(self, drafts: Sequence[Draft], reached: int) -> None:
        for put in await self._log.outbox.put(drafts, reached, now_ms()):
            if put.disables is not None:
                self._logger.warning("a webhook was disabled", webhook=put.webhook_id, reason=put.disables)
                self.changed()
            elif put.webhook_id in self._lanes:
                self._lanes[put.webhook_id].wake()
