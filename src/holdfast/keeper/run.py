"""One run, from the agent's start to the end of its last process: the keeper's whole life.

Rule 1: exactly one terminal event, and nothing after it.
Rule 2: when this returns, nothing of the agent is alive.
"""

import asyncio
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable

from holdfast import events
from holdfast.agents.interface import Adapter, Means, Outcome
from holdfast.agents.stderr import StderrCollector, secrets_of
from holdfast.events import End, Event, ProfileSwitch, Recorded
from holdfast.keeper.adapters import adapter_for
from holdfast.keeper.ending import Stopped, Sum, ended, limited, stopped
from holdfast.keeper.gist import Gist
from holdfast.keeper.limits import Meter, Reached, tree_memory_mb
from holdfast.keeper.link import Command, Link
from holdfast.keeper.messages import Answer, Begin, Hello, Stop, Switch
from holdfast.keeper.outbox import Outbox
from holdfast.keeper.spec import Spec
from holdfast.keeper.spool import Spool, write_unsent
from holdfast.policy import tools_of
from holdfast.times import now_ms

# A cancel must be in the log within 3 s: this long the agent may take to stop by itself, the rest is for signals.
_OBEY_S = 1.0
# After its answer an agent may tidy up and exit by itself for this long.
_LEAVE_S = 1.0
_PATIENCE_CHECK_S = 0.5
_MEMORY_CHECK_S = 1.0


