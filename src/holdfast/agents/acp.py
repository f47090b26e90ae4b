"""Drives an agent that speaks the Agent Client Protocol, version 1, over its stdin and stdout.

One process, one session, one prompt. How a session is opened is in acp_opening, what the agent asks of us in
acp_requests, what its updates mean in acp_events.
"""

import asyncio
import contextlib
import os
from collections.abc import Coroutine
from typing import Any

import msgspec

from holdfast import events
from holdfast.agents import acp_outcomes as outcomes
from holdfast.agents import acp_wire as wire
from holdfast.agents.acp_calls import AgentGone, Calls, CannotStart, NotAcp, Refused
from holdfast.agents.acp_events import Translation
from holdfast.agents.acp_opening import Opening
from holdfast.agents.acp_prompt import blocks_of
from holdfast.agents.acp_requests import Requests
from holdfast.agents.desk import Desk
from holdfast.agents.environment import agent_environment
from holdfast.agents.interface import Means, Outcome, Reply, Task
from holdfast.agents.process import AgentProcess
from holdfast.agents.stderr import plain
from holdfast.agents.values import bounded
from holdfast.events import Event
from holdfast.policy import Policy


class AcpAdapter:
    def __init__(self, task: Task, means: Means) -> None:
        self._task = task
        self._means = means
        self._translation = Translation(means.now_ms)
        self._desk = Desk(self._emit, task.policy, now_ms=means.now_ms, ttl_s=means.permission_ttl_s)
        self._requests = Requests(
            self._desk,
            self._translation,
            write=self._write,
            emit=self._emit,
            unparsed=self._unparsed,
            workspace=task.cwd,
            waits=self._person_is_asked,
        )
        self._calls = Calls(self._write)
        self._opening = Opening(task, self._calls, self._translation, self._emit)
        self._reader = wire.LineReader(self._received, self._unparsed, self._calls.spoilt)
        self._process: AgentProcess | None = None
        self._starting: asyncio.Timeout | None = None
        self._held: list[Event] | None = None
        self._failed: Outcome | None = None
        self._has_started = False
        self._prompting = False
        self._is_finished = False

    # The turn

    async def prepare(self) -> Outcome | None:
        self._held = []  # there is no run yet that could have events
        return await self._prepare()

    def begin(self, task: Task) -> None:
        self._task = task
        self._desk.policy = task.policy

    async def run(self) -> Outcome:
        held, self._held = self._held, None
        for event in held or ():
            self._emit(event)
        outcome = await self._prepare() or await self._while_alive(self._turn())
        assert outcome is not None
        if not self._has_started:
            return outcome
        return msgspec.structs.replace(outcome, total_cost_usd=self.cost_usd, model=self._opening.choices.model)

    async def _prepare(self) -> Outcome | None:
        if self._process is not None:
            return self._failed
        try:
            await self._start()
        except OSError as error:
            told = error.strerror or str(error)
            if error.filename == self._task.cwd:
                return outcomes.start_failed(f"the workspace {self._task.cwd!r} cannot be entered: {told}")
            return outcomes.start_failed(f"{self._task.command[0]!r} could not be started: {told}")
        self._failed = await self._while_alive(self._in_time(self._opening.open()))
        return self._failed

    async def _start(self) -> None:
        task = self._task
        self._process = await AgentProcess.start(
            task.command,
            cwd=task.cwd,
            environment=agent_environment(os.environ, extra=task.environment, names=task.pass_environment),
            stderr=self._means.stderr,
            take=self._feed,
        )
        self._means.started(self._process.pid)

    async def _while_alive(self, work: Coroutine[Any, Any, Outcome | None]) -> Outcome | None:
        """What the work comes to, or how the agent went before that."""
        assert self._process is not None
        working = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(self._process.gone())
        try:
            await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                self._reader.end()
                self._calls.fail()
            return await working
        except AgentGone:
            return outcomes.gone(self._process)
        finally:
            working.cancel()
            gone.cancel()
            with contextlib.suppress(asyncio.CancelledError, AgentGone):
                await working

    async def _in_time(self, work: Coroutine[Any, Any, None]) -> Outcome | None:
        """A part of the start; answers how it failed, if it did."""
        try:
            async with asyncio.timeout(self._means.start_timeout_s) as self._starting:
                await work
        except TimeoutError:
            return outcomes.start_failed(
                f"the agent did not answer {self._calls.waiting} within {self._means.start_timeout_s:g} s"
            )
        except Refused as refusal:
            return outcomes.refused(refusal.method, refusal.error, at_start=True, login=self._opening.login)
        except CannotStart as error:
            return outcomes.start_failed(str(error))
        except NotAcp as error:
            return outcomes.protocol_error(str(error))
        finally:
            self._starting = None
        return None

    def _person_is_asked(self, is_asked: bool) -> None:
        """A start in which a person must act (a login) takes as long as that person does."""
        if self._starting is not None and not self._starting.expired():
            now = asyncio.get_running_loop().time()
            self._starting.reschedule(None if is_asked else now + self._means.start_timeout_s)

    async def _turn(self) -> Outcome:
        failed = await self._in_time(self._opening.choose(self._task))
        if failed is not None:
            return failed
        try:
            blocks = blocks_of(self._task, self._opening.can, is_fresh=self._opening.is_fresh)
        except CannotStart as error:
            return outcomes.start_failed(str(error))
        self._has_started = True
        self._emit(self._opening.told(self._task))
        self._prompting = self._translation.is_working = True
        try:
            prompt = {"sessionId": self.agent_session_id, "prompt": blocks}
            return outcomes.answered(await self._calls.call("session/prompt", prompt))
        except Refused as refusal:
            return outcomes.refused(refusal.method, refusal.error, at_start=False, login=self._opening.login)
        except NotAcp as error:
            return outcomes.protocol_error(str(error))
        finally:
            self._prompting = False

    # Commands

    def cancel(self) -> bool:
        self._requests.cancel()
        if self._prompting:
            self._write(wire.notification("session/cancel", {"sessionId": self.agent_session_id}))
        return self._prompting

    def answer(self, request_id: str, reply: Reply) -> bool:
        return self._desk.answer(request_id, reply)

    def switch(self, policy: Policy) -> None:
        self._desk.policy = policy

    def pause(self) -> None:
        if self._process is not None:
            self._process.pause()

    def resume(self) -> None:
        if self._process is not None:
            self._process.resume()

    def finish(self) -> None:
        self._requests.cancel()
        for event in self._translation.finish():
            self._emit(event)
        self._is_finished = True

    async def end(self, *, patience_s: float) -> bool:
        if self._process is None:
            return True
        return await self._process.end(patience_s=patience_s, grace_s=0.7, deadline_s=4.0)

    @property
    def agent_session_id(self) -> str | None:
        return self._opening.session_id

    @property
    def cost_usd(self) -> float | None:
        return self._translation.cost.usd

    # The conversation

    def _emit(self, event: Event) -> None:
        if self._held is not None:
            self._held.append(event)
        elif not self._is_finished:  # some agents still have something to say when all is over
            self._means.emit(event)

    def _write(self, data: bytes) -> None:
        if self._process is not None:
            self._process.write(data)

    def _feed(self, chunk: bytes) -> None:
        try:
            self._reader.feed(chunk)
        except Exception as defect:  # of ours: raised by `run`, since nobody hears of it here, and the agent waits
            self._calls.fail(defect)

    def _received(self, message: wire.Rpc) -> None:
        if message.method is None:
            if not self._calls.answered(message):
                text = wire.shown(msgspec.json.encode(message))
                self._unparsed(f"an answer to the unknown id {message.id!r}: {text}")
        elif message.id is None:
            self._notified(message.method, message.params)
        else:
            self._requests.take(message.id, message.method, message.params)

    def _notified(self, method: str, params: msgspec.Raw) -> None:
        if method != "session/update":
            if not self._requests.notified(method, params):
                self._emit(events.AgentUpdate(kind=plain(method), update=bounded(msgspec.json.decode(params))))
            return
        try:
            made = self._translation.update(bytes(params))
        except wire.UNDECODABLE as error:
            self._unparsed(f"session/update: {error}: {wire.shown(bytes(params))}")
            return
        for event in made:
            self._emit(event)

    def _unparsed(self, text: str) -> None:
        self._emit(events.AgentUnparsed(text=plain(text)))
