"""`python -m holdfast.agents.probe`: asks an agent what it can do and whose account it uses, and gives it no task.

The inquiry comes as one JSON line on stdin (not as an argument: those can be read by every process), the answer goes
to stdout. The agent gets this process's environment and folder. Stdin stays open as long as somebody wants the answer:
when it closes, or when the answer is there, everything below this process is ended.
"""

import asyncio
import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from holdfast.agents import acp_wire as wire
from holdfast.agents import tree
from holdfast.agents.acp_calls import AgentGone, Calls, NotAcp, Refused
from holdfast.agents.acp_opening import INTRODUCTION, capabilities_of, foreign_version
from holdfast.agents.inquiry import AgentAccount, AgentCapabilities, AgentModel, AuthMethod, Found, Inquiry
from holdfast.agents.process import AgentProcess
from holdfast.agents.stderr import StderrCollector, plain, secrets_of
from holdfast.agents.values import as_object, as_objects, as_text

_LEAVE_S = 1.0
_END_S = 4.0
_POLL_S = 0.02
_STDERR_LINES = 5


class Failed(Exception):
    """The agent did not answer as it should; the message says how, and begins with a verb."""


async def ask_acp(inquiry: Inquiry, stderr: StderrCollector) -> Found:
    process: AgentProcess | None = None  # it may speak before its start has returned

    def received(message: wire.Rpc) -> None:
        if message.method is None:
            calls.answered(message)
        elif message.id is not None:
            write(wire.error(message.id, wire.METHOD_NOT_FOUND, f"{message.method} is not offered"))

    def write(data: bytes) -> None:
        if process is not None:
            process.write(data)

    calls = Calls(write)
    reader = wire.LineReader(received, _ignore, calls.spoilt)
    try:
        process = await AgentProcess.start(
            inquiry.command,
            cwd=str(Path.cwd()),
            environment=os.environ,
            stderr=stderr,
            take=reader.feed,
        )
    except OSError as error:
        raise Failed(f"could not be started: {error.strerror or error}") from error
    initialize = asyncio.ensure_future(calls.call("initialize", INTRODUCTION))
    gone = asyncio.ensure_future(process.gone())
    try:
        await asyncio.wait((initialize, gone), return_when=asyncio.FIRST_COMPLETED)
        reader.end()
        calls.fail()
        answer = await initialize
    except AgentGone:
        raise Failed(_ended(process)) from None
    except Refused as refusal:
        raise Failed(f"refused initialize: {plain(refusal.error.message)} ({refusal.error.code})") from refusal
    except NotAcp as error:
        raise Failed(f"does not speak ACP: {error}") from error
    finally:
        gone.cancel()
        await process.end(patience_s=_LEAVE_S, grace_s=0.7, deadline_s=_END_S)
    return _initialized(answer)


def _ended(process: AgentProcess) -> str:
    if process.exit is None:
        return "closed its output before it answered"
    how = f"was ended by {process.exit.signal}" if process.exit.signal else f"exited with status {process.exit.code}"
    return f"{how} before it answered"


def _initialized(answer: dict[str, Any]) -> Found:
    foreign = foreign_version(answer)
    if foreign is not None:
        raise Failed(foreign)
    agent = as_object(answer.get("agentInfo"))
    mcp = as_object(as_object(answer.get("agentCapabilities")).get("mcpCapabilities"))
    known = AgentCapabilities.__struct_fields__
    version = answer.get("protocolVersion")
    return Found(
        protocol_version=version if isinstance(version, int) else None,
        name=as_text(agent.get("name")),
        title=as_text(agent.get("title")),
        version=as_text(agent.get("version")),
        capabilities=AgentCapabilities(
            **{name: True for name in capabilities_of(answer) if name in known},
            mcp_http=mcp.get("http") is True,
            mcp_sse=mcp.get("sse") is True,
        ),
        auth_methods=[
            AuthMethod(
                id=id_,
                name=as_text(method.get("name")) or id_,
                description=as_text(method.get("description")),
                type=as_text(method.get("type")),
            )
            for method in as_objects(answer.get("authMethods"))
            if (id_ := as_text(method.get("id")))
        ],
    )


