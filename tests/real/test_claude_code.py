"""Claude Code as it is, through its SDK and without Holdfast: what it makes of the scripted API."""

import os
import signal

import anyio.to_thread
import pytest
from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    PermissionResultAllow,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    TextBlock,
    ToolUseBlock,
)

from tests.models.marker import do
from tests.processes import eventually, marked

pytestmark = pytest.mark.anyio

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


class Cli:
    """One process of Claude Code."""

    def __init__(self, environment, cwd, **options):
        self.asked = []
        cwd.mkdir(exist_ok=True)
        self._client = ClaudeSDKClient(
            ClaudeAgentOptions(
                env=environment, cwd=cwd, can_use_tool=self._allow, setting_sources=[], max_buffer_size=2**24, **options
            )
        )

    async def _allow(self, name, given, _):
        self.asked.append(name)
        if name == "AskUserQuestion":
            given = {**given, "answers": {question["question"]: "Blue" for question in given["questions"]}}
        return PermissionResultAllow(updated_input=given)

    async def __aenter__(self):
        await self._client.connect()
        return self

    async def __aexit__(self, *_):
        await self._client.disconnect()

    async def say(self, text):
        await self._client.query(text)

    async def turn(self, text=None):
        """All messages of a turn, the result last."""
        if text is not None:
            await self.say(text)
        return [message async for message in self._client.receive_response()]

    async def until(self, found):
        async for message in self._client.receive_messages():
            if found(message):
                return message
        raise AssertionError("the messages ended before that")

    async def interrupt(self):
        await self._client.interrupt()


@pytest.fixture
def cli(tmp_path, claude_environment):
    """cli(option=value …, env={…}): Claude Code in the folder `work`."""
    return lambda env=None, **options: Cli(claude_environment(**(env or {})), tmp_path / "work", **options)


def blocks(messages, kind):
    return [b for m in messages if isinstance(m, AssistantMessage) for b in m.content if isinstance(b, kind)]


# script -> tools that were asked about, tools that were called, and what the result says
PLAYED = [
    (do("text"), [], [], "Hello from the scripted model."),
    (do("think"), [], [], "I have thought about it."),
    (do("shell", command="touch 'made here.txt'"), ["Bash"], ["Bash"], "The command has run."),
    (do("write"), ["Write"], ["Write"], "The file is written."),
    (do("parallel"), ["Bash"] * 2, ["Bash"] * 2, "All of them have run."),
    (do("question"), ["AskUserQuestion"], ["AskUserQuestion"], "Thank you for the answer."),
    (
        do("subagent", prompt=do("shell", command="touch below")),
        ["Bash"],
        ["Agent", "Bash"],
        "The other agent is done.",
    ),
    (do("todos"), [], ["TodoWrite"] * 3, "That is the list."),
    (do("tool", name="NoSuchTool"), [], ["NoSuchTool"], "The tool has answered."),
    (do("loop", count=3), ["Bash"] * 3, ["Bash"] * 3, "The loop is over."),
    (do("big", what="tool"), ["Write"], ["Write"], "That was big."),
    (do("empty"), [], [], ""),
]

FAILED = [
    (do("error", status=401), 401, "Invalid API key"),
    (do("error", status=403), 403, "Failed to authenticate"),
    (do("error", status=404), 404, "issue with the selected model"),
    (do("error", status=413), 413, "Request too large"),
    (do("error", status=429), 429, "Request rejected (429)"),
    (do("error", status=500), 500, "API Error: 500"),
    (do("error", status=529), 529, "API Error: 529"),
    (do("credit-too-low"), 400, "Credit balance is too low"),
    (do("prompt-too-long"), 400, "Prompt is too long"),
    (do("drop"), None, "Connection to the API was lost"),
    (do("break"), 529, "API Error: 529"),
    (do("max-tokens"), None, "output token maximum"),
    (do("refusal"), None, "safeguards"),
]


async def test_claude_code_plays_every_script_with_its_own_tools(cli, tmp_path):
    tools = ["Agent", "AskUserQuestion", "Bash", "TodoWrite", "Write"]
    env = {"CLAUDE_CODE_ENABLE_TASKS": "0", "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"}
    async with cli(env=env, tools=tools) as claude:
        for script, asked, called, result in PLAYED:
            claude.asked.clear()
            messages = await claude.turn(script)
            found = (claude.asked, [block.name for block in blocks(messages, ToolUseBlock)], messages[-1].result)
            assert found == (asked, called, result), script
            assert not messages[-1].is_error, script
    made = {path.name for path in (tmp_path / "work").iterdir() if path.is_file()}
    assert made == {"made here.txt", "written.txt", "made-1.txt", "made-2.txt", "below", "made.txt", "big.txt"}


