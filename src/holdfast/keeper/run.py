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
from holdfast.agents.acp import AcpAdapter
from holdfast.agents.interface import Adapter, Outcome
from holdfast.agents.stderr import StderrCollector, secrets_of
from holdfast.events import End, Event
from holdfast.keeper.ending import Stopped, ended, stopped
from holdfast.keeper.link import Link
from holdfast.keeper.messages import Answer, Gone, Hello, Stop
from holdfast.keeper.outbox import Outbox
from holdfast.keeper.spec import Spec
from holdfast.keeper.spool import Spool, write_unsent

# A cancel must be in the log within 3 s: this long the agent may take to stop by itself, the rest is for signals.
_OBEY_S = 1.0
# After its answer an agent may tidy up and exit by itself for this long.
_LEAVE_S = 1.0
_PATIENCE_CHECK_S = 0.5


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Run:
    def __init__(
        self,
        spec: Spec,
        *,
        spool_path: str,
        unsent_path: str,
        guard_pid: int,
        agent_started: Callable[[int], None],
    ) -> None:
        self._spec = spec
        self._unsent_path = unsent_path
        self._outbox = Outbox(Spool(spool_path), now_ms)
        self._stop: asyncio.Future[Stopped] = asyncio.get_running_loop().create_future()
        self._forgotten = False
        self._started = False
        self._began_ms = now_ms()
        self._stderr = StderrCollector(
            head=spec.stderr_head,
            tail=spec.stderr_tail,
            secrets=secrets_of({**os.environ, **spec.task.environment}),
        )
        self._adapter: Adapter = AcpAdapter(
            spec.task,
            self._emit,
            self._stderr,
            started=agent_started,
            now_ms=now_ms,
            start_timeout_s=spec.start_timeout_s,
            permission_ttl_s=spec.permission_ttl_s,
        )
        self._outbox.hold = self._adapter.pause
        self._outbox.release = self._adapter.resume
        hello = Hello(spec.session_id, spec.run, spec.secret, os.getpid(), guard_pid)
        self._link = Link(spec.socket, hello, self._outbox, self._command)
        self._hurry = asyncio.Event()

    async def live(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._terminate)
        linking = asyncio.ensure_future(self._link.serve())
        watching = asyncio.ensure_future(self._watch_patience())
        try:
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

    async def _work(self) -> None:
        working = asyncio.ensure_future(self._adapter.run())
        try:
            await asyncio.wait((working, self._stop), timeout=self._spec.timeout_s, return_when=asyncio.FIRST_COMPLETED)
            end = self._ended(working) if working.done() else await self._halt(working)
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
        self._adapter.finish()
        self._outbox.emit(end)

    async def _halt(self, working: "asyncio.Future[Outcome]") -> End:
        """Ends a turn that does not end by itself."""
        why: Stopped = self._stop.result() if self._stop.done() else "timeout"
        if self._adapter.cancel() and not self._forgotten:
            await asyncio.wait((working,), timeout=_OBEY_S)
        await self._adapter.end(patience_s=0)
        return stopped(
            why,
            started=self._started,
            timeout_s=self._spec.timeout_s,
            stderr=self._stderr.result(),
            agent_session_id=self._adapter.agent_session_id,
            duration_ms=now_ms() - self._began_ms,
            cost_usd=self._adapter.cost_usd,
        )

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
        return ended(
            outcome,
            stderr=self._stderr.result(),
            agent_session_id=self._adapter.agent_session_id,
            duration_ms=now_ms() - self._began_ms,
            turns=1 if self._started else 0,
        )

    def _emit(self, event: Event) -> None:
        self._started = self._started or isinstance(event, events.AgentStart)
        self._outbox.emit(event)

    # What ends a run from outside

    def _command(self, message: Stop | Answer | Gone) -> None:
        if isinstance(message, Answer):
            self._adapter.answer(message.request_id, message.decision, message.by)
        elif isinstance(message, Stop):
            self._halt_for(message.why)
        else:
            self._forgotten = True
            self._halt_for("interrupted")
            self._hurry.set()

    def _halt_for(self, why: Stopped) -> None:
        if not self._stop.done():
            self._stop.set_result(why)

    def _terminate(self) -> None:
        """SIGTERM: end the agent; what no server takes at once is left on disk for the next one."""
        self._halt_for("interrupted")
        if self._link.alone_since is not None:
            self._hurry.set()

    async def _watch_patience(self) -> None:
        while True:
            await asyncio.sleep(_PATIENCE_CHECK_S)
            alone_since = self._link.alone_since
            if alone_since is not None and time.monotonic() - alone_since > self._spec.server_patience_s:
                self._halt_for("interrupted")
                self._hurry.set()
                return