async def ask_claude(inquiry: Inquiry, stderr: StderrCollector) -> Found:
    """Connects without a prompt: the CLI then calls no service and writes no transcript."""
    # Imported here because it is an extra, and large.
    try:
        from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ClaudeSDKError, ProcessError
    except ImportError as error:
        raise Failed(f"cannot be used without the package claude-agent-sdk: {error}") from error
    client = ClaudeSDKClient(
        ClaudeAgentOptions(
            cli_path=inquiry.command[0] if inquiry.command else None,
            cwd=str(Path.cwd()),
            setting_sources=inquiry.setting_sources,  # pyright: ignore[reportArgumentType] - checked by the settings
            stderr=lambda line: stderr.feed(line.encode() + b"\n"),
            extra_args={"no-session-persistence": None, "strict-mcp-config": None},
        )
    )
    try:
        await client.connect()
        answer = as_object(await client.get_server_info())
    except ProcessError as error:
        raise Failed(f"exited with status {error.exit_code} before it answered") from error
    except ClaudeSDKError as error:
        raise Failed(f"could not be asked: {plain(str(error))}") from error
    with contextlib.suppress(TimeoutError, ClaudeSDKError):
        async with asyncio.timeout(_LEAVE_S):
            await client.disconnect()
    account = as_object(answer.get("account"))
    return Found(
        name="claude",
        version=as_text(answer.get("claude_code_version")),
        capabilities=AgentCapabilities(resume=True, fork=True, images=True, mcp_http=True, mcp_sse=True),
        models=[
            AgentModel(id=id_, name=as_text(model.get("displayName")), description=as_text(model.get("description")))
            for model in as_objects(answer.get("models"))
            if (id_ := as_text(model.get("value")))
        ],
        account=AgentAccount(
            email=as_text(account.get("email")),
            organization=as_text(account.get("organization")),
            subscription_type=as_text(account.get("subscriptionType")),
            token_source=as_text(account.get("tokenSource")),
            api_key_source=as_text(account.get("apiKeySource")),
            api_provider=as_text(account.get("apiProvider")),
        ),
    )


def _ignore(_text: str) -> None:
    """What an agent prints beside ACP is no business of a probe."""


async def answer(inquiry: Inquiry) -> Found:
    stderr = StderrCollector(head=0, tail=_STDERR_LINES, secrets=secrets_of(os.environ))
    ask = ask_claude if inquiry.kind == "claude" else ask_acp
    asking = asyncio.ensure_future(ask(inquiry, stderr))
    # Not a timeout around it: to give up in good order takes the SDK 5 s, and what is below us is ended anyway.
    await asyncio.wait((asking,), timeout=inquiry.timeout_s)
    if not asking.done():
        return Found(error=_with_last_words(f"did not answer within {inquiry.timeout_s:g} s", stderr))
    try:
        return asking.result()
    except Failed as error:
        return Found(error=_with_last_words(str(error), stderr))
    except Exception as error:  # the outermost boundary of this program: whatever it was, somebody waits for an answer
        return Found(error=_with_last_words(f"could not be asked: {plain(str(error) or repr(error))}", stderr))


def _with_last_words(message: str, stderr: StderrCollector) -> str:
    said = stderr.result()
    lines = [line.strip() for line in ((said.tail or said.head or "") if said else "").splitlines() if line.strip()]
    return f"{message}; its last words: {' | '.join(lines)}" if lines else message


async def _live(inquiry: Inquiry) -> NoReturn:
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _nobody_waits)
    encoded = msgspec.json.encode(await answer(inquiry))
    _end_below()
    sys.stdout.buffer.write(encoded)
    sys.stdout.buffer.flush()
    os._exit(0)  # the SDK may still wait for what we have just ended


def _nobody_waits() -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        _end_below()
        os._exit(1)


def _end_below() -> None:
    give_up_at = time.monotonic() + _END_S
    while not tree.is_childless() and time.monotonic() < give_up_at:
        tree.kill_all()
        tree.reap_orphans(keep=None)
        time.sleep(_POLL_S)


def main() -> None:
    tree.become_subreaper()
    inquiry = msgspec.json.decode(sys.stdin.buffer.readline(), type=Inquiry)
    asyncio.run(_live(inquiry))


if __name__ == "__main__":
    main()