async def test_claude_code_reports_every_failure_and_is_there_for_the_next_turn(cli):
    async with cli() as claude:
        for script, status, text in FAILED:
            result = (await claude.turn(script))[-1]
            assert (result.is_error, result.api_error_status) == (True, status), script
            assert text in result.result, script
        assert not (await claude.turn(do("text")))[-1].is_error


async def test_claude_code_gives_the_structured_output_also_after_wrong_ones(cli):
    async with cli(output_format={"type": "json_schema", "schema": SCHEMA}) as claude:
        assert (await claude.turn(do("structured", value={"n": 3}, wrong=1)))[-1].structured_output == {"n": 3}
        assert (await claude.turn(do("structured", value={}, wrong=9)))[-1].subtype == (
            "error_max_structured_output_retries"
        )


async def test_claude_code_keeps_its_tasks(cli):
    async with cli(tools=["TaskCreate", "TaskUpdate"]) as claude:
        called = [block.name for block in blocks(await claude.turn(do("tasks")), ToolUseBlock)]
    assert called == ["TaskCreate", "TaskCreate", "TaskUpdate", "TaskUpdate"]


async def test_claude_code_tries_again_when_the_api_is_busy(cli, models):
    async with cli(env={"CLAUDE_CODE_MAX_RETRIES": "2"}) as claude:
        messages = await claude.turn(models.failing(1, status=529, then=do("text", text="At last.")))
    retries = [m.data for m in messages if isinstance(m, SystemMessage) and m.subtype == "api_retry"]
    assert [(retry["attempt"], retry["error_status"]) for retry in retries] == [(1, 529)]
    assert messages[-1].result == "At last."


async def test_claude_code_compacts_a_full_context_and_goes_on(cli, models):
    async with cli() as claude:
        await claude.turn(do("full"))
        messages = await claude.turn(do("text", text="Room again."))
    assert "compact_boundary" in [m.subtype for m in messages if isinstance(m, SystemMessage)]
    assert messages[-1].result == "Room again."
    assert [request.script for request in models.requests()] == ["full", "compaction", "text"]


async def test_claude_code_is_interrupted_in_the_middle_of_its_text(cli, models):
    hold = models.hold(at="text", text="Half one. Half two.")
    async with cli(include_partial_messages=True) as claude:
        await claude.say(hold.marker)
        await claude.until(lambda m: isinstance(m, StreamEvent) and m.event["type"] == "content_block_delta")
        await claude.interrupt()
        messages = await claude.turn()
        assert messages[-1].terminal_reason == "aborted_streaming"
        assert [block.text for block in blocks(messages, TextBlock)] == ["Half one. "]
        assert models.until_ended(models.until_request("hold")).ended == "left"
        assert (await claude.turn(do("text", text="Here again.")))[-1].result == "Here again."


async def test_claude_code_killed_between_two_steps_goes_on_at_the_second(cli, models, tmp_path):
    hold = models.hold(at="result", command="touch made.txt", text="The end of it.")
    mark = str(tmp_path)
    async with cli(env={"XDG_TEST_MARKER": mark}) as claude:
        await claude.say(hold.marker)
        started = await claude.until(lambda m: isinstance(m, SystemMessage) and m.subtype == "init")
        # In a thread: the permission is answered by this one.
        await anyio.to_thread.run_sync(hold.until_reached)
        # It writes its transcript a moment later than it goes on; killed before, it would begin at the first step.
        transcripts = tmp_path / "agents/claude/projects"
        eventually(lambda: any(b"tool_result" in path.read_bytes() for path in transcripts.rglob("*.jsonl")))
        # Now and then it has a child for a moment.
        [pid] = eventually(lambda: found if len(found := marked(f"XDG_TEST_MARKER={mark}")) == 1 else None)
        os.kill(pid, signal.SIGKILL)
        eventually(lambda: not marked(f"XDG_TEST_MARKER={mark}"))
    hold.release()
    resumed = {"CLAUDE_CODE_RESUME_INTERRUPTED_TURN": "1"}
    async with cli(env=resumed, resume=started.data["session_id"], fork_session=True) as claude:
        result = await claude.until(lambda m: isinstance(m, ResultMessage))
    assert result.result == "The end of it."
    assert result.session_id != started.data["session_id"]
    assert [request.step for request in models.requests("hold")] == [0, 1, 1]
