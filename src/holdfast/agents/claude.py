"""Drives Claude Code through its SDK: one CLI process, one session, one prompt.

Rule 1: the agent's session has one process at a time; the keeper's life sees to that.
Rule 2: an id that is in use is taken up, never fought over; one that is lost is said to be lost.
"""

import asyncio
import contextlib
import dataclasses
import logging
import os

import msgspec
from claude_agent_sdk import ClaudeSDKClient, HookMatcher

from holdfast import events
from holdfast.agents import claude_outcomes as outcomes
from holdfast.agents.acp_calls import CannotStart
from holdfast.agents.acp_wire import shown
from holdfast.agents.claude_events import Frame, Translation
from holdfast.agents.claude_options import (
    TASK_TOOLS,
    config_folder,
    environment_for,
    options_for,
    prompt_of,
    unknown_choice,
)
from holdfast.agents.claude_permissions import ClaudePermissions
from holdfast.agents.claude_telling import agent_start, display, offered_models
from holdfast.agents.claude_transcript import Mirror, restore
from holdfast.agents.claude_transport import CliTransport, user_message
from holdfast.agents.desk import Desk
from holdfast.agents.interface import Means, Outcome, Reply, Task
from holdfast.agents.process import AgentProcess
from holdfast.agents.stderr import plain
from holdfast.policy import Policy

# After its result the CLI writes the rest of its transcript and goes; that takes it some 40 ms.
_LEAVE_S = 1.0
# A wrong key is retried by the CLI for three minutes; it does not get better.
_AUTH_RETRIES = 2
_HOOK_S = 86_400.0

# What the SDK's reader calls fatal is the CLI's end, which is seen and told elsewhere.
logging.getLogger("claude_agent_sdk").setLevel(logging.CRITICAL)


