"""What Claude Code is shown and what comes out of it, beyond plain texts and tools."""

import base64
import json

import anyio.to_thread
import pytest
from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient

from holdfast.sessions.ids import deterministic_session_id
from tests.models.actions import Call, Say, Shell, Spend, Structured, Think
from tests.models.marker import do
from tests.processes import eventually
from tests.real.actors import InTool

# The smallest PNG there is: one pixel.
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
DISPLAY = {
    "output": "# Done\n\nIt **works**.",
    "error": "",
    "comments": "Nothing more.",
    "result_files": ["a.txt"],
    "status": "COMPLETE",
}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


def of(events, kind):
    return [event["data"] for event in events if event["type"] == kind]


def finals(events):
    return [data["full_text"] for data in of(events, "message") if not data["is_partial"]]


def test_an_attached_image_is_shown_to_the_model_and_an_attached_text_is_where_it_can_be_read(
    claude, claude_server, models
):
    session_id = deterministic_session_id("attached")
    folder = claude_server.data / "sessions" / session_id / "attachments/1"
    notes = folder / "2-my notes.txt"
    script = models.add([[Call(tool="Read", input={"file_path": str(notes)})], [Say(text="I have read it.")]])
    attachments = [
        {"name": "pixel.png", "media_type": "image/png", "data": base64.b64encode(PIXEL).decode()},
        {"name": "../my notes.txt", "media_type": "text/plain", "data": base64.b64encode(b"heather").decode()},
    ]
    body = {"task": script, "config": {"project_id": "attached"}, "attachments": attachments}
    assert claude.post("/sessions/run", json=body).json()["session_id"] == session_id
    events = claude.follow(session_id)
    assert [one["name"] for one in of(events, "user_message")[0]["attachments"]] == ["pixel.png", "../my notes.txt"]
    first, second = [models.body(request) for request in models.requests()][:2]
    assert base64.b64encode(PIXEL).decode() in images(first)
    assert str(notes) in json.dumps(first["messages"])
    assert "heather" in json.dumps(second["messages"][-1])
    assert finals(events) == ["I have read it."]


@pytest.mark.anyio
async def test_the_model_is_told_what_claude_code_tells_it_by_itself(claude, models, claude_environment, tmp_path):
    """The SDK leaves that out unless it is asked for, and the agent would be another one."""

    async def alone(system_prompt):
        options = ClaudeAgentOptions(
            env=claude_environment(), cwd=tmp_path, setting_sources=[], system_prompt=system_prompt
        )
        async with ClaudeSDKClient(options) as cli:
            await cli.query(do("text"))
            async for _ in cli.receive_response():
                pass
        return system_of(models)

    await anyio.to_thread.run_sync(lambda: claude.follow(claude.run_task(do("text"))))
    ours = system_of(models)
    assert ours[:1000] == (await alone({"type": "preset", "preset": "claude_code"}))[:1000]
    assert len(ours) > 10 * len(await alone(None))


def system_of(models):
    """What the model was told beside the conversation, in the newest request."""
    return "".join(block["text"] for block in models.body(models.requests()[-1])["system"])


def images(body):
    blocks = [block for message in body["messages"] for block in message["content"] if isinstance(block, dict)]
    return [block["source"]["data"] for block in blocks if block["type"] == "image"]


@pytest.mark.requirement("R037", "R048")
def test_a_structured_result_is_displayed_before_the_end_and_nothing_of_it_is_in_the_text(claude, models):
    script = models.add(
        [
            [Say(text="I am nearly done."), Structured(value={"not": "what was asked for"})],
            [Think(text="Once more."), Say(text="So:", pieces=2), Structured(value=DISPLAY)],
            [Say(text="Here it is.")],
        ]
    )
    session_id = claude.run_task(script, output_display=True)
    events = claude.follow(session_id)
    assert of(events, "output_display") == [DISPLAY]
    assert events[-1]["data"]["stop_reason"] == "success"
    kinds = [event["type"] for event in events]
    assert kinds.index("output_display") < kinds.index("agent_complete")
    shown = "".join(data["text"] for kind in ("message", "thinking") for data in of(events, kind))
    assert "It **works**" not in shown
    assert "result_files" not in shown
    assert "asked for" not in shown
    assert not of(events, "tool_start")

    # The next task may want another shape.
    task = {"task": do("structured", value={"n": 3}), "output_display": False, "output_schema": SCHEMA}
    assert claude.post(f"/sessions/{session_id}/task", json=task).status_code == 200
    again = claude.follow(session_id, after=events[-1]["sequence"])
    [display] = of(again, "output_display")
    assert json.loads(display["output"]) == {"n": 3}
    assert '"n"' not in "".join(finals(again))