class Run:
    def __init__(
        self,
        spec: Spec,
        *,
        spool_path: str,
        unsent_path: str,
        guard_pid: int,
        agent_started: Callable[[int], None],
        claim: Callable[[], bool],
    ) -> None:
        self._spec = spec
        self._task = spec.task
        self._unsent_path = unsent_path
        self._guard_pid = guard_pid
        self._claim = claim
        self._outbox = Outbox(Spool(spool_path), now_ms)
        loop = asyncio.get_running_loop()
        self._stop: asyncio.Future[Stopped | Reached] = loop.create_future()
        self._begun: asyncio.Future[bool] = loop.create_future()
        self._forgotten = False
        self._terminated = False
        self._started = False
        self._began_ms = now_ms()
        self._meter = Meter(spec.task.limits, time.monotonic(), permission_ttl_s=spec.permission_ttl_s)
        self._gist = Gist()
        self._stderr = StderrCollector(
            head=spec.stderr_head,
            tail=spec.stderr_tail,
            secrets=secrets_of({**os.environ, **spec.task.environment}),
        )
        means = Means(
            emit=self._emit,
            keep=self._keep,
            stderr=self._stderr,
            started=agent_started,
            now_ms=now_ms,
            start_timeout_s=spec.start_timeout_s,
            permission_ttl_s=spec.permission_ttl_s,
        )
        self._adapter: Adapter = adapter_for(spec.task, means)
        self._outbox.hold = self._adapter.pause
        self._outbox.release = self._adapter.resume
        self._link = Link(spec.socket, self._hello(is_warm=spec.warm), self._outbox, self._command)
        self._hurry = asyncio.Event()

    def _hello(self, *, is_warm: bool) -> Hello:
        return Hello(self._spec.session_id, self._spec.run, self._spec.secret, os.getpid(), self._guard_pid, is_warm)

    async def live(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._terminate)
        linking = asyncio.ensure_future(self._link.serve())
        watching = asyncio.ensure_future(self._watch_patience())
        try:
            if self._spec.warm and not await self._until_begun():
                self._forgotten = True
                await self._adapter.end(patience_s=0)
                return
            await self._work()
            self._outbox.close()
            await self._adapter.end(patience_s=_LEAVE_S)
            hurried = asyncio.ensure_future(self._hurry.wait())
            await asyncio.wait((linking, hurried), return_when=asyncio.FIRST_COMPLETED)
            hurried.cancel()
        finally:
            linking.cancel()
            watching.cancel()
            await asyncio.gather(linking, watching, return_exceptions=True)
            if not self._outbox.is_done and not self._forgotten:
                write_unsent(self._unsent_path, *self._outbox.rest())

    async def _until_begun(self) -> bool:
        """Connects the agent ahead of its task, and waits for that; false if it will not come."""
        preparing = asyncio.ensure_future(self._adapter.prepare())
        lost = asyncio.ensure_future(self._link.lost.wait())
        try:
            waits: set[asyncio.Future[object]] = {preparing, lost, self._begun, self._stop}  # pyright: ignore
            while not self._begun.done():
                done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                if self._begun.done():
                    break
                # Without the server there is nobody to give it a task; one that cannot start is of no use either.
                if lost in done or self._stop in done or (preparing in done and preparing.result() is not None):
                    return False
                waits.discard(preparing)
            # `run` would start a second agent beside the one that is being started.
            await asyncio.wait((preparing, self._stop), return_when=asyncio.FIRST_COMPLETED)
            return self._begun.result()
        finally:
            lost.cancel()
            preparing.cancel()
            await asyncio.gather(preparing, return_exceptions=True)

    async def _work(self) -> None:
        working = asyncio.ensure_future(self._adapter.run())
        metering = asyncio.ensure_future(self._watch_limits())
        try:
            await asyncio.wait((working, self._stop), return_when=asyncio.FIRST_COMPLETED)
            end = self._ended(working) if working.done() else await self._halt(working)
        finally:
            working.cancel()
            metering.cancel()
            await asyncio.gather(working, metering, return_exceptions=True)
        self._adapter.finish()
        if self._started:
            # The same figure in both: a turn that took longer than its run would puzzle who adds them up.
            self._outbox.emit(self._gist.told(self._task, end.duration_ms or 0))
        self._outbox.emit(end)

    async def _halt(self, working: "asyncio.Future[Outcome]") -> End:
        """Ends a turn that does not end by itself."""
        why = self._stop.result()
        if self._adapter.cancel() and not self._forgotten:
            await asyncio.wait((working,), timeout=_OBEY_S)
        await self._adapter.end(patience_s=0)
        if isinstance(why, Reached):
            return limited(why, self._sum(), pause=self._task.limits.on_limit == "pause")
        return stopped(why, self._sum())

    def _ended(self, working: "asyncio.Future[Outcome]") -> End:
        try:
            outcome = working.result()
        except Exception as error:  # the keeper's outermost boundary: a defect of ours ends the run and is told
            traceback.print_exc(file=sys.stderr)
            outcome = Outcome(
                stop_reason="error_during_execution",
                error_type="keeper_failed",
                message=f"Holdfast's keeper failed: {error!r}",
                by="daemon",
            )
        if outcome.limit is not None and self._task.limits.on_limit == "pause":
            reached = Reached(
                stop_reason=outcome.stop_reason, limit=outcome.limit, message=outcome.message or outcome.limit
            )
            return limited(reached, self._sum(), pause=True)
        return ended(outcome, self._sum())

    def _sum(self) -> Sum:
        return Sum(
            started=self._started,
            agent_session_id=self._adapter.agent_session_id,
            # Not negative, should the clock have been set back.
            duration_ms=max(0, now_ms() - self._began_ms),
            # Who was given a task has had a turn, even one in which nothing was said.
            turns=max(1, self._meter.turns) if self._started else 0,
            cost_usd=self._adapter.cost_usd,
            stderr=self._stderr.result(),
        )

    def _emit(self, event: Event) -> None:
        self._started = self._started or isinstance(event, events.AgentStart)
        self._meter.observe(event, time.monotonic())
        self._gist.observe(event)
        self._outbox.emit(event)
        if self._meter.counts:
            self._check_limits()

    def _keep(self, body: bytes) -> None:
        """A piece of the agent's transcript: goes the way of the events, and so is as safe as they are."""
        self._outbox.push(Recorded(events.TRANSCRIPT, body, now_ms()))

    # Limits

    async def _watch_limits(self) -> None:
        while True:
            self._check_limits()
            stalled = self._meter.stalled(time.monotonic(), self._spec.stall_s)
            if stalled is not None:
                self._outbox.emit(stalled)
            wait = self._meter.next_check_s(time.monotonic(), self._spec.stall_s)
            if self._task.limits.max_memory_mb is not None:
                self._meter.memory_mb = tree_memory_mb(os.getpid())
                wait = min(wait, _MEMORY_CHECK_S)
            await asyncio.sleep(wait)

    def _check_limits(self) -> None:
        reached = self._meter.reached(time.monotonic())
        if reached is not None:
            self._halt_for(reached)

    # What ends a run from outside

    def _command(self, message: Command) -> None:
        if isinstance(message, Answer):
            self._adapter.answer(message.request_id, message.reply)
        elif isinstance(message, Switch):
            self._adapter.switch(message.policy)
            tools = tools_of(message.policy)
            self._emit(ProfileSwitch(profile_type="permission", profile_name=message.profile, tools=tools))
        elif isinstance(message, Begin):
            self._begin(message)
        elif isinstance(message, Stop):
            self._halt_for(message.why)
        else:
            self._forgotten = True
            self._halt_for("interrupted")
            self._hurry.set()

    def _begin(self, message: Begin) -> None:
        if self._begun.done():
            return
        self._task = message.task
        self._began_ms = now_ms()
        ttl_s = self._spec.permission_ttl_s
        self._meter = Meter(message.task.limits, time.monotonic(), permission_ttl_s=ttl_s)
        self._adapter.begin(message.task)
        self._link.begun(self._hello(is_warm=False))
        self._link.alone_since = time.monotonic()  # the server is there, and says Welcome when it has read who we are
        self._begun.set_result(self._claim())

    def _halt_for(self, why: Stopped | Reached) -> None:
        if not self._stop.done():
            self._stop.set_result(why)

    def _terminate(self) -> None:
        """SIGTERM: end the agent; what no server takes at once is left on disk for the next one."""
        self._terminated = True
        self._halt_for("interrupted")
        if self._link.alone_since is not None:
            self._hurry.set()

    async def _watch_patience(self) -> None:
        while True:
            await asyncio.sleep(_PATIENCE_CHECK_S)
            if self._spec.warm and not self._begun.done():
                continue  # it has a server, which has not welcomed it yet, or else is told by `lost`
            alone_since = self._link.alone_since
            # Terminated, it waits for nobody; that the server is gone too may show a moment after the signal.
            patience_s = 0.0 if self._terminated else self._spec.server_patience_s
            if alone_since is not None and time.monotonic() - alone_since > patience_s:
                self._halt_for("interrupted")
                self._hurry.set()
                return