class ClaudeAdapter:
    def __init__(self, task: Task, means: Means) -> None:
        self._task = task
        self._means = means
        self._emit = means.emit
        self._environment = environment_for(task, os.environ)
        self._translation = Translation(means.now_ms)
        self._desk = Desk(means.emit, task.policy, now_ms=means.now_ms, ttl_s=means.permission_ttl_s)
        self._permissions = ClaudePermissions(self._desk, cwd=task.cwd, mode=task.mode)
        self._client: ClaudeSDKClient | None = None
        self._transport: CliTransport | None = None
        self._result: asyncio.Future[Frame] = asyncio.get_running_loop().create_future()
        self._draining: asyncio.Task[None] | None = None
        self._interrupting: asyncio.Task[None] | None = None
        self._prompting = False
        self._has_started = False
        self._lost_memory = False
        self._position: str | None = None
        self._models: list[events.Choice] | None = None
        self.agent_session_id: str | None = None if task.fork else task.agent_session_id

    # The turn

    async def prepare(self) -> Outcome | None:
        """Starts the CLI and connects it, without a prompt; answers how that failed, if it did."""
        if self._client is not None and self._process is not None and self._process.exit is None:
            return None  # one that has died while it waited for its task is started anew
        task = self._task
        unknown = unknown_choice(task)
        if unknown is not None:
            return outcomes.start_failed(unknown)
        resume = task.agent_session_id is not None
        if resume and task.transcript is not None:
            config = config_folder(self._environment)
            with contextlib.suppress(OSError):  # if it is needed and cannot be had, the CLI says so
                keep = None if task.fork else self._means.keep
                restore(task.transcript, str(task.agent_session_id), config, task.cwd, keep)
        failed = await self._connect(resume=resume)
        if failed is None or self._transport is None:
            return failed
        if not resume and "already in use" in self._last_lines():
            # The session was begun by a run that did not live to tell: it is ours, and is taken up.
            self._task = msgspec.structs.replace(task, agent_session_id=task.new_session_id)
            return await self._connect(resume=True)
        if resume and not task.fork and "No conversation found" in (failed.message or ""):
            failed = await self._connect(resume=False)
            if failed is None:
                self._lost_memory = True
                self._emit(
                    events.Recovered(
                        message="Claude Code has lost its session; it starts without memory of it.",
                        agent_session_id=task.agent_session_id,
                    )
                )
        return failed

    async def _connect(self, *, resume: bool) -> Outcome | None:
        self._result = asyncio.get_running_loop().create_future()
        options = options_for(
            self._task,
            resume=resume,
            can_use_tool=self._permissions.can_use_tool,
            hooks={
                "PreToolUse": [HookMatcher(hooks=[self._permissions.before_tool], timeout=_HOOK_S, on_failure="block")]
            },
            session_store=Mirror(self._means.keep),
            # The SDK finds out from it which transcript a mirrored line belongs to.
            env={"CLAUDE_CONFIG_DIR": str(config_folder(self._environment))},
        )
        self._transport = CliTransport(
            dataclasses.replace(options, permission_prompt_tool_name="stdio", allowed_tools=TASK_TOOLS),
            cwd=self._task.cwd,
            environment=self._environment,
            stderr=self._means.stderr,
            take=self._take,
            unparsed=self._unparsed,
            started=self._means.started,
        )
        client = ClaudeSDKClient(options, transport=self._transport)
        try:
            async with asyncio.timeout(self._means.start_timeout_s):
                await client.connect()
        except TimeoutError:
            return outcomes.start_failed(f"Claude Code did not answer within {self._means.start_timeout_s:g} s")
        except OSError as error:
            return outcomes.start_failed(self._start_error(error))
        except Exception as error:
            return await self._refusal(error)
        self._client = client
        self._models = offered_models(await client.get_server_info())
        self._draining = asyncio.ensure_future(self._drain(client))
        return None

    @property
    def _process(self) -> AgentProcess | None:
        return self._transport.process_of_cli if self._transport is not None else None

    def _start_error(self, error: OSError) -> str:
        if not os.path.isdir(self._task.cwd):  # noqa: PTH112
            return f"the workspace {self._task.cwd!r} is not a folder"
        return f"Claude Code could not be started: {error.strerror or error}"

    async def _refusal(self, error: Exception) -> Outcome:
        process = self._process
        if self._result.done():
            return outcomes.refused(self._result.result())
        if process is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LEAVE_S):
                    await process.gone()
        if process is None or process.exit is None:
            # It is not there, or stays although it and the SDK do not agree: to wait for its end would be for ever.
            return outcomes.start_failed(f"Claude Code could not be started: {error}")
        return outcomes.gone(process, started=False, last_lines=self._last_lines(), facts=self._translation.facts)

    async def run(self) -> Outcome:
        failed = await self.prepare()
        if failed is not None:
            return failed
        process = self._process
        assert self._transport is not None
        assert process is not None
        try:
            text, blocks = prompt_of(self._task, is_fresh=self._lost_memory)
        except CannotStart as error:
            return outcomes.start_failed(str(error))
        self._prompting = True
        gone = asyncio.ensure_future(process.gone())
        try:
            with contextlib.suppress(Exception):  # if the CLI is gone, `gone` says so
                await self._transport.write(user_message(text, blocks))
            await asyncio.wait((self._result, gone), return_when=asyncio.FIRST_COMPLETED)
            if self._result.done():
                return await self._ended(self._result.result(), process)
            await self._let_go(process)
            return outcomes.gone(process, started=True, last_lines=self._last_lines(), facts=self._translation.facts)
        finally:
            self._prompting = False
            gone.cancel()

    async def _ended(self, result: Frame, process: AgentProcess) -> Outcome:
        held = result.get("held")
        if isinstance(held, Outcome):
            return held
        await self._let_go(process)
        for event in display(result, self._task):
            self._emit(event)
        outcome = outcomes.classified(result, self._translation.facts)
        return msgspec.structs.replace(outcome, agent_position=self._position)

    async def _let_go(self, process: AgentProcess) -> None:
        """Lets the CLI write the rest of its transcript: what is not mirrored when the run ends is lost to us."""
        process.close_input()
        if self._draining is not None:
            await asyncio.wait((self._draining,), timeout=_LEAVE_S)

    # Commands

    def cancel(self) -> bool:
        self._desk.cancel_all()
        if self._prompting and self._client is not None and self._interrupting is None:
            self._interrupting = asyncio.ensure_future(self._interrupt(self._client))
        return self._prompting

    async def _interrupt(self, client: ClaudeSDKClient) -> None:
        with contextlib.suppress(Exception):  # a CLI that does not obey is ended by signals
            await client.interrupt()

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
        self._desk.cancel_all()

    async def end(self, *, patience_s: float) -> bool:
        for task in (self._draining, self._interrupting):
            if task is not None:
                task.cancel()
        if self._process is None:
            return True
        return await self._process.end(patience_s=patience_s, grace_s=0.7, deadline_s=4.0)

    @property
    def cost_usd(self) -> float | None:
        return self._translation.facts.cost_usd

    # The conversation

    def begin(self, task: Task) -> None:
        self._task = task
        self._desk.policy = task.policy

    def _take(self, frame: Frame) -> None:
        try:
            made = self._translation.frame(frame)
        except Exception:  # what nobody thought of is told as it is; raised here, the lines behind it would be lost
            made = [events.AgentUnparsed(text=shown(msgspec.json.encode(frame)))]
        for event in made:
            self._emit(event)
        match frame.get("type"), frame.get("subtype"):
            case "system", "init" if not self._has_started:
                self._announce(frame)
            case "system", "api_retry":
                self._watch_retries(frame)
            case "assistant", _ if frame.get("parent_tool_use_id") is None:
                uuid = frame.get("uuid")
                self._position = uuid if isinstance(uuid, str) else self._position
            case "result", _ if not self._result.done():
                self._result.set_result(frame)
            case _:
                pass

    def _announce(self, init: Frame) -> None:
        self._has_started = True
        start = agent_start(init, self._task, self._models)
        self.agent_session_id = start.agent_session_id or self.agent_session_id
        self._emit(start)

    def _watch_retries(self, frame: Frame) -> None:
        attempt = frame.get("attempt")
        if frame.get("error_status") == 401 and isinstance(attempt, int) and attempt >= _AUTH_RETRIES:
            outcome = outcomes.auth_failed("The API refuses the credential (401)", 401)
            if not self._result.done():
                self._result.set_result({"held": outcome})

    def _unparsed(self, text: str) -> None:
        self._emit(events.AgentUnparsed(text=plain(text)))

    async def _drain(self, client: ClaudeSDKClient) -> None:
        """Somebody must read what the SDK hands on: after a hundred unread messages it takes no more. Returns when the
        CLI is gone and its transcript is mirrored."""
        with contextlib.suppress(Exception):  # the process's end is seen elsewhere
            async for _ in client.receive_messages():
                pass

    def _last_lines(self) -> str:
        collected = self._means.stderr.result()
        if collected is None:
            return ""
        return " / ".join((collected.tail or collected.head).strip().splitlines()[-3:])
