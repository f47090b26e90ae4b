"""The Claude CLI as a process of ours, under the SDK's control protocol.

The SDK's own transport leaves the CLI behind when we are killed, inherits our whole environment, knows no exit by
signal and bounds a message at 1 MiB. So only its command line is used; the process is started and read like every
agent's.
Frames of the conversation go to `take` as they come; those of the control protocol go to the SDK.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import msgspec
from claude_agent_sdk import ClaudeAgentOptions, CLIConnectionError
from claude_agent_sdk._internal.transport.subprocess_cli import SubprocessCLITransport

from holdfast.agents.acp_wire import UNDECODABLE, shown
from holdfast.agents.lines import Lines
from holdfast.agents.process import AgentProcess
from holdfast.agents.stderr import StderrCollector
from holdfast.agents.whole_characters import whole

# Images and whole files come as one line.
_LINE_BYTES = 64 * 1024 * 1024
_CONTROL = frozenset({"control_request", "control_response", "control_cancel_request", "transcript_mirror", "result"})
_decode = msgspec.json.Decoder().decode

Frame = dict[str, Any]


class CliTransport(SubprocessCLITransport):
    def __init__(
        self,
        options: ClaudeAgentOptions,
        *,
        cwd: str,
        environment: Mapping[str, str],
        stderr: StderrCollector,
        take: Callable[[Frame], None],
        unparsed: Callable[[str], None],
        started: Callable[[int], None],
    ) -> None:
        super().__init__(prompt=_no_prompt(), options=options)
        self._folder = cwd
        self._environment = environment
        self._collector = stderr
        self._take = take
        self._unparsed = unparsed
        self._started = started
        self._lines = Lines(self._line, self._overlong, limit=_LINE_BYTES)
        self._frames: asyncio.Queue[Frame | None] = asyncio.Queue()
        self.process_of_cli: AgentProcess | None = None

    async def connect(self) -> None:
        """Raises OSError if the CLI cannot be started."""
        self._cli_path = self._cli_path or self._find_cli()
        self.process_of_cli = await AgentProcess.start(
            self._build_command(),
            cwd=self._folder,
            environment=self._environment,
            stderr=self._collector,
            take=self._lines.feed,
        )
        self._started(self.process_of_cli.pid)
        self._watching = asyncio.ensure_future(self._watch(self.process_of_cli))
        self._ready = True

    async def _watch(self, process: AgentProcess) -> None:
        await process.gone()
        self._lines.end()
        self._ready = False
        self._frames.put_nowait(None)

    def _line(self, line: bytes) -> None:
        if not line or line.isspace():
            return
        try:
            frame = _decode(whole(line))
        except UNDECODABLE:
            self._unparsed(shown(line))
            return
        if not isinstance(frame, dict):
            self._unparsed(shown(line))
            return
        message: Frame = frame  # pyright: ignore[reportUnknownVariableType]
        kind = str(message.get("type"))
        if kind in _CONTROL:
            self._frames.put_nowait(message)
        if kind not in _CONTROL or kind == "result":
            self._take(message)

    def _overlong(self, line: bytes, size: int) -> None:
        self._unparsed(f"{shown(line)} [a line of {size} bytes, over the limit of {_LINE_BYTES}]")

    async def write(self, data: str) -> None:
        if not self._ready or self.process_of_cli is None or self.process_of_cli.stdin_closed.is_set():
            raise CLIConnectionError("the CLI is gone")
        self.process_of_cli.write(data.encode())

    def read_messages(self) -> AsyncIterator[Frame]:
        return self._read()

    async def _read(self) -> AsyncIterator[Frame]:
        while (frame := await self._frames.get()) is not None:
            yield frame
        # Whoever waits for an answer of the CLI must learn that none will come.
        raise CLIConnectionError("the CLI is gone")

    async def end_input(self) -> None:
        """The adapter ends the process when the run is over."""

    async def close(self) -> None:
        self._ready = False
        if self.process_of_cli is not None:
            self._watching.cancel()


async def _no_prompt() -> AsyncIterator[Frame]:
    for nothing in ():
        yield nothing


def user_message(text: str, blocks: list[dict[str, Any]]) -> str:
    """A prompt as the CLI reads it from its stdin."""
    content: object = [*blocks, {"type": "text", "text": text}] if blocks else text
    message = {"type": "user", "message": {"role": "user", "content": content}, "parent_tool_use_id": None}
    return json.dumps({**message, "session_id": "default"}) + "\n"
