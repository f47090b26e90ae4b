"""Drives an agent that speaks the Agent Client Protocol, version 1, over its stdin and stdout.

One process, one session, one prompt. Holdfast offers the agent no file system and no terminal of its own (no editor
stands behind it), so such requests are refused; the agent works in its workspace itself.
"""

import asyncio
import contextlib
import os
from collections.abc import Callable
from typing import Any

import msgspec

from holdfast import __version__, events
from holdfast.agents import acp_outcomes as outcomes
from holdfast.agents import acp_wire as wire
from holdfast.agents.acp_calls import AgentGone, Calls, NotAcp, Refused, as_object
from holdfast.agents.acp_events import Translation, bounded, preview
from holdfast.agents.acp_permissions import Permissions
from holdfast.agents.interface import Outcome, Task
from holdfast.agents.process import AgentProcess, agent_environment
from holdfast.agents.stderr import StderrCollector, plain
from holdfast.events import Event

PROTOCOL_VERSION = 1
# Some agents (gemini) answer session/load before they have told the whole history: it is over when they are quiet.
_REPLAY_QUIET_S = 0.25
_REPLAY_PAUSES = 20


class AcpAdapter:
    def __init__(
        self,
        task: Task,
        emit: Callable[[Event], None],
        stderr: StderrCollector,
        *,
        started: Callable[[int], None],
        now_ms: Callable[[], int],
        start_timeout_s: float,
        permission_ttl_s: float,
    ) -> None:
        self._task = task
        self._emit = emit
        self._stderr = stderr
        self._started = started
        self._now_ms = now_ms
        self._start_timeout_s = start_timeout_s
        self._translation = Translation(now_ms)
        self._permissions = Permissions(emit, self._write, now_ms=now_ms, ttl_s=permission_ttl_s)
        self._calls = Calls(self._write)
        self._reader = wire.LineReader(self._received, self._unparsed, self._calls.spoilt)
        self._process: AgentProcess | None = None
        self._replaying = False
        self._replayed = 0
        self._prompting = False
        self._began_ms = now_ms()
        self.agent_session_id: str | None = task.agent_session_id

    # The turn

    async def run(self) -> Outcome:
        try:
            await self._start()
        except OSError as error:
            return outcomes.start_failed(f"{self._task.command[0]!r} could not be started: {error.strerror or error}")
        assert self._process is not None
        turn = asyncio.ensure_future(self._turn())
        gone = asyncio.ensure_future(self._process.gone())
        try:
            await asyncio.wait((turn, gone), return_when=asyncio.FIRST_COMPLETED)
            if not turn.done():
                self._reader.end()
                self._calls.fail()
            return await turn
        except AgentGone:
            return outcomes.gone(self._process, cost_usd=self._translation.cost_usd)
        finally:
            turn.cancel()
            gone.cancel()
            with contextlib.suppress(asyncio.CancelledError, AgentGone):
                await turn

    async def _start(self) -> None:
        environment = agent_environment(os.environ, self._task.environment)
        self._process = await AgentProcess.start(
            self._task.command,
            cwd=self._task.cwd,
            environment=environment,
            stderr=self._stderr,
            take=self._reader.feed,
        )
        self._started(self._process.pid)

    async def _turn(self) -> Outcome:
        try:
            async with asyncio.timeout(self._start_timeout_s):
                session = await self._open_session()
        except TimeoutError:
            return outcomes.start_failed(
                f"the agent did not answer {self._calls.waiting} within {self._start_timeout_s:g} s"
            )
        except Refused as refusal:
            return outcomes.refused(refusal.method, refusal.error, at_start=True)
        except NotAcp as error:
            return outcomes.protocol_error(str(error))
        self._emit(
            events.AgentStart(
                session_id=self._task.session_id,
                agent=self._task.agent,
                task=self._task.shown,
                model=_model(session),
                tools=[],
                skills=[],
                agent_session_id=self.agent_session_id,
            )
        )
        try:
            answer = await self._prompt()
        except Refused as refusal:
            return outcomes.refused(refusal.method, refusal.error, at_start=False, cost_usd=self._translation.cost_usd)
        except NotAcp as error:
            return outcomes.protocol_error(str(error), cost_usd=self._translation.cost_usd)
        return outcomes.answered(answer, cost_usd=self._translation.cost_usd)

    async def _open_session(self) -> dict[str, Any]:
        capabilities = as_object(
            (
                await self._calls.call(
                    "initialize",
                    {
                        "protocolVersion": PROTOCOL_VERSION,
                        "clientCapabilities": {
                            "fs": {"readTextFile": False, "writeTextFile": False},
                            "terminal": False,
                        },
                        "clientInfo": {"name": "holdfast", "title": "Holdfast", "version": __version__},
                    },
                )
            ).get("agentCapabilities")
        )
        if self._task.agent_session_id is not None:
            session = await self._take_up(self._task.agent_session_id, capabilities)
            if session is not None:
                return session
        session = await self._calls.call("session/new", {"cwd": self._task.cwd, "mcpServers": []})
        session_id = session.get("sessionId")
        if not isinstance(session_id, str):
            raise NotAcp("the agent's answer to session/new has no sessionId")
        if self._task.agent_session_id is not None:
            self._emit(
                events.Recovered(
                    message="The agent could not take up its earlier session; it starts without memory of it.",
                    agent_session_id=session_id,
                )
            )
        self.agent_session_id = session_id
        return session

    async def _take_up(self, session_id: str, capabilities: dict[str, Any]) -> dict[str, Any] | None:
        """The agent's earlier session, by `resume` where it has that, else by `load`; None if neither works."""
        ways = ["session/resume"] if "resume" in as_object(capabilities.get("sessionCapabilities")) else []
        if capabilities.get("loadSession") is True:
            ways.append("session/load")
        for way in ways:
            self._replaying = True  # load tells the whole history again, which our log has already
            try:
                session = await self._calls.call(
                    way, {"sessionId": session_id, "cwd": self._task.cwd, "mcpServers": []}
                )
                if way == "session/load":
                    await self._replay_over()
                return session
            except Refused as refusal:
                # Some agents announce what they then refuse: the next way may work.
                if refusal.error.code == wire.AUTH_REQUIRED:
                    raise
            finally:
                self._replaying = False
        return None

    async def _replay_over(self) -> None:
        for _ in range(_REPLAY_PAUSES):
            before = self._replayed
            await asyncio.sleep(_REPLAY_QUIET_S)
            if self._replayed == before:
                return

    async def _prompt(self) -> dict[str, Any]:
        self._prompting = True
        try:
            return await self._calls.call(
                "session/prompt",
                {"sessionId": self.agent_session_id, "prompt": [{"type": "text", "text": self._task.text}]},
            )
        finally:
            self._prompting = False

    # Commands

    def cancel(self) -> bool:
        self._permissions.cancel_all()
        if self._prompting:
            self._write(wire.notification("session/cancel", {"sessionId": self.agent_session_id}))
        return self._prompting

    def answer(self, request_id: str, decision: str, by: str) -> bool:
        return self._permissions.answer(request_id, decision, by)

    def pause(self) -> None:
        if self._process is not None:
            self._process.pause()

    def resume(self) -> None:
        if self._process is not None:
            self._process.resume()

    def finish(self) -> None:
        self._permissions.cancel_all()
        for event in self._translation.finish_text():
            self._emit(event)
        self._emit(
            events.ConversationTurn(
                turn_number=self._task.turn,
                prompt_preview=preview(self._task.shown),
                response_preview=preview(self._translation.last_message),
                duration_ms=max(0, self._now_ms() - self._began_ms),
                tools_used=self._translation.tools_used,
            )
        )

    async def end(self, *, patience_s: float) -> bool:
        if self._process is None:
            return True
        return await self._process.end(patience_s=patience_s, grace_s=0.7, deadline_s=4.0)

    @property
    def cost_usd(self) -> float | None:
        return self._translation.cost_usd

    # The conversation

    def _write(self, data: bytes) -> None:
        if self._process is not None:
            self._process.write(data)

    def _received(self, message: wire.Rpc) -> None:
        if message.method is None:
            self._answer_received(message)
        elif message.id is None:
            self._notified(message.method, message.params)
        elif message.method == "session/request_permission":
            self._permission_asked(message.id, message.params)
        else:
            self._write(
                wire.error(message.id, wire.METHOD_NOT_FOUND, f"{message.method} is not offered by this client")
            )

    def _answer_received(self, message: wire.Rpc) -> None:
        if not self._calls.answered(message):
            self._unparsed(f"an answer to the unknown id {message.id!r}: {wire.shown(msgspec.json.encode(message))}")

    def _notified(self, method: str, params: msgspec.Raw) -> None:
        if method != "session/update":
            self._emit(events.AgentUpdate(kind=plain(method), update=bounded(msgspec.json.decode(params))))
            return
        if self._replaying:
            self._replayed += 1
            return
        try:
            made = self._translation.update(bytes(params))
        except wire.UNDECODABLE as error:
            self._unparsed(f"session/update: {error}: {wire.shown(bytes(params))}")
            return
        for event in made:
            self._emit(event)

    def _permission_asked(self, id_: int | str, params: msgspec.Raw) -> None:
        try:
            asked = self._permissions.parse(params)
        except wire.UNDECODABLE as error:
            self._unparsed(f"session/request_permission: {error}: {wire.shown(bytes(params))}")
            self._write(wire.error(id_, -32602, f"cannot be understood: {error}"))
            return
        for event in self._translation.announce(asked.toolCall):
            self._emit(event)
        self._permissions.ask(id_, asked, self._translation.tool_name(asked.toolCall.toolCallId))

    def _unparsed(self, text: str) -> None:
        self._emit(events.AgentUnparsed(text=plain(text)))


def _model(session: dict[str, Any]) -> str | None:
    model = as_object(session.get("models")).get("currentModelId")
    return model if isinstance(model, str) else None