def test_the_tasks_of_claude_code_are_todos_and_a_subagent_is_nested_below_its_call(claude, models):
    create = Call(tool="TaskCreate", input={"subject": "Read the file", "description": "With care"})
    look = [Think(text="Below."), Say(text="I look."), Shell(command="touch below.txt")]
    below = models.add([look, [Say(text="Seen.")]])
    handed = {"description": "A part", "prompt": below, "subagent_type": "general-purpose"}
    script = models.add(
        [
            [create],
            [Call(tool="TaskUpdate", input={"taskId": "1", "status": "in_progress"})],
            [Say(text="I hand it over."), Call(tool="Agent", input=handed)],
            [Call(tool="TaskUpdate", input={"taskId": "1", "status": "completed"})],
            [Say(text="That is it.")],
        ]
    )
    session_id = claude.run_task(script)
    events = claude.follow(session_id)
    assert events[-1]["data"]["stop_reason"] == "success"
    lists = [[(todo["content"], todo["status"]) for todo in data["todos"]] for data in of(events, "todo_update")]
    assert lists == [[("Read the file", status)] for status in ("pending", "in_progress", "completed")]
    assert [todo["status"] for todo in claude.record(session_id)["todos"]] == ["completed"]

    [call] = [data for data in of(events, "tool_start") if data["tool_name"] == "Agent"]
    nested = [event for event in events if event["data"].get("parent_id") == call["tool_id"]]
    assert {event["type"] for event in nested} == {"message", "thinking", "tool_start", "tool_complete"}
    assert [data["full_text"] for data in of(nested, "message") if not data["is_partial"]] == ["I look.", "Seen."]
    [start] = of(nested, "tool_start")
    assert start["tool_input"]["command"] == "touch below.txt"
    assert start["tool_id"] in [data["tool_id"] for data in of(nested, "tool_complete")]
    outer = [event for event in events if "parent_id" not in event["data"]]
    assert finals(outer) == ["I hand it over.", "That is it."]
    order = [event["data"].get("tool_id") for event in events if event["type"] in ("tool_start", "tool_complete")]
    begin, end = (number for number, tool_id in enumerate(order) if tool_id == call["tool_id"])
    assert begin < order.index(start["tool_id"]) < end


def test_a_full_context_is_compacted_and_a_text_of_two_megabytes_is_cut(claude, models):
    story = "All of this is said in one breath. " * 60_000
    told = Say(text=story, pieces=20)
    script = models.add([[told, Shell(command="touch a"), Spend(input=1_000_000)], [Say(text="Ok.")]])
    events = claude.follow(claude.run_task(script))
    assert events[-1]["data"]["stop_reason"] == "success"
    [compacted] = of(events, "compacted")
    assert compacted["trigger"] == "auto"
    assert compacted["tokens_before"] >= 1_000_000
    cut = finals(events)[0]
    assert cut.startswith("All of this")
    assert cut.endswith(f"… [cut: {len(story)} characters]")
    assert len(cut) < 300_000


def test_a_call_with_half_a_character_in_it_is_answered_like_any_other(claude):
    """JavaScript lets half of an emoji through, and most readers of JSON do not."""
    halved = do("tool", name="Bash", input={"command": "echo 'half \ud83d' > made.txt"})
    events = claude.follow(claude.run_task(halved, timeout_s=90))
    assert events[-1]["data"]["stop_reason"] == "success"
    assert [data["is_error"] for data in of(events, "tool_complete")] == [False]
    assert not of(events, "agent_unparsed")


def test_a_silent_tool_is_said_to_be_waited_for(claude, tmp_path):
    scene = InTool(tmp_path)
    session_id = claude.run_task(scene.task, workspace=str(tmp_path), **scene.config)
    start = scene.until_reached(claude, session_id, 0)["data"]
    waiting = claude.record(session_id)["waiting_on"]
    assert (waiting["kind"], waiting["tool_name"], waiting["tool_id"]) == ("tool", "Bash", start["tool_id"])
    assert waiting["detail"] == "cat gate > made.txt"
    stalled = eventually(lambda: [data for data in of(claude.history(session_id), "stalled") if "tool_id" in data])
    [told] = stalled
    assert (told["waiting_on"], told["tool_name"], told["tool_id"]) == ("tool", "Bash", start["tool_id"])
    assert told["idle_ms"] >= 1000
    assert claude.record(session_id)["waiting_on"]["stalled"] is True
    scene.let_go(claude, session_id)
    assert claude.end_of(session_id)["data"]["stop_reason"] == "success"
    assert "waiting_on" not in claude.record(session_id)
