"""`python -m tests.agents.record_claude`: records frames of the real CLI into claude_frames.json.

To be run again when the SDK's version changes. What is recorded is as the CLI said it, but for the folder, the port,
long lists, and what the stream's events repeat.
"""

import asyncio
import dataclasses
import json
import logging
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, PermissionResultAllow

from holdfast.agents.claude_transport import CliTransport, user_message
from holdfast.agents.stderr import StderrCollector
from tests.models.actions import Drop, Say
from tests.models.client import Models
from tests.models.marker import do
from tests.real.agents import claude_environment

logging.getLogger("claude_agent_sdk").setLevel(logging.CRITICAL)
FRAMES = Path(__file__).with_name("claude_frames.json")
_INIT = ("type", "subtype", "cwd", "session_id", "tools", "model", "permissionMode", "skills", "claude_code_version")
_REPEATED = ("session_id", "uuid", "api_message_id", "thinking_display", "ttft_ms")
_SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

Frame = dict[str, Any]


class Scene:
    """A prompt, the options and variables of the CLI, and when to interrupt it."""

    def __init__(self, prompt: str, *, stop_at: str = "", env: dict[str, str] | None = None, **options: Any) -> None:
        self.prompt = prompt
        self.stop_at = stop_at
        self.env = env or {}
        self.options = options


def scenes(models: Models) -> dict[str, Scene]:
    oauth = {"ANTHROPIC_API_KEY": "", "CLAUDE_CODE_OAUTH_TOKEN": "sk-ant-oat01-dummy"}
    held = do("hold", id="recorded", at="text", text="Half one. Half two.")
    # Slowly, so that the first pieces are out before the connection breaks.
    broken = models.add([[Say(text="Never to be heard.", pieces=2, delay=0.3), Drop()]])
    patient = {"CLAUDE_CODE_MAX_RETRIES": "2"}
    tasks = ["TaskCreate", "TaskUpdate"]
    todos = {"CLAUDE_CODE_ENABLE_TASKS": "0"}
    return {
        "text": Scene(do("text", text="Hello there.", pieces=2)),
        "thinking": Scene(do("think", thinking="Hm.", text="So it is.")),
        "shell": Scene(do("shell", command="touch made.txt")),
        "subagent": Scene(do("subagent", prompt=do("shell", command="touch below.txt"))),
        "tasks": Scene(do("tasks"), tools=tasks, allowed_tools=tasks),
        "todos": Scene(do("todos", finish="false"), tools=["TodoWrite"], env=todos),
        "structured": Scene(do("structured", value={"n": 3}), output_format={"type": "json_schema", "schema": _SCHEMA}),
        "aborted": Scene(models.failing(1, first=broken, then=do("text", text="At last.", pieces=1)), env=patient),
        "compacted": Scene(do("full")),
        "interrupted": Scene(held, stop_at="content_block_delta"),
        "max_turns": Scene(do("loop", count=3), max_turns=1),
        "unauthorized": Scene(do("error", status=401)),
        "overloaded": Scene(do("error", status=529)),
        "timed_out": Scene(do("hang"), env={"API_TIMEOUT_MS": "1000"}),
        "refused": Scene(do("refusal")),
        "limit_reached": Scene(do("error", status=429, limit="five_hour"), env=oauth),
    }


async def record(scene: Scene, folder: Path, url: str) -> list[Frame]:
    frames: list[Frame] = []
    seen = asyncio.Event()
    results: asyncio.Queue[Frame] = asyncio.Queue()

    def take(frame: Frame) -> None:
        frames.append(frame)
        if scene.stop_at and scene.stop_at in json.dumps(frame):
            seen.set()
        if frame["type"] == "result":
            results.put_nowait(frame)

    async def allow(_name: str, given: dict[str, Any], _context: Any) -> PermissionResultAllow:
        return PermissionResultAllow(updated_input=given)

    options = ClaudeAgentOptions(
        cwd=folder,
        setting_sources=[],
        include_partial_messages=True,
        can_use_tool=allow,
        forward_subagent_text=True,
        **scene.options,
    )
    environment = {
        "PATH": os.environ["PATH"],
        "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
        **claude_environment(folder / ".agents", url, **scene.env),
    }
    transport = CliTransport(
        dataclasses.replace(options, permission_prompt_tool_name="stdio"),
        cwd=str(folder),
        environment={name: value for name, value in environment.items() if value},
        stderr=StderrCollector(head=50, tail=50),
        take=take,
        unparsed=lambda text: print(text, file=sys.stderr),
        started=lambda _pid: None,
    )
    client = ClaudeSDKClient(options, transport=transport)
    await client.connect()
    prompts = [scene.prompt, *([do("text", text="Room again.", pieces=1)] if "do:full" in scene.prompt else [])]
    for prompt in prompts:
        await transport.write(user_message(prompt, []))
        if scene.stop_at:
            await asyncio.wait_for(seen.wait(), 30)
            await client.interrupt()
        await asyncio.wait_for(results.get(), 60)
    # Not end(): that would end the scripted API too.
    assert transport.process_of_cli is not None
    transport.process_of_cli.close_input()
    await asyncio.wait_for(transport.process_of_cli.exited.wait(), 10)
    return frames


def scrubbed(frames: list[Frame], folder: str) -> list[Frame]:
    named = re.sub(r"[^A-Za-z0-9]", "-", folder)
    text = json.dumps(frames).replace(folder, "/home/ada/engine").replace(named, "-home-ada-engine")
    text = re.sub(r"/tmp/claude-\d+", "/tmp/claude", text)
    kept: list[Frame] = []
    for frame in json.loads(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:4000", text)):
        if frame.get("subtype") == "init":
            frame = {name: frame[name] for name in _INIT} | {"tools": frame["tools"][:3], "skills": frame["skills"][:1]}
        message = frame.get("message") or frame.get("event", {}).get("message")
        if isinstance(message, dict):
            message.pop("usage", None)  # told again in the result
        if frame["type"] == "stream_event":
            frame = {name: frame[name] for name in frame if name not in _REPEATED}
        kept.append(frame)
    return kept


def main() -> None:
    models = Models().start()
    found: dict[str, list[Frame]] = {}
    try:
        for name, scene in scenes(models).items():
            with tempfile.TemporaryDirectory() as folder:
                found[name] = scrubbed(asyncio.run(record(scene, Path(folder), models.url)), folder)
            print(name, len(found[name]), found[name][-1].get("terminal_reason"))
    finally:
        models.stop()
    lines = ",\n".join(
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(frame, ensure_ascii=False) for frame in frames) + "\n]"
        for name, frames in found.items()
    )
    FRAMES.write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
